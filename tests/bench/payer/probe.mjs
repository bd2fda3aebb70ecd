// What a page shows and when, and its long tasks: those of 50 ms or more, which the browser tells.

/**
 * @typedef {object} Marks milliseconds since the start of the navigation
 * @property {number} [shown] the button can be seen
 * @property {number} [ready] `checkout-ready`
 * @property {number} [pressed]
 * @property {number} [answered] the screen after the press can be seen
 * @property {number} [qr] the picture can be seen
 * @property {{start: number, duration: number}[]} tasks the long ones
 */

/**
 * Runs in the page, before its own scripts: presses and looks, so that no time of the protocol is in the figures. It knows the
 * element by its public parts alone: tag, events, open shadow root, the words of buttons and pictures.
 * @param {{later: number | null}} plan how long after being ready the button is pressed; `null` is at once when it is seen
 */
export function probe({ later }) {
  /** @type {Marks} */
  const marks = { tasks: [] };
  Object.assign(window, { bench: marks });
  const now = () => performance.now();
  const nextFrame = (/** @type {() => void} */ then) => requestAnimationFrame(then);
  const afterThisFrame = (/** @type {() => void} */ then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  };

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) marks.tasks.push({ start: startTime, duration });
  }).observe({ type: "longtask", buffered: true });

  const root = () => document.querySelector("payment-checkout")?.shadowRoot ?? document.querySelector("#checkout");
  const visible = (/** @type {HTMLElement} */ part) => part.checkVisibility() && part.getBoundingClientRect().height > 0;
  const button = () => {
    const all = /** @type {HTMLButtonElement[]} */ ([...(root()?.querySelectorAll("button") ?? [])]);
    return all.find((button) => button.textContent.includes("QR") && visible(button));
  };
  const picture = () => {
    const all = [...(root()?.querySelectorAll("img") ?? [])];
    return all.find((picture) => picture.alt.includes("QR") && visible(picture));
  };

  /** A button that is drawn and cannot be pressed yet is tried again at each frame. */
  function press() {
    const found = button();
    if (!found || found.disabled || found.ariaDisabled === "true") return nextFrame(press);
    marks.pressed = now();
    found.click();
    lookForAnswer();
  }

  // Older elements have the property and no event about it.
  function lookForAnswer() {
    const { state } = /** @type {any} */ (document.querySelector("payment-checkout, #checkout"));
    if (state === "loading" || state === "choosing") return nextFrame(lookForAnswer);
    nextFrame(() => (marks.answered = now()));
  }

  addEventListener("checkout-ready", () => {
    marks.ready ??= now();
    if (later !== null) setTimeout(press, later);
  }, { once: true });
  // A node that is there at a frame is painted at its end. What the page plans for afterwards delays the next frame, and not
  // the paint.
  (function lookForButton() {
    if (!button()) return nextFrame(lookForButton);
    afterThisFrame(() => (marks.shown = now()));
    nextFrame(() => {
      if (later === null) press();
      lookForPicture();
    });
  })();
  function lookForPicture() {
    const found = picture();
    if (!found) return nextFrame(lookForPicture);
    // A picture that cannot be decoded is an error of the page, which the visit sees.
    found.decode().then(() => nextFrame(() => (marks.qr = now())));
  }
}

/** A task that is shorter blocks no press. */
const SHORT = 50;

/** The time for which long tasks blocked presses before the page was ready. @param {Marks} marks */
export function blockedBefore({ tasks, ready }) {
  const before = tasks.filter(({ start }) => start < ready);
  return before.reduce((sum, { duration }) => sum + duration - SHORT, 0);
}

/** The longest task that began later; 0 if none was long. @param {Marks} marks */
export function longestAfter({ tasks, ready }) {
  return Math.max(0, ...tasks.filter(({ start }) => start >= ready).map(({ duration }) => duration));
}
