/** @typedef {keyof typeof spanish} TextKey */

const spanish = {
  title: "Panel del personal · Retama y Cumbre",
  skip: "Ir al contenido",
  navigation: "Panel",
  shop: "Tienda",
  sandbox: "Servicio de prueba",
  arrivals: "Eventos recibidos",
  heading: "Panel del personal",
  helpHeading: "Cuentas de prueba",
  help: "Su contraseña sale en la terminal donde corre cargo xtask demo.",
  both: "anula y devuelve",
  second: "lo mismo: la segunda persona",
  limited: "devuelve hasta S/ 50.00",
  looks: "solo mira",
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
  helpHeading: "Test accounts",
  help: "Their password is printed in the terminal where cargo xtask demo runs.",
  both: "cancels and gives back",
  second: "the same: the second person",
  limited: "gives back up to S/ 50.00",
  looks: "only looks",
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
