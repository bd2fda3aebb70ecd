// Methods that an order cannot be paid by, since its amount is beyond a limit.

import { randomUUID } from 'node:crypto';
import { expect, expectMoney } from '../expectations.mjs';
import { another } from './new-codes.mjs';
import { expectNoAuthorization } from './questions.mjs';

/** @typedef {import('../shop.mjs').Shop} Shop */
/** @typedef {import('../payer.mjs').Payer} Payer */
/** @typedef {import('../payer.mjs').Answer} Answer */

/** @type {import('./index.mjs').Check[]} */
export const offering = [
  {
    name: 'beyond-a-limit',
    level: 'must',
    why: 'A wallet refuses an amount beyond its limit after the scan, so the payer needs another method, and has to read why.',
    where: 'docs/server.md#methods-that-are-not-offered',
    async run(shop) {
      const payer = await shop.orderBeyond();
      const mark = await shop.sandbox.mark();
      const answer = await refusedStart(shop, payer);
      await expectNoAuthorization(shop, mark, 'for a method that is not offered');
      const { body } = answer;
      expect(body.method === shop.method, `"method": "${shop.method}" in the problem`, answer.text);
      expectLimit(payer, body, answer);
      expectMethods(shop, payer, answer);
      expectMoney(answer, 'may_be_paid', 'a fresh order was refused and nothing was sent to the service');
    },
  },
  {
    name: 'beyond-a-limit-leaves-the-key',
    level: 'must',
    why: 'The refused start was no attempt, and its key is good for the method that the payer takes instead.',
    where: 'docs/server.md#methods-that-are-not-offered',
    async run(shop) {
      const payer = await shop.orderBeyond();
      const method = another(shop);
      const key = randomUUID();
      await refusedStart(shop, payer, key);
      const next = await payer.startUntilKnown({ key, method });
      expect(next.status === 200, `200 for a start by ${method} with the key of the refused start`, next);
      shop.remember(next.operation.number);
    },
  },
  {
    name: 'beyond-a-limit-before-a-press',
    level: 'may',
    why: 'A payer reads before a press which method cannot pay the order, and why.',
    where: 'docs/server.md#in-a-new-tab',
    async run(shop) {
      const payer = await shop.orderBeyond();
      const answer = await payer.live();
      const refused = answer.body?.not_offered?.find?.((/** @type {{method?: string}} */ each) => each?.method === shop.method);
      expect(answer.status === 200 && refused, `200 with ${shop.method} in "not_offered" from ${shop.addresses.live}`, answer);
      expectLimit(payer, refused, answer);
      expectMethods(shop, payer, answer);
    },
  },
];

/** A start by the first method, whose limit the order is beyond. @param {Shop} shop @param {Payer} payer @param {string} [key] */
async function refusedStart(shop, payer, key) {
  const { amount, currency } = payer.order;
  const answer = await payer.start({ key });
  if (answer.operation.number) shop.remember(answer.operation.number);
  const isRefused = answer.status === 422 && answer.problem === 'method-not-offered';
  expect(isRefused, `422 method-not-offered for ${shop.method} and the order of ${amount} ${currency}, from --order-beyond`, answer);
  return answer;
}

/** @param {Payer} payer @param {Record<string, any>} refused @param {Answer} answer */
function expectLimit({ order }, { reason, least, most }, answer) {
  const isText = [least, most].every((bound) => bound === null || (typeof bound === 'string' && /^\d+$/.test(bound)));
  expect(isText, '"least" and "most" as texts of digits, or null', answer.text);
  const isBelow = reason === 'below-least' && least !== null && BigInt(order.amount) < BigInt(least);
  const isAbove = reason === 'above-most' && most !== null && BigInt(order.amount) > BigInt(most);
  const expected = `"reason": "above-most" with "most", or "below-least" with "least", and a limit that ${order.amount} is beyond`;
  expect(isBelow || isAbove, expected, answer.text);
}

/** What the answer says of the methods that can pay the order. @param {Shop} shop @param {Payer} payer @param {Answer} answer */
function expectMethods({ method, methods: [, other] }, { order }, answer) {
  const { currency, methods } = answer.body;
  expect(currency === order.currency, `"currency": "${order.currency}"`, answer.text);
  const isRight = Array.isArray(methods) && !methods.includes(method) && (!other || methods.includes(other));
  expect(isRight, `"methods" with ${other ? `${other} and ` : ''}without ${method}`, answer.text);
}
