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

test("the wallet, the agent, the lender, the shop's help and staff write as the page does, in Spanish and in English", async ({
  device,
  sandbox,
  signIn,
}) => {
  for (const language of /** @type {const} */ (["es", "en"])) {
    const payer = await device();
    const { number, checkout, page } = await payer.begins({ lang: language });
    const amount = seen(await checkout.element.locator("[part=amount]").textContent());
    const expected = { groups: inGroups(number), apart: true, copied: number };
    expect(await written(checkout.element.locator("[part=number]")), language).toEqual(expected);
    expect(seen(await page.locator("#summary-amount").textContent()), language).toBe(amount);
    const saved = await checkout.saveLink.evaluate(({ dataset }) => [dataset.above, dataset.below].join("\n"));
    expect(seen(saved), language).toContain(amount);
    expect(saved, language).toContain(inGroups(number));

    const help = checkout.element.getByRole("link", { name: /¿Necesitas ayuda\?|Need help\?/ });
    const [chat] = await Promise.all([payer.context.waitForEvent("page"), help.click()]);
    await expect(chat.getByText(number.replace(/(\d{4})(?=\d)/g, "$1\u{a0}")), language).toBeVisible();
    await chat.close();
    await expect(checkout.image).toBeVisible();

    const { qr_content } = await sandbox.operation(number);
    await payer.phone.scan(`${qr_content}${language === "en" ? "&lang=en" : ""}`);
    const facts = async (page) => ({
      amount: seen(await page.locator(".amount").first().textContent()),
      number: await written(page.locator(".number").first()),
    });
    expect(await facts(page), language).toEqual({ amount, number: expected });
    const list = await payer.tab();
    await list.page.goto(new URL(`/phone?lang=${language}`, page.url()).href);
    const item = list.page.getByRole("listitem").filter({ hasText: number });
    await expect(item.locator(".amount"), language).toHaveText(amount);
    await expect(item.locator(".group").first(), language).toHaveText(number.slice(0, 4));
    if (language === "en") continue;

    // Staff find an operation by the number as its payer reads it out.
    const ana = await signIn("ana");
    await ana.search(inGroups(number));
    await expect(ana.row(number)).toBeVisible();
    await ana.row(number).click();
    expect(await written(ana.element.locator("[part=number]").first())).toEqual(expected);
  }
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

test("no letter of a number is alone in its line, at any width, size of the font and unusual number", async ({ page }) => {
  test.slow();
  const gallery = new Gallery(page);
  for (const unusual of ["own-numbers", "long-reason", "none"]) {
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await gallery.open({ unusual, width: String(width) }, ["qr", "overdue", "paid", "cash-code"]);
      await gallery.useOwnFont();
      for (const size of [16, 32]) {
        const where = `${unusual}, ${width} px, ${size} px`;
        await page.evaluate((size) => {
          document.documentElement.style.setProperty("--checkout-font-size", `${size}px`);
        }, size);
        const broken = await lines(gallery.exhibits.locator("[part=number], [part=order]"));
        expect(broken.length, where).toBeGreaterThan(4);
        const alone = broken.filter((line) => line.replace(/[^\p{L}\p{N}]/gu, "").length < 2);
        expect(alone, `${where}: ${JSON.stringify(broken)}`).toEqual([]);
        expect(await gallery.sideways(), where).toEqual([]);
      }
    }
  }
});
