// What the status address tells, and how soon.

import { expect, expectState, pause, saysPaid, skip } from '../expectations.mjs';
import { expectOpenOnceAsked } from './questions.mjs';

const PLACE = 'docs/server.md#the-state-and-waiting-for-it';
/** How long a held request is left alone before the payment arrives. */
const HELD_MS = 700;
/** How late a held request may say what has happened. */
const SOON_MS = 4_000;
const WAIT_S = 10;

/** @param {{number: string}} operation */
const question = ({ number }) => ({ method: 'GET', path: `/charges/*/${number}/*` });

/** @type {import('./index.mjs').Check[]} */
export const telling = [
  {
    name: 'paid-is-told',
    level: 'must',
    why: 'The payer who has paid reads it.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      expectState(await payer.status(operation), 'PENDIENTE');
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
  {
    name: 'paid-without-notification',
    level: 'must',
    why: 'Notifications get lost, and the payer has paid.',
    where: 'docs/server.md#notifications',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.faults({ kind: 'lose_notification', times: 9 });
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
  {
    name: 'code-after-reload',
    level: 'must',
    why: 'The service gives the picture out once, so that a reload would lose the code.',
    where: PLACE,
    async run(shop) {
      if (!shop.methods.includes('QR')) skip('--methods has no QR among its first two');
      const payer = await shop.order();
      const start = await payer.startUntilKnown({ method: 'QR' });
      shop.remember(start.operation.number);
      const image = start.transaction?.processor_response?.qr_image;
      expect(typeof image === 'string', 'a qr_image with the answer to the start', `${start}, without a qr_image`);
      const status = await payer.status(start.operation);
      const later = status.transaction?.processor_response?.qr_image;
      expect(later, 'the qr_image with the status, too', `${status}, without a qr_image`);
      expect(later === image, `the qr_image of the start (${image.length} characters)`, `another one (${String(later).length} characters)`);
    },
  },
  {
    name: 'unknown-query',
    level: 'must',
    why: 'Where a cache answers in your place, the element asks at an address that no cache knows.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const answer = await payer.status(operation, { query: `?checkout-fresh=${Date.now()}` });
      expectState(answer, 'PENDIENTE');
      const { number } = answer.operation;
      expect(number === operation.number, `the operation ${operation.number} whatever the query`, `${number}`);
    },
  },
  {
    name: 'declined-is-told',
    level: 'must',
    why: 'A payer whose payment was declined tries another way, with a new key and a new operation.',
    where: 'docs/server.md#a-new-code',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.drive(operation.number, 'decline');
      expectState(await payer.statusUntil(operation, (answer) => answer.states.includes('DENEGADO')), 'DENEGADO');
      const next = await payer.starts();
      expect(next.number !== operation.number, 'a new operation for a new key', next.number);
    },
  },
  {
    name: 'invalid-leaves-the-order-open',
    level: 'must',
    why: 'An authorization that was rejected at creation is no payment, and the payer may try again.',
    where: 'docs/server.md#a-new-code',
    async run(shop) {
      const payer = await shop.order();
      await shop.sandbox.settings({ invalidate_next: 1 });
      const answer = await payer.start();
      expect(!saysPaid(answer) && !answer.states.includes('PENDIENTE'), '200 with INVALIDO, or a refusal', answer);
      await payer.starts();
    },
  },
  {
    name: 'reversal-is-told',
    level: 'must',
    why: 'A payment that was given back is none, and the payer reads it.',
    where: PLACE,
    async run(shop) {
      const { answer } = await getsBack(shop);
      expect(!saysPaid(answer), 'no paid state after the reversal', answer);
    },
  },
  {
    name: 'order-state',
    level: 'may',
    why: 'A payer whose payment was given back is offered to pay again, without a reload.',
    where: PLACE,
    async run(shop) {
      const { answer } = await getsBack(shop);
      const state = answer.header('order-state');
      expect(state === 'open', 'Order-State: open beside a payment that was given back', state || 'no such header');
    },
  },
  {
    name: 'paid-order-is-not-open',
    level: 'must',
    why: 'With Order-State: open the element offers to pay again, and the order is paid.',
    where: PLACE,
    async run(shop) {
      const { payer, operation } = await getsBack(shop);
      const second = await payer.startUntilKnown({});
      if (second.status !== 200) skip(`your server starts no second payment after a reversal: ${second}`);
      shop.remember(second.operation.number);
      await shop.sandbox.drive(second.operation.number, 'pay');
      const paid = await payer.statusUntil(second.operation, saysPaid);
      expectState(paid, 'AUTORIZADO');
      for (const answer of [await payer.status(operation), paid]) {
        const state = answer.header('order-state');
        const expected = `no Order-State: open with the status of ${answer.operation.number}, since ${second.operation.number} is paid`;
        expect(state !== 'open', expected, `Order-State: ${state}`);
      }
    },
  },
  {
    name: 'service-away-at-status',
    level: 'must',
    why: 'The payer goes on waiting while the service does not answer.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      for (const fault of [{ kind: 'drop' }, { kind: 'status', status: 404 }]) {
        await shop.sandbox.faults({ ...question(operation), ...fault, times: 99 });
        await expectOpenOnceAsked(shop, payer, operation, 'the service gave no answer about the operation', { alone: true });
      }
      await shop.sandbox.faults();
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
  {
    name: 'age-of-an-old-state',
    level: 'may',
    why: 'A payer who checks reads that there is no answer, rather than that there is no payment.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.faults({ ...question(operation), kind: 'drop', times: 99 });
      // The first answers may be younger than a second, or from before the fault.
      const answer = await payer.statusUntil(operation, (each) => each.header('age') !== '');
      expect(answer.status === 200, '200 with the stored state', answer);
      expect(/^\d+$/.test(answer.header('age')), 'the header Age, in seconds', answer.header('age') || 'none');
    },
  },
  {
    name: 'long-poll',
    level: 'may',
    why: 'A server that holds the question tells the payment at once, and is asked less.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await payer.status(operation);
      const { held } = await paysDuringQuestion(shop, payer, operation);
      expect(held.header('preference-applied').includes('wait'), 'Preference-Applied: wait', held);
    },
  },
  {
    name: 'held-question-ends-early',
    level: 'must',
    why: 'A server that holds the question until its time is over makes the payer wait who has paid.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await payer.status(operation);
      const { held, sincePaid } = await paysDuringQuestion(shop, payer, operation);
      if (!held.header('preference-applied')) skip('the server answers at once; see long-poll');
      expect(held.ms >= HELD_MS - 100, 'Preference-Applied only for a question that was held', `an answer after ${Math.round(held.ms)} ms`);
      expectState(held, 'AUTORIZADO');
      expect(sincePaid < SOON_MS, `the answer within ${SOON_MS / 1000} s of the payment`, `${Math.round(sincePaid)} ms`);
    },
  },
  {
    name: 'known-state-is-not-held',
    level: 'must',
    why: 'A change between two questions would wait for the end of the second one.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const before = await payer.status(operation);
      const etag = before.header('etag');
      if (!etag) skip('the server sends no ETag');
      await shop.sandbox.drive(operation.number, 'pay');
      await payer.statusUntil(operation, saysPaid);
      const answer = await payer.status(operation, { wait: WAIT_S, etag });
      expectState(answer, 'AUTORIZADO');
      expect(answer.ms < SOON_MS, 'an answer at once to a tag of an older state', `one after ${Math.round(answer.ms)} ms`);
    },
  },
  {
    name: 'live-url',
    level: 'may',
    why: 'A payer who opens the order again, in a tab that remembers nothing, finds the code that waits.',
    where: 'docs/server.md#in-a-new-tab',
    async run(shop) {
      const payer = await shop.order();
      const none = await payer.live();
      expect(none.status === 204, '204 before anything began', none);
      const operation = await payer.starts();
      const answer = await payer.live();
      expectState(answer, 'PENDIENTE');
      expect(answer.operation.number === operation.number, `the operation ${operation.number}`, `${answer.operation.number}`);
    },
  },
];

/** A payer whose payment was given back. @param {import('../shop.mjs').Shop} shop */
async function getsBack(shop) {
  const payer = await shop.order();
  const operation = await payer.starts();
  await shop.sandbox.drive(operation.number, 'pay');
  expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
  await shop.sandbox.drive(operation.number, 'reverse');
  const answer = await payer.statusUntil(operation, (each) => each.status === 200 && !saysPaid(each));
  return { payer, operation, answer };
}

/**
 * Asks with a wait, and pays meanwhile.
 * @param {import('../shop.mjs').Shop} shop
 * @param {import('../payer.mjs').Payer} payer
 * @param {import('../payer.mjs').Operation} operation
 */
async function paysDuringQuestion(shop, payer, operation) {
  const asked = payer.status(operation, { wait: WAIT_S });
  await pause(HELD_MS, shop.signal);
  await shop.sandbox.drive(operation.number, 'pay');
  const paid = performance.now();
  const held = await asked;
  return { held, sincePaid: performance.now() - paid };
}
