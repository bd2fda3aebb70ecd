// What strangers, other pages and browsers must not get.

import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, isUnknown, skip } from '../expectations.mjs';
import { expectNoAuthorization, expectOpenOnceAsked } from './questions.mjs';
import { redirecting } from './starting.mjs';

/** @type {import('./index.mjs').Check[]} */
export const keeping = [
  {
    name: 'stranger',
    level: 'must',
    why: 'Whoever knows the numbers of a payment must not see or cancel it.',
    where: 'docs/server.md#problems',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      if (!payer.hasSession) skip('the payer has no cookie: neither --order nor your server gives one');
      const stranger = payer.stranger();
      const status = await stranger.status(operation);
      expect(isUnknown(status), '404 for the status without the cookie', status);
      const cancellation = await stranger.cancel(operation);
      expect(isUnknown(cancellation), '404 for the cancellation without the cookie', cancellation);
      const state = await shop.sandbox.state(operation.number);
      expect(state === 'PENDIENTE', 'the operation to wait at the service still', state);
      const none = await stranger.status({ ...operation, number: '000000000000', transaction: '0' });
      expect(none.status === status.status, `the same answer for numbers that do not exist (${status})`, none);
    },
  },
  {
    name: 'another-payer',
    level: 'must',
    why: 'The session of one payer opens no payment of another one.',
    where: 'docs/server.md#problems',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const other = await shop.order();
      await other.starts();
      if (!payer.hasSession || !other.hasSession) skip('the payer has no cookie: neither --order nor your server gives one');
      const status = await other.status(operation);
      expect(isUnknown(status), "404 for the status of another payer's operation", status);
      const cancellation = await other.cancel(operation);
      expect(isUnknown(cancellation), '404 for its cancellation', cancellation);
    },
  },
  {
    name: 'another-payers-order',
    level: 'must',
    why: 'Whoever learns the number of an order must not start its payment, nor get its code.',
    where: 'docs/server.md#problems',
    async run(shop) {
      const payer = await shop.order();
      if (!payer.order.hasCookie) skip('--order prints no cookie: whoever has the request may pay the order');
      const other = await shop.order();
      await other.starts();
      const thieves = { 'the session of another payer': other.withOrderOf(payer), 'no session': payer.stranger() };
      const mark = await shop.sandbox.mark();
      for (const [who, thief] of Object.entries(thieves)) {
        const start = await thief.start();
        expect(isUnknown(start), `404 for a start with ${who}`, start);
      }
      await expectNoAuthorization(shop, mark, 'for a session that the order does not belong to');
      await payer.starts();
      const isServed = (await payer.live()).status === 200;
      for (const [who, thief] of Object.entries(thieves)) {
        const start = await thief.start();
        expect(isUnknown(start), `404 for a start with ${who} while the payer's code waits`, start);
        const live = await thief.live();
        expect(!isServed || isUnknown(live) || live.status === 204, `404 from ${shop.addresses.live} for ${who}`, live);
      }
    },
  },
  {
    name: 'callback-stays-secret',
    level: 'must',
    why: 'The address for notifications is for the payment service alone.',
    where: 'docs/server.md#notifications',
    async run(shop) {
      const before = shop.heard.length;
      const payer = await shop.order();
      const addresses = [];
      for (const method of shop.methods) {
        const operation = await payer.starts({ method });
        const { callback_url } = await shop.sandbox.details(operation.number);
        if (callback_url) addresses.push(String(callback_url));
        await payer.status(operation);
        await payer.live();
        await payer.cancel(operation);
        await payer.status(operation);
      }
      const secrets = addresses.map((address) => address.split('/').at(-1) || address);
      for (const { text } of shop.heard.slice(before)) {
        const found = ['callback_url', ...secrets].find((secret) => text.includes(secret));
        expect(!found, 'no callback_url in an answer to the browser', `${found} in ${text.slice(0, 200)}`);
      }
      expect(new Set(addresses).size === addresses.length, 'another callback_url for each operation', addresses.join(', '));
    },
  },
  {
    name: 'token-stays-secret',
    level: 'must',
    why: 'Who has the access token can cancel and refund every payment.',
    where: 'docs/server.md',
    async run(shop) {
      const { token } = shop;
      if (!token) skip('SANDBOX_TOKEN is not in the environment, and the sandbox does not take its usual token');
      const payer = await shop.order();
      const operation = await payer.starts();
      // An error that quotes the request has the token in it.
      await shop.sandbox.faults({ method: 'GET', path: `/charges/*/${operation.number}/*`, kind: 'drop', times: 99 });
      await payer.status(operation);
      await payer.cancel(operation);
      for (const { headers, text } of shop.heard) {
        const all = `${text} ${[...headers.values()].join(' ')}`;
        expect(!all.includes(token), 'no access token in an answer to the browser', 'the token that the sandbox takes');
      }
    },
  },
  {
    name: 'token-is-not-redirected',
    level: 'must',
    why: 'An answer of the service that leads elsewhere must not take the access token with it.',
    where: 'docs/server.md#what-your-server-must-not-believe',
    async run(shop) {
      /** @type {string[]} */
      const led = [];
      const elsewhere = createServer((request, response) => {
        led.push(`${request.method} with ${request.headers.authorization ? 'the access token' : 'no token'}`);
        response.writeHead(404).end();
      }).listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      try {
        const { port } = /** @type {import('node:net').AddressInfo} */ (elsewhere.address());
        const payer = await shop.order();
        const operation = await payer.starts();
        const location = `http://127.0.0.1:${port}/`;
        await shop.sandbox.faults(
          { method: 'GET', path: `/charges/*/${operation.number}/*`, kind: 'status', status: 307, location, times: 99 },
          { method: 'DELETE', path: `/charges/*/${operation.number}`, kind: 'status', status: 307, location, times: 99 },
        );
        await expectOpenOnceAsked(shop, payer, operation, 'the service led elsewhere');
        await payer.cancel(operation);
      } finally {
        elsewhere.close();
      }
      const seen = led.find((request) => request.includes('the access token'));
      expect(!seen, 'no access token where a redirect of the service leads', seen);
    },
  },
  {
    name: 'pages-of-strangers',
    level: 'must',
    why: 'A page of another site must not read or cancel the payment of a payer who visits it.',
    where: 'docs/server.md#headers-on-another-origin',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const origin = 'https://stranger.example';
      const answer = await payer.status(operation, { headers: { Origin: origin, 'Sec-Fetch-Site': 'cross-site' } });
      const allowed = answer.header('access-control-allow-origin');
      expect(allowed !== origin && allowed !== '*', 'no Access-Control-Allow-Origin for a stranger', allowed);
    },
  },
  {
    name: 'requests-of-strangers',
    level: 'may',
    why: 'A browser says which site sent a request; the cookie should not be the only protection.',
    where: 'docs/server.md#problems',
    async run(shop) {
      const payer = await shop.order();
      const headers = { Origin: 'https://stranger.example', 'Sec-Fetch-Site': 'cross-site' };
      const start = await payer.start({ headers });
      expect(start.status === 403, '403 for a start by a page of another site', start);
      const operation = await payer.starts();
      const answer = await payer.cancel(operation, headers);
      expect(answer.status === 403, '403 for a cancellation by a page of another site', answer);
    },
  },
  {
    name: 'problem-details',
    level: 'must',
    why: 'The element reads the type of a problem, and the developer its detail.',
    where: 'docs/server.md#problems',
    async run(shop) {
      const payer = await shop.order();
      const operation = await payer.starts();
      const answers = [
        await payer.start({ more: { amount: '100' } }),
        await payer.status({ ...operation, number: '000000000000' }),
      ];
      for (const answer of answers) {
        const type = answer.header('content-type');
        expect(type.startsWith('application/problem+json'), 'application/problem+json', `${type || 'no type'} with ${answer}`);
        expect(answer.problem, 'a type in the problem', answer.text.slice(0, 200));
      }
      const ok = await payer.status(operation);
      expect(/^application\/json\b/.test(ok.header('content-type')), 'application/json with the status', ok.header('content-type'));
    },
  },
  {
    name: 'return-token',
    level: 'may',
    why: 'A payer whom the lender sends into another browser sees the payment there.',
    where: 'docs/server.md#coming-back',
    async run(shop) {
      const { payer, operation, token } = await leaves(shop);
      expect(token, '?checkout=… in the redirect_url that the service gets', 'none');
      const answer = await payer.stranger().status({ ...operation, transaction: '-' }, { headers: { 'Checkout-Token': token } });
      expect(answer.states.includes('PENDIENTE'), '200 with PENDIENTE for the token', answer);
    },
  },
  {
    name: 'return-token-only-reads',
    level: 'must',
    why: 'The token is in an address, which others may see; it reads one state.',
    where: 'docs/server.md#coming-back',
    async run(shop) {
      const { payer, operation, token } = await leaves(shop);
      if (!token) skip('your server adds no token to redirect_url; see return-token');
      const headers = { 'Checkout-Token': token };
      const stranger = payer.stranger();
      const cancellation = await stranger.cancel(operation, headers);
      expect(isUnknown(cancellation), '404 for a cancellation with the token', cancellation);
      const other = await (await shop.order()).starts();
      const status = await stranger.status({ ...other, transaction: '-' }, { headers });
      expect(isUnknown(status), '404 for another operation with the token', status);
      const forged = `${token.slice(0, -4)}AAAA`;
      const wrong = await stranger.status({ ...operation, transaction: '-' }, { headers: { 'Checkout-Token': forged } });
      expect(isUnknown(wrong), '404 for a token with another signature', wrong);
    },
  },
];

/** A payer goes to the lender. @param {import('../shop.mjs').Shop} shop */
async function leaves(shop) {
  const method = redirecting(shop);
  const payer = await shop.order();
  const operation = await payer.starts({ method });
  const { redirect_url } = await shop.sandbox.details(operation.number);
  const token = new URL(redirect_url).searchParams.get('checkout') ?? '';
  return { payer, operation, token };
}
