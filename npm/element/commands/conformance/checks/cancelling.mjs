// Cancellations of a payer.

import { expect, expectState, isRefusal, pause, saysEnded, saysPaid } from '../expectations.mjs';

const PLACE = 'docs/server.md#canceling';
const AT_ONCE = 4;
const LOOK_MS = 600;
/** How long the service takes for a cancellation that a payment overtakes. */
const OVERTAKEN_MS = 1_000;

/** @type {import('./index.mjs').Check[]} */
export const cancelling = [
  {
    name: 'cancel-what-waits',
    level: 'must',
    why: 'The payer who cancels can choose anew, and the old code cannot be paid any more.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      expectState(await payer.cancel(operation), 'CANCELADO');
      const state = await shop.sandbox.state(operation.number);
      expect(state === 'CANCELADO', 'CANCELADO at the service', state);
      expectState(await payer.status(operation), 'CANCELADO');
      const again = await payer.cancel(operation);
      expectState(again, 'CANCELADO');
      const next = await payer.starts();
      expect(next.number !== operation.number, 'a new operation afterwards', next.number);
    },
  },
  {
    name: 'cancel-what-is-paid',
    level: 'must',
    why: 'A cancellation gives a payment back, and the payer has paid.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.drive(operation.number, 'pay');
      await payer.statusUntil(operation, saysPaid);
      await expectNoReversal(shop, payer, operation);
    },
  },
  {
    name: 'cancel-what-was-just-paid',
    level: 'must',
    why: 'The service has the payment, and your server has not queried it since.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.faults({ kind: 'lose_notification', times: 9 });
      await shop.sandbox.drive(operation.number, 'pay');
      await expectNoReversal(shop, payer, operation);
    },
  },
  {
    name: 'cancel-in-the-dark',
    level: 'must',
    why: 'While the service does not tell the state, a cancellation may give a payment back.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const mark = await shop.sandbox.mark();
      await shop.sandbox.faults(
        { method: 'GET', path: `/charges/*/${operation.number}/*`, kind: 'status', status: 500, times: 99 },
        { kind: 'lose_notification', times: 9 },
      );
      await shop.sandbox.drive(operation.number, 'pay');
      expectUncertain(await payer.cancel(operation));
      await expectNoCancellation(shop, mark, operation);
    },
  },
  {
    name: 'cancel-in-an-unknown-state',
    level: 'must',
    why: 'A state that nobody knows may be a payment, which a cancellation gives back.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const mark = await shop.sandbox.mark();
      const fault = { method: 'GET', path: `/charges/*/${operation.number}/*`, kind: 'unknown_state', state: 'EN_REVISION', times: 99 };
      await shop.sandbox.faults(fault);
      expectUncertain(await payer.cancel(operation));
      await expectNoCancellation(shop, mark, operation, 'PENDIENTE');
    },
  },
  {
    name: 'cancel-with-a-lost-answer',
    level: 'must',
    why: 'A cancellation without an answer is no end yet.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      // The cancellation never reaches the service.
      await shop.sandbox.faults({ method: 'DELETE', path: `/charges/*/${operation.number}`, kind: 'drop', times: 99 });
      const answer = await payer.cancel(operation);
      expect(!saysEnded(answer), 'no end, since the service did not confirm it', answer);
      expect(!saysEnded(await payer.status(operation)), 'no end, since the service did not confirm it', answer);
    },
  },
  {
    name: 'cancel-what-has-ended',
    level: 'must',
    why: 'Who cancels too late reads what became of it.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.drive(operation.number, 'decline');
      expectState(await payer.cancel(operation), 'DENEGADO');
    },
  },
  {
    name: 'cancel-at-once',
    level: 'must',
    why: 'Several cancellations could give back what was paid between them.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const mark = await shop.sandbox.mark();
      await shop.sandbox.faults({ method: 'DELETE', path: `/charges/*/${operation.number}`, kind: 'delay', ms: 300, times: 99 });
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => payer.cancel(operation)));
      for (const answer of answers) {
        const isFine = answer.states.includes('CANCELADO') || !isRefusal(answer);
        expect(isFine, '200 with CANCELADO for all', answer);
      }
      const sent = await shop.sandbox.cancellations(mark, operation.number);
      expect(sent.length === 1, 'one cancellation at the service', `${sent.length} of them`);
    },
  },
  {
    name: 'payment-overtakes-a-cancellation',
    level: 'must',
    why: 'A payment that the cancellation gives back must not be shown as paid.',
    where: 'docs/server.md#the-state-and-waiting-for-it',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.faults({ method: 'DELETE', path: `/charges/*/${operation.number}`, kind: 'delay', ms: OVERTAKEN_MS, when: 'before' });
      const answered = new AbortController();
      const cancellation = payer.cancel(operation).finally(() => answered.abort());
      // A server may query the state before it sends the cancellation.
      await shop.sandbox.untilFaultsHappened(answered.signal);
      await shop.sandbox.drive(operation.number, 'pay');
      const meanwhile = await payer.status(operation);
      const answer = await cancellation;
      expect(!saysPaid(meanwhile), 'no paid state while the cancellation is on its way', meanwhile);
      expect(!saysPaid(answer), 'no paid state in the answer to the cancellation', answer);
      const status = await payer.statusUntil(operation, (each) => !saysPaid(each));
      expect(!saysPaid(status), 'no paid state afterwards', status);
    },
  },
  {
    name: 'payment-beside-a-lost-cancellation',
    level: 'must',
    why: 'A cancellation without an answer may still arrive, and gives the payment back then.',
    where: 'docs/server.md#the-state-and-waiting-for-it',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.faults({ method: 'DELETE', path: `/charges/*/${operation.number}`, kind: 'drop', times: 99 });
      await payer.cancel(operation);
      await shop.sandbox.drive(operation.number, 'pay');
      for (let asked = 0; asked < 3; asked++) {
        await pause(LOOK_MS, shop.signal);
        const status = await payer.status(operation);
        expect(!saysPaid(status), 'no paid state while a cancellation is in doubt', status);
      }
    },
  },
];

/**
 * @param {import('../shop.mjs').Shop} shop
 * @param {import('../payer.mjs').Payer} payer
 * @param {import('../payer.mjs').Operation} operation
 */
async function expectNoReversal(shop, payer, operation) {
  const mark = await shop.sandbox.mark();
  const answer = await payer.cancel(operation);
  expect(answer.status === 409 && answer.problem === 'order-paid', '409 order-paid', answer);
  const { number } = answer.operation;
  expect(number === operation.number, 'the numbers of the paid operation in the problem', answer.text.slice(0, 300));
  await expectNoCancellation(shop, mark, operation);
}

/** @param {import('../payer.mjs').Answer} answer */
function expectUncertain(answer) {
  expect(answer.problem === 'cannot-cancel-now' || answer.status >= 500, '409 cannot-cancel-now, or 503', answer);
}

/**
 * @param {import('../shop.mjs').Shop} shop @param {number} mark @param {import('../payer.mjs').Operation} operation
 * @param {string} [expected] the state that the service has left it in
 */
async function expectNoCancellation(shop, mark, { number }, expected = 'AUTORIZADO') {
  const sent = await shop.sandbox.cancellations(mark, number);
  expect(sent.length === 0, `no cancellation of ${number} at the service`, `${sent.length} of them`);
  const state = await shop.sandbox.state(number);
  expect(state === expected, `${expected} at the service`, state);
}
