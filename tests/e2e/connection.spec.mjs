// The payer's own device: no connection, a wrong clock, a hidden page, a phone that sleeps.

import { expect, test } from "./support/fixtures.mjs";
import { look } from "./support/payer.mjs";

const MINUTE = 60_000;
const DAY = 86_400_000;
const STATUS = /\/api\/charges\/[^/]+\/[^/]+\/[^/]+$/;

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

test("without a connection the code stays, and a payment meanwhile is shown afterwards", { tag: "@quick" }, async ({
  waiting: { payer, checkout },
  context,
  invariants,
}) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  const picture = await checkout.picture();
  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);

  await payer.pays();
  await expect(checkout.image).toBeVisible();
  await context.setOffline(false);
  await payer.sees("paid");
  await expect(checkout.text("offline")).toBeHidden();
  expect(checkout.heard("checkout-error")).toEqual([]);
});

test("who chooses without a connection is told so, and a network that comes and goes begins nothing anew", async ({
  payer,
  order,
  checkout,
  context,
  sandbox,
  invariants,
}) => {
  invariants.expects(/ERR_INTERNET_DISCONNECTED/);
  await payer.opens();
  await payer.sees("choosing");
  await context.setOffline(true);
  await checkout.qrButton.click();
  await expect(checkout.text("unconnected")).toBeVisible();
  await context.setOffline(false);
  await payer.seesCode();
  const picture = await checkout.picture();
  for (let round = 0; round < 2; round += 1) {
    await context.setOffline(true);
    await expect(checkout.text("offline")).toBeVisible();
    await payer.seesCode();
    await context.setOffline(false);
    await expect(checkout.text("offline")).toBeHidden();
  }
  expect(await checkout.picture()).toBe(picture);
  expect(checkout.heard("checkout-error")).toEqual([]);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a clock that is a day behind shows the right time that is left, also after a reload", async ({ payer, checkout, page, sandbox }) => {
  await page.clock.install({ time: Date.now() - DAY });
  const { number } = await payer.begins();
  const { operation } = await sandbox.operation(number);
  const deadline = Date.parse(operation.transactions[0].expiration_date.utc_time);
  const check = async () => {
    const left = await checkout.secondsLeft();
    const truth = (deadline - Date.now()) / 1000;
    expect(Math.abs(left - truth), `${left} s shown, ${truth} s true`).toBeLessThanOrEqual(2);
  };
  await check();
  await payer.reloads();
  await payer.seesCode();
  await check();
});

test("check now asks where a browser calls the page hidden all the time", { tag: "@quick" }, async ({ waiting: { payer, page }, order }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { value: true });
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
  });
  await page.clock.install();
  await payer.reloads();
  await payer.seesCode();
  // Some pages are loaded whole only after the element has begun.
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow")));
  const asked = await questions(page);
  const askedInAMinute = async () => {
    const before = asked.length;
    await page.clock.runFor(MINUTE);
    await counted(page);
    return asked.length - before;
  };
  // What the reload asks may still be on its way at first.
  await expect.poll(askedInAMinute, { message: "nobody looks" }).toBe(0);
  await payer.pays();
  await expect.poll(() => order.state()).toBe("paid");
  await payer.presses("check");
  await payer.sees("paid");
});

test("a hidden page asks nothing, and a phone that slept past the deadline is right once somebody looks", async ({
  payer,
  order,
  checkout,
  page,
  context,
  invariants,
}) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED/);
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

  // Asleep, it gets no answer that would correct its clock.
  await context.setOffline(true);
  await page.clock.fastForward(20 * MINUTE);
  await expect(checkout.text("offline")).toBeVisible();
  expect(checkout.heard("checkout-result")).toEqual([]);

  await payer.pays();
  // The server gets a notification; the page asks once when the payer looks at it.
  await expect.poll(() => order.state()).toBe("paid");
  await context.setOffline(false);
  await look(page, false);
  await payer.sees("paid");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });
});
