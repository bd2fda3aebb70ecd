import { createHmac } from "node:crypto";

/**
 * A signed order: a JWS in compact form (HS256).
 * @param {object} claims
 * @param {string} secret
 */
export function sign(claims, secret) {
  const part = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "HS256" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
