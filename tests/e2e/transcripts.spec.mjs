// Assistive technology is given, on every screen and in some stories, the texts that are kept in the
// project: Chromium's accessibility tree, the order of the focus by Tab, and each
// change of a region that speaks. That is no screen reader, which has a voice and habits of its own.
//
// This writes the texts anew: cargo xtask test --only e2e -- transcripts.spec --update-snapshots

import { expect, test } from "./support/fixtures.mjs";
import { Heard } from "./support/heard.mjs";
import { Gallery } from "./support/pages/gallery.mjs";
import { matches, tree, written } from "./support/transcript.mjs";

/** The controls of every screen in the order of Tab. */
async function order(page, heard) {
  const stops = new Map();
  const place = () =>
    page.evaluate(() => document.activeElement?.closest("checkout-exhibit")?.getAttribute("screen"));
  await page.locator("#wall a").first().focus();
  for (let presses = 0; presses < 2_000; presses += 1) {
    await page.keyboard.press("Tab");
    const screen = await place();
    if (screen) stops.set(screen, [...(stops.get(screen) ?? []), await heard.focused()]);
    else if (await page.evaluate(() => document.activeElement === document.body)) break;
  }
  return stops;
}

for (const locale of ["es-PE", "en", "pt-BR"]) {
  test(`every screen gives what it gave: ${locale}`, async ({ page }) => {
    test.slow();
    const heard = await Heard.on(page);
    const gallery = new Gallery(page);
    await gallery.open({ locale, theme: "light" });
    const nodes = await tree(page);
    const regions = [...nodes.values()].filter((node) => node.role?.value === "region");
    const stops = await order(page, heard);
    const text = (await gallery.names()).map((name) => {
      const frame = regions.find((region) => region.name.value === name);
      const lines = written(frame, nodes).filter((line) => !/^ {2}heading “[\w-]+” \(level 2\)$/.test(line));
      const tabs = (stops.get(name) ?? []).map((stop) => `  ${stop}`);
      return [`== ${name}`, ...lines.slice(1), "by Tab:", ...(tabs.length > 0 ? tabs : ["  nothing"]), ""];
    });
    matches(locale, text.flat().join("\n"));
  });
}

/** Lets the page's time run until a screen shows. */
async function until({ checkout, page }, screen) {
  const shows = async () => {
    await page.clock.runFor(1_000);
    return checkout.heading(screen).isVisible();
  };
  await expect.poll(shows).toBe(true);
}

const STORIES = {
  "A payer with a keyboard pays by QR": async ({ payer, checkout, page }) => {
    await payer.sees("choosing");
    await checkout.qrButton.press("Enter");
    await payer.seesCode();
    await page.clock.fastForward("05:00");
    await expect(checkout.status).toContainText("minutos");
    await payer.pays();
    await until({ checkout, page }, "paid");
  },
  "A payer looks at the page meanwhile": async ({ payer, checkout, page, shop }) => {
    await payer.chooses("QR");
    await shop.outside.focus();
    await payer.pays();
    await until({ checkout, page }, "paid");
  },
  "The answer of the server is an error": async ({ payer, checkout, page, invariants }) => {
    invariants.allows(/status of 422/);
    await page.route("**/api/charges", (route) => route.fulfill({ status: 422, body: "{}" }));
    await payer.sees("choosing");
    await checkout.qrButton.press("Enter");
    await expect(checkout.button("retry")).toBeVisible();
    await page.unroute("**/api/charges");
    await checkout.button("retry").press("Enter");
    await payer.sees("choosing");
  },
  "A payer thinks of canceling, and cancels": async ({ payer, checkout, page }) => {
    await payer.chooses("QR");
    await checkout.button("cancel").press("Enter");
    await expect(checkout.warning).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(checkout.question).toBeHidden();
    await checkout.button("cancel").press("Enter");
    await checkout.button("confirm").press("Enter");
    await until({ checkout, page }, "cancelled");
  },
  "A payer checks, and checks again at once": async ({ payer, checkout, page }) => {
    await payer.chooses("QR");
    await checkout.button("check").press("Enter");
    await page.clock.runFor(1_000);
    await expect(checkout.status).toContainText("Última consulta");
    await checkout.button("check").press("Enter");
    await expect(checkout.status).toContainText(checkout.words.tooSoon);
    await page.clock.runFor(6_000);
    await checkout.button("check").press("Enter");
    await page.clock.runFor(1_000);
    await expect(checkout.status).toContainText("Última consulta");
  },
};

test("the stories are told as they were", async ({ device, invariants }) => {
  test.slow();
  const text = [];
  for (const [title, play] of Object.entries(STORIES)) {
    const payer = await device();
    const { page, checkout, shop } = payer;
    // Time stands, but where a story lets it run: a slow machine tells the same.
    await page.clock.install();
    const heard = await Heard.on(page);
    await payer.opens();
    await page.clock.pauseAt(new Date(Date.now() + 2_000));
    await play({ payer, checkout, page, shop, invariants });
    const lines = (await heard.lines()).filter((line) => !line.endsWith("(empty)"));
    // The short name of an order counts the orders of the day.
    text.push(`== ${title}`, ...lines.map((line) => line.replace(/R-\d+/g, "R-‹n›")), "");
  }
  matches("stories", text.join("\n"));
});
