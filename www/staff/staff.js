/** The back office's page: its language, and links to the demo's other servers. */

const TEXTS = {
  es: {
    title: "Operaciones · Retama y Cumbre",
    navigation: "Demostración",
    heading: "Operaciones",
    shop: "La tienda",
    events: "Eventos recibidos",
    hint: "Las cuentas de esta demostración y su contraseña están en la terminal donde corre cargo xtask demo.",
    loading: "Cargando el panel…",
  },
  en: {
    title: "Operations · Retama y Cumbre",
    navigation: "Demo",
    heading: "Operations",
    shop: "The shop",
    events: "Events received",
    hint: "The accounts of this demo and their password are in the terminal where cargo xtask demo runs.",
    loading: "Loading the desk…",
  },
};

const language = new URLSearchParams(location.search).get("lang") === "en" ? "en" : "es";
const texts = TEXTS[language];

/** @param {string} id */
const link = (id) => /** @type {HTMLAnchorElement} */ (document.getElementById(id));

document.documentElement.lang = language === "en" ? "en" : "es-PE";
document.title = texts.title;
for (const node of document.querySelectorAll("[data-text]")) {
  node.textContent = texts[/** @type {HTMLElement} */ (node).dataset.text ?? ""];
}
document.querySelector("nav")?.setAttribute("aria-label", texts.navigation);

const other = link("language");
other.href = language === "en" ? "/staff.html" : "?lang=en";
other.lang = other.hreflang = language === "en" ? "es" : "en";
other.textContent = language === "en" ? "Español" : "English";
link("shop").href = language === "en" ? "/?lang=en" : "/";

// The receiver of events listens three ports above the shop.
const events = new URL("/", location.href);
events.port = String(Number(location.port || 8080) + 3);
link("events").href = events.href;

const desk = document.querySelector("payment-operations");
const hint = document.getElementById("hint");
desk?.addEventListener("operations-signed-in", () => hint?.setAttribute("hidden", ""));
desk?.addEventListener("operations-signed-out", () => hint?.removeAttribute("hidden"));
