// A whole merchant's server in one file, with nothing to install: Node.js 20 or newer. Copy it and make it yours.
//
//   node server.mjs              the shop at http://127.0.0.1:8000/, with its server under /api
//   node server.mjs new-order    makes an order at the running server, and prints what a test needs to pay it
//
// Take no real money with it as it is. It leaves out: refunds and accounts for staff, other methods than QR and
// installments, several processes on one folder, limits of rate and number, the comparison with statements of the
// payment service, events for other systems, alerts, the removal of old orders, and HTTPS.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const PORT = Number(process.env.PORT ?? 8000);
const SHOP_URL = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`; // where payers and the payment service reach it
const PAYMENT_URL = process.env.PAYMENT_URL ?? 'http://127.0.0.1:8082';
const PAYMENT_TOKEN = process.env.PAYMENT_TOKEN ?? 'sandbox-token';
const MERCHANT_CODE = process.env.MERCHANT_CODE ?? 'demo-merchant';
const DATA = process.env.DATA ?? join(HERE, 'data'); // orders, operations and keys
const ELEMENT = process.env.ELEMENT ?? join(HERE, 'element'); // the folder `element` of the npm package

const PRODUCT = { sku: 'mochila-telar', name: 'Mochila de telar', quantity: '1', unit_price: '12990' };
const PLACE = { line_1: 'Jr. Unión 120', line_2: '', city: 'Lima', state: 'Lima', country: 'PE' };
const PHONE = { country_code: '51', subscriber: '999888777' };
const PAYER = { first_name: 'Ana', last_name: 'Quispe', email: 'ana@example.com', phone: PHONE, location: PLACE };

const METHODS = ['QR', 'INSTALLMENT'];
const WAITING = ['REGISTRADO', 'PENDIENTE'];
const PAID = ['AUTORIZADO', 'LIQUIDADO'];
const ENDED = ['INVALIDO', 'DENEGADO', 'CANCELADO', 'EXPIRADO', 'EXTORNADO'];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const SERVICE_TIMEOUT = 10 * SECOND;
/** For so long a request whose answer was lost may still reach the payment service. */
const MAY_ARRIVE = 120 * SECOND;

/** What goes wrong for the caller, as `application/problem+json` (RFC 9457). */
class Problem extends Error {
  constructor(status, type, detail, members = {}) {
    super(detail);
    this.status = status;
    this.body = { type: `urn:payment-checkout:problem:${type}`, title: type, status, detail, ...members };
  }
}

const numbers = ({ number, transaction_id }) => ({ merchant_code: MERCHANT_CODE, merchant_operation_number: number, transaction_id });
const retryAfter = (seconds) => ({ retry_after: seconds });
const notFound = () => new Problem(404, 'not-found', 'It does not exist, or belongs to another session.');
const orderPaid = (operation) => new Problem(409, 'order-paid', 'This order is paid; there is nothing more to pay.', numbers(operation));
const unavailable = () =>
  new Problem(503, 'payment-service-unavailable', 'The payment service gave no usable answer. Repeat the same request.', retryAfter(2));

// --- What is on disk: an order is one file with its operations, and a change of it is one write. In a server of your
// own they are tables of its database, and the change is a transaction.

/** Puts a text on disk before it goes on. `publish` gives the file its name at once: a crash leaves no half of it. */
function write(file, text, publish) {
  const draft = join(DATA, `draft-${randomBytes(8).toString('hex')}`);
  const descriptor = openSync(draft, 'w');
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  publish(draft, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

const saveOrder = (order) => write(join(DATA, 'orders', order.id), JSON.stringify(order), renameSync);

/** The order of this id, which may be anything that a stranger sent. */
function findOrder(id) {
  const file = join(DATA, 'orders', String(id));
  return /^[0-9a-f]{32}$/.test(id) && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Writes the text under this name if nothing is there yet, and returns what is there. */
function recordOnce(folder, name, text) {
  const file = join(DATA, folder, name);
  try {
    if (!existsSync(file)) write(file, text, (draft) => (linkSync(draft, file), rmSync(draft)));
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

/** The order of an operation number, which a stranger may have sent. */
function findOrderOf(number) {
  const file = join(DATA, 'operations', number);
  return /^\d{12}$/.test(number) && existsSync(file) ? findOrder(readFileSync(file, 'utf8')) : undefined;
}

const turns = new Map();

/** All that concerns one order happens one after the other. The work gets the order as it is on disk. */
async function inTurn(id, work) {
  const before = turns.get(id);
  const turn = (async () => {
    await before?.catch(() => {});
    return work(findOrder(id));
  })();
  turns.set(id, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(id) === turn) turns.delete(id);
  }
}

// --- What an operation has come to.

/** `waiting`, `paid`, `ended` (without a payment), `reversed` (paid and given back), or `unknown`: being confirmed. */
function outcome(operation) {
  if (operation.never_begun) return 'ended';
  if (!operation.told || operation.mismatch) return 'unknown';
  const { state, lifecycle } = operation.told.transactions[0];
  if (WAITING.includes(state)) return 'waiting';
  // The answer to an authorization begins a payment and ends none: only a query or a cancellation tells an end.
  if (!operation.known_at) return 'unknown';
  if (PAID.includes(state)) return Date.now() < operation.cancel_may_arrive_until ? 'unknown' : 'paid';
  if (!ENDED.includes(state)) return 'unknown';
  const wasPaid = operation.was_paid || state === 'EXTORNADO' || lifecycle?.some((entry) => PAID.includes(entry.state));
  return wasPaid ? 'reversed' : 'ended';
}

const isOpen = (operation) => ['waiting', 'unknown'].includes(outcome(operation));

/** True a minute after the deadline, by the payment service's clock: our own may be wrong. */
function isOverdue({ told, service_time }) {
  const deadline = told.transactions[0].expiration_date;
  const seconds = deadline?.unix_time ?? Date.parse(deadline?.utc_time) / SECOND;
  return service_time >= seconds * SECOND + 60 * SECOND;
}

/** Stores what the service said of an operation, if it can be believed. */
function take(order, operation, told) {
  const transaction = told?.transactions?.[0];
  const isOfOrder = ({ amount, currency }) => amount === order.amount && ['PEN', '604'].includes(currency);
  operation.mismatch = !(
    told?.merchant_operation_number === operation.number &&
    told.transactions.length === 1 &&
    typeof transaction?.transaction_id === 'string' &&
    transaction.transaction_id === (operation.transaction_id ?? transaction.transaction_id) &&
    isOfOrder(told) &&
    isOfOrder(transaction)
  );
  if (operation.mismatch) {
    console.error(`Operation ${operation.number}: the payment service's answer is not of this order. Ask there what is true.`);
    return false;
  }
  const before = outcome(operation);
  const isBackwards = WAITING.includes(transaction.state) ? !isOpen(operation) : before === 'paid' && /^(INV|DEN|EXP)/.test(transaction.state);
  if (isBackwards) {
    console.error(`Operation ${operation.number}: it was ${before}, and the payment service says ${transaction.state}. Ask there what is true.`);
    return false;
  }
  operation.told = told;
  operation.transaction_id = transaction.transaction_id;
  operation.was_paid ||= PAID.includes(transaction.state);
  return true;
}

// --- The payment service. It alone knows the access token's owner, and it alone knows what is paid.

/** `accepted` with a body, `refused` for good, or `unknown`: the service may have done it, and may still do it. */
async function call(method, path, body) {
  const headers = { Authorization: `Bearer ${PAYMENT_TOKEN}`, 'ALG-API-VERSION': '1709847567', 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(SERVICE_TIMEOUT);
  try {
    const answer = await fetch(PAYMENT_URL + path, { method, headers, body: body && JSON.stringify(body), signal, redirect: 'manual' });
    const { status } = answer;
    const time = Date.parse(answer.headers.get('Date') ?? '') || Date.now();
    const isRefusal = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    // No answer brings our token or the address of our notifications to a browser.
    const text = (await answer.text()).replaceAll(PAYMENT_TOKEN, '');
    if (isRefusal) return { kind: 'refused', status, messages: readJson(text)?.meta?.status?.message_ilgn };
    const told = JSON.parse(text, (name, value) => (name === 'callback_url' ? undefined : value));
    const isAccepted = String(told.success) === 'true' && told.meta.status.code === '00' && told.merchant_code === MERCHANT_CODE;
    return status === 200 && isAccepted ? { kind: 'accepted', told, time } : { kind: 'unknown' };
  } catch {
    return { kind: 'unknown' };
  }
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asks for the state of an operation and stores it. True if the answer is believed. */
async function ask(order, operation) {
  operation.asked_at = Date.now();
  const answer = await call('GET', `/charges/${MERCHANT_CODE}/${operation.number}/${encodeURIComponent(operation.transaction_id)}`);
  const isBelieved = answer.kind === 'accepted' && take(order, operation, answer.told.operation);
  if (isBelieved) Object.assign(operation, { known_at: Date.now(), service_time: answer.time });
  saveOrder(order);
  return isBelieved;
}

/** Cancels at the service. It would give a payment back, so it is only for what waits, or what nobody has a code of. */
async function sendCancellation(order, operation) {
  operation.cancel_may_arrive_until = Date.now() + MAY_ARRIVE;
  saveOrder(order);
  const answer = await call('DELETE', `/charges/${MERCHANT_CODE}/${operation.number}`);
  if (answer.kind !== 'unknown') operation.cancel_may_arrive_until = 0;
  if (answer.kind === 'accepted' && take(order, operation, answer.told.operation)) operation.known_at = Date.now();
  // The lost request may still arrive, so the watch goes on cancelling it. Nobody has a code of it.
  if (!operation.told && answer.status === 404) operation.never_begun = true;
  saveOrder(order);
}

/** Ends an operation that waits by the answer to the question right before; leaves any other alone. */
async function withdraw(order, operation, why) {
  if (outcome(operation) !== 'waiting') return;
  operation.end = why;
  await sendCancellation(order, operation);
  if (isOpen(operation)) await ask(order, operation);
}

/** Learns what became of an operation. A payment makes every other code of the order superfluous. */
async function refresh(order, operation) {
  if (operation.told) await ask(order, operation);
  else await sendCancellation(order, operation);
  if (outcome(operation) !== 'paid') return;
  for (const other of order.operations) {
    if (other.told && isOpen(other) && (await ask(order, other))) await withdraw(order, other, 'replaced');
  }
  const paid = order.operations.filter((one) => outcome(one) === 'paid').map(({ number }) => number);
  console.log(paid.length > 1 ? `Order ${order.id} is paid twice, by ${paid}: give one back.` : `Order ${order.id} is paid.`);
}

// --- What the element asks for.

/** Starts a payment of the order, or answers with the operation that it has. Runs in the order's turn. */
async function authorize(order, key, { method, redirectUrl, replaces }) {
  const answered = order.answers[key];
  if (answered?.problem) throw new Problem(...answered.problem);
  if (answered) return order.operations.find(({ number }) => number === answered.number).answer;

  const finish = (answer) => {
    order.answers[key] = answer;
    saveOrder(order);
  };
  const refuse = (...problem) => {
    finish({ problem });
    throw new Problem(...problem);
  };

  const paid = order.operations.find((operation) => outcome(operation) === 'paid');
  if (paid) throw orderPaid(paid);
  for (const old of order.operations.filter(isOpen)) {
    // Its answer was lost, and with it the transaction id that a query needs. Nobody has a code of it: it can be ended.
    if (!old.told) await sendCancellation(order, old);
    else if (await ask(order, old)) {
      const isOver = isOverdue(old);
      if (outcome(old) === 'waiting' && !isOver && old.method === method) {
        finish({ number: old.number });
        return old.answer;
      }
      if (outcome(old) === 'waiting' && !isOver && old.number !== replaces) {
        throw new Problem(409, 'operation-live', 'The order has another code.', { ...numbers(old), method_name: old.method });
      }
      await withdraw(order, old, 'replaced');
    }
    if (outcome(old) === 'paid') throw orderPaid(old);
    if (outcome(old) === 'reversed') refuse(409, 'payment-reversed', 'The earlier payment was given back.', numbers(old));
    if (isOpen(old) && !old.told) throw unavailable();
    if (isOpen(old)) throw new Problem(409, 'operation-unconfirmed', 'The first code is still being confirmed.', { ...numbers(old), ...retryAfter(5) });
  }

  const number = newNumber(order.id);
  const operation = { number, method, created_at: Date.now(), notify: randomBytes(16).toString('hex'), come_back: randomBytes(16).toString('hex'), transaction_id: null };
  order.operations.push(operation);
  saveOrder(order); // before the request leaves: a lost answer can be looked up

  const details = { callback_url: `${SHOP_URL}/api/notifications/${number}/${operation.notify}` };
  if (redirectUrl) details.redirect_url = withToken(redirectUrl, order, operation);
  const person = { billing: PAYER, shipping: PAYER, customer: PAYER };
  const answer = await call('POST', '/charges', {
    action: 'authorize',
    channel: 'ecommerce',
    merchant_code: MERCHANT_CODE,
    merchant_operation_number: number,
    payment_method: { method_name: method, method_details: details },
    payment_details: { amount: order.amount, currency: order.currency, ...person, product_details: [order.product] },
  });
  if (answer.kind === 'refused') {
    operation.never_begun = true;
    saveOrder(order);
    if ([401, 403, 409].includes(answer.status)) throw unavailable(); // our token, or a number that somebody else has
    refuse(422, 'authorization-refused', 'The payment service refused this payment; nothing was charged.', {
      service_status: answer.status,
      messages: answer.messages ?? [],
    });
  }
  const { transaction, merchant_operation_number } = answer.told ?? {};
  const { state, amount, currency } = transaction ?? {};
  const told = { merchant_operation_number, state, amount, currency, transactions: [transaction] };
  if (answer.kind === 'unknown' || !take(order, operation, told)) {
    saveOrder(order);
    throw unavailable(); // never a refusal: the same key comes again, and finds out first what became of this one
  }
  operation.answer = answer.told;
  finish({ number });
  return operation.answer;
}

/** A random number, never a counter: a restored backup would count the same numbers again. */
function newNumber(orderId) {
  for (;;) {
    const number = String(randomInt(1e11, 1e12));
    if (recordOnce('operations', number, orderId) === orderId) return number;
  }
}

/** The address to come back to, with a right to read the state of this one operation in another browser. */
function withToken(redirectUrl, order, operation) {
  const parts = [MERCHANT_CODE, operation.number, order.id].map((part) => Buffer.from(part).toString('base64url'));
  const expiry = Math.floor((operation.created_at + 24 * HOUR) / SECOND);
  const url = new URL(redirectUrl);
  url.searchParams.set('checkout', [...parts, expiry, operation.come_back].join('.'));
  return url.href;
}

/** True if the request may read the operation: it has the order's session, or the token of the way back. */
function mayRead({ session, token }, order, operation) {
  if (session === order.session) return true;
  const [given, right] = [token.split('.').at(-1), operation.come_back].map((text) => Buffer.from(text));
  return given.length === right.length && timingSafeEqual(given, right) && Date.now() < operation.created_at + 24 * HOUR;
}

/** The state of an operation, as a body and headers. What is not certain is told as a state of our own. */
function stateOf(order, operation) {
  const { number, told, answer, transaction_id, method } = operation;
  const { amount, currency } = order;
  const state = outcome(operation);
  let transactions = structuredClone(told?.transactions ?? []);
  let named = transactions[0]?.state;
  if (state === 'waiting') {
    const [transaction] = transactions; // the query may lack the code, and a reload would lose it
    const { qr_image } = answer.transaction.processor_response ?? {};
    if (qr_image) transaction.processor_response = { ...transaction.processor_response, qr_image };
  } else if (state === 'unknown') {
    named = 'POR_CONFIRMAR';
    const rest = { channel: 'ecommerce', state_reason: '', payment_method: { method_name: method }, lifecycle: [] };
    transactions = told ? [{ transaction_id, state: named, amount, currency, ...rest }] : [];
  }
  const body = {
    success: true,
    merchant_code: MERCHANT_CODE,
    merchant_operation_number: number,
    operation: { merchant_operation_number: number, state: named ?? 'POR_CONFIRMAR', amount, currency, transactions },
    meta: { status: { code: '00', message_ilgn: [] } },
  };
  const headers = {};
  const known = operation.known_at ?? operation.created_at;
  if (operation.asked_at > known) headers.Age = Math.ceil((Date.now() - known) / SECOND);
  if (state === 'reversed') headers['Order-State'] = order.operations.some((one) => outcome(one) === 'paid') ? 'paid' : 'open';
  if (state === 'ended' && operation.end) headers['Operation-End'] = operation.end;
  return { status: 200, state, body, headers };
}

/** Answers the state, and holds the request for `wait` seconds while it waits for its payer. */
async function status(request, number, transactionId, wait) {
  const look = async (order) => {
    const operation = order.operations.find((one) => one.number === number);
    if (!operation || !mayRead(request, order, operation)) throw notFound();
    if (!['-', operation.transaction_id].includes(transactionId)) throw notFound();
    const isOld = !(Math.abs(Date.now() - operation.asked_at) < 2 * SECOND);
    if (isOld && operation.told) await refresh(order, operation);
    return stateOf(order, operation);
  };
  const { id } = findOrderOf(number) ?? {};
  if (!id) throw notFound();
  const end = Date.now() + wait * SECOND;
  const first = await inTurn(id, look);
  let latest = first;
  while (wait && latest.state === first.state && ['waiting', 'unknown'].includes(latest.state) && Date.now() < end) {
    await sleep(300);
    latest = await inTurn(id, look);
  }
  if (wait && ['waiting', 'unknown'].includes(first.state)) latest.headers['Preference-Applied'] = 'wait';
  return latest;
}

/** Cancels an operation that waits. What is paid stays, and what has ended is answered as it is. */
async function cancel(order, number) {
  const operation = order.operations.find((one) => one.number === number);
  const uncertain = () => new Problem(409, 'cannot-cancel-now', 'This payment is still being confirmed; ask again.', retryAfter(5));
  if (!operation.told) throw uncertain();
  if (!(await ask(order, operation))) throw operation.mismatch ? uncertain() : unavailable();
  await withdraw(order, operation, 'payer');
  if (isOpen(operation) && Date.now() < operation.cancel_may_arrive_until) {
    throw new Problem(504, 'cancel-unconfirmed', 'The cancellation is not confirmed yet; ask again.', retryAfter(2));
  }
  if (outcome(operation) === 'paid') throw orderPaid(operation);
  if (isOpen(operation)) throw uncertain();
  return stateOf(order, operation);
}

/** The operation that the payer of an order should see: the paid one, the one that waits, or the one given back. */
async function live(order) {
  for (const operation of order.operations.filter((one) => one.told && isOpen(one))) await refresh(order, operation);
  for (const wanted of ['paid', 'waiting', 'reversed']) {
    const found = order.operations.findLast((operation) => outcome(operation) === wanted);
    if (found) return stateOf(order, found);
  }
  return { status: 204 };
}

/** A notification is a hint. Nothing in it is believed: the service is asked. */
async function notified(order, number) {
  const operation = order.operations.find((one) => one.number === number);
  if (operation.told) await refresh(order, operation);
}

/** Finds payments without notifications and without a browser: also late ones, on codes that have ended. */
async function watch() {
  const due = (operation) => {
    const age = Date.now() - operation.created_at;
    const every = isOpen(operation) && age < 24 * HOUR ? 15 * SECOND : HOUR;
    if (operation.never_begun) return !operation.told && age < 600 * SECOND;
    return age < 7 * 24 * HOUR && !(Math.abs(Date.now() - operation.asked_at) < every);
  };
  for (;;) {
    for (const id of readdirSync(join(DATA, 'orders'))) {
      await inTurn(id, async (order) => {
        for (const operation of order.operations.filter(due)) await refresh(order, operation);
      });
    }
    await sleep(5 * SECOND);
  }
}

// --- The shop's page and its order.

function newOrder(session) {
  const { unit_price: amount } = PRODUCT; // the shop's price; nothing that a browser sends changes it
  const order = { id: randomBytes(16).toString('hex'), session, amount, currency: 'PEN', product: PRODUCT, operations: [], answers: {} };
  saveOrder(order);
  return order;
}

const page = (order) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Your order</title>
  <style>body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif }</style>
</head>
<body>
  <h1>Your order</h1>
  <p>${order.product.name}, ${(order.amount / 100).toFixed(2)} ${order.currency}. <a href="/">Another one</a></p>
  <payment-checkout base-url="/api" live-url="/api/charges/live" amount="${order.amount}" currency="${order.currency}"
                    merchant-name="Retama y Cumbre" redirect-url="${SHOP_URL}/?order=${order.id}"></payment-checkout>
  <script type="module">
    import '/element/payment-checkout.js';
    document.querySelector('payment-checkout').request = { order_id: '${order.id}' };
  </script>
</body>
</html>
`;

// --- HTTP.

/** The JSON object of a request, whose fields are all among these. */
async function readBody(request, allowed) {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new Problem(415, 'unsupported-media-type', 'Send the header Content-Type: application/json.');
  }
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > 65_536) throw new Problem(413, 'body-too-large', 'The body may have 64 KiB.');
  }
  const body = readJson(text);
  onlyFields(body, '', allowed);
  return body;
}

function onlyFields(value, path, allowed) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem(400, 'bad-request', `${path || 'The body'} must be an object.`, { field: path });
  }
  const odd = Object.keys(value).find((name) => !allowed.includes(name));
  if (odd) throw new Problem(400, 'field-not-allowed', `The field ${path}${odd} is not allowed here.`, { field: path + odd });
}

/** The session's order of this id. */
function ownOrder({ session }, id) {
  const order = findOrder(id);
  if (!order || order.session !== session) throw notFound();
  return order;
}

async function start(request) {
  const body = await readBody(request, ['order_id', 'payment_method']);
  onlyFields(body.payment_method, 'payment_method.', ['method_name', 'method_details']);
  const { method_name: method, method_details = {} } = body.payment_method;
  onlyFields(method_details, 'payment_method.method_details.', ['redirect_url']);
  const key = /^"?([!#-~]{1,255}?)"?$/.exec(request.headers['idempotency-key'] ?? '')?.[1];
  if (!key) throw new Problem(400, 'idempotency-key-required', 'Send the header Idempotency-Key: "…", another one for each attempt.');
  const order = ownOrder(request, body.order_id);
  if (!METHODS.includes(method)) throw new Problem(422, 'method-not-offered', `payment_method.method_name must be one of ${METHODS}.`);
  const redirectUrl = method === 'QR' ? undefined : method_details.redirect_url;
  if (method !== 'QR' && !(URL.canParse(redirectUrl) && redirectUrl.startsWith(`${SHOP_URL}/`))) {
    throw new Problem(400, 'redirect-url-not-allowed', `The field redirect_url must begin with ${SHOP_URL}/.`, { field: 'payment_method.method_details.redirect_url' });
  }
  // A key is for one request of one session. With another one it is refused, whatever became of the first.
  const name = createHash('sha256').update(`${order.session} ${key}`).digest('hex');
  const wanted = JSON.stringify([order.id, method, redirectUrl]);
  if (recordOnce('keys', name, wanted) !== wanted) throw new Problem(422, 'idempotency-key-reused', 'This Idempotency-Key came with another request.');
  const choice = { method, redirectUrl, replaces: request.headers['checkout-replaces']?.replaceAll('"', '') };
  return { status: 200, body: await inTurn(order.id, (present) => authorize(present, name, choice)) };
}

/** What an address answers: a status, and maybe headers and a body, which is JSON if it is no text. */
async function answer(request) {
  const { pathname, searchParams } = new URL(request.url, SHOP_URL);
  const [first, ...path] = pathname.slice(1).split('/').map(decodeURIComponent);
  const called = `${request.method} /${[first, path[0]].filter(Boolean).join('/')}`;
  if (called === 'POST /api/orders') {
    const session = request.session || randomBytes(16).toString('hex');
    const { id, amount, currency } = newOrder(session);
    return { status: 201, headers: cookie(session), body: { order_id: id, amount, currency } };
  }
  if (called === 'POST /api/charges' && path.length === 1) return start(request);
  if (called === 'POST /api/charges' && path[1] === 'live' && path.length === 2) {
    const order = ownOrder(request, (await readBody(request, ['order_id'])).order_id);
    return inTurn(order.id, live);
  }
  const [, code, number, transactionId] = path;
  if (called === 'GET /api/charges' && code === MERCHANT_CODE && path.length === 4) {
    const wait = Number(/\bwait=(\d{1,4})\b/.exec(request.headers.prefer ?? '')?.[1] ?? 0);
    return status(request, number, transactionId, Math.min(wait, 20));
  }
  if (called === 'DELETE /api/charges' && code === MERCHANT_CODE && path.length === 3) {
    const order = ownOrder(request, findOrderOf(number)?.id);
    return inTurn(order.id, (present) => cancel(present, number));
  }
  if (called === 'POST /api/notifications') {
    const [, about, secret] = path;
    const order = findOrderOf(about ?? '');
    const isGenuine = order?.operations.some((operation) => operation.number === about && operation.notify === secret);
    if (isGenuine) inTurn(order.id, (present) => notified(present, about)).catch(console.error);
    return { status: 204 };
  }
  if (called === 'GET /') {
    // In your shop this is the cart. The address of an order keeps: its reload is no second order.
    const session = request.session || randomBytes(16).toString('hex');
    if (!searchParams.has('order')) return { status: 303, headers: { ...cookie(session), Location: `/?order=${newOrder(session).id}` } };
    const order = findOrder(searchParams.get('order'));
    if (order) return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: page(order) };
  }
  if (request.method === 'GET' && first === 'element' && /^[\w.-]+(\/[\w.-]+)*$/.test(path.join('/')) && !path.includes('..')) {
    const types = { '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
    const body = await readFile(join(ELEMENT, ...path)).catch(() => undefined);
    if (body) return { status: 200, headers: { 'Content-Type': types[extname(pathname)] ?? 'text/plain' }, body };
  }
  throw notFound();
}

const cookie = (session) => ({ 'Set-Cookie': `session=${session}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000` });

async function serve(request, response) {
  request.session = /(?:^|; *)session=([0-9a-f]{32})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  request.token = request.headers['checkout-token'] ?? '';
  let result;
  try {
    result = await answer(request);
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error);
    const problem = error instanceof Problem ? error : new Problem(500, 'internal', 'Something went wrong here. Repeat the same request.');
    const { retry_after, ...body } = problem.body;
    const headers = { 'Content-Type': 'application/problem+json', ...(retry_after && { 'Retry-After': retry_after }) };
    result = { status: problem.status, headers, body };
  }
  const { status, headers, body } = result;
  const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
  response.writeHead(status, { 'Cache-Control': 'no-store', ...(isJson && { 'Content-Type': 'application/json' }), ...headers });
  response.end(isJson ? JSON.stringify(body) : body);
}

if (process.argv[2] === 'new-order') {
  const made = await fetch(`http://127.0.0.1:${PORT}/api/orders`, { method: 'POST' });
  const { order_id, amount, currency } = await made.json();
  console.log(JSON.stringify({ request: { order_id }, amount, currency, cookie: made.headers.get('Set-Cookie').split(';')[0] }));
} else {
  for (const folder of ['orders', 'operations', 'keys']) mkdirSync(join(DATA, folder), { recursive: true });
  createServer(serve).listen(PORT, '127.0.0.1', () => console.log(`The shop is open: http://127.0.0.1:${PORT}/`));
  watch();
}
