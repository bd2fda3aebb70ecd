// Leads the payer from the receipt to the page that follows a payment.

import { later } from '../shared/waiting.ts';

/** How long the payer sees the receipt first. The text `paid.leads-on` names it. */
const RECEIPT_TIME_MS = 5000;

/** What the receipt says of it: the host, and whether the payer stays. */
interface Said {
  leadsOn: string | undefined;
  stays: boolean;
}

const NOTHING: Said = { leadsOn: undefined, stays: false };

export class NextPage {
  #element;
  #leave;
  #say;
  #timer: ReturnType<typeof later>;
  #said = NOTHING;

  /** `leave` is called with the address when it is time to go, and is true if the page lets go. `say` draws the receipt. */
  constructor(element: HTMLElement, leave: (url: string) => boolean, say: () => void) {
    this.#element = element;
    this.#leave = leave;
    this.#say = say;
  }

  /** What the receipt says of it now. */
  get said() {
    return this.#said;
  }

  /** The order was paid while the payer looked. A page does not follow itself, which would begin anew for ever. */
  paid(url: string | undefined) {
    this.stop();
    if (!url || withoutHash(url) === withoutHash(location.href)) return;
    this.#timer = later(() => this.#leave(url) || this.#stay(), RECEIPT_TIME_MS);
    if (!this.#timer) return;
    this.#now({ leadsOn: new URL(url).host, stays: false });
    // A payer who saves or prints the receipt is not led away from it.
    this.#once(['pointerdown', 'keydown'], () => clearTimeout(this.#timer));
    // The receipt says so when the press is over: nothing may move under it.
    this.#once(['click', 'pointercancel', 'keydown'], () => this.#stay());
  }

  stop() {
    clearTimeout(this.#timer);
    if (this.#said.leadsOn) this.#now(NOTHING);
  }

  #stay() {
    clearTimeout(this.#timer);
    if (this.#said.leadsOn) this.#now({ ...this.#said, stays: true });
  }

  #now(said: Said) {
    this.#said = said;
    this.#say();
  }

  #once(names: string[], act: () => void) {
    for (const name of names) this.#element.addEventListener(name, act, { once: true });
  }
}

const withoutHash = (url: string) => url.split('#')[0];
