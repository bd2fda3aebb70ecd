// The page in the playground's frame: the element as it ships, in front of a server that is a module of this page.
// `fetch` is replaced before the element loads. Only the element's own files are fetched; nothing else leaves the page.

import { SCENES } from './scenes.mjs';
import { OFFERED } from './testing/allowed.mjs';
import { CheckoutDriver, TestServer } from './testing/index.mjs';

/** @import { PaymentCheckout } from '../../../npm/element/types/element.js' */

/**
 * @typedef {object} Settings
 * @property {string} scene
 * @property {Record<string, string>} attributes
 * @property {Record<string, unknown>} properties
 * @property {Record<string, string>} style
 */

/** @typedef {(kind: 'event' | 'note', name: string, detail?: unknown) => void} Tell */

const FILES = new URL('element/', import.meta.url).href;
const fetchFile = window.fetch.bind(window);

/** What is on the stage. A new scene is a new element, an order of its own and a server of its own. */
let current = {
  element: /** @type {PaymentCheckout | undefined} */ (undefined),
  server: new TestServer(),
  isConnected: true,
  base: '/api',
};
const opened = Date.now();
let count = 0;
let isPlaying = false;
/** @type {Tell} */
let tell = () => {};

window.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (request.url.startsWith(FILES)) return fetchFile(request);
  request.signal.throwIfAborted();
  const { server, isConnected } = current;
  const { method, headers } = request;
  const url = standard(request);
  const answer = isConnected ? await server.handle({ method, url, headers, body: await request.text() }) : null;
  request.signal.throwIfAborted();
  if (answer === undefined) tell('note', `${method} ${request.url}: the playground has no example answer for this address.`);
  if (!answer) throw new TypeError('The playground answers no such request.');
  return new Response(answer.body || null, answer);
};

/**
 * An address of the element's own attributes as the one that stands for it below `base-url`, which the example server knows.
 * @param {Request} request
 */
function standard({ method, url }) {
  const { element, base } = current;
  const is = (/** @type {string | null | undefined} */ address) => address && new URL(address, location.href).href === url;
  if (method === 'POST' && is(element?.authorizeUrl)) return `${base}/charges`;
  if (method === 'POST' && is(element?.liveUrl)) return `${base}/charges/live`;
  const template = method === 'GET' ? element?.statusUrl : element?.cancelUrl;
  if (!template) return url;
  const operation = current.server.operation;
  const numbers = [operation?.merchantCode, operation?.merchantOperationNumber, operation?.transactionId];
  const names = ['merchant_code', 'merchant_operation_number', 'transaction_id'];
  const filled = names.reduce((text, name, at) => text.replaceAll(`{${name}}`, numbers[at] ?? ''), template);
  return is(filled) ? `${base}/charges/${numbers.slice(0, method === 'GET' ? 3 : 2).join('/')}` : url;
}

/** Shows a scene with these settings. Resolves when it is on the screen. */
async function show(/** @type {Settings} */ { scene: name, attributes, properties, style }, /** @type {Tell} */ listener) {
  const scene = SCENES.find((each) => each.name === name) ?? SCENES[0];
  current.server.close();
  tell = () => {};
  const { 'base-url': base = '', amount, currency, methods, 'merchant-code': merchantCode } = attributes;
  const server = new TestServer({
    baseUrl: base || '/api',
    // The visitor may try attributes with mistakes; no server takes those.
    ...(amount && /^\d+$/.test(amount) && { amount }),
    ...(currency && /^([A-Z]{3}|\d{3})$/.test(currency) && { currency }),
    ...(merchantCode && { merchantCode }),
    ...(methods && { methods: OFFERED.filter((method) => methods.split(/\s+/).includes(method)) }),
    ...scene.server,
  });
  const element = /** @type {PaymentCheckout} */ (document.createElement('payment-checkout'));
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  dress(element, style);
  // Another order, so that nothing of an earlier scene is resumed, also not after a reload.
  count += 1;
  const order = { ...Object(properties.request), playground: `${opened}-${count}` };
  Object.assign(element, properties, { request: order });
  const mine = { element, server, isConnected: true, base: base || '/api' };
  const isCurrent = () => current.element === element;
  const hear = (/** @type {Event} */ event) => {
    if (isCurrent()) listener('event', event.type, /** @type {CustomEvent} */ (event).detail);
  };
  for (const type of EVENTS) element.addEventListener(type, hear);
  // Nobody is led out of the frame.
  element.addEventListener('checkout-redirect', (event) => event.preventDefault());
  current = mine;
  tell = (...words) => isCurrent() && listener(...words);
  isPlaying = true;
  document.body.replaceChildren(element);
  const payer = new CheckoutDriver(element, { timeout: 60_000 });
  try {
    await scene.play?.({ server, payer, connect: (is) => { mine.isConnected = is; } });
    await payer.reaches(/** @type {any} */ (scene.state));
    while (isCurrent() && scene.shows && !element.shadowRoot?.querySelector(`[part~=${scene.shows}]`)) await drawn();
    // What is drawn now takes the focus in the next frame.
    await drawn();
    await drawn();
  } finally {
    if (isCurrent()) isPlaying = false;
  }
}

const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));

function dress(/** @type {HTMLElement} */ element, /** @type {Record<string, string>} */ style) {
  element.removeAttribute('style');
  for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value);
}

/** What does not need the scene from its start: looks, and whether the page around is dark. */
function restyle(/** @type {Record<string, string>} */ style, /** @type {boolean} */ isDark) {
  document.documentElement.classList.toggle('dark', isDark);
  if (current.element) dress(current.element, style);
}

/** Calls a method of the element without arguments. */
function call(/** @type {string} */ method) {
  /** @type {any} */ (current.element)?.[method]();
}

// A scene is played by presses, after which the element moves the focus, and the reader's is among the controls.
addEventListener('focusin', () => {
  if (isPlaying) window.frameElement?.dispatchEvent(new CustomEvent('stage-focus'));
}, { capture: true });

// The element shows a new screen from its top, which would scroll the page around the frame while a scene is played.
const { scrollIntoView } = Element.prototype;
Element.prototype.scrollIntoView = function (how) {
  if (!isPlaying) scrollIntoView.call(this, how);
};

const manifest = await (await fetchFile(new URL('custom-elements.json', import.meta.url))).json();
/** @type {string[]} */
const EVENTS = manifest.modules
  .flatMap((/** @type {any} */ each) => each.declarations)
  .find((/** @type {any} */ each) => each.tagName === 'payment-checkout')
  .events.map((/** @type {any} */ event) => event.name);

// Links lead to places that do not exist: a lender, a help desk, the shop's next page.
addEventListener('click', (event) => {
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement && each.href && !each.download);
  if (!(link instanceof HTMLAnchorElement)) return;
  if (link.protocol === 'blob:' || link.protocol === 'data:') return;
  event.preventDefault();
  tell('note', `This link leads to ${link.href}, which is not a part of the playground.`);
}, { capture: true });

await import(new URL('payment-checkout.js', FILES).href);

const measured = new ResizeObserver(() => {
  window.frameElement?.dispatchEvent(new CustomEvent('stage-height', { detail: document.body.scrollHeight }));
});
measured.observe(document.body);

Object.assign(window, { stage: { show, restyle, call } });
window.frameElement?.dispatchEvent(new CustomEvent('stage-ready'));
