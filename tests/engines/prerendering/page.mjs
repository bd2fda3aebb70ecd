// Runs in each page of a story, before the element: it tells the test what happens there, and waits for the test's word.
// Nobody looks into the page from outside, because a browser with a driver loads no page in advance.

const name = location.pathname;
/** Tells this load of the page from others. */
const load = Math.random().toString(36).slice(2);
let count = 0;

/**
 * Tells the test that something happened.
 * @param {string} what
 * @param {object} [more]
 */
function tell(what, more = {}) {
  const early = Boolean(Reflect.get(document, "prerendering"));
  const body = JSON.stringify({ page: name, load, count: count++, what, early, hidden: document.hidden, ...more });
  return ask("/told", { body, keepalive: true });
}

/** A page that is left gets no answer. @param {string} address @param {RequestInit} [options] */
const ask = (address, options) => fetch(address, { method: "POST", ...options }).then(() => {}, () => {});

/** Waits for the test's word. @param {string} word */
const hears = (word) => ask(`/words/${word}`);

/** Waits until the browser has a measure of the element. @param {string} measure */
const measured = (measure) =>
  new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const [entry] = list.getEntriesByName(`payment-checkout:${measure}`);
      if (!entry) return;
      observer.disconnect();
      resolve(entry);
    });
    observer.observe({ type: "measure", buffered: true });
  });

/**
 * Waits until all is there that can be had in advance, and tells it. Three answers later the element has sent whatever it sends
 * then.
 */
async function loads() {
  await measured("wasm");
  for (const what of ["compiled", "still", "waits"]) await tell(what);
}

/** The payer presses the first method. */
function chooses() {
  const [first] = document.querySelector("payment-checkout").shadowRoot.querySelectorAll(".choice");
  /** @type {HTMLElement} */ (first).click();
}

/** What a payer sees and hears of an element, and whether the focus is in it. @param {Element} element */
function look(element) {
  const root = element.shadowRoot;
  const text = (/** @type {string} */ selector) =>
    [...root.querySelectorAll(selector)].map((node) => node.textContent.trim()).join(" ").replace(/\s+/g, " ").trim();
  return { screen: text("h1, h2"), heard: text("[role=status], [role=alert]"), focus: Boolean(root.activeElement) };
}

/** Tells each change of what `look` finds. @param {Element} element */
async function watch(element) {
  await customElements.whenDefined(element.localName);
  let before = "";
  const changed = () => {
    const seen = look(element);
    if (JSON.stringify(seen) === before) return;
    before = JSON.stringify(seen);
    void tell("look", seen);
  };
  changed();
  new MutationObserver(changed).observe(element.shadowRoot, { subtree: true, childList: true, characterData: true, attributes: true });
  element.shadowRoot.addEventListener("focusin", changed);
}

for (const event of ["ready", "start", "choose", "pending", "redirect", "status", "result", "state", "action", "error"]) {
  document.addEventListener(`checkout-${event}`, (/** @type {any} */ { type, detail }) => {
    const { state, outcome, code, merchantOperationNumber: number } = detail ?? {};
    void tell(type, { state, outcome, code, number });
  });
}
for (const event of ["signed-in", "signed-out", "opened", "error"]) document.addEventListener(`operations-${event}`, ({ type }) => void tell(type));
document.addEventListener("prerenderingchange", () => void tell("shown"));
document.addEventListener("visibilitychange", () => void tell("visibility"));
addEventListener("pageshow", ({ persisted }) => persisted && void tell("again"));
addEventListener("error", ({ message }) => void tell("broken", { message }));
addEventListener("unhandledrejection", ({ reason }) => void tell("broken", { message: String(reason) }));

const { wakeLock } = navigator;
if (wakeLock) {
  const request = wakeLock.request.bind(wakeLock);
  wakeLock.request = (type) => {
    void tell("wake-lock");
    return request(type);
  };
}

/** What a page's own script may use. */
Object.assign(globalThis, { page: { tell, hears, measured, loads, chooses } });

addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll("payment-checkout, payment-operations")) void watch(element);
});
