// The wasm cannot be had, or cannot run: the payer is never left alone.

import { expect, test } from "./support/fixtures.mjs";

test("without its wasm the element keeps the page's own words and can be retried", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/ERR_FAILED/);
  await page.route("**/*.wasm", (route) => route.abort());
  await payer.opens();
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await expect(checkout.heading("loadFailed")).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "load", retryable: true });

  await page.unroute("**/*.wasm");
  await payer.presses("reload");
  await payer.chooses("QR");
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

test("another file in the place of the wasm is an older page, too", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/integrity/);
  invariants.expects(/could not be loaded/);
  invariants.expects(/could not be loaded/);
  await page.route("**/*.wasm", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Shop</title>" }),
  );
  await payer.opens();
  await expect(checkout.heading("loadFailed")).toBeVisible();
  await payer.presses("reload");
  await expect(checkout.heading("outdated")).toBeVisible();
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

test("a module that is not there leaves the page's own content, and the page says so", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/status of 404/);
  await page.route("**/element/payment-checkout.js", (route) => route.fulfill({ status: 404 }));
  await payer.opens();
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await expect
    .poll(() => checkout.heard("checkout-error").map(({ detail }) => detail))
    .toMatchObject([{ code: "load", retryable: false }]);
});

test("the merchant's words for a failure stand below it", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/ERR_FAILED/);
  await page.route("**/*.wasm", (route) => route.abort());
  await payer.opens();
  await expect(checkout.heading("loadFailed")).toBeVisible();
  await checkout.element.evaluate((element) => {
    const words = document.createElement("p");
    words.slot = "failed";
    words.textContent = "Call us";
    element.append(words);
  });
  await expect(page.getByText("Call us")).toBeVisible();
});

test("a wasm that is cut in the middle is a load that failed", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/integrity/);
  await page.route("**/*.wasm", async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    await route.fulfill({ response: answer, body: body.subarray(0, body.length / 2) });
  });
  await payer.opens();
  await expect(checkout.heading("loadFailed")).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await payer.presses("reload");
  await payer.sees("choosing");
});

test("a wasm of another build never runs", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/integrity/);
  await page.route("**/*.wasm", async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    // Somewhere in its texts: it would run, and say something else.
    body[body.length - 1] ^= 1;
    await route.fulfill({ response: answer, body });
  });
  await payer.opens();
  await expect(checkout.heading("loadFailed")).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "load", retryable: true });
  await page.unrouteAll({ behavior: "wait" });
  await payer.presses("reload");
  await payer.sees("choosing");
});

for (const [where, prepare] of [
  [
    "in a browser that has none",
    (page) =>
      page.addInitScript(() => {
        delete globalThis.WebAssembly;
      }),
  ],
  [
    "under a policy that forbids it",
    (page) =>
      page.route(/\?order=/, async (route) => {
        const response = await route.fetch();
        const headers = response.headers();
        const policy = headers["content-security-policy"];
        expect(policy).toContain("'wasm-unsafe-eval'");
        headers["content-security-policy"] = policy.replace("'wasm-unsafe-eval'", "");
        await route.fulfill({ response, headers });
      }),
  ],
]) {
  test(`${where} the page's own words stay, and nobody tries in vain`, async ({ payer, checkout, page, invariants }) => {
    invariants.expects(/could not be loaded/);
    // The browser's own words, where it has some.
    invariants.allows(/violates|wasm-eval/);
    await /** @type {(page: import("@playwright/test").Page) => Promise<void>} */ (prepare)(page);
    await payer.opens();
    await expect(page.getByText("Preparando el pago…")).toBeVisible();
    await expect(checkout.heading("unable")).toBeVisible();
    await expect(checkout.button("reload")).toHaveCount(0);
    expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "load", retryable: false });
  });
}
