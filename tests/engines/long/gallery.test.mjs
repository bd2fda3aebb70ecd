// Every screen of the gallery stays in its card, and is photographed to be looked at.

import assert from "node:assert/strict";
import { servers } from "../../servers.mjs";
import { story } from "../support/story.mjs";
import { until } from "../support/until.mjs";

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
