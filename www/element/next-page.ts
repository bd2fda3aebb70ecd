// Leads the payer from the receipt to the page that follows a payment.

/** How long the payer sees the receipt first. */
const RECEIPT_TIME_MS = 5000;

export class NextPage {
  #element;
  #leave;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `leave` is called with the address when it is time to go. */
  constructor(element: HTMLElement, leave: (url: string) => void) {
    this.#element = element;
    this.#leave = leave;
  }

  /** The order was paid while the payer looked. A page does not follow itself, which would begin anew for ever. */
  paid(url: string | undefined) {
    this.stop();
    if (!url || withoutHash(url) === withoutHash(location.href)) return;
    this.#timer = setTimeout(() => this.#leave(url), RECEIPT_TIME_MS);
    // A payer who saves or prints the receipt is not led away from it.
    for (const name of ['pointerdown', 'keydown']) this.#element.addEventListener(name, () => this.stop(), { once: true });
  }

  stop() {
    clearTimeout(this.#timer);
  }
}

const withoutHash = (url: string) => url.split('#')[0];
