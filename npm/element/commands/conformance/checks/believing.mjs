// What proves nothing: returns, notifications, answers to starts, and answers of the service that do not fit.

import { expect, expectOpen, expectState, isUnknown, pause, saysPaid, skip } from '../expectations.mjs';
import { expectNoAuthorization, expectOpenOnceAsked, notify, post } from './questions.mjs';

const PLACE = 'docs/server.md#what-your-server-must-not-believe';
/** How long a lie may take to show. */
const LIE_MS = 400;

/** @typedef {import('../shop.mjs').Shop} Shop */
/** @typedef {import('../payer.mjs').Payer} Payer */
/** @typedef {import('../payer.mjs').Operation} Operation */

/** @type {import('./index.mjs').Check[]} */
export const believing = [
  {
    name: 'forged-return',
    level: 'must',
    why: 'Everybody can type the address to which a lender sends payers back.',
    where: 'docs/server.md#coming-back',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const { code, number, transaction } = operation;
      const lies = { state: 'AUTORIZADO', status: 'paid', success: 'true', credit_status: 'AUTORIZADO', merchant_code: code, merchant_operation_number: number, transaction_id: transaction, checkout: 'forged' };
      const query = `?${new URLSearchParams(lies)}`;
      if (shop.redirectUrl) {
        const back = new URL(shop.redirectUrl);
        for (const [name, value] of Object.entries(lies)) back.searchParams.set(name, value);
        await fetch(back, { redirect: 'manual', signal: AbortSignal.timeout(shop.timeoutMs) }).catch(() => undefined);
      }
      expectOpen(await payer.status(operation, { query }), 'only the parameters of the address say so');
      expectOpen(await payer.status(operation), 'a return proves nothing');
      await expectNothingPaid(shop, payer, operation);
    },
  },
  {
    name: 'forged-notification',
    level: 'must',
    why: 'Anybody who learns the address can call it.',
    where: 'docs/server.md#notifications',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const status = await notify(shop, operation, 'AUTORIZADO');
      expect(status >= 200 && status < 300, '204 for every caller', `${status}`);
      for (const lie of ['LIQUIDADO', 'CANCELADO']) {
        await expectOpenOnceAsked(shop, payer, operation, 'only a forged notification says so', { lie });
      }
      await expectNothingPaid(shop, payer, operation);
    },
  },
  {
    name: 'notification-to-nobody',
    level: 'must',
    why: 'Every caller gets the same answer, or a guesser learns which addresses there are.',
    where: 'docs/server.md#notifications',
    async run(shop) {
      if (shop.options.notifications) skip('--notifications names one address for all operations');
      const addresses = [];
      for (let made = 0; made < 2; made++) {
        const { number } = await (await shop.order()).starts();
        addresses.push(String((await shop.sandbox.details(number)).callback_url ?? ''));
      }
      const nobodys = withoutSecret(...addresses);
      if (addresses.includes(nobodys)) skip('the service got no callback_url, or the same one for two operations; see callback-stays-secret');
      const status = await post(shop, nobodys, { state: 'AUTORIZADO' });
      expect(status >= 200 && status < 300, `204 also at ${nobodys}, which is the address of no operation`, `${status}`);
    },
  },
  {
    name: 'repeated-notification',
    level: 'must',
    why: 'Notifications come twice, and late ones tell an old state.',
    where: 'docs/server.md#notifications',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await shop.sandbox.faults({ kind: 'duplicate_notification' });
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
      for (const state of ['AUTORIZADO', 'PENDIENTE', 'CANCELADO', 'DENEGADO']) await notify(shop, operation, state);
      await pause(LIE_MS, shop.signal);
      expectState(await payer.status(operation), 'AUTORIZADO');
      const state = await shop.sandbox.state(operation.number);
      expect(state === 'AUTORIZADO', 'the payment to be in force at the service', state);
    },
  },
  {
    name: 'start-says-paid',
    level: 'must',
    why: 'The answer to an authorization begins a payment, and ends none.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      await shop.sandbox.faults(
        { method: 'POST', path: '/charges', kind: 'replace', pointer: '/transaction/state', value: 'AUTORIZADO' },
        { method: 'GET', path: '/charges/*', kind: 'drop', times: 99 },
      );
      const start = await payer.startUntilKnown({});
      expect(start.status === 200, '200 for the start', start);
      const { operation } = start;
      shop.remember(operation.number);
      await expectOpenOnceAsked(shop, payer, operation, 'no query answered so');
    },
  },
  {
    name: 'wrong-code',
    level: 'may',
    why: 'The payer of a QR for another amount pays a wrong sum, or is refused after the scan.',
    where: 'docs/server.md#the-qr-is-read',
    async run(shop) {
      if (!shop.methods.includes('QR')) skip('--methods does not have QR');
      const payer = await shop.order();
      await shop.sandbox.faults({ kind: 'qr', wrong: 'amount' });
      const answer = await payer.start({ method: 'QR' });
      if (answer.operation.number) shop.remember(answer.operation.number);
      const isShown = answer.status < 400 || answer.text.includes('data:image');
      expect(!isShown, 'a refusal of the start, since its QR asks for another amount than the order', answer);
    },
  },
  {
    name: 'another-amount',
    level: 'must',
    why: 'A payment of one sol does not pay an order of a hundred.',
    where: PLACE,
    run: (shop) => disbelieves(shop, 'it is of another amount', (operation) => {
      for (const each of [operation, ...operation.transactions]) each.amount = '100';
    }),
  },
  {
    name: 'another-currency',
    level: 'must',
    why: 'As many cents of another currency are another price.',
    where: PLACE,
    run: (shop) => disbelieves(shop, 'it is of another currency', (operation) => {
      for (const each of [operation, ...operation.transactions]) each.currency = 'BOB';
    }),
  },
  {
    name: 'another-number',
    level: 'must',
    why: 'An answer about another operation says nothing about this one.',
    where: PLACE,
    run: (shop) => disbelieves(shop, 'it is about another operation', (operation) => {
      operation.merchant_operation_number = '999999999999';
    }),
  },
  {
    name: 'answer-without-success',
    level: 'must',
    why: 'An answer with success false or another code than 00 tells no state.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const question = { method: 'GET', path: `/charges/*/${operation.number}/*` };
      const wrong = { '/success': false, '/meta/status/code': '99' };
      for (const [pointer, value] of Object.entries(wrong)) {
        await shop.sandbox.faults({ ...question, kind: 'replace', pointer, value, times: 99 }, { kind: 'lose_notification' });
        if (pointer === '/success') await shop.sandbox.drive(operation.number, 'pay');
        await expectOpenOnceAsked(shop, payer, operation, `the service answered with ${pointer.slice(1)} ${value}`);
      }
    },
  },
  {
    name: 'odd-members-of-a-payment',
    level: 'must',
    why: 'A member that decides nothing has another form one day, and the payer has paid.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      await answersWithPayment(shop, operation, ({ transactions }) => {
        const odd = { additional_fields: [], state_reason: { code: '00' }, lifecycle: {}, processor_response: 'none', channel: null };
        for (const each of transactions) Object.assign(each, odd);
      });
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
  {
    name: 'unknown-state',
    level: 'must',
    why: 'The service may learn new states; a word that nobody knows is neither a payment nor an end.',
    where: 'docs/server.md#in-short',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const fault = { method: 'GET', path: `/charges/*/${operation.number}/*`, kind: 'unknown_state', state: 'EN_REVISION', times: 99 };
      await shop.sandbox.faults(fault);
      await expectOpenOnceAsked(shop, payer, operation, 'the service answered a state that nobody knows');
      const mark = await shop.sandbox.mark();
      await payer.start();
      await expectNoAuthorization(shop, mark, `beside the operation ${operation.number} in an unknown state`);
      await shop.sandbox.faults();
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
  {
    name: 'unreadable-status',
    level: 'must',
    why: 'An answer that cannot be read tells nothing, and the payer goes on waiting.',
    where: 'docs/server.md#the-state-and-waiting-for-it',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const question = { method: 'GET', path: `/charges/*/${operation.number}/*` };
      for (const fault of [{ kind: 'malformed', html: true }, { kind: 'cut', bytes: 80 }]) {
        await shop.sandbox.faults({ ...question, ...fault, times: 99 });
        await expectOpenOnceAsked(shop, payer, operation, 'the answer of the service cannot be read', { alone: true });
      }
      await shop.sandbox.faults();
      await shop.sandbox.drive(operation.number, 'pay');
      expectState(await payer.statusUntil(operation, saysPaid), 'AUTORIZADO');
    },
  },
];

/**
 * The address of one operation with zeros where that of another one differs.
 * @param {string} [one] @param {string} [other]
 */
function withoutSecret(one = '', other = '') {
  const others = other.split(/([/?&=])/);
  const parts = one.split(/([/?&=])/);
  return parts.map((part, at) => (part === others[at] ? part : '0'.repeat(part.length))).join('');
}

/** The order can still be paid by the operation that waits. @param {Shop} shop @param {Payer} payer @param {Operation} operation */
async function expectNothingPaid(shop, payer, operation) {
  const again = await payer.startUntilKnown({});
  expect(again.problem !== 'order-paid' && !isUnknown(again), 'the order to be unpaid still', again);
  const state = await shop.sandbox.state(operation.number);
  expect(state === 'PENDIENTE', 'the operation to wait at the service still', state);
}

/**
 * The service answers with a payment that does not fit the order.
 * @param {Shop} shop @param {string} because @param {(operation: any) => void} change
 */
async function disbelieves(shop, because, change) {
  const payer = await shop.order();
  const operation = await payer.starts();
  await answersWithPayment(shop, operation, change);
  await expectOpenOnceAsked(shop, payer, operation, because);
}

/**
 * From now on the service answers that the operation is paid, with what is changed.
 * @param {Shop} shop @param {Operation} operation @param {(operation: any) => void} change
 */
async function answersWithPayment(shop, operation, change) {
  const told = structuredClone(await shop.sandbox.operation(operation.number));
  told.state = 'AUTORIZADO';
  for (const transaction of told.transactions) {
    Object.assign(transaction, { state: 'AUTORIZADO', expiration_date: null, continue_url: null });
  }
  change(told);
  await shop.sandbox.faults(
    { method: 'GET', path: `/charges/*/${operation.number}/*`, kind: 'replace', pointer: '/operation', value: told, times: 99 },
  );
}
