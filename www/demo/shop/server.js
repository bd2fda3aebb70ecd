import { text } from "./texts.js";

/** An answer of the shop's server with an error, or no answer at all. */
export class Problem extends Error {
  /**
   * @param {number} status the HTTP status; 0 when there was no answer
   * @param {{ title?: unknown, detail?: unknown, field?: unknown }} [body] what RFC 9457 has
   *   servers say; it speaks to developers, so payers read the sentence below instead
   */
  constructor(status, body = {}) {
    super(String(body.detail ?? body.title ?? `HTTP status ${status}`));
    this.status = status;
    /** The field of the request that is wrong, when the server named one. */
    this.field = typeof body.field === "string" ? body.field : null;
  }

  /** The sentence for the payer. */
  get sentence() {
    if (this.status === 0) {
      return text("offline");
    }
    return this.status >= 500 || this.status === 429 ? text("serverTrouble") : text("refused");
  }
}

/** @param {string} path */
export function get(path) {
  return send(path, { method: "GET" });
}

/**
 * @param {string} path
 * @param {unknown} body
 */
export function post(path, body) {
  return send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/**
 * @param {string} path
 * @param {RequestInit} request
 * @returns {Promise<any>} what the answer's JSON says
 * @throws {Problem}
 */
async function send(path, request) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), 15_000);
  let answer;
  let body;
  try {
    answer = await fetch(path, { ...request, cache: "no-store", signal: limit.signal });
    body = await answer.json().catch(() => null);
  } catch {
    throw new Problem(0);
  } finally {
    clearTimeout(timer);
  }
  if (!answer.ok || body === null) {
    throw new Problem(answer.ok ? 502 : answer.status, body ?? {});
  }
  return body;
}
