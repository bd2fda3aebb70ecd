// The desk follows what happens: payments come by themselves, and nothing moves under the reader.

import { findings } from "./support/accessibility.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { inGroups } from "./support/pages/staff.mjs";

/** @import { Staff } from "./support/pages/staff.mjs" */

/** A change is on the screen within this time, in milliseconds. */
const SOON = 2000;

/** Says that the page is hidden, or seen again. @param {Staff} staff @param {boolean} hidden */
const setHidden = ({ page }, hidden) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

/** Waits until the desk has its cursor: from here on everything that happens is news. @param {Staff} staff */
const follows = ({ page }) => page.waitForRequest(/\/api\/staff\/news\?after=/);

/** Makes the list longer than the screen, and scrolls to its end. @param {Staff} staff */
async function scrollDown(staff) {
  await staff.page.setViewportSize({ width: 360, height: 300 });
  await staff.rows.last().scrollIntoViewIfNeeded();
  await staff.rows.last().focus();
}

for (const { path, width } of [
  { path: "", width: 360 },
  { path: "?lang=en", width: 1280 },
]) {
  test(`a payment comes by itself at ${width} px, and the focus stays`, { tag: "@quick" }, async ({ signIn, sell, device }) => {
    await sell("pay", "settle");
    const ana = await signIn("ana", path);
    await ana.page.setViewportSize({ width, height: 900 });
    await follows(ana);
    const kept = ana.rows.first();
    await kept.focus();
    const name = String(await kept.textContent());
    const payer = await device();
    const { number } = await payer.begins();
    await expect(ana.row(number)).toBeVisible({ timeout: SOON });
    await payer.pays(number);
    const paid = ana.found.getByRole("row").filter({ has: ana.page.getByRole("button", { name: inGroups(number) }) });
    await expect(paid).toContainText(path ? "Paid" : "Pagada");
    const focused = await ana.page.evaluate(
      () => document.querySelector("payment-operations")?.shadowRoot?.activeElement?.textContent,
    );
    expect(focused).toBe(name);
    expect(await findings(ana.page, "payment-operations")).toEqual([]);
  });
}

test("a scrolled list stays where it is, and says how many came", async ({ signIn, sell }) => {
  for (let count = 0; count < 6; count += 1) await sell();
  const ana = await signIn("ana");
  const following = follows(ana);
  await expect(ana.rows.first()).toBeVisible();
  await following;
  await scrollDown(ana);
  const last = ana.rows.last();
  const place = await last.boundingBox();
  const sale = await sell();
  const line = ana.element.getByRole("button", { name: ana.words.news });
  await expect(line).toBeVisible();
  expect(await last.boundingBox()).toEqual(place);
  await expect(ana.row(sale.number)).toHaveCount(0);
  await line.click();
  await expect(ana.row(sale.number)).toBeInViewport();
  await expect(line).toHaveCount(0);
});

test("another search is repeated by itself, unless somebody is busy in it", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await ana.button("back").click();
  await expect(ana.rows).toHaveCount(1);
  await ana.choose(sale.number);
  await sell();
  const line = ana.button("someNews");
  await expect(line).toBeVisible();
  expect(await findings(ana.page, "payment-operations")).toEqual([]);
  await ana.choose(sale.number);
  await ana.identifier.focus();
  // Nothing is chosen, and nobody is within the list.
  await expect(line).toHaveCount(0);
  await expect(ana.rows).toHaveCount(1);
});

test("a desk without a connection says its age, and catches up", async ({ signIn, sell, invariants }) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  const ana = await signIn("ana");
  const { page } = ana;
  // From the beginning of a page, so that no timer is from before.
  await page.clock.install();
  const following = follows(ana);
  await page.reload();
  await following;
  const context = page.context();
  await context.setOffline(true);
  // What waits for news now fails.
  await setHidden(ana, false);
  const old = ana.element.getByText(ana.words.old);
  await expect(async () => {
    await page.clock.fastForward("00:31");
    await expect(old).toBeVisible({ timeout: 500 });
  }).toPass();
  const sale = await sell("pay");
  await context.setOffline(false);
  await expect(ana.row(sale.number)).toBeVisible();
  await expect(old).toHaveCount(0);
});

test("the title tells what came unseen, and is restored", async ({ signIn, sell }) => {
  const ana = await signIn("ana");
  const own = await ana.page.title();
  await ana.button("sound").click();
  await ana.button("mark").click();
  await expect(ana.button("mark")).toHaveAttribute("aria-pressed", "true");
  await setHidden(ana, true);
  await sell();
  await expect(ana.page).toHaveTitle(`(1) ${own}`);
  await ana.page.evaluate(() => { document.title = "Orders"; });
  await sell();
  await expect(ana.page).toHaveTitle("(2) Orders");
  await setHidden(ana, false);
  await expect(ana.page).toHaveTitle("Orders");

  await setHidden(ana, true);
  await sell();
  await expect(ana.page).toHaveTitle("(1) Orders");
  await ana.page.evaluate(() => document.querySelector("payment-operations")?.remove());
  await expect(ana.page).toHaveTitle("Orders");
});

test("what the desk asks by itself is no use of the session", async ({ signIn, sell }) => {
  const ana = await signIn("ana");
  /** @type {Set<string>} */
  const attended = new Set();
  const first = follows(ana);
  await ana.button("refresh").click();
  const news = await first;
  expect(await news.headerValue("unattended")).toBe("?1");
  expect(await news.headerValue("prefer")).toBe("wait=20");
  ana.page.on("request", (request) => {
    if (request.headers().unattended !== "?1") attended.add(new URL(request.url()).pathname);
  });
  const sale = await sell();
  await expect(ana.row(sale.number)).toBeVisible();
  expect([...attended]).toEqual([]);
  await ana.row(sale.number).click();
  await expect(ana.operation(sale.number)).toBeVisible();
  expect([...attended]).not.toEqual([]);
});
