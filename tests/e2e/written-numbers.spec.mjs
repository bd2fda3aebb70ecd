// An amount and an operation number are written in the same way wherever a payer compares them.

import { expect, test } from "./support/fixtures.mjs";
import { Gallery } from "./support/pages/gallery.mjs";
import { inGroups } from "./support/pages/staff.mjs";

/** As it is seen: browsers put spaces of several kinds. */
const seen = (text) => text.replace(/\s+/gu, " ").trim();

/** A number as it is seen, its groups apart, and as it is copied by hand. */
async function written(number) {
  return number.evaluate((node) => {
    const selection = node.ownerDocument.getSelection();
    selection.selectAllChildren(node);
    const copied = selection.toString();
    selection.removeAllRanges();
    const groups = [...node.querySelectorAll(".group")];
    const apart = groups.slice(1).every((group, at) => {
      const [one, next] = [groups[at].getBoundingClientRect(), group.getBoundingClientRect()];
      return next.top > one.top || next.left - one.right >= 3;
    });
    return { groups: groups.map(({ textContent }) => textContent).join(" "), apart, copied };
  });
}

for (const language of /** @type {const} */ (["es", "en"])) {
  test(`the wallet, the agent and the lender write as the page does: ${language}`, async ({ payer, page, sandbox }) => {
    const { number, checkout } = await payer.begins({ lang: language });
    const amount = seen(await checkout.element.locator("[part=amount]").textContent());
    const expected = { groups: inGroups(number), apart: true, copied: number };
    expect(await written(checkout.element.locator("[part=number]"))).toEqual(expected);
    expect(seen(await page.locator("#summary-amount").textContent())).toBe(amount);
    const saved = await checkout.saveLink.evaluate(({ dataset }) => [dataset.above, dataset.below].join("\n"));
    expect(seen(saved)).toContain(amount);
    expect(saved).toContain(inGroups(number));

    const { qr_content } = await sandbox.operation(number);
    await payer.phone.scan(`${qr_content}${language === "en" ? "&lang=en" : ""}`);
    const facts = async (page) => ({
      amount: seen(await page.locator(".amount").first().textContent()),
      number: await written(page.locator(".number").first()),
    });
    expect(await facts(page)).toEqual({ amount, number: expected });
    const list = await payer.tab();
    await list.page.goto(new URL(`/phone?lang=${language}`, page.url()).href);
    const item = list.page.getByRole("listitem").filter({ hasText: number });
    await expect(item.locator(".amount")).toHaveText(amount);
    await expect(item.locator(".group").first()).toHaveText(number.slice(0, 4));
  });
}

test("staff find an operation by the number as its payer reads it out", async ({ sell, signIn }) => {
  const { number } = await sell("pay");
  const ana = await signIn("ana");
  await ana.search(inGroups(number));
  await expect(ana.row(number)).toBeVisible();
  await ana.row(number).click();
  const copy = ana.element.locator("[part=number]").first();
  expect(await written(copy)).toEqual({ groups: inGroups(number), apart: true, copied: number });
});

/** The lines of the texts in these nodes, as the browser broke them. */
function lines(nodes) {
  return nodes.evaluateAll((nodes) =>
    nodes.flatMap((node) => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const found = new Map();
      while (walker.nextNode()) {
          const { data, parentElement } = /** @type {Text} */ (walker.currentNode);
          if (parentElement?.closest(".unseen")) continue;
        for (let at = 0; at < data.length; at += 1) {
          const range = document.createRange();
          range.setStart(walker.currentNode, at);
          range.setEnd(walker.currentNode, at + 1);
          const [box] = range.getClientRects();
          if (!box?.height) continue;
          const top = Math.round(box.top);
          found.set(top, (found.get(top) ?? "") + data[at]);
        }
      }
      return [...found.values()].map((line) => line.trim());
    }),
  );
}

for (const unusual of ["own-numbers", "long-reason", "none"]) {
  test(`no letter of a number is alone in its line: ${unusual}`, async ({ page }) => {
    const gallery = new Gallery(page);
    for (const [width, size] of [[320, 16], [360, 16], [1280, 16], [320, 32], [360, 32], [1280, 32]]) {
      await page.setViewportSize({ width, height: 900 });
      await gallery.open({ unusual, width: String(width) }, ["qr", "overdue", "paid", "cash-code"]);
      await gallery.useOwnFont();
      await page.evaluate((size) => {
        document.documentElement.style.setProperty("--checkout-font-size", `${size}px`);
      }, size);
      const broken = await lines(gallery.exhibits.locator("[part=number], [part=order]"));
      expect(broken.length).toBeGreaterThan(4);
      const alone = broken.filter((line) => line.replace(/[^\p{L}\p{N}]/gu, "").length < 2);
      expect(alone, `${width} px, ${size} px: ${JSON.stringify(broken)}`).toEqual([]);
      expect(await gallery.sideways(), `${width} px, ${size} px`).toEqual([]);
    }
  });
}
