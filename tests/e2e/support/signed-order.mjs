import { randomUUID } from "node:crypto";
import { servers } from "../../servers.mjs";
import { sign } from "../../support/sign-order.mjs";

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
