// A server with one mistake is caught by the check that is about it. The server in Node.js is changed in one passage.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Server, play, startSandbox, textOfNodeServer } from "./support/servers.mjs";

/**
 * What a merchant might get wrong: the passage, what stands in its place, the checks that fail, what one of them says, and
 * whether a server may be so, which fails no run.
 */
const MISTAKES = [
  // For these a run waits in vain for its whole patience, so they begin first.
  {
    mistake: "an operation whose answer was lost is forgotten",
    passage: "const isLost = !operation.transaction;",
    instead:
      "const isLost = !operation.transaction;\n  if (isLost) operation.never_begun = true;\n  if (isLost) return false;",
    caught: ["lost-answer"],
  },
  {
    mistake: "a held question ends when its time is over",
    passage: "if (outcome(operation) !== before || Date.now() >= end) return answer;",
    instead: "if (Date.now() >= end) return answer;",
    caught: ["held-question-ends-early"],
  },
  {
    mistake: "another method leaves the old code as it is",
    passage: "    await end(order, old);\n  }\n",
    instead: "    return undefined;\n  }\n",
    caught: ["another-method"],
  },
  {
    mistake: "what has expired is not asked about again",
    passage: "![before, ...PAID, 'CANCELADO',",
    instead: "![before, 'CANCELADO',",
    caught: ["late-payment"],
  },
  {
    mistake: "a late repetition of a key makes a new operation",
    passage: "if (known?.number) return",
    instead: "if (known?.number && isOpen(order.operations.at(-1))) return",
    caught: ["same-key-same-answer"],
  },
  {
    mistake: "requests about one order are not in sequence",
    passage: "inTurn(order, () => authorize(",
    instead: "((_, work) => work())(order, () => authorize(",
    caught: ["same-key-at-once", "two-tabs-at-once"],
  },
  {
    mistake: "a key is good for any request",
    passage: "must(wanted === (known?.wanted ?? wanted),",
    instead: "must(true,",
    caught: ["same-key-another-request"],
  },
  {
    mistake: "nothing is kept over a restart",
    passage: ".filter((name) => name.endsWith('.json'))",
    instead: ".filter(() => false)",
    caught: ["same-key-after-restart"],
  },
  {
    mistake: "keys are not on disk",
    passage: "JSON.stringify(order), { flush: true }",
    instead: "JSON.stringify({ ...order, keys: {} }), { flush: true }",
    caught: ["same-key-after-restart"],
  },
  {
    mistake: "any session starts any order",
    passage: "const order = own(request, orders.get(body.order_id));",
    instead: "const order = orders.get(body.order_id);",
    caught: ["another-payers-order"],
  },
  {
    mistake: "any session finds the code of any order",
    passage: "const order = own(request, orders.get(order_id));",
    instead: "const order = orders.get(order_id);",
    caught: ["another-payers-order"],
  },
  {
    mistake: "every start makes an operation",
    passage: "if (canBePaid && old.method === method) return old;",
    instead: "if (canBePaid && old.method === method) return undefined;",
    caught: ["two-tabs-one-operation"],
  },
  {
    mistake: "a paid order is paid again",
    passage: "if (paid) throw orderPaid(paid);",
    instead: "",
    caught: ["paid-order-starts-nothing"],
  },
  {
    mistake: "an unknown outcome is a refusal",
    passage: "must(accepted && take(order, operation, told), ...UNAVAILABLE);",
    instead: "must(accepted && take(order, operation, told), 422, 'refused', 'The payment was refused.');",
    caught: ["lost-answer", "cut-answer", "unreadable-answer", "error-after-the-work", "service-away"],
  },
  {
    mistake: "an overload of the service is a refusal",
    passage: "![408, 425, 429].includes(answer.status)",
    instead: "answer.status !== 408",
    caught: ["service-overloaded"],
  },
  {
    mistake: "an access token that the service refuses is a refused payment",
    passage: "![401, 403, 409].includes(refused)",
    instead: "![403, 409].includes(refused)",
    caught: ["service-refuses-the-token"],
  },
  {
    mistake: "the browser may send any field",
    passage: "must(!odd, 400,",
    instead: "must(true, 400,",
    caught: ["fields-of-the-browser"],
  },
  {
    mistake: "the amount is taken from the browser, where the payment service has it",
    passage: "readBody(request, ['order_id', 'payment_method']);",
    instead:
      "readBody(request, ['order_id', 'payment_method', 'payment_details']);" +
      "Object.assign(orders.get(body.order_id), body.payment_details);",
    caught: ["fields-of-the-browser"],
    saw: "asked for 100 PEN where the order costs 12990 PEN",
  },
  {
    mistake: "a method takes any amount",
    passage: "if (BigInt(amount) > most) return",
    instead: "if (false) return",
    caught: ["beyond-a-limit"],
  },
  {
    mistake: "a limit is told as a number",
    passage: "most: most?.toString() ?? null",
    instead: "most: most ? Number(most) : null",
    caught: ["beyond-a-limit", "beyond-a-limit-before-a-press"],
    saw: 'expected "least" and "most" as texts of digits, or null',
  },
  {
    mistake: "the reason for a refusal is another one",
    passage: "return refusal('above-most', least, most);",
    instead: "return refusal('below-least', least, most);",
    caught: ["beyond-a-limit", "beyond-a-limit-before-a-press"],
    saw: "a limit that 64950 is beyond",
  },
  {
    mistake: "what is left to pay by names the refused method",
    passage: "const methods = METHODS.filter((method) => !whyNot(order, method));",
    instead: "const methods = METHODS;",
    caught: ["beyond-a-limit"],
    saw: 'expected "methods" with INSTALLMENT and without QR',
  },
  {
    mistake: "a start by a refused method reaches the payment service",
    passage: "{ method, redirectUrl }) {\n  mustOffer(",
    instead: "{ method, redirectUrl }) {\n  if (whyNot(order, method)) await call('POST', '', {});\n  mustOffer(",
    caught: ["beyond-a-limit"],
    saw: "expected no authorization at the service for a method that is not offered",
  },
  {
    mistake: "a refused method spends the key",
    passage: "if (problem.type === 'method-not-offered') delete order.keys[key];",
    instead: "",
    caught: ["beyond-a-limit-leaves-the-key"],
    saw: "422 idempotency-key-reused",
  },
  {
    mistake: "a new tab is not told which methods are refused",
    passage: "return offer.not_offered.length > 0 ?",
    instead: "return false ?",
    caught: ["beyond-a-limit-before-a-press"],
    mayBeSo: true,
  },
  {
    mistake: "payers are sent back to any page",
    passage: "const isOurs = !redirectUrl ||",
    instead: "const isOurs = true ||",
    caught: ["redirect-to-strangers"],
  },
  {
    mistake: "the service gets another amount than the order has",
    passage: "body: { order_id: order.id, amount: order.amount,",
    instead: "body: { order_id: order.id, amount: '5000',",
    caught: ["amount-of-the-order"],
  },
  {
    mistake: "a notification is believed",
    passage: "function notified(_, number, secret) {\n  const { order, operation } = find(number);\n",
    instead:
      "async function notified(request, number, secret) {\n  const { order, operation } = find(number);\n" +
      "  let text = '';\n  for await (const chunk of request) text += chunk;\n" +
      "  operation.transaction.state = JSON.parse(text).state;\n" +
      "  Object.assign(operation, { known_at: Date.now(), asked_at: Date.now() });\n  return { status: 204 };\n",
    caught: ["forged-notification"],
  },
  {
    mistake: "a notification with an unknown secret is refused",
    passage: "catch(console.error);\n  return { status: 204 };",
    instead: "catch(console.error);\n  must(operation?.secret === secret, ...NOT_FOUND);\n  return { status: 204 };",
    caught: ["notification-to-nobody"],
  },
  {
    mistake: "the answer to a start is believed",
    passage: "if (!known_at || ![...PAID",
    instead: "if (![...PAID",
    caught: ["start-says-paid"],
  },
  {
    mistake: "any amount pays the order",
    passage: "const isOfOrder = (one) => one?.amount === order.amount &&",
    instead: "const isOfOrder = (one) => one?.amount &&",
    caught: ["another-amount"],
  },
  {
    mistake: "any currency pays the order",
    passage: "['PEN', '604'].includes(one.currency)",
    instead: "one.currency",
    caught: ["another-currency"],
  },
  {
    mistake: "the answer about another operation is believed",
    passage: "told?.merchant_operation_number === operation.number && typeof",
    instead: "typeof",
    caught: ["another-number"],
  },
  {
    mistake: "an answer without success is believed",
    passage: "String(told?.success) === 'true' && code === '00'",
    instead: "true",
    caught: ["answer-without-success"],
  },
  {
    mistake: "a payment whose history has another form is not believed",
    passage: "return state !== 'CANCELADO' || lifecycle == null || isList;",
    instead: "return lifecycle == null || isList;",
    caught: ["odd-members-of-a-payment"],
  },
  {
    mistake: "an unknown state is an end",
    passage: "if (!known_at || ![...PAID, ...ENDED].includes(transaction.state)) return 'unknown';",
    instead: "if (!known_at) return 'unknown';",
    caught: ["unknown-state"],
  },
  {
    mistake: "what the service does not answer does not exist",
    passage: "if (isOld) await inTurn(order, () => learn(order, operation));",
    instead: "if (isOld) must(await inTurn(order, () => learn(order, operation)), ...NOT_FOUND);",
    caught: ["service-away-at-status", "unreadable-status"],
  },
  {
    mistake: "an address with a query is another one",
    passage: "const [path] = request.url.split('?');",
    instead: "const path = request.url;",
    caught: ["unknown-query"],
  },
  {
    mistake: "the code is given out once",
    passage: "code ? { ...code, ...transaction.processor_response }",
    instead: "false ? {}",
    caught: ["code-after-reload"],
  },
  {
    mistake: "beside a payment that was given back the order is always open",
    passage: "paymentsOf(order).length > 0 ? 'paid' : 'open'",
    instead: "'open'",
    caught: ["paid-order-is-not-open"],
  },
  {
    mistake: "a cancellation is sent without a question",
    passage: "const isAnswered = await learn(order, operation);",
    instead: "const isAnswered = true;",
    caught: ["cancel-what-was-just-paid", "cancel-in-the-dark"],
  },
  {
    mistake: "a state that nobody knows is cancelled",
    passage: "if (outcome(operation) !== 'waiting') return;",
    instead: "if (!isOpen(operation)) return;",
    caught: ["cancel-in-an-unknown-state"],
  },
  {
    mistake: "a cancellation without an answer is an end",
    passage: "  if (accepted || refused) operation.cancel_may_arrive_until = 0;\n  await learn(order, operation);",
    instead: "  operation.cancel_may_arrive_until = 0;\n  operation.transaction.state = 'CANCELADO';",
    caught: ["cancel-with-a-lost-answer"],
  },
  {
    mistake: "a payment that a cancellation gives back is told",
    passage: "Date.now() < cancel_may_arrive_until ?",
    instead: "false ?",
    caught: ["payment-beside-a-lost-cancellation"],
  },
  {
    mistake: "whoever knows the numbers sees the payment",
    passage: "must(session && order?.session === session, ...NOT_FOUND);",
    instead: "must(order, ...NOT_FOUND);",
    caught: ["stranger", "another-payer"],
  },
  {
    mistake: "the address for notifications reaches the browser",
    passage: "(name === 'callback_url' ? undefined : value)",
    instead: "value",
    caught: ["callback-stays-secret"],
  },
  {
    mistake: "every page may read the answers",
    passage: "'Cache-Control': 'no-store', ...headers",
    instead: "'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': request.headers.origin ?? '*', ...headers",
    caught: ["pages-of-strangers"],
  },
  {
    mistake: "problems have no type of their own",
    passage: "'Content-Type': 'application/problem+json'",
    instead: "'Content-Type': 'application/json'",
    caught: ["problem-details"],
  },
  {
    mistake: "a withdrawal without a confirmation is enough",
    passage: "  must(old.transaction || !isOpen(old), ...UNAVAILABLE);\n  if (isOpen(old)) throw",
    instead: "  must(old.transaction || !isOpen(old), ...UNAVAILABLE);\n  if (false) throw",
    caught: ["end-is-not-confirmed"],
  },
  {
    mistake: "there is a new code after a withdrawal that gave a payment back",
    passage: "if (outcome(old) === 'reversed') throw",
    instead: "if (false) throw",
    caught: ["payment-overtakes-a-new-code"],
  },
  {
    mistake: "what is known of the money is written in another way",
    passage: "nothing_charged: [",
    instead: "'nothing-charged': [",
    caught: ["money-nothing"],
    saw: '"money": "nothing-charged" in 400 idempotency-key-required',
  },
  {
    mistake: "what nobody knows of the money is told as nothing charged",
    passage: "?? 'unknown';",
    instead: "?? 'nothing_charged';",
    caught: ["money-unknown"],
  },
  {
    mistake: "every refusal says that nothing was charged",
    passage: "money: moneyOf(type)",
    instead: "money: status < 500 ? 'nothing_charged' : 'unknown'",
    caught: ["money-may-be-paid"],
  },
  {
    mistake: "a QR is passed on unread, as the server in Node.js does",
    passage: "// --- What became of an operation.",
    instead: "// --- What became of an operation.",
    caught: ["wrong-code"],
    mayBeSo: true,
  },
  {
    mistake: "deadlines are by the server's own clock",
    passage: "&& service_time >= (",
    instead: "&& Date.now() >= (",
    caught: ["service-clock-behind"],
  },
];

/** What the checks of one mistake take at most. */
const ORDERS = 20;

/** A run mostly waits, so more of them than cores have time at once. */
const AT_ONCE = 6;

describe("a server with one mistake is caught", { concurrency: AT_ONCE }, async () => {
  const text = await textOfNodeServer();
  for (const [at, { mistake, passage, instead, caught, saw, mayBeSo }] of MISTAKES.entries()) {
    test(`${mistake}: ${caught.join(", ")}`, async () => {
      assert.equal(text.split(passage).length, 2, "the server in Node.js has the passage once");
      const file = join(process.env.RESULTS ?? "", `break-${at}.mjs`);
      await writeFile(file, text.replace(passage, () => instead));
      // Faults and the clock of a sandbox are those of one run.
      const sandbox = await startSandbox(`break-${at}`);
      const server = await Server.example(sandbox.address, "node", file, `break-${at}`);
      await server.start();
      try {
        await server.makeOrders(ORDERS);
        const only = ["start", ...caught].flatMap((name) => ["--only", name]);
        const { code, failed, printed, refused } = await play(server, sandbox.address, only);
        assert.deepEqual([failed, refused], [caught, ""], printed);
        assert.equal(code, mayBeSo ? 0 : 1);
        assert.ok(printed.includes(saw ?? ""), printed);
      } finally {
        await server.stop();
        await sandbox.program.stop();
      }
    });
  }
});
