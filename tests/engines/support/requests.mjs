// Two ways to ask a server, in the form of Playwright's, so that the end-to-end tests' own classes
// for orders and for the sandbox serve here too.

/** An answer, with the methods of Playwright's that are used. */
class Answer {
  #status;
  #type;
  #body;

  constructor({ status, type, body }) {
    this.#status = status;
    this.#type = type;
    this.#body = body;
  }

  status() {
    return this.#status;
  }

  ok() {
    return this.#status >= 200 && this.#status < 300;
  }

  headers() {
    return { "content-type": this.#type };
  }

  async text() {
    return this.#body;
  }

  async json() {
    return JSON.parse(this.#body);
  }
}

/** Asks by a function that has the arguments of `fetch`. */
class Requests {
  #ask;

  constructor(ask) {
    this.#ask = ask;
  }

  get(path, options) {
    return this.#send("GET", path, options);
  }

  post(path, options) {
    return this.#send("POST", path, options);
  }

  put(path, options) {
    return this.#send("PUT", path, options);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ data?: unknown, headers?: Record<string, string> }} [options]
   */
  async #send(method, path, { data, headers = {} } = {}) {
    const body = data === undefined ? undefined : JSON.stringify(data);
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    return new Answer(await this.#ask(path, { method, body, headers: { ...type, ...headers } }));
  }
}

/** Runs here and in the page. */
async function ask(address, options) {
  const answer = await fetch(address, options);
  return {
    status: answer.status,
    type: answer.headers.get("Content-Type") ?? "",
    body: await answer.text(),
  };
}

/** Asks from here. @param {string} base */
export const fromHere = (base) => new Requests((path, options) => ask(new URL(path, base), options));

/** Asks from the page, with its cookies. @param {import("./engine.mjs").Engine} engine */
export const fromPage = (engine) => new Requests((path, options) => engine.evaluate(ask, path, options));
