// The wasm stops: the payer is never left alone.

import { expect, test } from "./support/fixtures.mjs";

test("a wasm that stops says so, and nothing is lost", async ({ waiting: { payer, order, checkout, page }, sandbox, invariants }) => {
  invariants.expects(/payment-checkout: stopped/);
  invariants.allows(/./);
  // The page replaces a method of the browser, and the error appears in the middle of the wasm.
  await page.evaluate(() => {
    Node.prototype.insertBefore = () => {
      throw new TypeError("the page broke this");
    };
  });
  await payer.presses("cancel");
  await expect(checkout.heading("crashed")).toBeVisible();
  await expect.poll(() => checkout.heard("checkout-error").at(-1)?.detail).toMatchObject({
    code: "crash",
    retryable: true,
  });
  await payer.presses("reloadPage");
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

/** Ways to stop the wasm where no call of the element is on the stack. */
const STOPS = {
  "when a timer fires": () => {
    // The countdown writes into the page each second.
    Object.defineProperty(Node.prototype, "nodeValue", {
      set() {
        throw new TypeError("the page broke this");
      },
    });
  },
  "when an answer arrives": () => {
    Object.defineProperty(Response.prototype, "status", {
      get() {
        throw new TypeError("the page broke this");
      },
    });
  },
};

for (const [when, stop] of Object.entries(STOPS)) {
  test(`a wasm that stops ${when} says so`, async ({ waiting: { number, checkout, page }, sandbox, invariants }) => {
    invariants.expects(/payment-checkout: stopped/);
    invariants.allows(/the page broke this/);
    await page.evaluate(stop);
    // The answer that the server holds arrives.
    if (when.includes("answer")) await sandbox.drive(number, "decline");
    await expect(checkout.heading("crashed")).toBeVisible();
    await expect(checkout.element.getByText(`Número de operación: ${number}`)).toBeVisible();
    expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "crash", retryable: true });
  });
}

test("after a second stop the page's own content stands there, with the number", async ({
  waiting: { payer, number, checkout, page },
  invariants,
}) => {
  invariants.expects(/payment-checkout: stopped/);
  invariants.allows(/the page broke this|RuntimeError: unreachable/);
  await page.evaluate(STOPS["when a timer fires"]);
  await payer.presses("reloadPage");
  await payer.seesCode();
  await page.evaluate(STOPS["when a timer fires"]);
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await expect(checkout.heading("again")).toBeVisible();
  await expect(checkout.element.getByText(`Número de operación: ${number}`)).toBeVisible();
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  expect(checkout.heard("checkout-error").map(({ detail }) => detail)).toMatchObject([
    { code: "crash", retryable: true },
    { code: "crash", retryable: false },
  ]);
  // The number is known even where it stops at once.
  await page.addInitScript(() => {
    Node.prototype.insertBefore = () => {
      throw new TypeError("the page broke this");
    };
  });
  await payer.reloads();
  await expect(checkout.heading("again")).toBeVisible();
  await expect(checkout.element.getByText(`Número de operación: ${number}`)).toBeVisible();
});
