// A program of a test: started on a free port, awaited, and stopped with the test.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { until } from "../../engines/support/until.mjs";

/**
 * A free port of the loopback address, below the system's ephemeral ports: an outgoing connection could take one of those before
 * the program listens.
 */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(() => true, () => false);
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

export class Program {
  #child;
  #ended;
  #isGroup;

  /**
   * @param {string} log the file that takes what it prints
   * @param {string[]} command
   * @param {Record<string, string>} env all of its environment but for the path to programs
   * @param {boolean} isGroup it starts processes of its own, and does not end them with itself
   */
  constructor(log, [file, ...words], env, cwd = ".", isGroup = false) {
    const output = openSync(log, "w");
    this.log = log;
    this.#isGroup = isGroup;
    this.#child = spawn(file, words, {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", output, output],
      detached: isGroup,
    });
    closeSync(output);
    this.#ended = once(this.#child, "exit");
  }

  /** Waits until the address answers, whatever it answers. */
  async answers(address) {
    await until(`${address} to answer; its log is ${this.log}`, async () => {
      if (this.hasEnded) return true;
      await fetch(address, { redirect: "manual" });
      return true;
    });
    if (this.hasEnded) throw new Error(`it ended by itself; its log is ${this.log}`);
  }

  get hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async stop() {
    if (this.#isGroup && !this.hasEnded) process.kill(-this.#child.pid);
    else this.#child.kill();
    await this.#ended;
  }
}
