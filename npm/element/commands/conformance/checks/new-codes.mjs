// Another method and codes that expire: a new code only after the end of the old one, by the service's clock.

import { randomUUID } from 'node:crypto';
import { expect, expectMoney, expectState, saysPaid, skip } from '../expectations.mjs';
import { expectNoAuthorization, expectOpenOnceAsked } from './questions.mjs';
import { expectOneOperation } from './repeating.mjs';
import { redirecting } from './starting.mjs';

const PLACE = 'docs/server.md#a-new-code';
const HOUR_S = 3_600;
/** A code is overdue a minute after its deadline. */
const OVERDUE_S = 90;
/** How long the service takes for a withdrawal that a payment overtakes. */
const OVERTAKEN_MS = 1_000;

/** @typedef {import('../shop.mjs').Shop} Shop */

/** @type {import('./index.mjs').Check[]} */
export const newCodes = [
  {
    name: 'another-method',
    level: 'must',
    why: 'A payer who changes the method must not hold two codes that can be paid.',
    where: PLACE,
    async run(shop) {
      const method = another(shop);
      const payer = await shop.order();
      const mark = await shop.sandbox.mark();
      const first = await payer.starts();
      const next = await payer.startUntilKnown({ method, replaces: first.number });
      expect(next.status === 200 && next.operation.number !== first.number, `a new operation for ${method}`, next);
      await expectOneOperation(shop, mark);
      const entries = await shop.sandbox.since(mark);
      const ended = entries.findIndex((entry) => entry.method === 'DELETE' && entry.accepted);
      const began = entries.findIndex((entry) => entry.method === 'POST' && entry.merchant_operation_number === next.operation.number);
      expect(ended >= 0 && ended < began, 'the cancellation of the old code before the new authorization', 'the other way round');
    },
  },
  {
    name: 'another-method-asks',
    level: 'may',
    why: 'A payer may have the old code on paper; it ends only if the request names it.',
    where: PLACE,
    async run(shop) {
      const method = another(shop);
      const payer = await shop.order();
      const first = await payer.starts();
      const key = randomUUID();
      for (const replaces of [undefined, '000000000000']) {
        const answer = await payer.start({ key, method, replaces });
        expect(answer.status === 409 && answer.problem === 'operation-live', '409 operation-live', answer);
        expect(answer.operation.number === first.number, `the operation ${first.number} in the problem`, answer.text.slice(0, 300));
      }
      const next = await payer.startUntilKnown({ key, method, replaces: first.number });
      expect(next.status === 200, '200 for the same key with Checkout-Replaces', next);
    },
  },
  {
    name: 'another-method-after-payment',
    level: 'must',
    why: 'The first code was paid while the payer chose another method.',
    where: PLACE,
    async run(shop) {
      const method = another(shop);
      const payer = await shop.order();
      const first = await payer.starts();
      await shop.sandbox.faults({ kind: 'lose_notification', times: 9 });
      await shop.sandbox.drive(first.number, 'pay');
      const mark = await shop.sandbox.mark();
      const answer = await payer.startUntilKnown({ method, replaces: first.number });
      expect(answer.status === 409 && answer.problem === 'order-paid', '409 order-paid', answer);
      await expectNothingNew(shop, mark, first.number, 'AUTORIZADO');
    },
  },
  {
    name: 'money-may-be-paid',
    level: 'must',
    why: 'The order has a code that can be paid, or is paid, and a payer who reads that nothing was charged pays again. A problem may say nothing of the money.',
    where: 'docs/server.md#what-is-known-of-the-money',
    async run(shop) {
      const payer = await shop.order();
      let operation = await payer.starts();
      const [, method] = shop.methods;
      if (method) {
        const beside = await payer.start({ method });
        expectMoney(beside, 'nothing_charged', `the code of ${operation.number} can be paid`);
        // A server may replace the code at once.
        if (beside.status === 200) operation = beside.operation;
      }
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
      expectMoney(await payer.start(), 'nothing_charged', `${operation.number} has paid the order`);
    },
  },
  {
    name: 'end-is-not-confirmed',
    level: 'must',
    why: 'As long as the old code may be paid, there is no second one.',
    where: PLACE,
    async run(shop) {
      const method = another(shop);
      for (const { when, below = '', ...fault } of [
        { when: 'the query about the first one gets no answer', method: 'GET', below: '/*', kind: 'drop' },
        { when: 'the cancellation of the first one gets no answer', method: 'DELETE', kind: 'drop' },
        { when: 'the cancellation of the first one gets a 500', method: 'DELETE', kind: 'status', status: 500 },
      ]) {
        const payer = await shop.order();
        const first = await payer.starts();
        await shop.sandbox.faults({ ...fault, path: `/charges/*/${first.number}${below}`, times: 99 });
        const mark = await shop.sandbox.mark();
        const answer = await payer.start({ method, replaces: first.number });
        const isOpen = answer.problem === 'operation-unconfirmed' || answer.status >= 500;
        expect(isOpen, `409 operation-unconfirmed of ${first.number}, since ${when}`, answer);
        await expectNoAuthorization(shop, mark, `while ${when}`);
        await shop.sandbox.faults();
      }
    },
  },
  {
    name: 'payment-overtakes-a-new-code',
    level: 'must',
    why: 'The payer has paid the old code, and reads that this payment goes back before there is another code.',
    where: PLACE,
    async run(shop) {
      const method = another(shop);
      const payer = await shop.order();
      const first = await payer.starts();
      const mark = await shop.sandbox.mark();
      const start = { key: randomUUID(), method, replaces: first.number };
      await shop.sandbox.faults({ method: 'DELETE', path: `/charges/*/${first.number}`, kind: 'delay', ms: OVERTAKEN_MS, when: 'before' });
      const answered = new AbortController();
      const asked = payer.start(start).finally(() => answered.abort());
      await shop.sandbox.untilFaultsHappened(answered.signal);
      await shop.sandbox.drive(first.number, 'pay');
      const answer = await payer.startUntilKnown({ ...start, first: await asked });
      const repeated = await payer.start(start);
      for (const each of [answer, repeated]) {
        const isReversed = each.problem === 'payment-reversed' && each.operation.number === first.number;
        expect(each.status === 409 && isReversed, `409 payment-reversed of ${first.number} for this key`, each);
      }
      await expectNoAuthorization(shop, mark, 'for this key');
      const next = await payer.starts({ method });
      expect(next.number !== first.number, 'a new operation for a new key', next.number);
    },
  },
  {
    name: 'expired-code',
    level: 'must',
    why: 'A payer whose code has expired gets a new one.',
    where: PLACE,
    async run(shop) {
      const { payer, operation } = await withCode(shop);
      await shop.sandbox.clock(2 * HOUR_S);
      expectState(await payer.statusUntil(operation, (answer) => answer.states.includes('EXPIRADO')), 'EXPIRADO');
      const next = await payer.starts({ method: 'QR' });
      expect(next.number !== operation.number, 'a new operation', next.number);
    },
  },
  {
    name: 'late-payment',
    level: 'must',
    why: 'A payment that arrives after the deadline is a payment, and the order must not be paid again.',
    where: 'docs/server.md#notifications',
    async run(shop) {
      const { payer, operation } = await withCode(shop);
      await shop.sandbox.clock(2 * HOUR_S);
      expectState(await payer.statusUntil(operation, (answer) => answer.states.includes('EXPIRADO')), 'EXPIRADO');
      await shop.sandbox.drive(operation.number, 'pay', { late: true });
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
      const answer = await payer.start({ method: 'QR' });
      expect(answer.problem === 'order-paid', '409 order-paid afterwards', answer);
    },
  },
  {
    name: 'service-clock-behind',
    level: 'must',
    why: "By the server's clock the deadline has passed, and the code can be paid.",
    where: PLACE,
    async run(shop) {
      await shop.sandbox.clock(-3 * HOUR_S);
      const { payer, operation } = await withCode(shop);
      await expectOpenOnceAsked(shop, payer, operation, "the code can be paid by the service's clock");
      const mark = await shop.sandbox.mark();
      const second = await payer.start({ method: 'QR' });
      const isFine = second.status === 200 || second.problem === 'operation-unconfirmed';
      const isSame = second.operation.number === operation.number;
      expect(isFine && isSame, `200 or 409 operation-unconfirmed, with the operation ${operation.number}`, second);
      await expectNothingNew(shop, mark, operation.number, 'PENDIENTE');
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
  {
    name: 'service-clock-ahead',
    level: 'must',
    why: "By the server's clock there is time left, and the code has expired.",
    where: PLACE,
    async run(shop) {
      await shop.sandbox.clock(3 * HOUR_S);
      await shop.sandbox.settings({ qr_expires_in_s: 1 });
      const { payer, operation } = await withCode(shop);
      await shop.sandbox.settings({ qr_expires_in_s: 900 });
      await shop.sandbox.clock(3 * HOUR_S + OVERDUE_S);
      expectState(await payer.statusUntil(operation, (answer) => answer.states.includes('EXPIRADO')), 'EXPIRADO');
      const next = await payer.starts({ method: 'QR' });
      expect(next.number !== operation.number, 'a new operation', next.number);
    },
  },
  {
    name: 'overdue-code-is-withdrawn',
    level: 'must',
    why: 'A code that the service has not ended may still be paid, also after its deadline.',
    where: PLACE,
    async run(shop) {
      const method = redirecting(shop);
      const payer = await shop.order();
      const mark = await shop.sandbox.mark();
      const first = await payer.starts({ method });
      // The service leaves overdue installments pending.
      await shop.sandbox.clock(2 * HOUR_S);
      const state = await shop.sandbox.state(first.number);
      if (state !== 'PENDIENTE') skip(`the service ends an overdue ${method}: ${state}`);
      await expectOpenOnceAsked(shop, payer, first, 'the service leaves it pending');
      const next = await payer.startUntilKnown({ method });
      const expected = `another operation than ${first.number}, which is overdue`;
      expect(next.status === 200 && next.operation.number !== first.number, expected, next);
      await expectOneOperation(shop, mark);
    },
  },
];

/** @param {Shop} shop */
export function another(shop) {
  if (shop.options.methods.length < 2) skip('--methods has one method');
  return shop.methods[1] ?? skip(`--redirect-url is missing, which ${shop.options.methods.join(' and ')} need for a second method`);
}

/** A payer with a QR code, which the service ends when it is overdue. @param {Shop} shop */
async function withCode(shop) {
  if (!shop.methods.includes('QR')) skip('--methods has no QR among its first two');
  const payer = await shop.order();
  return { payer, operation: await payer.starts({ method: 'QR' }) };
}

/** @param {Shop} shop @param {number} mark @param {string} number @param {string} expected */
async function expectNothingNew(shop, mark, number, expected) {
  await expectNoAuthorization(shop, mark, `beside ${number}`);
  const state = await shop.sandbox.state(number);
  expect(state === expected, `${expected} at the service`, state);
}
