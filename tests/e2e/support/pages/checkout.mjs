import { expect } from "@playwright/test";
import { decode } from "../qr-image.mjs";
import { TEXTS } from "../texts.mjs";

/** @import { Locator, Page } from "@playwright/test" */
/** @import { HeardEvent } from "../invariants.mjs" */
/** @import { Order } from "../order.mjs" */
/** @typedef {typeof TEXTS.es} Words */
/** @typedef {keyof Words} Word */

/** The element `<payment-checkout>` as a payer meets it. */
export class Checkout {
  #heard;

  /**
   * @param {Page} page
   * @param {HeardEvent[]} heard
   * @param {keyof typeof TEXTS} locale
   */
  constructor(page, heard, locale = "es", element = page.locator("payment-checkout")) {
    this.page = page;
    this.element = element;
    /** Tests in another language look for few of the words. */
    this.words = /** @type {Words} */ (TEXTS[locale]);
    this.#heard = heard;
    const { words } = this;
    this.qrButton = element.getByRole("button", { name: words.qrMethod });
    this.installmentButton = element.getByRole("button", { name: words.installmentMethod });
    this.image = element.getByRole("img", { name: words.qrImage });
    this.cashButton = element.getByRole("button", { name: words.cashMethod });
    this.transferButton = element.getByRole("button", { name: words.transferMethod });
    this.helpLink = element.getByRole("link", { name: words.cashHelp });
    this.tile = element.locator("[part=qr]");
    this.saveLink = element.getByRole("link", { name: words.save, exact: true });
    this.receipt = element.locator("[part=receipt]");
    this.receiptLink = element.getByRole("link", { name: words.saveReceipt });
    // As it is seen; a screen reader finds minutes and seconds.
    this.timer = element.getByRole("timer").locator("[aria-hidden]");
    this.status = element.getByRole("status");
    this.continueLink = element.getByRole("link", { name: words.continueLink });
    this.question = element.getByRole("alertdialog", { name: words.ask });
    /** What the focus is on while the question opens: the group of its two sentences. */
    this.warning = this.question.getByRole("group");
    this.amount = element.locator("[part=amount]");
  }

  /**
   * The same in another language.
   * @param {keyof typeof TEXTS} locale
   */
  in(locale) {
    return new Checkout(this.page, this.#heard, locale, this.element);
  }

  /**
   * One of several elements on the page.
   * @param {Locator} element
   */
  at(element) {
    return new Checkout(this.page, this.#heard, "es", element);
  }

  /**
   * Sets attributes of the element, as a page does; `null` removes one.
   * @param {Record<string, string | null>} attributes
   */
  async set(attributes) {
    await this.element.evaluate((element, attributes) => {
      for (const [name, value] of Object.entries(attributes)) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    }, attributes);
  }

  /**
   * The heading of a screen.
   * @param {Word} screen
   */
  heading(screen) {
    return this.element.getByRole("heading", { name: this.words[screen], level: 2 });
  }

  /** @param {Word} word */
  button(word) {
    return this.element.getByRole("button", { name: this.words[word], exact: true });
  }

  /** @param {Word} word */
  text(word) {
    return this.element.getByText(this.words[word]).first();
  }

  /**
   * The value of a fact in a list of them.
   * @param {string} name
   */
  fact(name) {
    return this.element.getByRole("term").filter({ hasText: new RegExp(`^${name}$`) }).locator("+ dd");
  }

  /** @param {Word} screen */
  async shows(screen) {
    await expect(this.heading(screen)).toBeVisible();
  }

  /** Waits until the wasm answers presses; the choice of methods stands before that. */
  async works() {
    const state = () => this.element.first().evaluate((element) => Reflect.get(element, "state"));
    await expect.poll(state).not.toBe("loading");
  }

  async payByQr() {
    await this.qrButton.click();
    await this.showsQr();
  }

  async payByInstallments() {
    await this.installmentButton.click();
  }

  async payInCash() {
    await this.cashButton.click();
    await this.shows("cash");
  }

  async payByTransfer() {
    await this.transferButton.click();
  }

  async showsQr() {
    await expect(this.image).toBeVisible();
    await this.shows("qr");
  }

  async cancel() {
    await this.button("cancel").click();
    await expect(this.question).toBeVisible();
    await this.button("confirm").click();
  }

  /** Leaves what waits for another method. */
  async leaveForAnotherWay() {
    await this.button("another").click();
    await expect(this.element.getByRole("alertdialog", { name: this.words.askAnother })).toBeVisible();
    await this.button("confirmAnother").click();
  }

  /** The code's picture. */
  async picture() {
    return this.image.getAttribute("src");
  }

  /** Reads the code off the screen, as a camera does. */
  async scan() {
    await this.image.scrollIntoViewIfNeeded();
    return String(decode(await this.image.screenshot()));
  }

  /** How many seconds the countdown leaves. */
  async secondsLeft() {
    const [, minutes, seconds] = (await this.timer.textContent())?.match(this.words.left) ?? [];
    return Number(minutes) * 60 + Number(seconds);
  }

  /**
   * The events that the element sent to the page, on every document of this tab.
   * @param {string} type
   * @param {Order} [order]
   */
  heard(type, order) {
    return this.#heard.filter(
      (event) => event.type === type && (order === undefined || event.order === order.id),
    );
  }

  /**
   * The only event of this type that was told.
   * @param {string} type
   * @param {Order} [order]
   */
  heardOnce(type, order) {
    const events = this.heard(type, order);
    expect(events, type).toHaveLength(1);
    return events[0].detail;
  }
}
