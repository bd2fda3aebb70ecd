// Repeated requests, second tabs and double clicks: one operation.

import { randomUUID } from 'node:crypto';
import { expect, isRefusal, pause, saysEnded, skip } from '../expectations.mjs';
import { expectNoAuthorization } from './questions.mjs';

const PLACE = 'docs/server.md#starting-a-payment';
/** Requests at the same time; a browser sends two, a nervous person a few. */
const AT_ONCE = 6;
const LOOK_MS = 250;

/** @type {import('./index.mjs').Check[]} */
export const repeating = [
  {
    name: 'same-key-same-answer',
    level: 'must',
    why: 'A reload repeats the request, however late, and must not make a second code.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const key = randomUUID();
      const mark = await shop.sandbox.mark();
      const operation = await payer.starts({ key });
      const { number } = operation;
      const again = await payer.start({ key });
      expect(again.status === 200 && again.operation.number === number, `200 with the operation ${number} again`, again);
      await expectOneOperation(shop, mark);
      await shop.sandbox.drive(number, 'decline');
      await payer.statusUntil(operation, saysEnded);
      const late = await payer.startUntilKnown({ key });
      const expected = `200 with the operation ${number} again, which has ended`;
      expect(late.status === 200 && late.operation.number === number, expected, late);
    },
  },
  {
    name: 'same-key-at-once',
    level: 'must',
    why: 'A double click and a repetition on a slow network arrive together.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const key = randomUUID();
      const mark = await shop.sandbox.mark();
      // The service takes its time, so that all requests arrive before it answers.
      await shop.sandbox.faults({ method: 'POST', path: '/charges', kind: 'delay', ms: 300, when: 'before', times: AT_ONCE });
      const starts = Array.from({ length: AT_ONCE }, () => payer.startUntilKnown({ key }));
      await expectOneNumber(shop, await Promise.all(starts));
      await expectOneOperation(shop, mark);
    },
  },
  {
    name: 'same-key-another-request',
    level: 'must',
    why: 'A key that comes with another request is a mistake of the page, and the first answer would be a wrong one.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const key = randomUUID();
      await payer.starts({ key });
      const mark = await shop.sandbox.mark();
      // A method that is not offered is 422, too.
      const answer = await payer.start({ key, method: shop.methods[1] ?? 'CARD' });
      expect(answer.status === 422, '422 for the same key with another method', answer);
      await expectNoAuthorization(shop, mark, 'for the second request');
    },
  },
  {
    name: 'same-key-after-restart',
    level: 'must',
    why: 'The payer repeats the request while you install an update.',
    where: PLACE,
    async run(shop) {
      if (!shop.options.restart) skip('--restart is missing: a command that restarts your server');
      const [payer, declined] = [await shop.order(), await shop.order()];
      const [key, old] = [randomUUID(), randomUUID()];
      const operation = await payer.starts({ key });
      // A waiting operation is found without its idempotency key; an ended one only by the key.
      const ended = await declined.starts({ key: old });
      await shop.sandbox.drive(ended.number, 'decline');
      await declined.statusUntil(ended, saysEnded);
      const mark = await shop.sandbox.mark();
      const isRestarted = await shop.restart();
      const again = await payer.startUntilKnown({ key });
      expect(again.operation.number === operation.number, `the operation ${operation.number} again`, again);
      const late = await declined.startUntilKnown({ key: old });
      expect(late.operation.number === ended.number, `the operation ${ended.number} again, which was declined`, late);
      await expectNoAuthorization(shop, mark, 'for keys from before the restart');
      await shop.sandbox.drive(operation.number, 'pay');
      const status = await payer.statusUntil(operation, (answer) => answer.states.includes('AUTORIZADO'));
      expect(status.states.includes('AUTORIZADO'), 'the payment of an operation from before the restart', status);
      if (!isRestarted) {
        skip('a connection to your server outlived --restart: it did not restart, or BASE is the address of a proxy before it');
      }
    },
  },
  {
    name: 'two-tabs-one-operation',
    level: 'must',
    why: 'Two codes of one order can both be paid.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const mark = await shop.sandbox.mark();
      const { number } = await payer.starts();
      const second = await payer.startUntilKnown({});
      expect(second.operation.number === number, `the operation ${number} for the second tab`, second);
      await expectOneOperation(shop, mark);
    },
  },
  {
    name: 'two-tabs-at-once',
    level: 'must',
    why: 'Two codes of one order can both be paid, also if both tabs were pressed in the same instant.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const mark = await shop.sandbox.mark();
      await shop.sandbox.faults({ method: 'POST', path: '/charges', kind: 'delay', ms: 300, when: 'before', times: AT_ONCE });
      const starts = Array.from({ length: AT_ONCE }, () => payer.startUntilKnown({}));
      await expectOneNumber(shop, await Promise.all(starts));
      await expectOneOperation(shop, mark);
    },
  },
  {
    name: 'another-order-another-operation',
    level: 'must',
    why: 'The payment of one order must not pay another one, and a number is good for one operation.',
    where: PLACE,
    async run(shop) {
      const first = await (await shop.order()).starts();
      const second = await (await shop.order()).starts();
      expect(first.number !== second.number, 'another operation number for another order', `${first.number} for both`);
    },
  },
  {
    name: 'paid-order-starts-nothing',
    level: 'must',
    why: 'Nobody pays an order twice, from whichever tab, device or method.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const paid = await payer.starts();
      await shop.sandbox.drive(paid.number, 'pay');
      await payer.statusUntil(paid, (answer) => answer.states.includes('AUTORIZADO'));
      const mark = await shop.sandbox.mark();
      for (const method of shop.methods) {
        const answer = await payer.start({ method });
        expect(answer.status === 409 && answer.problem === 'order-paid', `409 order-paid for ${method}`, answer);
        const { number, transaction } = answer.operation;
        const isNamed = number === paid.number && transaction === paid.transaction;
        expect(isNamed, 'the numbers of the paid operation in the problem', answer.text.slice(0, 300));
      }
      await expectNoAuthorization(shop, mark, 'for a paid order');
    },
  },
];

/** @param {import('../shop.mjs').Shop} shop @param {import('../payer.mjs').Answer[]} answers */
async function expectOneNumber(shop, answers) {
  for (const answer of answers) {
    expect(answer.status === 200 && !isRefusal(answer), '200 for every tab in the end', answer);
    shop.remember(answer.operation.number);
  }
  const numbers = new Set(answers.map((answer) => answer.operation.number));
  expect(numbers.size === 1, 'one operation for all', [...numbers].join(' and '));
}

/**
 * Of all that the server has authorized since the mark one can be paid, and no number was sent twice. What nobody was
 * shown may end a little later.
 * @param {import('../shop.mjs').Shop} shop @param {number} mark
 */
export async function expectOneOperation(shop, mark) {
  for (const end = performance.now() + shop.timeoutMs; ; await pause(LOOK_MS, shop.signal)) {
    const sent = await shop.sandbox.authorizations(mark);
    const numbers = sent.map((entry) => entry.merchant_operation_number ?? '');
    expect(new Set(numbers).size === numbers.length, 'every operation number at the service once', numbers.join(', '));
    const payable = [];
    for (const { accepted, merchant_operation_number: number } of sent) {
      if (accepted && number && (await shop.sandbox.state(number)) === 'PENDIENTE') payable.push(number);
    }
    for (const number of payable) shop.remember(number);
    if (payable.length === 1) return;
    const isLate = performance.now() > end;
    expect(payable.length > 1 && !isLate, 'one operation that can be paid at the service', payable.join(' and ') || 'none');
  }
}
