// Prints a fresh order that the shop has signed: the command `--order` of a conformance run against our own server.
//
//   PAYMENT_SERVER=http://127.0.0.1:8081/api ORDERS_SECRET=… node tests/conformance/support/order.mjs

import { randomBytes } from "node:crypto";
import { sign } from "../../support/sign-order.mjs";

const HOUR_S = 3_600;
const { PAYMENT_SERVER = "", ORDERS_SECRET = "" } = process.env;
const now = Math.floor(Date.now() / 1000);
const [amount, currency] = ["12990", "PEN"];
const claims = {
  aud: PAYMENT_SERVER,
  iat: now,
  exp: now + HOUR_S,
  order_id: randomBytes(12).toString("hex"),
  amount,
  currency,
};
console.log(JSON.stringify({ request: { order: sign(claims, ORDERS_SECRET) }, amount, currency }));
