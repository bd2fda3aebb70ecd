import { createHmac, randomUUID } from "node:crypto";
import { servers } from "../servers.mjs";

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

/**
 * An order as a shop of any language signs it now.
 *
 * @param {string} [order_id]
 * @param {number} [amount] in cents
 * @param {number} [life] for how many seconds the token is good
 * @param {object} [more] other claims
 */
export function signed(order_id = `S-${randomUUID()}`, amount = 12990, life = 600, more = {}) {
  const iat = Math.floor(Date.now() / 1000) - 5;
  const claims = {
    ...{ aud: `${servers.backend}/api`, iat, exp: iat + life, jti: randomUUID() },
    ...{ order_id, amount, currency: "PEN", payer: { first_name: "José", last_name: "Ñahui" } },
    ...more,
  };
  return sign(claims, servers.orders_secret);
}
