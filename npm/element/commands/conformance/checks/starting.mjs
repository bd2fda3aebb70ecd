// How a payment begins.

import { randomUUID } from 'node:crypto';
import { expect, expectMoney, isRefusal, skip } from '../expectations.mjs';
import { leadsAway } from '../payer.mjs';
import { UsageError } from '../sandbox.mjs';
import { expectNoAuthorization } from './questions.mjs';

const PLACE = 'docs/server.md#starting-a-payment';

/** @type {import('./index.mjs').Check[]} */
export const starting = [
  {
    name: 'start',
    level: 'must',
    why: 'A payer who presses the button gets a code or a link that can be paid.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const mark = await shop.sandbox.mark();
      const key = randomUUID();
      expectAddress(shop, await payer.start({ key }));
      const { number } = await payer.starts({ key });
      const seen = (await shop.sandbox.authorizations(mark)).map((entry) => entry.merchant_operation_number);
      const none = 'none: your server asks another payment service';
      expect(seen.includes(number), `an authorization of ${number} at the sandbox of --sandbox`, seen.join(', ') || none);
      for (const method of shop.methods.slice(1)) expectOffer(method, await (await shop.order()).start({ method }));
    },
  },
  {
    name: 'amount-of-the-order',
    level: 'must',
    why: 'The payer pays what the order costs, whatever the page says.',
    where: PLACE,
    async run(shop) {
      const payer = await shop.order();
      const { number } = await payer.starts();
      const { amount, currency } = await shop.sandbox.operation(number);
      const expected = `${payer.order.amount} ${payer.order.currency}`;
      expect(`${amount} ${currency}` === expected, `${expected} at the service`, `${amount} ${currency}`);
    },
  },
  {
    name: 'fields-of-the-browser',
    level: 'must',
    why: 'A page that a payer has changed must not choose the price or the receiver of the money.',
    where: PLACE,
    async run(shop) {
      /** @type {string[]} */
      const taken = [];
      let payer = await shop.order();
      for (const [field, start] of Object.entries(forgedStarts(payer.order))) {
        const mark = await shop.sandbox.mark();
        const answer = await payer.start(start);
        const sent = await shop.sandbox.authorizations(mark);
        if (isRefusal(answer) && sent.length === 0) continue;
        const asked = sent.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ') || 'nothing';
        const price = `${payer.order.amount} ${payer.order.currency}`;
        taken.push(`${field}: ${answer}, and the service was asked for ${asked} where the order costs ${price}`);
        // This order has a payment now, which would be the answer to every further start.
        if (answer.operation.number) shop.remember(answer.operation.number);
        payer = await shop.order();
      }
      expect(taken.length === 0, 'a refusal (400) of every start with a field that only the server may choose', taken.join('; '));
    },
  },
  {
    name: 'key-is-required',
    level: 'must',
    why: 'A start without Idempotency-Key cannot be repeated safely.',
    where: 'docs/server.md#problems',
    async run(shop) {
      await startWithoutKey(shop);
    },
  },
  {
    name: 'money-nothing',
    level: 'must',
    why: 'A start that was refused before anything left has charged nothing. Its problem may leave that open, and must not say that the order may be paid.',
    where: 'docs/server.md#what-is-known-of-the-money',
    async run(shop) {
      expectMoney(await startWithoutKey(shop), 'may_be_paid', 'a fresh order was refused and nothing was sent to the service');
    },
  },
  {
    name: 'redirect-to-strangers',
    level: 'must',
    why: 'A payer who comes back from the lender, with the token in the address, must not be led to the page of a stranger.',
    where: 'docs/server.md#coming-back',
    async run(shop) {
      const method = redirecting(shop);
      const payer = await shop.order();
      const mark = await shop.sandbox.mark();
      const { origin } = new URL(shop.redirectUrl);
      const urls = ['https://stranger.example/back', `${origin}@stranger.example/`, `${origin}.stranger.example/`, 'javascript:alert(1)'];
      for (const redirectUrl of urls) {
        const answer = await payer.start({ method, redirectUrl });
        expect(isRefusal(answer), `a refusal (400) of the redirect_url ${redirectUrl}`, answer);
      }
      await expectNoAuthorization(shop, mark, 'for a refused start');
    },
  },
  {
    name: 'answers-are-not-stored',
    level: 'may',
    why: 'A cache on the way would show an old state, or the code of another payer.',
    where: 'docs/openapi.yaml',
    async run(shop) {
      const payer = await shop.order();
      const start = await payer.startUntilKnown({});
      shop.remember(start.operation.number);
      const answers = { start, status: await payer.status(start.operation), cancellation: await payer.cancel(start.operation) };
      for (const [name, answer] of Object.entries(answers)) {
        const value = answer.header('cache-control');
        expect(value.includes('no-store'), `Cache-Control: no-store with the answer to the ${name}`, value || 'none');
      }
    },
  },
];

/** A start that the server refuses before it asks the service. @param {import('../shop.mjs').Shop} shop */
async function startWithoutKey(shop) {
  const mark = await shop.sandbox.mark();
  const answer = await (await shop.order()).start({ key: '' });
  expect(isRefusal(answer), 'a refusal (400) of a start without Idempotency-Key', answer);
  await expectNoAuthorization(shop, mark, 'for a refused start');
  return answer;
}

/**
 * Starts with one field of a page that a payer has changed, by the name of the field.
 * @param {{amount: string, currency: string}} order
 * @returns {Record<string, import('../payer.mjs').Start>}
 */
function forgedStarts({ currency }) {
  const callback = { callback_url: 'http://127.0.0.1:9/' };
  return {
    amount: { more: { amount: '100' } },
    currency: { more: { currency: 'USD' } },
    // Where the payment service's own request has the amount: a server that forwards the body takes it.
    payment_details: { more: { payment_details: { amount: '100', currency } } },
    'method_details.amount': { details: { amount: '100' } },
    merchant_code: { more: { merchant_code: 'another-merchant' } },
    merchant_operation_number: { more: { merchant_operation_number: '100000000001' } },
    callback_url: { more: callback },
    'method_details.callback_url': { details: callback },
  };
}

/** A method that leads the payer away, and back. @param {import('../shop.mjs').Shop} shop */
export function redirecting(shop) {
  if (!shop.redirectUrl) skip('--redirect-url is missing');
  return shop.methods.find(leadsAway) ?? skip('--methods has no method that leads back, such as INSTALLMENT, among its first two');
}

/**
 * A 404 or 405 to a fresh order means a wrong BASE or --order, so that every other check would fail for that reason.
 * @param {import('../shop.mjs').Shop} shop @param {import('../payer.mjs').Answer} answer
 */
function expectAddress({ addresses }, answer) {
  if (answer.status !== 404 && answer.status !== 405) return;
  throw new UsageError(
    'BASE has to be the address before /charges, such as http://127.0.0.1:3000/api, and --order has to print orders of that ' +
      `server, with their cookie: ${addresses.start} answers a fresh order with ${answer}`,
  );
}

/** @param {string} method @param {import('../payer.mjs').Answer} answer */
function expectOffer(method, answer) {
  // The payment service's own refusal is a finding of the checks that use the method.
  if (answer.status !== 422 || answer.problem === 'authorization-refused') return;
  throw new UsageError(`--methods has to name methods that your server offers. It answers a start by ${method} with ${answer}`);
}
