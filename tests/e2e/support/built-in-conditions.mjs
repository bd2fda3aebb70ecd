// Built-ins of the language, clocks and timers that are not the browser's own.

/** @typedef {import("./conditions.mjs").Condition} Condition */

/** @type {Record<string, Condition>} */
export const BUILT_IN = {
  "an `Array.prototype.entries` that returns the elements": {
    before: () => {
      Object.defineProperty(Array.prototype, "entries", {
        value() {
          return [...this];
        },
      });
    },
    stories: ["presses", "pays", "reloads"],
  },
  "a `Date.now` that throws after the code is there": {
    after: () => {
      Date.now = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "cancels", "reconnects"],
    says: /a browser function, perhaps replaced by the page, failed/,
  },
  "a `Date.parse` that throws": {
    before: () => {
      Date.parse = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "reconnects", "reloads"],
  },
  "a `performance.now` that throws": {
    before: () => {
      performance.now = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "presses", "reconnects"],
  },
  "a `performance` without measures": {
    before: () => {
      performance.measure = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "presses"],
  },
  "a `queueMicrotask` that throws": {
    before: () => {
      globalThis.queueMicrotask = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "presses", "cancels"],
  },
  "a `setTimeout` that throws after the code is there": {
    after: () => {
      globalThis.setTimeout = /** @type {any} */ (
        () => {
          throw new Error("the page broke this");
        }
      );
    },
    stories: ["pays", "copies", "cancels"],
  },
  "timers that never fire after the code is there": {
    after: () => {
      globalThis.setTimeout = /** @type {any} */ (() => 1);
    },
    stories: ["pays", "cancels"],
  },
  "an `Intl` without formats": {
    before: () => {
      Object.assign(Intl, { NumberFormat: undefined, DateTimeFormat: undefined, PluralRules: undefined });
    },
    stories: ["pays", "reloads", "borrows"],
  },
  "a `JSON.parse` that makes dates of texts": {
    before: () => {
      const { parse } = JSON;
      JSON.parse = (text, reviver) =>
        parse(text, (key, value) => {
          const read = reviver ? reviver(key, value) : value;
          return typeof read === "string" && /^\d{4}-\d\d-\d\dT/.test(read) ? new Date(read) : read;
        });
    },
    stories: ["pays", "reloads", "borrows"],
  },
  "a `Promise` of the page's own": {
    before: () => {
      /** @type {any} */
      const Native = globalThis.Promise;
      Object.assign(globalThis, { Promise: class extends Native {} });
    },
    stories: ["pays", "cancels", "copies"],
  },
  "a browser that cannot make unguessable numbers": {
    before: () => {
      Crypto.prototype.getRandomValues = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "reloads", "cancels"],
  },
  "arrays that write themselves as texts, as an old library has it": {
    before: () => {
      Object.defineProperty(Array.prototype, "toJSON", {
        value() {
          return `[${[...this].map((item) => JSON.stringify(item)).join(", ")}]`;
        },
      });
    },
    stories: ["pays", "reloads", "borrows"],
    unheard: true,
  },
  "objects with a member of the page's own": {
    before: () => {
      Object.assign(Object.prototype, { traced: () => true });
    },
    stories: ["pays", "reloads", "copies"],
  },
  "lists with a member of the page's own": {
    before: () => {
      Object.assign(Array.prototype, { last: () => true });
    },
    stories: ["pays", "presses", "saves"],
  },
  "an `Array.from` of an old library, which takes no iterators": {
    before: () => {
      Array.from = (/** @type {any} */ item) => (Array.isArray(item) ? item : [item]);
    },
    stories: ["pays", "reloads"],
  },
  "an `Object.assign` that throws": {
    before: () => {
      Object.assign = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "presses"],
  },
  "a clock that a test of the shop has stopped": {
    before: () => {
      const at = Date.now();
      Date.now = () => at;
    },
    stories: ["pays", "cancels", "reconnects"],
  },
  "a `requestAnimationFrame` that never fires": {
    before: () => {
      globalThis.requestAnimationFrame = () => 1;
    },
    stories: ["pays", "presses"],
  },
};
