// The few commands of the W3C's WebDriver that the tests use. A client from npm would bring a hundred
// packages for other browsers' drivers, and its present versions want a newer Node than the chores.

import { spawn } from "node:child_process";
import { freePort } from "../../shops/support/program.mjs";
import { until } from "./until.mjs";

/** A driver, with one session of one browser. */
export class WebDriver {
  #process;
  #address;
  #session = "";

  constructor(process, address) {
    this.#process = process;
    this.#address = address;
  }

  /**
   * @param {string} program the driver
   * @param {Record<string, string>} environment
   * @param {object} capabilities
   */
  static async start(program, environment, capabilities) {
    const port = await freePort();
    const child = spawn(program, [`--port=${port}`], {
      env: { ...process.env, ...environment },
      stdio: "ignore",
    });
    const driver = new WebDriver(child, `http://127.0.0.1:${port}`);
    try {
      await until("the driver", () => driver.#send("GET", "/status"));
      const { sessionId } = await driver.#send("POST", "/session", {
        capabilities: { alwaysMatch: capabilities },
      });
      driver.#session = sessionId;
      return driver;
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  /** A command about the session. @param {"GET" | "POST"} method @param {string} path @param {object} [body] */
  async command(method, path, body) {
    return this.#send(method, `/session/${this.#session}${path}`, body);
  }

  async stop() {
    try {
      await this.#send("DELETE", `/session/${this.#session}`);
    } finally {
      this.#process.kill();
    }
  }

  async #send(method, path, body) {
    const answer = await fetch(this.#address + path, {
      method,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }
}
