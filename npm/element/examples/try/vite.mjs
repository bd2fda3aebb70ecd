// A plugin for Vite's development server, which answers in place of a merchant's server. A build leaves it out.

import { readFile } from 'node:fs/promises';
import { TryServer } from './server.mjs';

const BAR = '/payment-checkout-try/bar.mjs';

export function tryPayments(/** @type {import('../../types/testing.js').TestServerOptions} */ options = {}) {
  if (!(options.baseUrl ?? '/').startsWith('/')) throw new Error('tryPayments: baseUrl is a path of your page, such as /api.');
  const server = new TryServer(options);
  return {
    name: 'payment-checkout-try',
    apply: /** @type {const} */ ('serve'),
    // Vite before 8 would serve the element without its wasm.
    config: () => ({ optimizeDeps: { exclude: ['payment-checkout-element'] } }),
    transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: BAR }, injectTo: 'body' }],
    configureServer(/** @type {any} */ { middlewares }) {
      middlewares.use(async (/** @type {any} */ request, /** @type {any} */ response, /** @type {() => void} */ next) => {
        const { method, url, headers } = request;
        if (url === BAR) return response.setHeader('content-type', 'text/javascript').end(await readFile(new URL('bar.mjs', import.meta.url)));
        if (!server.takes({ method, url })) return next();
        const answer = await server.handle({ method, url, headers, body: Buffer.concat(await request.toArray()).toString() });
        if (answer) return response.writeHead(answer.status, answer.headers).end(answer.body);
        // A browser asks again by itself where a connection that it kept ends before the answer began.
        response.writeHead(200, { 'content-length': 1 }).flushHeaders();
        setImmediate(() => request.socket.destroy());
      });
    },
  };
}
