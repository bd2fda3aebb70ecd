import { placeOrder } from "../../e2e/support/order.mjs";
import { TEXTS } from "../../e2e/support/texts.mjs";
import { servers } from "../../servers.mjs";
import { press, see, sees } from "./controls.mjs";
import { fromPage } from "./requests.mjs";
import { until } from "./until.mjs";

/** A person at an engine who pays. */
export class Payer {
  /**
   * @param {import("./engine.mjs").Engine} engine
   * @param {"es" | "en"} language of the shop's pages
   */
  constructor(engine, language = "es") {
    this.engine = engine;
    this.language = language;
    this.words = /** @type {typeof TEXTS.es} */ (TEXTS[language]);
  }

  /** Orders something and opens the page where it is paid. */
  async orders() {
    await this.engine.open(servers.shop);
    const order = await placeOrder(/** @type {any} */ ({ request: fromPage(this.engine) }));
    const address = new URL(order.path, servers.shop);
    if (this.language !== "es") address.searchParams.set("lang", this.language);
    await this.engine.open(address.href);
    return order;
  }

  /** @param {keyof typeof TEXTS.es} word of a button or link */
  async presses(word) {
    await press(this.engine, this.words[word]);
  }

  /** Waits for a screen. @param {keyof typeof TEXTS.es} screen */
  async sees(screen) {
    await see(this.engine, "h2", this.words[screen]);
  }

  /** Waits for the code, with its picture. */
  async seesCode() {
    await this.sees("qr");
    await until("the picture of the code", () => this.engine.evaluate(isDrawn));
  }

  async seesQuestion() {
    await see(this.engine, "h3", this.words.ask);
  }

  async seesNoQuestion() {
    await until("the end of the question", async () => !(await sees(this.engine, "h3", this.words.ask)));
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
