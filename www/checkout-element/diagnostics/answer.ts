// Mistakes in how the merchant's server answers.

import { type Finding, finding } from '../../shared/finding.ts';
import { replaced } from '../../shared/replaced.ts';
import type { Exchange } from '../exchange.ts';
import { bodyOf } from '../exchange.ts';
import { ENDED, WAITING } from '../printed/surface.ts';
import type { Checkout } from '../settings.ts';
import { type Answer, breaks, SHAPES, type Transaction } from './contract.ts';

/** The headers that a page on another origin has to be allowed to read. */
const EXPOSED = 'Age, Date, ETag, Operation-End, Order-State, Retry-After, Preference-Applied, X-Request-Id';

/** What is wrong with an answer that breaks the contract. It names the field, and no value. */
const breach = ({ unreadable }: Partial<Exchange>) =>
  unreadable !== undefined && `${unreadable ? `the field ${unreadable}` : 'the body'} breaks the contract`;

export async function findAnswer(exchange: Exchange, element: Checkout): Promise<Finding[]> {
  const { method, url, response, usable, live } = exchange;
  const asked = new URL(url, document.baseURI);
  const request = `${method} ${asked.origin === location.origin ? '' : asked.origin}${asked.pathname}`;
  const found = response ? await answered(exchange, response, asked) : [silent(exchange, asked)];
  const end = response ? `answered ${response.status}` : 'was not answered';
  const mayBeSettings = method === 'POST' && !live && response && response.status < 500 && !response.ok;
  return found.map((finding) => ({
    ...finding,
    // Without the live operation the payer has the choice.
    mild: usable || live || finding.mild,
    is: `${request} ${end}: ${finding.is}${mayBeSettings && finding.code !== 'order' ? given(element) : ''}`,
  }));
}

/** The settings that may be wrong when the server does not know the order or the address. */
function given(element: Checkout) {
  const baseUrl = element.getAttribute('base-url') ?? '';
  const hints = [`base-url is "${baseUrl}"`];
  if (/\/charges\/?$/.test(baseUrl)) hints.push('the element adds /charges itself');
  if (element.hasAttribute('request')) hints.push('request is a property, not an attribute: checkout.request = { order_id: "1001" }');
  else if (!element.request && !element.hasAttribute('order'))
    hints.push('the property request is not set, so the body names no order: checkout.request = { order_id: "1001" }');
  return ` (${hints.join('; ')})`;
}

/** What a request needs of the browser. */
const NEEDED = ['fetch', 'Request', 'Headers', 'URLSearchParams', 'AbortController', 'Promise'] as const;

function silent({ took }: Exchange, asked: URL): Finding {
  if (took >= 9000) {
    return finding(
      'no-answer',
      `no answer came in ${Math.round(took / 1000)} s. Answer sooner: the element asks again, under the same key`,
    );
  }
  const causes = [
    'the server is down',
    'it redirects, which the element does not follow',
    'the policy of the page lacks the address in connect-src',
  ];
  if (asked.origin !== location.origin) {
    causes.push(
      `the server does not let this page read it (it has to send Access-Control-Allow-Origin: ${location.origin} and Access-Control-Allow-Credentials: true, also to OPTIONS)`,
    );
  }
  const broken = replaced(NEEDED);
  if (broken) causes.push(`${broken}, and what is there now fails. Have its script leave functions of the browser as they are`);
  return finding('unreachable', `one of these: ${causes.join('; ')}. Look at the browser's own line above, which has the cause`);
}

async function answered(exchange: Exchange, response: Response, asked: URL): Promise<Finding[]> {
  const text = await bodyOf(exchange);
  // A connection that breaks is nothing to mend.
  if (text === undefined) return [];
  const body = parsed(text);
  if (response.ok || response.status === 304) return [...good(exchange, response, text, body), ...headers(exchange, response)];
  return [refused(exchange, response, body, asked) ?? []].flat();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function good(exchange: Exchange, response: Response, text: string, body: unknown): Finding[] {
  const { url, about, unasked, live } = exchange;
  const method = live ? 'GET' : exchange.method;
  // Without an operation, the server may say by which methods it takes the order.
  if (live && (response.status === 204 || lists(body))) return [];
  if (response.status === 304) {
    if (!unasked) return [];
    return [finding('unasked-304', 'the request named no known answer (If-None-Match), so 304 says nothing. Answer 200 with the state')];
  }
  const found: Finding[] = [];
  const tell = (...told: Parameters<typeof finding>) => void found.push(finding(...told));
  if (text.includes('callback_url')) {
    tell(
      'callback-url',
      'the answer carries callback_url, the secret address of your server. Anybody can send notifications to it now; leave the field out',
    );
  }
  if (body === undefined) {
    const kind = response.headers.get('content-type') ?? 'no content type';
    tell('not-json', text.trim() ? `the body is not JSON (${kind}). Answer with JSON, errors too` : 'the body is empty. Answer with JSON');
    return found;
  }
  found.push(...breaks(body, SHAPES[method] ?? SHAPES.GET));
  if (found.some(({ code }) => code !== 'callback-url')) return found;
  const wrong = breach(exchange);
  if (wrong) {
    tell('unreadable', `${wrong}. Compare it with openapi.yaml`);
    return found;
  }
  // The body has the fields of the shape.
  const { transaction, operation } = body as Answer;
  const transactions = (method === 'POST' ? [transaction] : operation?.transactions) as Transaction[];
  const lacks = (name: string | null | undefined) => name && url.includes(name) && !text.includes(name);
  if (lacks(about?.merchantOperationNumber)) {
    tell(
      'other-operation',
      'the answer is about another operation than the address names (operation.merchant_operation_number). Look it up by the numbers in the address',
    );
    return found;
  }
  if (lacks(about?.transactionId)) {
    tell('other-transaction', 'the answer lacks the transaction that the address names (operation.transactions). Answer with it');
    return found;
  }
  for (const { state, payment_method, processor_response } of transactions) {
    // The server's own word for a state that it does not know yet.
    if (![...WAITING, ...ENDED, 'POR_CONFIRMAR'].includes(state)) {
      tell(
        'unknown-state',
        `the state ${JSON.stringify(state)} is none of the specification's, so the payer reads that it is being confirmed. Send the specification's states`,
      );
    }
    if (method === 'GET' && state === 'PENDIENTE' && payment_method.method_name === 'QR' && !processor_response?.qr_image) {
      tell(
        'no-qr-image',
        'the operation waits for a QR payment, and the answer has no processor_response.qr_image; a payer who reloads the page sees no code. Store it when the service authorizes, and send it in each answer while the payment waits',
      );
    }
  }
  return found;
}

/** True for what a server says of the methods of an order. */
const lists = (body: unknown) => Array.isArray((body as { methods?: unknown } | null | undefined)?.methods);

/** The end of a problem's `type` that is an answer and no mistake. */
const ANSWERS = /(order-paid|payment-reversed|operation-unconfirmed|operation-live|operation-pending)$/;

function refused({ method, problem, live }: Exchange, response: Response, body: unknown, asked: URL): Finding | undefined {
  const { status } = response;
  const problemBody = (body ?? {}) as Record<string, unknown>;
  if (problem && ANSWERS.test(problem)) {
    const fields = ['merchant_code', 'merchant_operation_number', ...(problem.endsWith('operation-live') ? ['method_name'] : [])];
    return fields.every((name) => problemBody[name])
      ? undefined
      : finding('missing-field', `the problem names no operation. Add its fields: ${fields.join(', ')}`);
  }
  const { detail: told, reason } = problemBody;
  const detail = told && typeof told === 'string' ? ` The server says: ${told.replace(/\.?$/, '.')}` : '';
  // The payer is back at the choice, and reads why.
  if (problem?.endsWith('method-not-offered') && lists(body)) return undefined;
  // It is no mistake of the server: the payer reads that the shop has to look whether the order is paid.
  if (problem?.endsWith('order-may-be-paid')) return undefined;
  if (problem?.endsWith('order-token-refused')) {
    return finding(
      'order',
      `the server refuses the signed order${typeof reason === 'string' ? ` (reason: ${reason})` : ''}.${detail} Sign the order anew, with the key of the server`,
    );
  }
  if (status === 401 || status === 403) {
    return finding(
      'no-session',
      `the server does not know this payer's session${status === 403 ? ', or does not take requests of this origin' : ''}. Look whether the request carries the session's cookie.${lostCookie(asked)}${detail}`,
    );
  }
  if (status === 404 || status === 410) {
    const begins = method === 'POST' && !live;
    const what = live
      ? 'the live operation is not told at this address (live-url)'
      : begins
        ? 'payments are not started at this address'
        : 'the server knows no such operation of this payer: the address is wrong (status-url)';
    const why =
      live || begins
        ? "the server has no such order for this payer's session. Look at the address first"
        : 'the session of the payer is lost. Look the operation up by the numbers that your server answered';
    return finding('not-found', `${what}, or ${why}.${lostCookie(asked)}${detail}`);
  }
  if (status === 405) return finding('wrong-method', `the server does not take ${method} at this address. Let it take the method there`);
  if (status === 409)
    return finding(
      'unknown-conflict',
      `the problem's type ${JSON.stringify(problem ?? null)} is none that the element knows. Use a type of openapi.yaml`,
    );
  if (status === 429 || status === 503) return undefined;
  if (status >= 500) return finding('server-error', `the server failed.${requestId(response) || ' Look into its log.'}${detail}`);
  return finding(
    'refused',
    `the server refuses the request.${detail || ' It does not say why: answer with application/problem+json and its field detail.'}${requestId(response)}`,
  );
}

function requestId(response: Response) {
  const id = response.headers.get('x-request-id');
  return id ? ` Its log has the request as ${id}.` : '';
}

/**
 * Browsers keep no cookies for a site that is not the page's own, nor in a frame of another site. The last two
 * labels of a name stand for its site: good enough for a hint.
 */
function lostCookie({ hostname }: URL) {
  const site = (host: string) => host.split('.').slice(-2).join('.');
  if (site(hostname) !== site(location.hostname)) {
    return ` ${hostname} is another site than this page; browsers without third-party cookies lose the payer's session there. Let your server answer under the site of the page.`;
  }
  const outer = location.ancestorOrigins?.[0];
  const framed = window.top !== window && outer && site(new URL(outer).hostname) !== site(hostname);
  return framed ? ` This page is in a frame of ${outer}, another site: the session's cookie needs SameSite=None; Secure; Partitioned.` : '';
}

function headers(exchange: Exchange, response: Response): Finding[] {
  const found = findCache(exchange.url, response.headers);
  const { headers, status, type } = response;
  const tell = (...told: Parameters<typeof finding>) => void found.push(finding(...told));
  const isHeld = /\bwait\b/.test(headers.get('preference-applied') ?? '');
  const hides = (so: string) => tell('hidden-headers', `${so}. Send Access-Control-Expose-Headers: ${EXPOSED}`, true);
  if (!headers.get('date')) {
    if (type === 'cors') hides('this page may not read all headers of the answer, so countdown, back-off and long polling get worse');
    else tell('no-date', 'the answer has no Date, so a payer whose clock is wrong sees a wrong countdown. Send Date', true);
  } else if (type === 'cors' && isHeld && !headers.get('etag')) hides('the answer was held and names no ETag that this page may read');
  if (status === 304 && exchange.took < 900 && isHeld) {
    tell(
      'not-held',
      'Preference-Applied: wait says that the request was held until something changed, and it was answered at once without news. Leave the header out where you do not hold',
      true,
    );
  }
  return found;
}

// Answers that are older than their question: something between the page and the server keeps them.

/** What the last answer at an address said of itself, and when it was looked at. */
const last = new Map<string, { stamp: string; at: number }>();

/** How far two answers of a server with the same `Date` may be apart, in milliseconds. */
const SAME_DATE_MS = 2000;

/** The element asks with this query once an answer was older than its question. */
function findCache(url: string, headers: Headers): Finding[] {
  const [address = '', query] = url.split('?');
  if (!query?.includes('checkout-fresh=')) return [];
  const worker = navigator.serviceWorker?.controller?.scriptURL;
  const who = worker ? `the service worker ${worker} keeps them` : 'a cache keeps them, or the clock of your server stands still';
  const is = `some answers here were older than their question, by their Date: ${who}. Let it leave this address to the network`;
  const stamp = `${headers.get('date')} ${headers.get('x-request-id')}`;
  const before = last.get(address);
  if (before?.stamp !== stamp) last.set(address, { stamp, at: performance.now() });
  const isStill = before?.stamp === stamp && performance.now() - before.at >= SAME_DATE_MS;
  const found: Finding[] = [finding('cached', `${is}. The element asks with the query checkout-fresh now, which no cache knows`)];
  if (isStill) {
    found.push(finding('cached', `${is}. It keeps answers whatever the query, so payers read that the store is slow to answer`));
  }
  return found;
}
