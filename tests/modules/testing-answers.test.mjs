// Every answer of `payment-checkout-element/testing` keeps the contract, and its server the contract's rules.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import Ajv from "ajv/dist/2020.js";
import { parse } from "yaml";
import * as implementation from "../../npm/element/testing/index.mjs";
import { PROBLEMS } from "../../npm/element/testing/problems.mjs";

/** The types that are published fit the modules. @type {typeof import("../../npm/element/types/testing.js")} */
const { STATES, TestServer, cancelled, nothing, offer, problem, started, status } = implementation;

const ROOT = new URL("../../", import.meta.url);
const contract = parse(await readFile(new URL("docs/openapi.yaml", ROOT), "utf8"));

// Formats and examples are not what is tested here.
const ajv = new Ajv.default({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: "contract", ...contract });

const OPERATIONS = {
  start: ["/charges", "post"],
  live: ["/charges/live", "post"],
  status: ["/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}", "get"],
  cancel: ["/charges/{merchant_code}/{merchant_operation_number}", "delete"],
};

const pointer = (/** @type {string[]} */ ...parts) =>
  `contract#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

/** Follows references within the contract. @returns {{ found: any, path: string[] }} */
function resolved(/** @type {string[]} */ path) {
  const found = path.reduce((at, part) => at?.[part], contract);
  return found?.$ref ? resolved(found.$ref.slice(2).split("/")) : { found, path };
}

/** Holds an answer against an address of the contract. */
function keeps(/** @type {keyof typeof OPERATIONS} */ address, /** @type {import("../../npm/element/types/testing.js").TestAnswer} */ answer) {
  const [path, method] = OPERATIONS[address];
  const { found, path: at } = resolved(["paths", path, method, "responses", String(answer.status)]);
  const what = `${address} ${answer.status} ${answer.body}`;
  assert.ok(found, `the contract has no such answer: ${what}`);
  for (const name of Object.keys(found.headers ?? {})) {
    const header = resolved([...at, "headers", name]);
    const value = answer.headers[name.toLowerCase()];
    assert.ok(value !== undefined || !header.found.required, `${name} is missing: ${what}`);
    if (value === undefined) continue;
    const isNumber = header.found.schema.type === "integer";
    valid(pointer(...header.path, "schema"), isNumber ? Number(value) : value, `${name}: ${what}`);
  }
  const [type] = Object.keys(found.content ?? {});
  assert.equal(answer.headers["content-type"], type, what);
  if (type) valid(pointer(...at, "content", type, "schema"), JSON.parse(answer.body), what);
  else assert.equal(answer.body, "", what);
}

function valid(/** @type {string} */ schema, /** @type {unknown} */ value, /** @type {string} */ what) {
  const check = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema });
  check(value);
  assert.deepEqual(check.errors ?? [], [], what);
}

const METHODS = ["QR", "INSTALLMENT", "CASHCODE", "BANK_TRANSFER", "CARD", "WALLET"];
const KEY = { "idempotency-key": '"one"' };

const start = (/** @type {string} */ method, headers = {}, more = {}) => ({
  method: "POST",
  url: "https://shop.example/api/charges",
  headers: { ...KEY, ...headers },
  body: { order_id: "1001", payment_method: { method_name: method, method_details: {} }, ...more },
});
const question = (/** @type {string} */ number, headers = {}) => ({
  method: "GET",
  url: `https://shop.example/api/charges/100000001/${number}/-`,
  headers,
});
const withdrawal = (/** @type {string} */ number) => ({
  method: "DELETE",
  url: `https://shop.example/api/charges/100000001/${number}`,
});
const live = () => ({ method: "POST", url: "https://shop.example/api/charges/live", body: { order_id: "1001" } });

const kind = (/** @type {{ body: string }} */ { body }) => JSON.parse(body).type?.split(":").at(-1);
const state = (/** @type {{ body: string }} */ { body }) => JSON.parse(body).operation.transactions[0].state;

test("an operation of every method and state is answered as the contract has it", () => {
  for (const method of METHODS) {
    keeps("start", started({ method }));
    keeps("start", started({ method, state: "invalid", reason: "Rechazado" }));
    for (const each of Object.keys(STATES)) {
      const operation = { method, state: /** @type {import("../../npm/element/types/testing.js").TestState} */ (each) };
      for (const facts of [{}, { age: 95, held: true }, { orderState: /** @type {const} */ ("open") }, { end: /** @type {const} */ ("replaced") }]) {
        keeps("status", status(operation, facts));
        if (!facts.held && !facts.end) keeps("live", status(operation, facts));
      }
      keeps("cancel", cancelled(operation));
    }
  }
  keeps("live", nothing());
  const { headers } = status({});
  assert.equal(status({ state: "paid" }, { known: headers.etag }).status, 200);
});

test("the same answer is not sent twice", () => {
  const operation = { startedAt: 1_738_949_000_000 };
  const { headers } = status(operation);
  keeps("status", status(operation, { known: headers.etag }));
  assert.equal(status(operation, { known: headers.etag }).status, 304);
});

test("every problem is one that the contract has at each of its addresses, and it has no other", () => {
  for (const [address, [path, method]] of Object.entries(OPERATIONS)) {
    /** @type {string[]} */
    const answered = [];
    for (const [name, { at }] of Object.entries(PROBLEMS)) {
      if (!at.includes(/** @type {any} */ (address))) continue;
      const answer = problem(/** @type {any} */ (name));
      keeps(/** @type {any} */ (address), answer);
      assert.equal(kind(answer), name);
      answered.push(name);
    }
    const responses = Object.keys(contract.paths[path][method].responses);
    const named = responses.flatMap((code) => {
      const { found } = resolved(["paths", path, method, "responses", code]);
      const { type } = found.content?.["application/problem+json"]?.schema.properties ?? {};
      return type ? (type.enum ?? [type.const]) : [];
    });
    // A browser cannot send these: the element has small bodies in JSON.
    const impossible = ["body-timeout", "body-too-large", "unsupported-media-type"];
    const expected = named.map((urn) => urn.split(":").at(-1)).filter((name) => !impossible.includes(name));
    assert.deepEqual(answered.sort(), expected.sort(), address);
  }
});

test("a problem says of the money what the guide says of its type, unless a test says something else", async () => {
  const money = (/** @type {{ body: string }} */ { body }) => JSON.parse(body).money;
  const guide = await readFile(new URL("docs/server.md", ROOT), "utf8");
  const rows = [...guide.matchAll(/^\| (`.*`) \| [\d, ]+ \| `(\w+)` \|/gm)];
  const usual = new Map(rows.flatMap(([, names, value]) => [...names.matchAll(/[\w-]+/g)].map(([name]) => [name, value])));
  for (const name of Object.keys(PROBLEMS)) assert.equal(money(problem(/** @type {any} */ (name))), usual.get(name), name);
  const known = problem("payment-service-unavailable", {}, { money: "nothing_charged" });
  keeps("start", known);
  assert.equal(money(known), "nothing_charged");
  assert.equal(money(problem("internal", {}, { money: undefined })), undefined);
});

test("an order has one live operation, whatever the key, and a paid one no other", async () => {
  const server = new TestServer({ now: () => 1_738_949_000_000 });
  const first = await server.handle(start("QR"));
  keeps("start", first);
  const again = await server.handle(start("QR"));
  assert.deepEqual([again.status, again.body], [first.status, first.body]);
  assert.notEqual(again.headers["x-request-id"], first.headers["x-request-id"]);
  await server.handle(start("QR", { "idempotency-key": '"two"' }));
  assert.equal(server.operations.length, 1);
  const other = await server.handle(start("INSTALLMENT", { "idempotency-key": '"three"' }));
  keeps("start", other);
  assert.equal(kind(other), "operation-live");
  const named = { "idempotency-key": '"three"', "checkout-replaces": '"250207000001"' };
  assert.equal((await server.handle(start("INSTALLMENT", named))).status, 200);
  const [old, replacing] = server.operations;
  assert.deepEqual([old.state, replacing.method], ["cancelled", "INSTALLMENT"]);
  const ended = await server.handle(question("250207000001"));
  keeps("status", ended);
  assert.equal(ended.headers["operation-end"], "replaced");
  server.becomes("paid");
  assert.equal(kind(await server.handle(start("QR", { "idempotency-key": '"four"' }))), "order-paid");
  assert.equal(kind(await server.handle(withdrawal("250207000002"))), "order-paid");
});

test("an overdue code makes room for a new one, and one that is being confirmed does not", async () => {
  let now = Date.now();
  const server = new TestServer({ now: () => now, expiresIn: 30 });
  await server.handle(start("QR"));
  now += 89_000;
  await server.handle(start("QR", { "idempotency-key": '"two"' }));
  assert.equal(server.operations.length, 1);
  now += 2_000;
  await server.handle(start("QR", { "idempotency-key": '"three"' }));
  assert.equal(server.operations.length, 2);
  server.becomes("confirming");
  const refused = await server.handle(start("QR", { "idempotency-key": '"four"' }));
  keeps("start", refused);
  assert.equal(kind(refused), "operation-unconfirmed");
  assert.equal(kind(await server.handle(withdrawal("250207000002"))), "cannot-cancel-now");
});

test("a page's mistakes are refused as a real server refuses them", async () => {
  const server = new TestServer();
  const bare = { ...start("QR"), headers: {} };
  const forms = { "": start("QR"), amount: start("QR", {}, { amount: "1" }), method: start("CARD") };
  assert.equal(kind(await server.handle(bare)), "idempotency-key-required");
  assert.equal(kind(await server.handle({ ...forms[""], body: "[]" })), "bad-request");
  const amount = await server.handle(forms.amount);
  assert.equal(JSON.parse(amount.body).field, "amount");
  keeps("start", amount);
  assert.equal(kind(await server.handle(forms.method)), "method-not-offered");
  assert.equal(server.operations.length, 0);
  await server.handle(start("QR"));
  assert.equal(kind(await server.handle(start("INSTALLMENT"))), "idempotency-key-reused");
  assert.equal(kind(await server.handle(question("1"))), "not-found");
});

const body = (/** @type {{ body: string }} */ answer) => JSON.parse(answer.body);
const QR_ABOVE = { method: "QR", reason: "above-most", least: "600", most: "50000" };

test("a method that the order's amount does not permit is refused, leaves the key, and is told before a press", async () => {
  const server = new TestServer({ amount: "50001", limits: { QR: { PEN: { least: 600, most: "50000" } } } });
  const told = await server.handle(live());
  keeps("live", told);
  assert.deepEqual([told.status, body(told)], [200, { currency: "PEN", methods: ["INSTALLMENT"], not_offered: [QR_ABOVE] }]);
  const refused = await server.handle(start("QR"));
  keeps("start", refused);
  const { field, method, reason, least, most, currency, methods, money } = body(refused);
  assert.deepEqual({ method, reason, least, most }, QR_ABOVE);
  assert.deepEqual([kind(refused), field, money], ["method-not-offered", "payment_method.method_name", "nothing_charged"]);
  assert.deepEqual([currency, methods, server.operations.length], ["PEN", ["INSTALLMENT"], 0]);
  assert.equal((await server.handle(start("INSTALLMENT"))).status, 200);
});

test("bounds belong to the limits, other currencies and methods have reasons of their own, and all on offer is 204", async () => {
  const reasonFor = async (/** @type {import("../../npm/element/types/testing.js").TestServerOptions} */ options, method = "QR") => {
    const { reason, least, most } = body(await new TestServer(options).handle(start(method)));
    return [reason, least, most];
  };
  const limits = { QR: { PEN: { least: 600, most: 50_000 } }, INSTALLMENT: { USD: {} } };
  assert.deepEqual(await reasonFor({ limits, amount: "599" }), ["below-least", "600", "50000"]);
  assert.deepEqual(await reasonFor({ limits, amount: "600" }), [undefined, undefined, undefined]);
  assert.deepEqual(await reasonFor({ limits, amount: "50000" }), [undefined, undefined, undefined]);
  assert.deepEqual(await reasonFor({ limits: { QR: { PEN: { most: 5 } } } }), ["above-most", null, "5"]);
  assert.deepEqual(await reasonFor({ limits }, "INSTALLMENT"), ["currency", null, null]);
  assert.deepEqual(await reasonFor({ limits, orderMethods: ["INSTALLMENT"] }), ["order", null, null]);
  assert.deepEqual(await reasonFor({ limits }, "CASHCODE"), ["setting", null, null]);
  const few = await new TestServer({ orderMethods: ["INSTALLMENT"] }).handle(live());
  assert.deepEqual(body(few).not_offered, [{ method: "QR", reason: "order", least: null, most: null }]);
  assert.equal((await new TestServer({ limits: { QR: { PEN: {} } } }).handle(live())).status, 204);
  const { body: written } = offer({ currency: "PEN", methods: [], notOffered: [] });
  assert.deepEqual(JSON.parse(written), { currency: "PEN", methods: [], not_offered: [] });
});

test("a live code of a method that is not offered stays, and ends for none that is not offered", async () => {
  let now = Date.now();
  const server = new TestServer({ now: () => now, orderMethods: ["CASHCODE"], methods: ["QR", "INSTALLMENT", "CASHCODE"] });
  server.begins("QR");
  assert.equal(body(await server.handle(start("QR"))).merchant_operation_number, "250207000001");
  assert.equal(state(await server.handle(live())), "PENDIENTE");
  const other = start("INSTALLMENT", { "idempotency-key": '"two"', "checkout-replaces": '"250207000001"' });
  assert.equal(body(await server.handle(other)).reason, "order");
  assert.equal(server.operation?.state, "pending");
  now += 17 * 60_000;
  assert.equal(body(await server.handle(start("QR", { "idempotency-key": '"three"' }))).reason, "order");
  assert.equal(server.operations.length, 1);
  server.becomes("paid");
  assert.equal(kind(await server.handle(start("QR", { "idempotency-key": '"four"' }))), "order-paid");
});

test("the server's clock is the test's, also in Date and in an answer that is repeated", async () => {
  let now = Date.parse("2025-02-07T17:30:00Z");
  const server = new TestServer({ now: () => now });
  const date = async (/** @type {import("../../npm/element/types/testing.js").TestRequest} */ request) => (await server.handle(request)).headers.date;
  assert.equal(await date(start("QR")), "Fri, 07 Feb 2025 17:30:00 GMT");
  now += 60_000;
  assert.equal(await date(start("QR")), "Fri, 07 Feb 2025 17:31:00 GMT");
  assert.equal(await date(question("250207000001")), "Fri, 07 Feb 2025 17:31:00 GMT");
  server.fails("live", "internal", { times: Infinity });
  assert.equal(await date(live()), "Fri, 07 Feb 2025 17:31:00 GMT");
  assert.equal((await server.handle(live())).status, 500);
});

test("a wrong call throws at once, with the words that are allowed", async () => {
  const wrong = /** @type {any} */ (TestServer);
  for (const [options, message] of /** @type {[object, RegExp][]} */ ([
    [{ amount: "129.90" }, /amount of TestServer is "129.90". It has to be a text of whole cents, such as '12990'/],
    [{ amount: 12990 }, /amount of TestServer is 12990/],
    [{ currency: "soles" }, /currency of TestServer is "soles"/],
    [{ methods: ["Qr"] }, /methods of TestServer is Qr. It has to be a list of QR, INSTALLMENT/],
    [{ orderMethods: [] }, /orderMethods of TestServer is . It has to be a list of at least one of QR, INSTALLMENT/],
    [{ limits: { Qr: {} } }, /limits of TestServer is {"Qr":{}}. It has to be limits in whole cents by method and currency, such as { QR:/],
    [{ limits: { QR: { soles: {} } } }, /limits of TestServer/],
    [{ limits: { QR: { PEN: { max: 5 } } } }, /limits of TestServer/],
    [{ limits: { QR: { PEN: { most: 5.5 } } } }, /limits of TestServer/],
    [{ limits: { QR: { PEN: { most: null } } } }, /limits of TestServer/],
    [{ limits: null }, /limits of TestServer is null/],
    [{ expiresIn: "900" }, /expiresIn/],
    [{ holds: "no" }, /holds/],
    [{ now: 5 }, /now of TestServer is 5. It has to be a function/],
    [{ base: "/api" }, /There is no option of TestServer "base". There are: baseUrl, amount/],
  ])) assert.throws(() => new wrong(options), message);
  const server = /** @type {any} */ (new TestServer());
  assert.throws(() => server.fails("start", "500"), /start never answers "500". Its faults are: lost, unreachable, unreadable, bad-request/);
  assert.throws(() => server.fails("begin", "lost"), /There is no address "begin". There are: start, status, cancel, live/);
  assert.throws(() => server.fails("start", "lost", { time: 2 }), /There is no option of fails "time". There are: times/);
  assert.throws(() => server.fails("start", "lost", { times: 0 }), /times is 0/);
  assert.throws(() => server.pauses("begin"), /There is no address "begin"/);
  assert.throws(() => server.begins("PAYPAL"), /There is no method "PAYPAL". There are: QR, INSTALLMENT/);
  server.begins();
  assert.throws(() => server.becomes("payed"), /never becomes payed. It may become: paid/);
  assert.throws(() => server.becomes("paid", { nr: "1" }), /There is no option of becomes "nr"/);
  const Driver = /** @type {any} */ (implementation.CheckoutDriver);
  const element = { localName: "payment-checkout", state: "choosing" };
  assert.throws(() => new Driver(null), /takes the element <payment-checkout>/);
  assert.throws(() => new Driver(element, { patience: 1 }), /There is no option of CheckoutDriver "patience". There are: timeout/);
  const driver = new Driver(element);
  await assert.rejects(driver.reaches("done"), /There is no state "done". There are: loading, choosing/);
  await assert.rejects(driver.choose("PIX"), /There is no method "PIX"/);
  await assert.rejects(driver.press("action.retri"), /There is no text of a button or link with the key "action.retri". There are: method.qr/);
});

test("a held question is answered by the change, and by the end of the test", async () => {
  const server = new TestServer();
  await server.handle(start("QR"));
  const held = server.handle(question("250207000001", { Prefer: "wait=20" }));
  await Promise.resolve();
  server.becomes("paid");
  const answer = await held;
  keeps("status", answer);
  assert.equal(state(answer), "AUTORIZADO");
  assert.equal(answer.headers["preference-applied"], "wait");
  // A question with the tag of an earlier answer is not held.
  assert.equal((await server.handle(question("250207000001", { prefer: "wait=20", "if-none-match": '"0.0"' }))).status, 200);
  const last = server.handle(question("250207000001", { prefer: "wait=20" }));
  await Promise.resolve();
  server.close();
  assert.equal((await last).status, 200);
});

test("a new tab finds what its payer should see", async () => {
  const server = new TestServer();
  assert.equal((await server.handle(live())).status, 204);
  server.begins("CASHCODE");
  const found = await server.handle(live());
  keeps("live", found);
  assert.equal(state(found), "PENDIENTE");
  server.becomes("paid");
  server.becomes("reversed");
  const reversed = await server.handle(live());
  keeps("live", reversed);
  assert.equal(reversed.headers["order-state"], "open");
});

test("requests fail and wait as they are told, and impossible things are refused", async () => {
  const server = new TestServer();
  server.fails("start", "lost");
  server.fails("start", "payment-service-unavailable");
  assert.equal(await server.handle(start("QR")), null);
  assert.equal(server.operations.length, 1);
  assert.equal((await server.handle(start("QR"))).status, 503);
  const go = server.pauses("start");
  let isAnswered = false;
  const waiting = server.handle(start("QR")).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await server.handle(live());
  assert.equal(isAnswered, false);
  go();
  assert.equal((await waiting).status, 200);
  assert.equal(server.operations.length, 1);
  assert.throws(() => server.fails("status", "order-paid"), /never answers "order-paid"/);
  server.becomes("paid");
  assert.throws(() => server.becomes("declined"), /It may become: settled, reversed/);
  assert.throws(() => new TestServer().becomes("paid"), /No operation has begun/);
});

test("only the addresses of the element are answered, on the server's origin", async () => {
  const server = new TestServer({ baseUrl: "https://pay.example/v2/" });
  const asked = (/** @type {string} */ method, /** @type {string} */ url) => server.handle({ method, url });
  assert.equal(await asked("POST", "https://shop.example/v2/charges"), undefined);
  assert.equal(await asked("POST", "https://pay.example/v2/orders"), undefined);
  assert.equal(await asked("POST", "https://pay.example/v2/chargeslive"), undefined);
  assert.equal(await asked("OPTIONS", "https://pay.example/v2/charges"), undefined);
  assert.equal((await asked("POST", "https://pay.example/v2/charges/live")).status, 204);
  assert.equal(server.requests.length, 1);
});
