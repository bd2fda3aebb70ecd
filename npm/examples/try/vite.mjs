// A plugin for Vite's development server, which answers in place of a merchant's server. A build leaves it out.

import { readFile } from 'node:fs/promises';
import { TryServer } from './server.mjs';

const PANEL = '/payment-checkout-try/panel.mjs';

export function tryPayments(/** @type {import('../../types/testing.js').TestServerOptions} */ options = {}) {
  const server = new TryServer(options);
  const own = [`${options.baseUrl ?? '/api'}/charges`, '/payment-checkout-try/'];
  return {
    name: 'payment-checkout-try',
    apply: /** @type {const} */ ('serve'),
    transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: PANEL }, injectTo: 'body' }],
    configureServer(/** @type {any} */ { middlewares }) {
      middlewares.use(async (/** @type {any} */ request, /** @type {any} */ response, /** @type {() => void} */ next) => {
        const { method, url, headers } = request;
        if (!own.some((path) => url.startsWith(path))) return next();
        if (url === PANEL) return response.setHeader('content-type', 'text/javascript').end(await readFile(new URL('panel.mjs', import.meta.url)));
        const answer = await server.handle({ method, url, headers, body: Buffer.concat(await request.toArray()).toString() });
        if (answer === undefined) next();
        else if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
        else request.socket.destroy();
      });
    },
  };
}
