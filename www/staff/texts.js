/** @typedef {keyof typeof spanish} TextKey */

const spanish = {
  title: "Panel del personal · Retama y Cumbre",
  skip: "Ir al contenido",
  navigation: "Panel",
  shop: "Tienda",
  sandbox: "Servicio de prueba",
  arrivals: "Eventos recibidos",
  heading: "Panel del personal",
  helpHeading: "Cómo ingresar",
  help: "Las cuentas de prueba, con su contraseña, salen en la terminal donde corre cargo xtask demo. Cada una puede algo distinto: mirar, anular, reembolsar.",
  fallback: "Preparando el panel… Si no aparece, recarga la página.",
  foot: "Retama y Cumbre es una tienda inventada: aquí nadie cobra ni devuelve dinero de verdad.",
};

/** @type {Record<TextKey, string>} */
const english = {
  title: "Staff desk · Retama y Cumbre",
  skip: "Skip to content",
  navigation: "Desk",
  shop: "Shop",
  sandbox: "Test service",
  arrivals: "Events received",
  heading: "Staff desk",
  helpHeading: "How to sign in",
  help: "The test accounts and their passwords are printed in the terminal where cargo xtask demo runs. Each may do something else: look, cancel, refund.",
  fallback: "Preparing the desk… If it does not appear, reload the page.",
  foot: "Retama y Cumbre is an invented shop: nobody charges or returns real money here.",
};

const asksForEnglish = /^en\b/i.test(new URLSearchParams(location.search).get("lang") ?? "");

/** The page's language, as a BCP 47 tag. */
export const locale = asksForEnglish ? "en" : "es-PE";

const texts = asksForEnglish ? english : spanish;

/** Puts the page's own texts into its language; the element follows the page's. */
export function translatePage() {
  document.documentElement.lang = locale;
  document.title = texts.title;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = texts[/** @type {TextKey} */ (element.getAttribute("data-text"))];
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    const key = /** @type {TextKey} */ (element.getAttribute("data-label"));
    element.setAttribute("aria-label", texts[key]);
  }
}
