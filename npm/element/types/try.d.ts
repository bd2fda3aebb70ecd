import type { TestServerOptions } from './testing.js';

/**
 * A plugin for Vite's development server: it answers in place of a merchant's server, and puts a bar below the page with
 * buttons for what the payment service says. A build leaves it out.
 */
export function tryPayments(options?: TestServerOptions): { name: string; apply: 'serve' };
