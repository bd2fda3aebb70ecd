import assert from "node:assert/strict";
import { story } from "../support/story.mjs";

/** @type {[string, number, number][]} */
const SIZES = [
  ["phone", 360, 780],
  ["desktop", 1280, 900],
];

for (const dark of [false, true]) {
  const night = dark ? "dark" : "light";
  for (const [device, width, height] of SIZES) {
    story(
      `a payer pays on a ${night} ${device}`,
      async ({ payer, engine, sandbox, photograph }) => {
        await engine.resize(width, height);
        const order = await payer.orders();
        await payer.sees("choosing");
        assert.equal(await engine.evaluate(() => innerWidth), width);
        assert.equal(await engine.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches), dark);
        await photograph(`${night} ${device} choosing`);
        await payer.paysByQr();
        await photograph(`${night} ${device} code`);
        await sandbox.drive(await order.number(), "pay");
        await payer.sees("paid");
        await photograph(`${night} ${device} paid`);
        assert.ok(await engine.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      },
      { look: { dark } },
    );
  }
}

/** Firefox alone lets a payer choose colors for every page. */
const CHOOSING_COLORS = ["firefox"];

story(
  "a payer with colors of their own sees the buttons and the code",
  async ({ payer, engine, photograph }) => {
    await payer.orders();
    await payer.sees("choosing");
    assert.ok(await engine.evaluate(() => matchMedia("(forced-colors: active)").matches));
    await photograph("own colors choosing");
    await payer.paysByQr();
    await photograph("own colors code");
    const { border, tile } = await engine.evaluate(() => {
      const find = (name) =>
        getComputedStyle(document.querySelector("payment-checkout").shadowRoot.querySelector(name));
      return { border: find("[part~=button]").borderTopStyle, tile: find("[part=qr]").backgroundColor };
    });
    assert.equal(border, "solid");
    // A camera needs a light ground, whatever the payer's colors are.
    assert.equal(tile, "rgb(255, 255, 255)");
  },
  { engines: CHOOSING_COLORS, look: { contrast: true } },
);
