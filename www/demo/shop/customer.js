import { find } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./order.js").Customer} Customer */

/** @type {Record<keyof Customer, import("./texts.js").TextKey>} */
const MISSING = {
  first_name: "missingFirstName",
  last_name: "missingLastName",
  email: "missingEmail",
};

const NAMES = /** @type {(keyof Customer)[]} */ (Object.keys(MISSING));

/** The form for the buyer's name and address. The shop's page stores none of it. */
export class CustomerForm {
  #form = /** @type {HTMLFormElement} */ (find("customer"));

  constructor() {
    for (const name of NAMES) {
      // The form checks a field with a mistake again while the person corrects it.
      this.#input(name).addEventListener("input", () => {
        if (this.#input(name).getAttribute("aria-invalid") === "true") {
          this.#mark(name, this.#fault(name));
        }
      });
    }
  }

  /** @param {() => void} act */
  onSubmit(act) {
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      act();
    });
  }

  /**
   * Returns the customer, or `null` after showing the missing fields.
   *
   * @returns {Customer | null}
   */
  read() {
    for (const name of NAMES) {
      this.#mark(name, this.#fault(name));
    }
    const wrong = NAMES.find((name) => this.#fault(name) !== "");
    if (wrong !== undefined) {
      this.#input(wrong).focus();
      return null;
    }
    return {
      first_name: this.#value("first_name"),
      last_name: this.#value("last_name"),
      email: this.#value("email"),
    };
  }

  /**
   * Marks the field that the server found wrong.
   *
   * @param {string} field as the server names it, such as `customer.email`
   * @returns {boolean} whether the form has that field
   */
  blame(field) {
    const name = NAMES.find((known) => field === known || field.endsWith(`.${known}`));
    if (name === undefined) {
      return false;
    }
    this.#mark(name, text(name === "email" ? "wrongEmail" : MISSING[name]));
    this.#input(name).focus();
    return true;
  }

  /** @param {keyof Customer} name */
  #fault(name) {
    if (this.#value(name) === "") {
      return text(MISSING[name]);
    }
    return name === "email" && this.#input(name).validity.typeMismatch ? text("wrongEmail") : "";
  }

  /**
   * @param {keyof Customer} name
   * @param {string} sentence
   */
  #mark(name, sentence) {
    const input = this.#input(name);
    input.toggleAttribute("aria-invalid", false);
    if (sentence !== "") {
      input.setAttribute("aria-invalid", "true");
    }
    find(`${input.id}-error`).textContent = sentence;
  }

  /** @param {keyof Customer} name */
  #value(name) {
    return this.#input(name).value.trim();
  }

  /**
   * @param {keyof Customer} name
   * @returns {HTMLInputElement}
   */
  #input(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }
}
