// The wasm cannot be had: the payer is never left alone. `diagnostics.spec.mjs` has each reason.

import { expect, test } from "./support/fixtures.mjs";

test("without its module or its wasm the page's own words stay, and the element can be retried in its language", async ({
  payer,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/ERR_FAILED/);
  invariants.allows(/status of 404/);
  const errors = () => checkout.heard("checkout-error").map(({ detail }) => detail);
  await page.route("**/element/payment-checkout.js", (route) => route.fulfill({ status: 404 }));
  await payer.opens();
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  // The page says so itself.
  await expect.poll(errors).toMatchObject([{ code: "load", retryable: false }]);
  await page.unroute("**/element/payment-checkout.js");

  await page.route("**/*.wasm", (route) => route.abort());
  await payer.reloads();
  await expect(checkout.heading("loadFailed")).toBeVisible();
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  expect(errors().slice(1)).toMatchObject([{ code: "load", retryable: true }]);
  await checkout.element.evaluate((element) => {
    const words = Object.assign(document.createElement("p"), { slot: "failed", textContent: "Call us" });
    element.append(words);
  });
  await expect(page.getByText("Call us"), "the merchant's words below it").toBeVisible();

  const portuguese = checkout.in("pt");
  await checkout.set({ locale: "pt" });
  await payer.presses("reload");
  await expect(portuguese.heading("loadFailed")).toBeVisible();
  await page.unroute("**/*.wasm");
  await portuguese.button("reload").click();
  await portuguese.payByQr();
});

test("a page that is older than the files on the server offers one reload", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.allows(/status of 404|integrity/);
  const gone = (route) => route.fulfill({ status: 404, body: "gone" });
  await page.route("**/*.wasm", gone);
  await payer.opens();
  await expect(checkout.heading("outdated")).toBeVisible();
  await payer.presses("reloadPage");
  await expect(checkout.heading("again")).toBeVisible();
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  expect(checkout.heard("checkout-error").map(({ detail }) => detail)).toMatchObject([
    { code: "load", retryable: true },
    { code: "load", retryable: false },
  ]);
  await page.unroute("**/*.wasm");
  await payer.reloads();
  await payer.sees("choosing");

  // That reload helped: the next deployment may offer one again, and so may a stop for another reason.
  await page.route("**/*.wasm", gone);
  await payer.reloads();
  await expect(checkout.heading("outdated")).toBeVisible();
  await page.unroute("**/*.wasm");
  await payer.presses("reloadPage");
  await checkout.works();
  invariants.allows(/stopped|the page broke this|RuntimeError/);
  // At once: the element draws for itself while the payer reads.
  await checkout.qrButton.evaluate((/** @type {HTMLElement} */ button) => {
    Node.prototype.insertBefore = () => {
      throw new TypeError("the page broke this");
    };
    button.click();
  });
  await expect(checkout.heading("crashed")).toBeVisible();
  await expect(checkout.button("reloadPage")).toBeVisible();
});

test("a download that stalls ends after a minute", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  const asked = new Promise((resolve) => page.route("**/*.wasm", resolve));
  // Time stands from here on: the minute began between these two times, however slow the machine is.
  const before = Date.now();
  await page.clock.install({ time: before });
  await payer.opens();
  await asked;
  const after = Date.now();
  await page.clock.pauseAt(before + 59_000);
  await expect(checkout.heading("loadFailed")).toHaveCount(0);
  await page.clock.fastForward(2_000 + after - before);
  await expect(checkout.heading("loadFailed")).toBeVisible();
  await page.clock.resume();
  await page.unroute("**/*.wasm");
  await payer.presses("reload");
  await payer.sees("choosing");
});
