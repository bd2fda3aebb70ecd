// Prints a fresh order that the shop has signed, as docs/conformance.md prints this file.
import { createHmac, randomUUID } from "node:crypto";

const { PUBLIC_URL, ORDERS_SECRET } = process.env;
const now = Math.floor(Date.now() / 1000);
const [amount = "12990", currency = "PEN"] = process.argv.slice(2);
const claims = { aud: PUBLIC_URL, iat: now, exp: now + 3600, order_id: randomUUID(), amount, currency };
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const text = `${base64url({ alg: "HS256" })}.${base64url(claims)}`;
const signature = createHmac("sha256", ORDERS_SECRET).update(text).digest("base64url");
console.log(JSON.stringify({ request: { order: `${text}.${signature}` }, amount, currency }));
