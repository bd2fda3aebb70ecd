// The service does not answer a start, or not in a way that can be read. The outcome is unknown, and that is no refusal.

import { randomUUID } from 'node:crypto';
import { expect, expectMoney, isRefusal, skip } from '../expectations.mjs';
import { expectOneOperation } from './repeating.mjs';

const PLACE = 'docs/server.md#starting-a-payment';
const START = { method: 'POST', path: '/charges' };

/** @type {import('./index.mjs').Check[]} */
export const lostAnswers = [
  {
    name: 'lost-answer',
    level: 'must',
    why: 'The service has made the operation, and only its answer was lost.',
    where: PLACE,
    run: (shop) => survives(shop, { ...START, kind: 'drop', when: 'after' }),
  },
  {
    name: 'cut-answer',
    level: 'must',
    why: 'Half an answer has half of the numbers, and the operation is made.',
    where: PLACE,
    run: (shop) => survives(shop, { ...START, kind: 'cut', bytes: 60 }),
  },
  {
    name: 'unreadable-answer',
    level: 'must',
    why: 'A proxy of the service answers 200 with a page of its own, and the operation is made.',
    where: PLACE,
    run: (shop) => survives(shop, { ...START, kind: 'malformed', html: true, when: 'after' }),
  },
  {
    name: 'error-after-the-work',
    level: 'must',
    why: 'A 502 of the service says nothing about the operation, which is made.',
    where: PLACE,
    run: (shop) => survives(shop, { ...START, kind: 'status', status: 502, when: 'after' }),
  },
  {
    name: 'service-away',
    level: 'must',
    why: 'An outage of the service must not read as a refusal, and must not cost the payer the order.',
    where: PLACE,
    run: (shop) => survives(shop, { ...START, kind: 'drop', when: 'before' }),
  },
  {
    name: 'service-overloaded',
    level: 'must',
    why: 'A 503 or 429 of the service passes, and must not read as a refusal.',
    where: PLACE,
    async run(shop) {
      for (const status of [503, 429]) await survives(shop, { ...START, kind: 'status', status });
    },
  },
  {
    name: 'service-refuses-the-token',
    level: 'must',
    why: "The service's 401 is about your server, and must not read as a refusal of the payment.",
    where: 'docs/server.md#problems',
    run: (shop) => survives(shop, { ...START, kind: 'status', status: 401 }),
  },
  {
    name: 'late-answer',
    level: 'must',
    why: 'While the service takes its time, the payer reloads and repeats the request.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const key = randomUUID();
      const mark = await shop.sandbox.mark();
      await shop.sandbox.faults({ ...START, kind: 'delay', ms: 1_500, when: 'after' });
      const first = payer.start({ key });
      const again = await payer.startUntilKnown({ key });
      const answer = await payer.startUntilKnown({ key, first: await first });
      for (const each of [answer, again]) expect(each.status === 200, '200 in the end', each);
      expect(again.operation.number === answer.operation.number, 'the same operation for both', `${again.operation.number} and ${answer.operation.number}`);
      await expectOneOperation(shop, mark);
    },
  },
  {
    name: 'money-unknown',
    level: 'must',
    why: 'The service may have begun a payment, so the problem must not say that nothing was charged. It may say nothing of the money.',
    where: 'docs/server.md#what-is-known-of-the-money',
    async run(shop) {
      for (const fault of [{ kind: 'drop' }, { kind: 'status', status: 502 }]) {
        const payer = await shop.order();
        const mark = await shop.sandbox.mark();
        await shop.sandbox.faults({ ...START, ...fault, when: 'after' });
        const answer = await payer.start();
        const sent = await shop.sandbox.authorizations(mark);
        if (sent.length === 0) skip(`your server asked the service for nothing: ${answer}`);
        for (const { merchant_operation_number: number } of sent) if (number) shop.remember(number);
        expectMoney(answer, 'nothing_charged', 'the service has made the operation, and its answer was lost');
      }
    },
  },
  {
    name: 'pause-is-named',
    level: 'may',
    why: 'Without Retry-After the element chooses its own pause, and a server that is down gets more requests.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      await shop.sandbox.faults({ ...START, kind: 'drop', when: 'before', times: 9 });
      const answer = await payer.start();
      expect(answer.status === 503 || answer.status === 409, '503 while the service does not answer', answer);
      expect(answer.header('retry-after'), 'Retry-After with it', 'none');
    },
  },
];

/**
 * A start meets a fault of the service. The payer never reads a refusal, and the same key leads to one operation.
 * @param {import('../shop.mjs').Shop} shop
 * @param {import('../sandbox.mjs').Fault} fault
 */
async function survives(shop, fault) {
  const payer = await shop.order();
  const key = randomUUID();
  const mark = await shop.sandbox.mark();
  await shop.sandbox.faults(fault);
  const first = await payer.start({ key });
  expect(!isRefusal(first), '503 with Retry-After, or the operation', first);
  const answer = await payer.startUntilKnown({ key, first });
  expect(answer.status === 200 && answer.states.includes('PENDIENTE'), '200 with PENDIENTE for the same key in the end', answer);
  await expectOneOperation(shop, mark);
  const { number } = answer.operation;
  const state = await shop.sandbox.state(number);
  expect(state === 'PENDIENTE', `the operation ${number}, which the payer sees, to be payable at the service`, state);
}
