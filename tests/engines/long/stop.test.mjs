import assert from "node:assert/strict";
import { story } from "../support/story.mjs";

story(
  "a checkout that stopped starts again, and shows the end of the payment",
  async ({ payer, engine, sandbox }) => {
    const order = await payer.orders();
    await payer.paysByQr();
    await engine.evaluate(() => {
      const { insertBefore } = Node.prototype;
      Node.prototype.insertBefore = () => {
        Node.prototype.insertBefore = insertBefore;
        throw new TypeError("the page broke this");
      };
    });
    await sandbox.drive(await order.number(), "pay");
    await payer.sees("paid");
    assert.equal(await order.state(), "paid");
    // The browser tells of the stop, and of nothing else.
    const told = engine.errors.splice(0);
    assert.ok(told.every((error) => /unreachable|panic|page broke this/i.test(error)), told.join("\n"));
  },
);
