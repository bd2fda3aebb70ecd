/** The back office of the demo shop: the element does the work, the page stands around it. */

import { sandbox } from "../shop/sandbox-address.js";
import { locale, translatePage } from "./texts.js";

/**
 * Points a link of the page somewhere.
 *
 * @param {string} id
 * @param {string} href
 */
function point(id, href) {
  /** @type {HTMLAnchorElement} */ (document.getElementById(id)).href = href;
}

const english = locale === "en";
const language = /** @type {HTMLAnchorElement} */ (document.getElementById("language"));
const help = /** @type {HTMLDetailsElement} */ (document.getElementById("help"));
const arrivals = sandbox();
// The receiver of the shop server's events listens one port above the sandbox.
arrivals.port = String(Number(arrivals.port || 8082) + 1);

translatePage();
language.textContent = english ? "Español" : "English";
language.lang = english ? "es" : "en";
language.hreflang = language.lang;
point("language", english ? location.pathname : "?lang=en");
point("shop", english ? "/?lang=en" : "/");
point("sandbox", sandbox().href);
point("arrivals", new URL("/", arrivals).href);

// The address tells which operation is open: it can be shared, and Back leads to the list.
const desk = /** @type {import("../../../npm/element/types/operations/element.js").PaymentOperations} */ (
  document.querySelector("payment-operations")
);
const asked = () => new URLSearchParams(location.search).get("operation");

function showAsked() {
  const operation = asked();
  if (operation) desk.setAttribute("operation", operation);
  else desk.removeAttribute("operation");
}

showAsked();
addEventListener("popstate", showAsked);
document.addEventListener("operations-opened", () => {
  const operation = desk.getAttribute("operation");
  if (operation === asked()) return;
  const address = new URL(location.href);
  if (operation) address.searchParams.set("operation", operation);
  else address.searchParams.delete("operation");
  history.pushState(null, "", address);
});

// The demo's accounts. The terminal shows the way to this page with their password behind the `#`.
const password = decodeURIComponent(location.hash.slice(1));
if (password) history.replaceState(null, "", location.pathname + location.search);

/**
 * Types into a field of the element, as a person would.
 *
 * @param {string} id
 * @param {string} text
 */
function type(id, text) {
  const field = /** @type {HTMLInputElement | null | undefined} */ (desk.shadowRoot?.getElementById(id));
  if (!field) return;
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  field.focus();
}

document.getElementById("accounts")?.addEventListener("click", ({ target }) => {
  const account = target instanceof Element && target.closest("button")?.value;
  if (!account) return;
  type("name", account);
  type("password", password);
});

// A signed-in person needs no help to sign in.
document.addEventListener("operations-signed-in", () => (help.hidden = true));
document.addEventListener("operations-signed-out", () => (help.hidden = false));
