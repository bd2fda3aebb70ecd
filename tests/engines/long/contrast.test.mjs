import assert from "node:assert/strict";
import { story } from "../support/story.mjs";

/** Firefox alone lets a payer choose colors for every page. */
const CHOOSING = ["firefox"];

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
  { engines: CHOOSING, look: { contrast: true } },
);
