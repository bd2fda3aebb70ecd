// The ways in which a page, a server or a wasm is wrong, by their names in docs/diagnostics.md. A
// merchant's server may answer anything, so here its true answers are changed on their way.

import { sign } from "../../support/signed-order.mjs";
import { withoutPreload } from "./older-engine.mjs";

/**
 * @typedef {import("@playwright/test").Page} Page
 * @typedef {import("@playwright/test").Request} Request
 * @typedef {NonNullable<Parameters<import("@playwright/test").Route["fulfill"]>[0]>} Given
 * @typedef {(route: import("@playwright/test").Route, answer: () => Promise<import("@playwright/test").APIResponse>) => Promise<void>} Change
 */

/**
 * Changes the bodies of the answers to one method.
 * @param {string} method
 * @param {(json: any) => unknown} edit
 * @returns {Change}
 */
const body = (method, edit) => async (route, answer) => {
  const response = await answer();
  if (route.request().method() !== method || response.status() !== 200) {
    return route.fulfill({ response });
  }
  const json = await response.json();
  return route.fulfill({ response, json: edit(json) ?? json });
};

/**
 * Answers to one method with something else.
 * @param {string} method
 * @param {Given | ((request: Request) => Given)} given
 * @returns {Change}
 */
const instead = (method, given) => async (route, answer) => {
  if (route.request().method() !== method) return route.fulfill({ response: await answer() });
  return route.fulfill(typeof given === "function" ? given(route.request()) : given);
};

/**
 * Changes the headers of the answers to one method.
 * @param {string} method
 * @param {(all: Record<string, string>) => void} edit
 * @returns {Change}
 */
const headers = (method, edit) => async (route, answer) => {
  const response = await answer();
  const all = { ...response.headers() };
  if (route.request().method() === method) edit(all);
  return route.fulfill({ response, headers: all });
};

/** Answers each `GET` as the first one, whatever its query. @returns {Change} */
function kept() {
  /** @type {Promise<import("@playwright/test").APIResponse> | undefined} */
  let first;
  return async (route, answer) => {
    const isRead = route.request().method() === "GET";
    if (isRead) first ??= answer();
    return route.fulfill({ response: await (isRead && first ? first : answer()) });
  };
}

/** @param {number} status @param {object} document @param {Record<string, string>} [more] */
const problem = (status, document, more = {}) => ({
  status,
  headers: { "content-type": "application/problem+json", date: new Date().toUTCString(), ...more },
  body: JSON.stringify({ type: "about:blank", ...document }),
});

const PAGE = { contentType: "text/html", body: "<!doctype html><title>Shop</title>" };

/** @param {(transaction: any) => void} edit @returns {Change} */
const transaction = (edit) => body("POST", (json) => edit(json.transaction));
/**
 * The status of an operation would mend what its authorization lacks.
 * @param {(transaction: any) => void} edit
 * @returns {Change}
 */
const offer = (edit) => async (route, answer) => {
  const each = route.request().method() === "POST" ? transaction(edit) : transactions(edit);
  return each(route, answer);
};
/** @param {(transaction: any) => void} edit */
const transactions = (edit) =>
  body("GET", (json) => {
    for (const one of json.operation.transactions) edit(one);
  });

/** Answers of the merchant's server; `order` is a signed one in the tag. @type {Record<string, { change: Change, method?: string, order?: string }>} */
export const ANSWERS = {
  "authorize: no `transaction_id`": {
    change: transaction((it) => {
      delete it.transaction_id;
    }),
  },
  "authorize: an amount that is a number": {
    change: transaction((it) => {
      it.amount = Number(it.amount);
    }),
  },
  "authorize: fields in camelCase": {
    change: body("POST", ({ merchant_code, merchant_operation_number, ...rest }) => ({
      merchantCode: merchant_code,
      merchantOperationNumber: merchant_operation_number,
      ...rest,
    })),
  },
  "authorize: a page in place of JSON": { change: instead("POST", PAGE) },
  "authorize: an empty body": { change: instead("POST", { status: 200, body: "" }) },
  "authorize: an `expiration_date` that is a text": {
    change: transaction((it) => {
      it.expiration_date = "2026-11-22T18:00:00Z";
    }),
  },
  "authorize: a `lifecycle` that is a text": {
    change: transaction((it) => {
      it.lifecycle = "REGISTRADO";
    }),
  },
  "authorize: `callback_url` is in the answer": {
    change: transaction((it) => {
      it.callback_url = "https://shop.example/notifications/secret";
    }),
  },
  "authorize: another amount than the page's": {
    change: transaction((it) => {
      it.amount = String(Number(it.amount) + 1);
    }),
  },
  "both: no `qr_image`": {
    change: offer((it) => {
      delete it.processor_response.qr_image;
    }),
  },
  "both: a `qr_image` that is an address": {
    change: offer((it) => {
      it.processor_response.qr_image = "https://shop.example/qr.png";
    }),
  },
  "both: a `continue_url` without https": {
    method: "INSTALLMENT",
    change: offer((it) => {
      it.continue_url = "http://lender.example/pay?token=secret";
    }),
  },
  "authorize: 400 with a problem": {
    change: instead("POST", problem(400, { detail: "order_id is not a text" })),
  },
  "authorize: 403 with `order-token-refused`": {
    order: sign({ order_id: "1001" }, "another"),
    change: instead(
      "POST",
      problem(403, { type: "urn:payment-checkout:problem:order-token-refused", detail: "it has expired.", reason: "expired" }),
    ),
  },
  "authorize: 401": { change: instead("POST", problem(401, {})) },
  "authorize: 404, as with a wrong `base-url`": { change: instead("POST", { status: 404, ...PAGE }) },
  "authorize: 405": { change: instead("POST", { status: 405 }) },
  "authorize: 409 of an unknown type": { change: instead("POST", problem(409, {})) },
  "authorize: 500 each time": {
    change: instead("POST", problem(500, { detail: "something broke." }, { "x-request-id": "7d1f" })),
  },
  "authorize: no server": {
    change: (route, answer) =>
      route.request().method() === "POST"
        ? route.abort("connectionrefused")
        : answer().then((response) => route.fulfill({ response })),
  },
  "authorize: no `Date`": {
    change: headers("POST", (all) => {
      delete all.date;
    }),
  },
  "status: always 404": { change: instead("GET", problem(404, {})) },
  "status: no `qr_image`": {
    change: transactions((it) => {
      delete it.processor_response;
    }),
  },
  "status: another operation": {
    change: body("GET", (json) => {
      json.operation.merchant_operation_number = "999999999999";
    }),
  },
  "status: another transaction": {
    change: transactions((it) => {
      it.transaction_id = "another";
    }),
  },
  "status: a state that nobody knows": {
    change: transactions((it) => {
      it.state = "PAGADO";
    }),
  },
  "status: `transactions` is no list": {
    change: body("GET", (json) => {
      [json.operation.transactions] = json.operation.transactions;
    }),
  },
  "status: a date that is a text": {
    change: transactions((it) => {
      it.lifecycle[0].date = "2026-11-22T18:00:00Z";
    }),
  },
  "status: the first answer for ever": { change: kept() },
  "status: held, it says, and answered at once": {
    change: async (route, answer) => {
      const { "if-none-match": known, prefer } = route.request().headers();
      if (!known || !prefer) return route.fulfill({ response: await answer() });
      const date = new Date().toUTCString();
      const all = { date, "x-request-id": crypto.randomUUID(), etag: known, "preference-applied": "wait" };
      return route.fulfill({ status: 304, headers: all });
    },
  },
  "status: 304 to a request that names no answer": {
    change: instead("GET", () => ({ status: 304, headers: { date: new Date().toUTCString() } })),
  },
};

/**
 * Pages, as the element that they put in.
 * @typedef {{ attributes?: Record<string, string | null>, properties?: object, slot?: string, events?: string[] }} Made
 * @type {Record<string, Made>}
 */
export const PAGES = {
  "no `base-url`": { attributes: { "base-url": null } },
  '`base-url="https://["`': { attributes: { "base-url": "https://[" } },
  '`status-url="https://me:secret@shop.example"`': { attributes: { "status-url": "https://me:secret@shop.example" } },
  '`live-url="http://"`': { attributes: { "live-url": "http://" } },
  '`cancel-url="localhost:3000/api"`': { attributes: { "cancel-url": "localhost:3000/api" } },
  '`status-url="/{merchantCode}"`': { attributes: { "status-url": "/{merchantCode}" } },
  '`amount="129.90"`': { attributes: { amount: "129.90", currency: "PEN" } },
  "`amount` without `currency`": { attributes: { amount: "12990" } },
  '`currency="soles"`': { attributes: { amount: "12990", currency: "soles" } },
  '`methods="Qr, Installment"`': { attributes: { methods: "Qr, Installment" } },
  '`methods="QR QR"`': { attributes: { methods: "QR QR" } },
  '`locale="fr"`': { attributes: { locale: "fr" } },
  '`fallback-locale="fr"`': { attributes: { "fallback-locale": "fr" } },
  '`heading-level="7"`': { attributes: { "heading-level": "7" } },
  '`hide-choice="false"`': { attributes: { "hide-choice": "false" } },
  '`merchant-name="undefined"`': { attributes: { "merchant-name": "undefined" } },
  "`request` is a text": { properties: { request: "1001" } },
  "`merchant-code` alone": { attributes: { "merchant-code": "100000001" } },
  '`help-url="chat"`': { attributes: { "help-url": "chat" } },
  '`order="1001"`': { attributes: { order: "1001" } },
  '`page-url="javascript:1"`': { attributes: { "page-url": "javascript:1" } },
  '`paid-url="javascript:1"`': { attributes: { "paid-url": "javascript:1" } },
  '`redirect-url="https://["`': { attributes: { "redirect-url": "https://[" } },
  '`redirect-hosts="https://bank.example/"`': { attributes: { "redirect-hosts": "https://bank.example/" } },
  "`messages` is a text": { properties: { messages: "Paga" } },
  "the attribute `base-ur1`": { attributes: { "base-ur1": "/elsewhere" } },
  "the property `statusURL`": { properties: { statusURL: "/elsewhere" } },
  "the slot `canceled`": { slot: "canceled" },
  "a listener for `checkout-results`": { events: ["checkout-results"] },
};

/** Ways in which the wasm does not run. @type {Record<string, (page: Page) => Promise<unknown>>} */
export const WASM = {
  "it is missing": (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404 })),
  "a page is in its place": (page) => page.route("**/*.wasm", (route) => route.fulfill(PAGE)),
  "it is of another version": (page) =>
    page.route("**/*.wasm", async (route) => {
      const response = await route.fetch();
      if (route.request().method() === "HEAD") return route.fulfill({ response });
      const bytes = await response.body();
      bytes[bytes.length - 1] ^= 1;
      return route.fulfill({ response, body: bytes });
    }),
  "the page answers with an object of its own": (page) =>
    page.addInitScript(() => {
      const { fetch } = globalThis;
      globalThis.fetch = async (/** @type {any} */ ...given) => {
        const answer = await Reflect.apply(fetch, globalThis, given);
        return given[1]?.integrity ? /** @type {any} */ ({ status: answer.status }) : answer;
      };
    }),
  "a blocker stops it": (page) =>
    page.route("**/*.wasm", (route) => route.abort("blockedbyclient")),
  "the policy has no `'wasm-unsafe-eval'`": (page) =>
    page.route(/\?order=/, async (route) => {
      const response = await route.fetch();
      const all = response.headers();
      const policy = all["content-security-policy"];
      all["content-security-policy"] = policy.replace("'wasm-unsafe-eval'", "");
      // A browser loads what a page preloads.
      return route.fulfill({ response, headers: all, body: withoutPreload(await response.text()) });
    }),
  "the browser has no WebAssembly": async (page) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "WebAssembly");
    });
    return page.route(/\?order=/, async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, body: withoutPreload(await response.text()) });
    });
  },
};
