// Pages and browsers of other people: what each does to the world that the element takes for the browser's own.

import { BUILT_IN } from "./built-in-conditions.mjs";
import { DRAWN } from "./drawn-conditions.mjs";

/**
 * @typedef {import("@playwright/test").Page} Page
 * @typedef {"pays" | "reconnects" | "copies" | "cancels" | "saves" | "reloads" | "borrows" | "presses"} Story
 *
 * @typedef {object} Condition
 * @property {() => void} [before] runs in each document, before its first script
 * @property {() => void} [after] runs in the page once the code is on the screen
 * @property {(page: Page) => Promise<unknown>} [serve] changes what servers answer
 * @property {Story[]} stories what this condition touches; the first one is played in every landing
 * @property {boolean} [unheard] true where the events of the element cannot be told to the test
 * @property {RegExp} [says] what the developer reads in the console
 * @property {boolean} [quick] true for those of every run
 */

/** @type {Record<string, Condition>} */
export const CONDITIONS = {
  ...DRAWN,
  ...BUILT_IN,
  "a wrapped `fetch` that is fulfilled with nothing where a request fails": {
    before: () => {
      const { fetch } = globalThis;
      globalThis.fetch = (/** @type {any} */ ...given) => Reflect.apply(fetch, globalThis, given).catch(() => /** @type {any} */ (undefined));
    },
    stories: ["reconnects", "pays", "cancels"],
    quick: true,
  },
  "a wrapped `fetch` that throws at every third request": {
    before: () => {
      const { fetch } = globalThis;
      let count = 0;
      globalThis.fetch = (/** @type {any} */ ...given) => {
        if (given[0] instanceof Request) count += 1;
        if (count % 3 === 2) throw new Error("the monitor broke");
        return Reflect.apply(fetch, globalThis, given);
      };
    },
    stories: ["pays", "reloads", "reconnects"],
  },
  "a wrapped `fetch` that answers with objects of its own": {
    before: () => {
      const { fetch } = globalThis;
      globalThis.fetch = async (/** @type {any} */ ...given) => {
        const answer = await Reflect.apply(fetch, globalThis, given);
        const { ok, status, url, headers } = answer;
        const own = {
          ok,
          status,
          url,
          headers: { get: (/** @type {string} */ name) => headers.get(name) },
          text: () => answer.text(),
          json: () => answer.json(),
          arrayBuffer: () => answer.arrayBuffer(),
          clone: () => own,
        };
        return /** @type {any} */ (own);
      };
    },
    stories: ["pays", "copies", "reconnects", "cancels"],
  },
  "a wrapped `fetch` that returns something with a `then` only": {
    before: () => {
      const { fetch } = globalThis;
      globalThis.fetch = (/** @type {any} */ ...given) => {
        const promise = Reflect.apply(fetch, globalThis, given);
        return /** @type {any} */ (new Proxy({}, { get: (_, name) => (name === "then" ? promise.then.bind(promise) : undefined) }));
      };
    },
    stories: ["pays", "cancels", "borrows"],
  },
  "a `Response` of the page's own": {
    before: () => {
      globalThis.Response = /** @type {any} */ (function Response() {});
    },
    stories: ["pays", "reloads", "cancels", "presses"],
    quick: true,
  },
  "a `Request` that adds to each request": {
    before: () => {
      const { Request } = globalThis;
      globalThis.Request = class extends Request {
        trace = "on";
      };
    },
    stories: ["pays", "cancels", "reconnects"],
  },
  "a `Response` whose status cannot be read any more": {
    after: () => {
      const status = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Response.prototype, "status"));
      let broken = 3;
      Object.defineProperty(Response.prototype, "status", {
        get() {
          broken -= 1;
          if (broken >= 0) throw new TypeError("the page broke this");
          return status.get?.call(this);
        },
      });
    },
    stories: ["pays", "reconnects"],
  },
  "a `Headers` that is no constructor after the code is there, for a while": {
    after: () => {
      const { Headers } = globalThis;
      let broken = 2;
      globalThis.Headers = class extends Headers {
        constructor(/** @type {HeadersInit | undefined} */ init) {
          broken -= 1;
          if (broken >= 0) throw new TypeError("the page broke this");
          super(init);
        }
      };
    },
    stories: ["pays", "cancels"],
  },
  "a clipboard of an app that copies and returns nothing": {
    before: () => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: () => undefined } });
    },
    stories: ["copies", "pays"],
    quick: true,
  },
  "a clipboard that throws": {
    before: () => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText() {
            throw new Error("not here");
          },
        },
      });
    },
    stories: ["copies", "cancels"],
  },
  "a clipboard that never answers": {
    before: () => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: () => new Promise(() => {}) } });
    },
    stories: ["copies", "pays"],
  },
  "a clipboard without functions": {
    before: () => {
      Object.defineProperty(navigator, "clipboard", { value: {} });
    },
    stories: ["copies"],
  },
  "a clipboard that cannot be asked for": {
    before: () => {
      Object.defineProperty(navigator, "clipboard", {
        get() {
          throw new Error("not here");
        },
      });
    },
    stories: ["copies"],
  },
  "an `addEventListener` of the window that throws": {
    before: () => {
      const { addEventListener } = globalThis;
      globalThis.addEventListener = (/** @type {any} */ ...given) => {
        if (["focus", "online", "offline"].includes(given[0])) throw new Error("the page broke this");
        Reflect.apply(addEventListener, globalThis, given);
      };
    },
    stories: ["pays", "presses", "copies"],
  },
  "a session storage that is refused": {
    before: () => {
      Object.defineProperty(globalThis, "sessionStorage", {
        get() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    },
    stories: ["pays", "copies", "cancels", "borrows"],
  },
  "a session storage that is full": {
    before: () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
    stories: ["pays", "cancels", "borrows"],
  },
  "a stop where the session storage is refused": {
    before: () => {
      Object.defineProperty(globalThis, "sessionStorage", { value: null });
    },
    after: DRAWN["one `insertBefore` that throws"].after,
    stories: ["pays"],
    says: /payment-checkout: stopped/,
  },
  "a `scrollIntoView` and a `focus` that throw": {
    after: () => {
      Element.prototype.scrollIntoView = HTMLElement.prototype.focus = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "cancels"],
  },
  "a `MutationObserver` that throws": {
    before: () => {
      globalThis.MutationObserver.prototype.observe = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "presses", "reloads"],
  },
  "no `ResizeObserver`": {
    before: () => {
      Reflect.deleteProperty(globalThis, "ResizeObserver");
    },
    stories: ["pays", "reloads"],
  },
  "a `URLSearchParams` of the page's own": {
    before: () => {
      const { URLSearchParams } = globalThis;
      globalThis.URLSearchParams = class extends URLSearchParams {
        traced = true;
      };
    },
    stories: ["pays", "reloads", "borrows"],
  },
  "a `console` that throws": {
    before: () => {
      for (const name of /** @type {const} */ (["log", "info", "warn", "error"])) {
        console[name] = () => {
          throw new Error("the page broke this");
        };
      }
    },
    stories: ["pays", "reconnects", "copies"],
  },
  "a `createElement` that is wrapped": {
    before: () => {
      const { createElement } = Document.prototype;
      Document.prototype.createElement = function (/** @type {any} */ ...given) {
        const made = Reflect.apply(createElement, this, given);
        return Object.assign(made, { traced: true });
      };
    },
    stories: ["pays", "saves", "presses"],
  },
  "a `history` that cannot be changed": {
    before: () => {
      History.prototype.replaceState = () => {
        throw new DOMException("too many calls", "SecurityError");
      };
    },
    stories: ["borrows", "pays"],
  },
  "a listener of the page that throws at every event of the element": {
    before: () => {
      for (const name of ["ready", "pending", "status", "result", "error", "state"]) {
        document.addEventListener(`checkout-${name}`, () => {
          throw new Error("the shop broke this");
        });
      }
    },
    stories: ["pays", "cancels", "borrows"],
  },
  "a policy that requires trusted types": {
    serve: (page) =>
      page.route(/\?order=/, async (route) => {
        const response = await route.fetch();
        const headers = response.headers();
        headers["content-security-policy"] += "; require-trusted-types-for 'script'";
        await route.fulfill({ response, headers });
      }),
    stories: ["pays", "saves", "reloads"],
  },
  "a style that cannot be asked for": {
    before: () => {
      globalThis.getComputedStyle = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "saves"],
  },
  "a wake lock that throws": {
    before: () => {
      Object.defineProperty(navigator, "wakeLock", {
        get() {
          throw new Error("not here");
        },
      });
    },
    stories: ["pays", "cancels"],
  },
  "a share that never ends": {
    before: () => {
      Object.assign(navigator, { canShare: () => true, share: () => new Promise(() => {}) });
    },
    stories: ["pays", "saves"],
  },
  "a `customElements.define` that is wrapped": {
    before: () => {
      const { define } = CustomElementRegistry.prototype;
      CustomElementRegistry.prototype.define = function (name, Class, options) {
        Reflect.apply(define, this, [name, class extends Class {}, options]);
      };
    },
    stories: ["pays", "reloads"],
  },
  "a `querySelector` of the document that throws after the code is there": {
    after: () => {
      Document.prototype.querySelector = () => {
        throw new Error("the page broke this");
      };
    },
    stories: ["pays", "cancels"],
  },
};
