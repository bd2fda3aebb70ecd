// How the element looks, in sizes and colors of payers and on every screen of the gallery; photographed to be looked at.

import assert from "node:assert/strict";
import { servers } from "../../servers.mjs";
import { story } from "../support/story.mjs";
import { until } from "../support/until.mjs";

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

// Every screen of the gallery stays in its card.

for (const theme of ["light", "dark"]) {
  story(`nothing stands out of its card: ${theme}`, async ({ engine, photograph }) => {
    await engine.resize(1280, 900);
    await engine.open(new URL(`/gallery.html?theme=${theme}&width=360`, servers.shop).href);
    await until("the wall", () =>
      engine.evaluate(() => Boolean(document.querySelector("#wall[aria-busy=false] checkout-exhibit"))),
    );
    const height = await engine.evaluate(() => document.documentElement.scrollHeight);
    for (let top = 0, shown = 1; top < height; top += 900, shown += 1) {
      await engine.evaluate((top) => scrollTo(0, top), top);
      await photograph(`gallery ${theme} ${String(shown).padStart(2, "0")}`);
    }
    assert.deepEqual(await engine.evaluate(sideways), []);
  });
}

/** Runs in the page: the screens with a part that is wider than their card. */
function sideways() {
  return [...document.querySelectorAll("checkout-exhibit")]
    .filter(({ shadowRoot }) => {
      const card = shadowRoot.querySelector(".checkout");
      const { right } = card.getBoundingClientRect();
      const out = (node) => !node.closest(".unseen") && node.getBoundingClientRect().right > right + 1;
      return card.scrollWidth > card.clientWidth || [...card.querySelectorAll("*")].some(out);
    })
    .map((exhibit) => exhibit.getAttribute("screen"));
}
