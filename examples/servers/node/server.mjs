// A merchant's whole server in one file, with nothing to install but Node.js 20.19 or newer. Copy it and make it yours.
//
//   node server.mjs              the shop at http://127.0.0.1:8000/, with its server at /api
//   node server.mjs new-order    makes an order at the running server, and prints what a test needs to pay it;
//                                `new-order 5` is an order of five pieces
//
// Take no real money with it as it is. It leaves out: refunds and accounts for staff, methods other than QR and
// installments, orders with methods of their own, reading the QR, the way back from a lender into another browser, several processes on
// one folder, limits on requests, statements to compare with, events for other systems, the removal of old orders, and
// HTTPS. Instead of an alert it writes a line to its log.
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const PORT = Number(process.env.PORT ?? 8000);
const SHOP_URL = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`; // where payers and the payment service reach it
const PAYMENT_URL = process.env.PAYMENT_URL ?? 'http://127.0.0.1:8082';
const PAYMENT_TOKEN = process.env.PAYMENT_TOKEN ?? 'sandbox-token'; // never in an answer, a page or a log
const MERCHANT_CODE = process.env.MERCHANT_CODE ?? 'demo-merchant';
const DATA = process.env.DATA ?? join(HERE, 'orders');
// What a method takes at least and at most, in cents: {"QR": {"PEN": {"least": 600, "most": 50000}}}
const METHOD_LIMITS = JSON.parse(process.env.METHOD_LIMITS || '{}', (_, part) => (typeof part === 'object' ? part : BigInt(part)));
const ELEMENT = process.env.ELEMENT ?? 'node_modules/payment-checkout-element/element'; // where this is started

const PRODUCT = { sku: 'mochila-telar', name: 'Mochila de telar', quantity: '1', unit_price: '12990' }; // in cents
const PHONE = { country_code: '51', subscriber: '999888777' };
const LOCATION = { line_1: 'Jr. Unión 120', line_2: '', city: 'Lima', state: 'Lima', country: 'PE' };
const PAYER = { first_name: 'Ana', last_name: 'Quispe', email: 'ana@example.com', phone: PHONE, location: LOCATION };

const METHODS = ['QR', 'INSTALLMENT'];
const WAITING = ['REGISTRADO', 'PENDIENTE'];
const PAID = ['AUTORIZADO', 'LIQUIDADO'];
const ENDED = ['INVALIDO', 'DENEGADO', 'CANCELADO', 'EXPIRADO', 'EXTORNADO'];
const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const ANSWER_WITHIN = 10 * SECOND; // the payment service
const MAY_ARRIVE_FOR = 120 * SECOND; // a cancellation whose answer was lost

/** What the caller gets in place of an answer, as `application/problem+json` (RFC 9457). */
class Problem {
  constructor(status, type, detail, members) {
    Object.assign(this, { status, type, detail, members });
  }
}

function must(condition, ...problem) {
  if (!condition) throw new Problem(...problem);
}

/** What a problem says of the money, by its type. With any other type its request may have moved some: `unknown`. */
const MONEY = {
  nothing_charged: [
    'bad-request', 'field-not-allowed', 'redirect-url-not-allowed', 'idempotency-key-required', 'cross-site-request',
    'method-not-offered', 'idempotency-key-reused', 'body-too-large', 'unsupported-media-type', 'payment-reversed',
  ],
  may_be_paid: ['order-paid', 'operation-live', 'operation-unconfirmed', 'cannot-cancel-now'],
};
const moneyOf = (type) => Object.keys(MONEY).find((money) => MONEY[money].includes(type)) ?? 'unknown';

const NOT_FOUND = [404, 'not-found', 'It does not exist, or belongs to another session.'];
const UNAVAILABLE = [503, 'payment-service-unavailable', 'No usable answer. Repeat this request.', { retry_after: 2 }];

const namesOf = ({ number }) => ({ merchant_code: MERCHANT_CODE, merchant_operation_number: number });
/** A problem that names the operation to follow. */
const conflict = (operation, type, detail, members) =>
  new Problem(409, type, detail, { ...namesOf(operation), transaction_id: idOf(operation), ...members });
const orderPaid = (operation) => conflict(operation, 'order-paid', 'This order is paid; there is nothing more to pay.');

const random = () => randomBytes(16).toString('hex');

/** What a JSON text says; nothing if it is none. */
function parse(text, reviver) {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

// --- What is on disk: a file for each order, with its operations and keys. In a server of your own each of them has a
// table, and a change is a transaction.

const orders = new Map();

function load() {
  mkdirSync(DATA, { recursive: true });
  for (const name of readdirSync(DATA).filter((name) => name.endsWith('.json'))) {
    const order = JSON.parse(readFileSync(join(DATA, name), 'utf8'));
    orders.set(order.id, order);
  }
}

/** Returns when the order is on disk, whole. If that fails nothing goes on: what is on disk is not known then. */
function save(order) {
  try {
    const file = join(DATA, `${order.id}.json`);
    writeFileSync(`${file}.new`, JSON.stringify(order), { flush: true });
    renameSync(`${file}.new`, file);
    const folder = openSync(DATA);
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
  orders.set(order.id, order);
}

/** The operation of this number with its order, or neither. */
function find(number) {
  const order = [...orders.values()].find(({ operations }) => operations.some((one) => one.number === number));
  return { order, operation: order?.operations.find((one) => one.number === number) };
}

/** For another session than its own an order does not exist. */
function own({ session }, order) {
  must(session && order?.session === session, ...NOT_FOUND);
  return order;
}

const turns = new WeakMap();

/** All that concerns one order happens one after the other. */
function inTurn(order, work) {
  const turn = Promise.resolve(turns.get(order)).then(work, work);
  turns.set(order, turn);
  return turn;
}

// --- What became of an operation.

/** `waiting`, `paid`, `ended` without a payment, `reversed` (paid and given back), or `unknown`: being confirmed. */
function outcome({ transaction, never_begun, mismatch, known_at, was_paid, cancel_may_arrive_until }) {
  if (never_begun) return 'ended';
  if (!transaction || mismatch) return 'unknown';
  if (WAITING.includes(transaction.state)) return 'waiting';
  // The answer to an authorization begins a payment and ends none. Only a query or a cancellation tells an end.
  if (!known_at || ![...PAID, ...ENDED].includes(transaction.state)) return 'unknown';
  // A cancellation on its way gives back what was paid meanwhile.
  if (PAID.includes(transaction.state)) return Date.now() < cancel_may_arrive_until ? 'unknown' : 'paid';
  const states = [transaction.state, ...[transaction.lifecycle].flat().map((entry) => entry?.state)];
  return was_paid || states.some((state) => [...PAID, 'EXTORNADO'].includes(state)) ? 'reversed' : 'ended';
}

const isOpen = (operation) => ['waiting', 'unknown'].includes(outcome(operation));
const idOf = ({ transaction }) => transaction?.transaction_id ?? null;

/** What paid an order: with one the shop sends the goods, and of more a person gives the rest back. */
const paymentsOf = (order) => order.operations.filter((operation) => outcome(operation) === 'paid');

/** True a minute after the deadline by the payment service's clock. Our own may be wrong. */
function isOverdue({ transaction, service_time }) {
  const deadline = transaction.expiration_date?.unix_time;
  return typeof deadline === 'number' && service_time >= (deadline + 60) * SECOND;
}

/** True unless it is a cancellation whose history cannot be read: the history alone says that it had been paid. */
function hasHistory({ state, lifecycle }) {
  const isList = Array.isArray(lifecycle) && lifecycle.every((entry) => typeof entry?.state === 'string');
  return state !== 'CANCELADO' || lifecycle == null || isList;
}

/** Takes over what the service says of an operation, if it can be believed. */
function take(order, operation, told) {
  const [transaction, ...others] = [told?.transactions].flat();
  const isOfOrder = (one) => one?.amount === order.amount && ['PEN', '604'].includes(one.currency);
  const id = transaction?.transaction_id;
  const isSame = told?.merchant_operation_number === operation.number && typeof id === 'string' && id === (idOf(operation) ?? id);
  const isWhole = isSame && isOfOrder(told) && isOfOrder(transaction) && hasHistory(transaction);
  operation.mismatch = !(isWhole && others.length === 0);
  // Nothing goes back to waiting, and a payment ends only by being given back.
  const before = operation.known_at && operation.transaction.state;
  const isOver = [...PAID, ...ENDED].includes(before);
  if (operation.mismatch || (isOver && ![before, ...PAID, 'CANCELADO', 'EXTORNADO'].includes(transaction.state))) {
    const why = operation.mismatch ? 'does not fit the order (number, amount, currency or history)' : `says ${transaction.state} after ${before}`;
    console.error(`Operation ${operation.number}: ask the payment service about its answer, which ${why}`);
    return false;
  }
  operation.was_paid ||= PAID.includes(before);
  operation.transaction = transaction;
  return true;
}

// --- The payment service: it alone knows what is paid.

/** What came back: `accepted`, `refused`, or neither: then it may have been done, or be done later. */
async function call(method, path, body) {
  const headers = { Authorization: `Bearer ${PAYMENT_TOKEN}`, 'ALG-API-VERSION': '1709847567', 'Content-Type': 'application/json' };
  const sent = { method, headers, body: JSON.stringify(body), redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN) };
  try {
    const answer = await fetch(`${PAYMENT_URL}/charges${path}`, sent);
    // No answer brings our token or the address for notifications to a browser.
    const text = (await answer.text()).replaceAll(PAYMENT_TOKEN, '');
    const told = parse(text, (name, value) => (name === 'callback_url' ? undefined : value));
    const { code, message_ilgn: messages } = told?.meta?.status ?? {};
    const isRefusal = answer.status >= 400 && answer.status < 500 && ![408, 425, 429].includes(answer.status);
    if (isRefusal) return { refused: answer.status, messages };
    const isSuccess = answer.status === 200 && String(told?.success) === 'true' && code === '00';
    const isAccepted = isSuccess && told.merchant_code === MERCHANT_CODE;
    return isAccepted ? { accepted: told, time: Date.parse(answer.headers.get('Date') ?? '') || Date.now() } : {};
  } catch {
    return {};
  }
}

/** Finds out what became of an operation. True if the answer is believed. */
async function learn(order, operation) {
  const path = `/${MERCHANT_CODE}/${operation.number}`;
  const isLost = !operation.transaction;
  // A query needs the id in an answer that was lost, and the code with it. Nobody can pay it: it can be cancelled.
  const question = isLost ? call('DELETE', path) : call('GET', `${path}/${encodeURIComponent(idOf(operation))}`);
  const { accepted, refused, time } = await question;
  const isBelieved = accepted !== undefined && take(order, operation, accepted.operation);
  operation.asked_at = Date.now();
  if (isBelieved) Object.assign(operation, { known_at: operation.asked_at, service_time: time });
  if (isLost && refused === 404) operation.never_begun = true; // should the request arrive later, its code expires
  save(order);
  if (outcome(operation) === 'paid') {
    // Every other code of the order is superfluous.
    for (const other of order.operations.filter(isOpen)) if (await learn(order, other)) await end(order, other);
    if (paymentsOf(order).length > 1) console.error(`Order ${order.id} is paid more than once: give one back.`);
  }
  return isBelieved;
}

/** Cancels an operation that waits by the answer right before, and no other: a cancellation gives a payment back. */
async function end(order, operation) {
  if (outcome(operation) !== 'waiting') return;
  operation.cancel_may_arrive_until = Date.now() + MAY_ARRIVE_FOR;
  save(order); // before it leaves
  const { accepted, refused } = await call('DELETE', `/${MERCHANT_CODE}/${operation.number}`);
  if (accepted || refused) operation.cancel_may_arrive_until = 0;
  await learn(order, operation);
}

// --- What an order can be paid by.

/** Why an order cannot be paid by a method, or nothing. All orders are in soles, which are PEN and 604 in ISO 4217. */
function whyNot({ amount }, method) {
  const refusal = (reason, least, most) => ({ method, reason, least: least?.toString() ?? null, most: most?.toString() ?? null });
  if (!METHODS.includes(method)) return refusal('setting');
  const limits = METHOD_LIMITS[method] ?? { PEN: {} };
  const bounds = limits.PEN ?? limits[604];
  if (!bounds) return refusal('currency');
  const { least, most } = bounds;
  if (BigInt(amount) < least) return refusal('below-least', least, most);
  if (BigInt(amount) > most) return refusal('above-most', least, most);
  return undefined;
}

/** The methods that an order can be paid by, and why not by the others. */
function offerOf(order) {
  const methods = METHODS.filter((method) => !whyNot(order, method));
  const not_offered = METHODS.map((method) => whyNot(order, method)).filter(Boolean);
  return { currency: order.currency, methods, not_offered };
}

function mustOffer(order, method) {
  const refusal = whyNot(order, method);
  if (!refusal) return;
  const { currency, methods } = offerOf(order);
  const members = { field: 'payment_method.method_name', ...refusal, currency, methods };
  throw new Problem(422, 'method-not-offered', `This order can be paid by ${methods.join(' or ') || 'no method'}.`, members);
}

// --- Starting a payment.

async function start(request) {
  const body = await readBody(request, ['order_id', 'payment_method']);
  onlyFields(body.payment_method, 'payment_method', ['method_name', 'method_details']);
  const { method_name: method, method_details = {} } = body.payment_method;
  onlyFields(method_details, 'payment_method.method_details', ['redirect_url']);
  const key = /^"?([!#-~]{1,255}?)"?$/.exec(request.headers['idempotency-key'] ?? '')?.[1];
  must(key, 400, 'idempotency-key-required', 'Send the header Idempotency-Key: "…", a new one for each attempt.');
  const order = own(request, orders.get(body.order_id));
  const redirectUrl = method === 'INSTALLMENT' ? String(method_details.redirect_url) : null;
  const isOurs = !redirectUrl || redirectUrl.startsWith(`${SHOP_URL}/`);
  const hint = `The field redirect_url must begin with ${SHOP_URL}/.`;
  must(isOurs, 400, 'redirect-url-not-allowed', hint, { field: 'redirect_url' });
  const choice = { method, redirectUrl, replaces: request.headers['checkout-replaces']?.replaceAll('"', '') };
  return { status: 200, body: await inTurn(order, () => authorize(order, `"${key}"`, choice)) };
}

/** The answer of this key: the order's one live operation, or a new one. */
async function authorize(order, key, choice) {
  const wanted = JSON.stringify([order.id, choice.method, choice.redirectUrl]);
  const ofSession = [...orders.values()].filter(({ session }) => session === order.session);
  const known = ofSession.map(({ keys }) => keys[key]).find(Boolean);
  must(wanted === (known?.wanted ?? wanted), 422, 'idempotency-key-reused', 'This Idempotency-Key came with another request.');
  if (known?.problem) throw new Problem(...known.problem);
  if (known?.number) return order.operations.find(({ number }) => number === known.number).answer;
  order.keys[key] = { wanted };
  try {
    const [paid] = paymentsOf(order);
    if (paid) throw orderPaid(paid);
    let live;
    for (const old of order.operations.filter(isOpen)) live = (await keepOrEnd(order, old, choice)) ?? live;
    live ??= await begin(order, choice);
    order.keys[key].number = live.number;
    return live.answer;
  } catch (problem) {
    // The key's final answer. After any other problem it runs again.
    const isFinal = ['authorization-refused', 'payment-reversed'].includes(problem.type);
    if (isFinal) order.keys[key].problem = [problem.status, problem.type, problem.detail, problem.members];
    if (problem.type === 'method-not-offered') delete order.keys[key]; // the payer takes another method
    throw problem;
  } finally {
    save(order);
  }
}

/** Returns the operation if it is the one to pay. Otherwise it ends it: two codes of one order would both be paid. */
async function keepOrEnd(order, old, { method, replaces }) {
  if (await learn(order, old)) {
    const canBePaid = old.answer && outcome(old) === 'waiting' && !isOverdue(old);
    if (canBePaid && old.method === method) return old;
    if (outcome(old) === 'waiting') mustOffer(order, method); // no code ends for one that cannot begin
    const why = { method_name: old.method };
    if (canBePaid && old.number !== replaces) throw conflict(old, 'operation-live', 'The order has this code already.', why);
    await end(order, old);
  }
  if (outcome(old) === 'paid') throw orderPaid(old);
  if (outcome(old) === 'reversed') throw conflict(old, 'payment-reversed', 'The first code was paid late, and given back.');
  must(old.transaction || !isOpen(old), ...UNAVAILABLE);
  if (isOpen(old)) throw conflict(old, 'operation-unconfirmed', 'The first code is still being confirmed.', { retry_after: 5 });
}

/** A new operation, which is on disk before its request leaves. */
async function begin(order, { method, redirectUrl }) {
  mustOffer(order, method);
  let number;
  do number = String(randomInt(1e11, 1e12)); // no counter: a restored backup would count the same numbers again
  while (find(number).order);
  const operation = { number, method, secret: random(), created_at: Date.now(), cancel_may_arrive_until: 0 };
  order.operations.push(operation);
  save(order);

  const callback_url = `${SHOP_URL}/api/notifications/${number}/${operation.secret}`;
  const method_details = { callback_url, ...(redirectUrl && { redirect_url: redirectUrl }) };
  const payment_method = { method_name: method, method_details };
  const persons = { billing: PAYER, shipping: PAYER, customer: PAYER };
  // The amount is the order's, whatever the browser thinks.
  const product_details = [{ ...PRODUCT, quantity: order.quantity }];
  const payment_details = { amount: order.amount, currency: order.currency, ...persons, product_details };
  const request = { action: 'authorize', channel: 'ecommerce', ...namesOf(operation), payment_method, payment_details };
  const { accepted, refused, messages } = await call('POST', '', request);
  if (refused) {
    operation.never_begun = true;
    save(order);
    must(![401, 403, 409].includes(refused), ...UNAVAILABLE); // our token, or a number that somebody else used
    const hint = 'The payment service refused this payment. Try another method or ask the shop.';
    throw new Problem(422, 'authorization-refused', hint, { service_status: refused, messages });
  }
  const { merchant_operation_number, transaction } = accepted ?? {};
  const told = { ...transaction, merchant_operation_number, transactions: [transaction] };
  // An unknown outcome is no refusal. The same key comes again, and first ends what may have begun here.
  must(accepted && take(order, operation, told), ...UNAVAILABLE);
  operation.answer = accepted;
  return operation;
}

// --- The state of an operation, and cancelling it.

/** The answer about a state. What is not certain has a state of our own, and nothing that could be paid. */
function stateOf(order, operation) {
  const { answer, transaction } = operation;
  const { amount, currency } = order;
  const result = outcome(operation);
  const headers = {};
  const known = operation.known_at ?? operation.created_at;
  if (operation.asked_at > known) headers.Age = Math.ceil((Date.now() - known) / SECOND); // the service did not answer
  if (result === 'reversed') headers['Order-State'] = paymentsOf(order).length > 0 ? 'paid' : 'open';

  let shown = { state: 'POR_CONFIRMAR', amount, currency, transactions: [] };
  if (result !== 'unknown' && transaction) {
    // A query may lack the code, and a reload would lose it.
    const code = result === 'waiting' ? answer?.transaction.processor_response : null;
    const processor_response = code ? { ...code, ...transaction.processor_response } : transaction.processor_response;
    shown = { ...shown, state: transaction.state, transactions: [{ ...transaction, processor_response }] };
  }
  const names = namesOf(operation);
  const meta = { status: { code: '00', message_ilgn: [] } };
  return { status: 200, headers, body: { success: true, ...names, operation: { ...names, ...shown }, meta } };
}

/** Answers the state. While the payer waits it holds the request, for as long as `Prefer: wait` says. */
async function status(request, code, number, transactionId) {
  const { order, operation } = find(number);
  must(code === MERCHANT_CODE && own(request, order) && ['-', idOf(operation)].includes(transactionId), ...NOT_FOUND);
  const seconds = isOpen(operation) ? Math.min(20, Number(/\bwait=(\d+)/.exec(request.headers.prefer)?.[1] ?? 0)) : 0;
  const [end, before] = [Date.now() + seconds * SECOND, outcome(operation)];
  for (;;) {
    const isOld = !(Math.abs(Date.now() - operation.asked_at) < 2 * SECOND);
    if (isOld) await inTurn(order, () => learn(order, operation));
    const answer = stateOf(order, operation);
    if (seconds > 0) answer.headers['Preference-Applied'] = 'wait';
    if (outcome(operation) !== before || Date.now() >= end) return answer;
    await sleep(300);
  }
}

/** Cancels what waits. What is paid stays, and what has ended is answered as it is. */
async function cancel(request, code, number) {
  const { order, operation } = find(number);
  must(code === MERCHANT_CODE && own(request, order), ...NOT_FOUND);
  return inTurn(order, async () => {
    const isAnswered = await learn(order, operation);
    if (isAnswered) await end(order, operation);
    if (outcome(operation) === 'paid') throw orderPaid(operation);
    if (!isOpen(operation)) return stateOf(order, operation);
    must(isAnswered || operation.mismatch, ...UNAVAILABLE);
    must(Date.now() >= operation.cancel_may_arrive_until, 504, 'cancel-unconfirmed', 'Ask again.', { retry_after: 2 });
    throw new Problem(409, 'cannot-cancel-now', 'This payment is still being confirmed; ask again.', { retry_after: 5 });
  });
}

/** What the payer of an order should see: the paid operation, the one that waits, the one given back, or else the methods. */
async function live(request) {
  const { order_id } = await readBody(request, ['order_id']);
  const order = own(request, orders.get(order_id));
  return inTurn(order, async () => {
    for (const operation of order.operations.filter(isOpen)) await learn(order, operation);
    const seen = ['paid', 'waiting', 'reversed'].map((wanted) => order.operations.findLast((one) => outcome(one) === wanted));
    const operation = seen.find(Boolean);
    if (operation) return stateOf(order, operation);
    const offer = offerOf(order);
    return offer.not_offered.length > 0 ? { status: 200, body: offer } : { status: 204 };
  });
}

/** A notification is a hint: nothing in it is believed, and everybody gets the same answer. */
function notified(_, number, secret) {
  const { order, operation } = find(number);
  if (operation?.secret === secret) inTurn(order, () => learn(order, operation)).catch(console.error);
  return { status: 204 };
}

/** Finds what no browser and no notification tells: what was paid after its payer left, or late. */
async function watch() {
  for (;; await sleep(5 * SECOND)) {
    for (const order of orders.values()) {
      for (const operation of order.operations) {
        const every = isOpen(operation) ? 15 * SECOND : DAY / 24;
        const isDue = !(Math.abs(Date.now() - operation.asked_at) < every) && Date.now() < operation.created_at + 7 * DAY;
        if (isDue && !operation.never_begun) await inTurn(order, () => learn(order, operation)).catch(console.error);
      }
    }
  }
}

// --- The shop.

/** The shop says what it costs. Whoever has the cookie may pay. */
function newOrder({ session = random() }, quantity = '1') {
  const amount = String(PRODUCT.unit_price * quantity);
  const order = { id: random(), session, quantity, amount, currency: 'PEN', operations: [], keys: {} };
  save(order);
  const headers = { 'Set-Cookie': `session=${session}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000` };
  return { status: 201, headers, body: { order_id: order.id, amount: order.amount, currency: order.currency } };
}

/** The page, or a file of the element. */
async function file(_, name) {
  const path = name ? join(ELEMENT, name) : join(HERE, '../index.html');
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
  const body = await readFile(path).catch(() => must(false, 404, 'not-found', 'There is no such file.'));
  return { status: 200, headers: { 'Content-Type': types[extname(path)] ?? 'text/plain' }, body };
}

// --- HTTP.

const ROUTES = [
  ['POST', /^\/api\/charges$/, start],
  ['GET', /^\/api\/charges\/([^/]+)\/([^/]+)\/([^/]+)$/, status],
  ['DELETE', /^\/api\/charges\/([^/]+)\/([^/]+)$/, cancel],
  ['POST', /^\/api\/charges\/live$/, live],
  ['POST', /^\/api\/notifications\/([^/]+)\/([^/]+)$/, notified],
  ['POST', /^\/api\/orders(?:\/([1-9]\d?))?$/, newOrder],
  ['GET', /^\/(?:element\/([\w-]+(?:[./][\w-]+)*))?$/, file],
];

/** The JSON object of a request. */
async function readBody(request, allowed) {
  const isJson = /^application\/json\b/i.test(request.headers['content-type']);
  must(isJson, 415, 'unsupported-media-type', 'Send the header Content-Type: application/json.');
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    must(text.length <= 65536, 413, 'body-too-large', 'The body may have 64 KiB.');
  }
  return onlyFields(parse(text), 'body', allowed);
}

/** Refuses what a browser must not set, such as the amount, by its name. */
function onlyFields(value, name, allowed) {
  must(Object(value) === value, 400, 'bad-request', `${name} must be an object.`, { field: name });
  const odd = Object.keys(value).find((field) => !allowed.includes(field));
  must(!odd, 400, 'field-not-allowed', `The field ${odd} is not allowed in ${name}.`, { field: odd });
  return value;
}

async function serve(request, response) {
  request.session = /(?:^|; *)session=([0-9a-f]{32})(?:;|$)/.exec(request.headers.cookie)?.[1];
  let answer;
  try {
    const [path] = request.url.split('?');
    const [, pattern, act] = ROUTES.find(([method, pattern]) => method === request.method && pattern.test(path)) ?? [];
    must(act, ...NOT_FOUND);
    const isStrangers = request.headers['sec-fetch-site'] === 'cross-site' && request.method !== 'GET';
    must(!isStrangers, 403, 'cross-site-request', 'A page of another site sent this.');
    answer = await act(request, ...pattern.exec(path).slice(1).map((part) => part && decodeURIComponent(part)));
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error);
    const problem = error instanceof Problem ? error : new Problem(500, 'internal', 'Repeat this request.');
    const { status, type, detail, members } = problem;
    const { retry_after, ...rest } = members ?? {};
    const headers = { 'Content-Type': 'application/problem+json', ...(retry_after && { 'Retry-After': retry_after }) };
    const words = { type: `urn:payment-checkout:problem:${type}`, title: type, status, detail };
    answer = { status, headers, body: { ...words, money: moneyOf(type), ...rest } };
  }
  const { status, headers, body } = answer;
  const isJson = body?.constructor === Object;
  response.writeHead(status, { ...(isJson && { 'Content-Type': 'application/json' }), 'Cache-Control': 'no-store', ...headers });
  response.end(isJson ? JSON.stringify(body) : body);
}

if (process.argv[2] === 'new-order') {
  const made = await fetch(`http://127.0.0.1:${PORT}/api/orders/${process.argv[3] ?? 1}`, { method: 'POST' });
  const { order_id, amount, currency } = await made.json();
  console.log(JSON.stringify({ request: { order_id }, amount, currency, cookie: made.headers.get('Set-Cookie').split(';')[0] }));
} else {
  load();
  createServer(serve).listen(PORT, '127.0.0.1', () => console.log(`The shop is open: http://127.0.0.1:${PORT}/`));
  watch();
}
