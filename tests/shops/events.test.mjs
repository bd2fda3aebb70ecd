// The events that the shops of `examples/shops` take, and those that they refuse.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { until } from "../engines/support/until.mjs";
import { LANGUAGES, PRICE, Shop } from "./support/shop.mjs";

/** No shop asks the server for anything. */
const SERVER = "http://127.0.0.1:9/api";

/**
 * An event as the server words it.
 * @param {URL} url
 * @param {{ type?: string, [member: string]: unknown }} [changed] members of `data`, or the type
 */
const paid = (url, { type = "order.paid", ...changed } = {}) => {
  const timestamp = new Date().toISOString();
  const data = {
    id: `evt_${randomBytes(8).toString("hex")}`,
    created_at: timestamp,
    order_id: url.searchParams.get("order"),
    order_state: "paid",
    merchant_code: "shop-merchant",
    merchant_operation_number: "1",
    transaction_id: "1",
    amount: PRICE,
    currency: "PEN",
    ...changed,
  };
  return { type, timestamp, data };
};

for (const language of LANGUAGES) {
  describe(language, () => {
    /** @type {Shop} */
    let shop;

    before(async () => {
      shop = await Shop.prepare(language);
      await shop.start(SERVER).answers(shop.address);
    });
    after(() => shop.stop());

    test("only a genuine event makes an order paid", async () => {
      const url = await shop.buy();
      const event = paid(url);
      const cheaper = JSON.stringify({ ...event, data: { ...event.data, amount: "1" } });
      const header = (name, value) => ({ headers: () => ({ [name]: value }) });
      for (const [what, changed] of Object.entries({
        "another signature": header(
          "webhook-signature",
          `v1,${randomBytes(32).toString("base64")}`,
        ),
        "no version": {
          headers: (all) => ({ "webhook-signature": all["webhook-signature"].slice(3) }),
        },
        "an empty signature": header("webhook-signature", ""),
        "another id": header("webhook-id", "evt_other"),
        "another time": {
          headers: (all) => ({ "webhook-timestamp": String(Number(all["webhook-timestamp"]) + 1) }),
        },
        "another body": { body: cheaper },
        "an empty body": { body: "" },
        "an old time": { seconds: -301 },
        "a time to come": { seconds: 330 },
      })) {
        assert.equal(await shop.deliver(event, changed), 401, what);
      }
      const unsigned = await fetch(`${shop.address}/events`, {
        method: "POST",
        body: JSON.stringify(event),
      });
      assert.equal(unsigned.status, 401);
      assert.equal(await shop.isPaid(url), false);
    });

    test("a genuine event about another amount or order is none of this order", async () => {
      const url = await shop.buy();
      for (const changed of [
        { amount: "12989" },
        { amount: "129900" },
        { currency: "USD" },
        { amount: "1", type: "order.paid_late" },
      ]) {
        assert.equal(await shop.deliver(paid(url, changed)), 422, JSON.stringify(changed));
      }
      for (const order_id of ["0".repeat(32), "../orders", "", 7, null, ["x"]]) {
        assert.equal(await shop.deliver(paid(url, { order_id })), 404, JSON.stringify(order_id));
      }
      for (const type of ["order.paid_twice", "refund.resolved", "order.of_tomorrow"]) {
        assert.equal(await shop.deliver(paid(url, { type })), 204, type);
      }
      assert.equal(await shop.isPaid(url), false);
    });

    test("an event that comes again does nothing again", async () => {
      const url = await shop.buy();
      const first = paid(url, { type: "order.paid_late" });
      assert.equal(await shop.deliver(first), 204);
      assert.equal(await shop.isPaid(url), true);
      assert.equal(await shop.deliver(first), 204);
      const one_of_two = paid(url, { type: "order.reversed" });
      assert.equal(await shop.deliver(one_of_two), 204);
      assert.equal(await shop.isPaid(url), true);
      const reversed = paid(url, { type: "order.reversed", order_state: "open" });
      assert.equal(await shop.deliver(reversed), 204);
      assert.equal(await shop.isPaid(url), false);
      assert.equal(await shop.deliver(first), 204);
      assert.equal(await shop.isPaid(url), false);
    });

    test("one of two signatures is enough, while a secret is being changed", async () => {
      const url = await shop.buy();
      const other = `v1,${randomBytes(32).toString("base64")}`;
      const two = {
        headers: (all) => ({ "webhook-signature": `v2,x ${other} ${all["webhook-signature"]}` }),
      };
      assert.equal(await shop.deliver(paid(url), two), 204);
      assert.equal(await shop.isPaid(url), true);
    });

    test("a plain text is a secret too, and an empty or mistyped one is none", async () => {
      const plain = await Shop.prepare(language, randomBytes(32).toString("hex"));
      await plain.start(SERVER).answers(plain.address);
      try {
        const url = await plain.buy();
        assert.equal(await plain.deliver(paid(url)), 204);
        assert.equal(await plain.isPaid(url), true);
      } finally {
        await plain.stop();
      }

      for (const secret of ["", `whsec_${"!".repeat(40)}`, `whsec_AAAA${" ".repeat(40)}`]) {
        const open = await Shop.prepare(language, secret);
        const program = open.start(SERVER);
        try {
          await until(
            "an end or an answer",
            async () => program.hasEnded || (await fetch(open.address)),
          );
          if (!program.hasEnded) {
            assert.equal(await open.deliver(paid(await open.buy())), 500, secret);
          }
        } finally {
          await open.stop();
        }
      }
    });
  });
}
