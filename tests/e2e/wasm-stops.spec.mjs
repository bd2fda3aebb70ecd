// The wasm stops: the payer is never left alone.

import { expect, test } from "./support/fixtures.mjs";

/** Ways to stop the wasm: the page replaces a part of the browser, and the error appears in the middle of the wasm. */
const STOPS = {
  "at the next node": () => {
    Node.prototype.insertBefore = () => {
      throw new TypeError("the page broke this");
    };
  },
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

test("a wasm that stops when an answer arrives says so", async ({ waiting: { number, checkout, page }, sandbox, invariants }) => {
  invariants.expects(/payment-checkout: stopped/);
  invariants.allows(/the page broke this/);
  await page.evaluate(STOPS["when an answer arrives"]);
  // The answer that the server holds arrives.
  await sandbox.drive(number, "decline");
  await expect(checkout.heading("crashed")).toBeVisible();
  await expect(checkout.element.getByText(`Número de operación: ${number}`)).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "crash", retryable: true });
});

test("a wasm that stops at a press loses nothing, and after a second stop the page's own content stands there, with the number", async ({
  waiting: { payer, order, number, checkout, page },
  sandbox,
  invariants,
}) => {
  invariants.expects(/payment-checkout: stopped/);
  // A call that follows the stop may throw as well.
  invariants.allows(/the page broke this|RuntimeError|thrown: /);
  const said = checkout.element.getByText(`Número de operación: ${number}`);
  await page.evaluate(STOPS["at the next node"]);
  await payer.presses("cancel");
  await expect(checkout.heading("crashed")).toBeVisible();
  await expect(said).toBeVisible();
  await payer.presses("reloadPage");
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await page.evaluate(STOPS["when a timer fires"]);
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await expect(checkout.heading("again")).toBeVisible();
  await expect(said).toBeVisible();
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  expect(checkout.heard("checkout-error").map(({ detail }) => detail)).toMatchObject([
    { code: "crash", retryable: true },
    { code: "crash", retryable: false },
  ]);
  // The number is known even where it stops at once.
  await page.addInitScript(STOPS["at the next node"]);
  await payer.reloads();
  await expect(checkout.heading("again")).toBeVisible();
  await expect(said).toBeVisible();
});
