// Notices that something may be wrong with the page or its server. Then it loads the module that finds out what it is, and
// logs it for the developer.

import { diagnose } from '../shared/diagnosis.ts';
import type { Facts } from './diagnostics.ts';
import type { Exchange } from './exchange.ts';
import { bodyOf } from './exchange.ts';
import { brokenRules } from './page-rules.ts';
import { ENDED, EVENTS, WAITING } from './printed/surface.ts';
import type { Checkout, Detail, Settings } from './settings.ts';

/** A faster answer was not held. */
const MIN_HELD_MS = 900;

/** True when the module that explains could not be loaded. */
let blocked = false;

/** What triggers the diagnostics of one element. */
export class DiagnosticsTriggers {
  #element;
  /** The last answer with a body, for an error that is found in it later. */
  #answered: Exchange | undefined;
  /**
   * True once the element has read an answer about a state, which a 304 may refer to. The element still asks about an
   * earlier operation after a later one was begun.
   */
  #knowsState = false;
  /** The operation that the last event named. */
  #operation: Exchange['about'];
  #last: Exchange | undefined;
  /** How often in a row the server said that it held a request, and did not. */
  #early = 0;
  #reached = false;

  constructor(element: Checkout) {
    this.#element = element;
  }

  /** Looks at a request and its answer. */
  async onExchange(exchange: Exchange) {
    exchange.live = exchange.method === 'POST' && exchange.url === this.#element.getAttribute('live-url');
    // That request causes no error of the payment.
    if (!exchange.live) this.#last = exchange;
    try {
      const { debug } = this.#element;
      const { response, usable } = exchange;
      exchange.about = this.#operation;
      exchange.unasked = response?.status === 304 && !this.#knowsState;
      if (debug) this.explain('step', { name: 'request', detail: exchange });
      if (response && usable && ![204, 304].includes(response.status)) {
        this.#answered = exchange;
        this.#knowsState ||= exchange.method === 'GET' || exchange.live;
      }
      // The payer's screen comes first.
      await new Promise((resolve) => setTimeout(resolve));
      if (debug || (await this.#isOdd(exchange))) this.explain('exchange', exchange);
      this.#reached ||= Boolean(response);
    } catch {
      // An answer that breaks off is not looked at.
    }
  }

  async #isOdd(exchange: Exchange) {
    const { url, response, usable, took, problem, about, unasked } = exchange;
    // A connection that breaks is no mistake. A server that was never reached may be one.
    if (!response) return navigator.onLine && !this.#reached;
    if (!usable || unasked) return !(problem && response.status === 409);
    const { headers, status } = response;
    const held = /\bwait\b/.test(headers.get('preference-applied') ?? '');
    this.#early = held && took < MIN_HELD_MS && status === 304 ? this.#early + 1 : 0;
    // The element names a question anew after an answer that was older.
    if (!headers.get('date') || this.#early > 2 || url.includes('checkout-fresh')) return true;
    if (status === 304) return false;
    const text = (await bodyOf(exchange)) ?? '';
    // The answer has to name the operation and transaction that the address names.
    const asked = [about?.merchantOperationNumber, about?.transactionId].filter((name) => name && url.includes(name));
    if (text.includes('callback_url') || asked.some((name) => name && !text.includes(name))) return true;
    // A lifecycle names the earlier states, too.
    const ended = ENDED.some((state) => text.includes(`"${state}"`));
    return !ended && /"method_name"\s*:\s*"QR"/.test(text) && !/"qr_image"\s*:\s*"data:/.test(text);
  }

  /** Looks at the tag and the properties. */
  configured(settings: Settings) {
    const broken = brokenRules(settings, this.#element);
    if (broken.length > 0) this.explain('configuration', { settings, broken });
  }

  /** Looks at the name of an event that the page listens for. */
  listened(name: string) {
    if (/^check/i.test(name) && !EVENTS.includes(name)) this.explain('event', name);
  }

  /** Explains the error of an event. */
  failed(code: string, settings: Settings) {
    if (/^(amount|qr|cont)/.test(code)) this.explain('error', { code, settings, exchange: this.#answered });
    else if (/^(network|server|refused|not)/.test(code) && this.#last) this.explain('exchange', this.#last);
  }

  /** Looks at an event, and logs it as a step if the page asked for that. */
  step(name: string, detail: Detail | null | undefined) {
    if (detail?.merchantOperationNumber) this.#operation = detail as Exchange['about'];
    const isUnknown = name === 'checkout-status' && ![...WAITING, ...ENDED].includes(detail?.state ?? '');
    if (isUnknown && this.#answered) this.explain('exchange', this.#answered);
    if (this.#element.debug) this.explain('step', { name, detail });
  }

  explain<Kind extends keyof Facts>(kind: Kind, facts: Facts[Kind]) {
    if (blocked) return;
    import('./diagnostics.ts').then(
      (diagnostics) => diagnostics.explain(this.#element, kind, facts),
      (reason) => {
        blocked = true;
        diagnose('info', () => ['payment-checkout: could not load diagnostics.js', reason]);
      },
    );
  }
}
