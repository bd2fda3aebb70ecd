// The second factor of a member of staff: their account, the operator's command, and the app on their phone.

import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { servers } from "../../servers.mjs";

const STEP_SECONDS = 30;
const ENROLMENT_CODE_CHARS = 20;
const run = promisify(execFile);
let hired = 0;

/**
 * Hires somebody with the password of all test accounts, since a second factor would stay with a shared account.
 * @param {string} rights what else the account has
 * @returns {string} the name of the new account
 */
export function hire(rights = 'permissions = ["cancel", "refund"]') {
  const file = servers.settings.STAFF_FILE;
  const hash = /^password_hash = .*$/m.exec(readFileSync(file, "utf8"))?.[0];
  hired += 1;
  const name = `eva-${process.pid}-${hired}`;
  appendFileSync(file, `\n[[account]]\nname = "${name}"\n${hash}\n${rights}\n`);
  return name;
}

/**
 * What the operator's command prints for an account.
 * @param {string} name
 */
export async function enrolmentCode(name) {
  const { stdout } = await run(servers.program, ["second-factor", name], { env: servers.settings });
  const words = stdout.split(/\s+/);
  const code = words.find((word) => word.replaceAll("-", "").length === ENROLMENT_CODE_CHARS);
  if (!code) throw new Error("the command printed no enrolment code");
  return code;
}

/** @param {string} text in base32 */
function bytes(text) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** An authenticator app, which never shows a code twice. */
export class App {
  #key;
  #step = 0;

  /** @param {string} uri of the kind `otpauth:`, as the QR code has it */
  constructor(uri) {
    this.#key = bytes(new URL(uri).searchParams.get("secret") ?? "");
  }

  /** The next code; the one after the present one where that was taken already, which the server accepts too. */
  async code() {
    const present = () => Math.floor(Date.now() / 1000 / STEP_SECONDS);
    this.#step = Math.max(this.#step + 1, present());
    while (this.#step > present() + 1) await new Promise((resolve) => setTimeout(resolve, 500));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(this.#step));
    const hash = createHmac("sha1", this.#key).update(counter).digest();
    const number = hash.readUInt32BE(hash[hash.length - 1] & 15) & 0x7fffffff;
    return String(number % 1_000_000).padStart(6, "0");
  }
}
