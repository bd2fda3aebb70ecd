import { portuguese } from "./texts-portuguese.js";

/** @typedef {keyof typeof spanish} TextKey */

const spanish = {
  skip: "Ir al contenido",
  navigation: "Idioma",
  eyebrow: "Tienda en Barranco, Lima",
  shelfHeading: "Bien hecho en el Perú, para todos los días",
  shelfLead: "Café, cacao, alpaca y telar de talleres que conocemos por su nombre.",
  add: "Agregar",
  addNamed: "Agregar {name}",
  added: "Agregaste {name}. Llevas {count} por {total}.",
  removed: "Quitaste {name}.",
  carried: "Llevas {count}",
  one: "1 producto",
  many: "{count} productos",
  bar: "Ver pedido",
  cartHeading: "Tu pedido",
  cartEmpty: "Aún no agregaste nada.",
  cartDelivery: "Los precios incluyen el envío a tu casa.",
  each: "{price} c/u",
  less: "Quitar uno: {name}",
  more: "Sumar uno: {name}",
  quantity: "Cantidad de {name}",
  total: "Total",
  customerHeading: "Tus datos",
  firstName: "Nombre",
  lastName: "Apellido",
  email: "Correo",
  missingFirstName: "Escribe tu nombre.",
  missingLastName: "Escribe tu apellido.",
  missingEmail: "Escribe tu correo.",
  wrongEmail: "Revisa el correo: debe verse como nombre@ejemplo.pe.",
  pay: "Ir a pagar",
  paying: "Preparando tu pedido…",
  payNote: "En el siguiente paso eliges cómo pagar.",
  pending: "Tienes un pedido por pagar de {amount}.",
  pendingLink: "Volver al pago",
  pendingDismiss: "Descartar",
  back: "Seguir comprando",
  summaryHeading: "Tu pedido",
  tillHeading: "Pago",
  checkoutFallback: "Preparando el pago… Si no aparece, recarga la página: tu pedido se conserva.",
  confirming: "Estamos confirmando tu pago con la tienda. No vuelvas a pagar.",
  thanks: "¡Gracias por tu compra!",
  thanksDetail: "Ya estamos preparando tu pedido.",
  offline: "No pudimos comunicarnos con la tienda. Revisa tu conexión.",
  serverTrouble: "La tienda no respondió bien. Intenta de nuevo en un momento.",
  refused: "No pudimos registrar tu pedido. Revisa los datos e intenta de nuevo.",
  catalogTrouble: "No pudimos cargar los productos.",
  orderTrouble: "No pudimos cargar tu pedido.",
  orderUnknown: "No encontramos este pedido en este navegador. Ábrelo donde lo empezaste.",
  again: "Reintentar",
  titleStore: "Retama y Cumbre",
  titlePayment: "Tu pedido · Retama y Cumbre",
  titlePaid: "✓ Pagado · Retama y Cumbre",
  demoHeading: "Esto es una demostración",
  demoChoose: "Nadie cobra dinero de verdad: elige una forma de pago y llega hasta el final.",
  demoQr: "Nadie cobra dinero de verdad. Paga este QR en otra pestaña: esta página lo sabrá sola.",
  demoPayQr: "Pagar este QR en la billetera",
  demoLender: "La financiera de prueba se abre sola. Aprueba, rechaza o vuelve sin hacer nada.",
  demoCash: "El agente de prueba cobra tu código en otra pestaña. Puedes cerrar esta página: el código sigue vigente.",
  demoPayCash: "Pagar este código en el agente",
  demoBank: "El banco de prueba se abre solo. Confirma, rechaza o vuelve sin hacer nada.",
  demoOther: "Nadie cobra dinero de verdad.",
  demoPaid: "Listo: el servidor de la tienda confirmó el pago.",
  demoEnded: "Así termina un intento sin pago. Puedes probar otra vez.",
  demoReceiver: "Mira qué recibió la tienda",
  demoStaff: "Míralo en el panel",
  events: "Eventos del elemento",
  eventsNote: "Lo que el elemento le cuenta a la página, para quien lo integra. La tienda despacha solo con lo que confirma su propio servidor.",
  foot: "Retama y Cumbre es una tienda inventada para mostrar cómo se integra el pago.",
  staff: "Panel del personal",
  gallery: "Galería de pantallas",
};

/** @type {Record<TextKey, string>} */
const english = {
  skip: "Skip to content",
  navigation: "Language",
  eyebrow: "A shop in Barranco, Lima",
  shelfHeading: "Well made in Peru, for every day",
  shelfLead: "Coffee, cacao, alpaca and weaving from workshops we know by name.",
  add: "Add",
  addNamed: "Add {name}",
  added: "Added {name}. You have {count} for {total}.",
  removed: "Removed {name}.",
  carried: "{count} in cart",
  one: "1 item",
  many: "{count} items",
  bar: "View order",
  cartHeading: "Your order",
  cartEmpty: "Nothing here yet.",
  cartDelivery: "Prices include delivery to your door.",
  each: "{price} each",
  less: "One less: {name}",
  more: "One more: {name}",
  quantity: "Quantity of {name}",
  total: "Total",
  customerHeading: "Your details",
  firstName: "First name",
  lastName: "Last name",
  email: "E-mail",
  missingFirstName: "Enter your first name.",
  missingLastName: "Enter your last name.",
  missingEmail: "Enter your e-mail.",
  wrongEmail: "Check the e-mail: it should look like name@example.com.",
  pay: "Go to payment",
  paying: "Preparing your order…",
  payNote: "You choose how to pay in the next step.",
  pending: "You have an unpaid order of {amount}.",
  pendingLink: "Back to payment",
  pendingDismiss: "Dismiss",
  back: "Keep shopping",
  summaryHeading: "Your order",
  tillHeading: "Payment",
  checkoutFallback: "Preparing the payment… If it does not appear, reload the page: your order is kept.",
  confirming: "We are confirming your payment with the shop. Do not pay again.",
  thanks: "Thank you for your order!",
  thanksDetail: "We are already preparing your order.",
  offline: "We could not reach the shop. Check your connection.",
  serverTrouble: "The shop did not answer well. Try again in a moment.",
  refused: "We could not place your order. Check the details and try again.",
  catalogTrouble: "We could not load the products.",
  orderTrouble: "We could not load your order.",
  orderUnknown: "This browser does not know this order. Open it where you started it.",
  again: "Try again",
  titleStore: "Retama y Cumbre",
  titlePayment: "Your order · Retama y Cumbre",
  titlePaid: "✓ Paid · Retama y Cumbre",
  demoHeading: "This is a demo",
  demoChoose: "No real money moves: choose a way to pay and go all the way.",
  demoQr: "No real money moves. Pay this QR in another tab: this page will know by itself.",
  demoPayQr: "Pay this QR in the test wallet",
  demoLender: "The test lender opens by itself. Approve, decline, or come back without doing anything.",
  demoCash: "The test agent takes your code in another tab. You may close this page: the code stays valid.",
  demoPayCash: "Pay this code at the test agent",
  demoBank: "The test bank opens by itself. Confirm, decline, or come back without doing anything.",
  demoOther: "No real money moves.",
  demoPaid: "Done: the shop's server confirmed the payment.",
  demoEnded: "This is how an attempt ends without a payment. You can try again.",
  demoReceiver: "See what the shop received",
  demoStaff: "See it on the staff desk",
  events: "Events of the element",
  eventsNote: "What the element tells the page, for whoever integrates it. The shop ships only on what its own server confirms.",
  foot: "Retama y Cumbre is an invented shop that shows how the payment is integrated.",
  staff: "Staff desk",
  gallery: "Gallery of screens",
};

/** The languages by the value of `?lang=`: their tag, their own name, their texts. */
const LANGUAGES = {
  es: { tag: "es-PE", name: "Español", texts: spanish },
  en: { tag: "en", name: "English", texts: english },
  pt: { tag: "pt-BR", name: "Português", texts: portuguese },
};

/** @typedef {keyof typeof LANGUAGES} Language */

const asked = (new URLSearchParams(location.search).get("lang") ?? "").slice(0, 2).toLowerCase();

/** The page's language, as its address has it. */
export const language = /** @type {Language} */ (Object.keys(LANGUAGES).includes(asked) ? asked : "es");

/** The others, each with its own name. */
export const others = /** @type {Language[]} */ (Object.keys(LANGUAGES))
  .filter((other) => other !== language)
  .map((other) => ({ language: other, name: LANGUAGES[other].name }));

const { tag, texts } = LANGUAGES[language];

/** The page's language, as a BCP 47 tag. */
export const locale = tag;

/**
 * A text in the page's language, its `{names}` filled in.
 *
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function text(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Puts the page's own texts into its language. */
export function translatePage() {
  document.documentElement.lang = locale;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(/** @type {TextKey} */ (element.getAttribute("data-text")));
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(/** @type {TextKey} */ (element.getAttribute("data-label"))));
  }
}
