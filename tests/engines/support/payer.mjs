import { placeOrder } from "../../e2e/support/order.mjs";
import { TEXTS } from "../../e2e/support/texts.mjs";
import { servers } from "../../servers.mjs";
import { press, see, sees } from "./controls.mjs";
import { fromPage } from "./requests.mjs";
import { until } from "./until.mjs";

const WORDS = TEXTS.es;

/** A person at an engine who pays. */
export class Payer {
  /** @param {import("./engine.mjs").Engine} engine */
  constructor(engine) {
    this.engine = engine;
  }

  /** Orders something and opens the page where it is paid. */
  async orders() {
    await this.engine.open(servers.shop);
    const order = await placeOrder(/** @type {any} */ ({ request: fromPage(this.engine) }));
    await this.engine.open(new URL(order.path, servers.shop).href);
    return order;
  }

  /** @param {keyof typeof WORDS} word of a button or link */
  async presses(word) {
    await press(this.engine, WORDS[word]);
  }

  /** Waits for a screen. @param {keyof typeof WORDS} screen */
  async sees(screen) {
    await see(this.engine, "h2", WORDS[screen]);
  }

  /** Waits for the code, with its picture. */
  async seesCode() {
    await this.sees("qr");
    await until("the picture of the code", () => this.engine.evaluate(isDrawn));
  }

  async seesQuestion() {
    await see(this.engine, "h3", WORDS.ask);
  }

  async seesNoQuestion() {
    await until("the end of the question", async () => !(await sees(this.engine, "h3", WORDS.ask)));
  }

  async arrivesAtTheLender() {
    await see(this.engine, "h1", "Elige tus cuotas");
  }

  async approvesAtTheLender() {
    await press(this.engine, "Aprobar crédito");
  }

  async paysByQr() {
    await this.presses("qrMethod");
    await this.seesCode();
  }
}

/** Runs in the page. */
function isDrawn() {
  const root = document.querySelector("payment-checkout")?.shadowRoot;
  const image = /** @type {HTMLImageElement | null | undefined} */ (root?.querySelector("[part=qr] img"));
  return Boolean(image?.complete && image.naturalWidth > 0);
}
