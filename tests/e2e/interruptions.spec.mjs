// The ugly hours: a phone that sleeps, a hidden tab, a network that comes and goes.

import { expect, test } from "./support/fixtures.mjs";

const MINUTE = 60_000;
const STATUS = /\/api\/charges\/[^/]+\/[^/]+\/[^/]+$/;

/** Waits out the browser's own clock until the server's word is on the screen again: so many seconds
 * that were left then. */
const near = (checkout, seconds, then) => {
  const off = async () => (await checkout.secondsLeft()) - (seconds - (Date.now() - then) / 1000);
  return expect.poll(async () => Math.abs(await off())).toBeLessThanOrEqual(2);
};

/** The payer turns to another tab, or back. */
async function look(page, hidden) {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    const visibilityState = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { configurable: true, value: visibilityState });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

/** The starts of the page's questions about the payment, each answered at once. */
async function questions(page) {
  const asked = [];
  await page.route(STATUS, async (route) => {
    asked.push(route.request().url());
    const { prefer, ...headers } = route.request().headers();
    await route.continue({ headers });
  });
  return asked;
}

/** Waits until each question that the page has begun is counted: the browser reports requests in their order. */
const counted = (page) => page.evaluate(() => fetch("/api/healthz"));

test("a phone that slept for ten minutes is right at the first glance", async ({ payer, checkout, page, context, invariants }) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED/);
  await page.clock.install();
  await payer.begins();
  const [left, then] = [await checkout.secondsLeft(), Date.now()];
  expect(left).toBeGreaterThan(12 * 60);
  // Asleep, it gets no answer that would correct its clock.
  await context.setOffline(true);
  await page.clock.fastForward(10 * MINUTE);
  await near(checkout, left - 10 * 60, then);
  await expect(checkout.text("offline")).toBeVisible();
  await context.setOffline(false);
  // The server's clock did not sleep with it.
  await near(checkout, left, then);
  await expect(checkout.text("offline")).toBeHidden();
  expect(checkout.heard("checkout-result")).toEqual([]);
});

test("what was paid while the phone slept is told when it wakes", async ({ payer, checkout, page, context, invariants }) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED/);
  await page.clock.install();
  await payer.begins();
  await look(page, true);
  await context.setOffline(true);
  await payer.pays();
  await page.clock.fastForward(20 * MINUTE);
  // Past its deadline by its own clock, it still shows no end.
  expect(checkout.heard("checkout-result")).toEqual([]);
  await context.setOffline(false);
  await look(page, false);
  await payer.sees("paid");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });
});

test("a tab that nobody looks at asks nothing, and asks at once when somebody does", async ({ payer, order, page }) => {
  const asked = await questions(page);
  await page.clock.install();
  await payer.begins();
  await page.clock.runFor(5_000);
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(1);

  await look(page, true);
  await page.clock.runFor(31_000);
  await counted(page);
  const before = asked.length;
  for (let minute = 0; minute < 5; minute += 1) {
    await page.clock.runFor(MINUTE);
  }
  await counted(page);
  expect(asked.length).toBe(before);

  await payer.pays();
  // The server gets a notification; the page asks once when the payer looks at it.
  await expect.poll(() => order.state()).toBe("paid");
  await look(page, false);
  await payer.sees("paid");
});

test("a network that comes and goes ends nothing and begins nothing", async ({
  waiting: { payer, order, checkout },
  context,
  sandbox,
  invariants,
}) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  const picture = await checkout.picture();
  for (let round = 0; round < 4; round += 1) {
    await context.setOffline(true);
    await expect(checkout.text("offline")).toBeVisible();
    await payer.seesCode();
    await context.setOffline(false);
    await expect(checkout.text("offline")).toBeHidden();
  }
  expect(await checkout.picture()).toBe(picture);
  expect(checkout.heard("checkout-error")).toEqual([]);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  await payer.pays();
  await payer.sees("paid");
});
