// The wasm stops: it starts again by itself, and where that does not help the payer is not left alone.
// `other-pages.spec.mjs` has what stops it.

import { expect, test } from "./support/fixtures.mjs";

/**
 * Stops the wasm when it draws next: Yew panics where a node cannot be put into the page. The element draws for itself each
 * second, so a button is pressed at once.
 * @param {unknown} [button]
 */
const stopAlways = (button) => {
  Node.prototype.insertBefore = () => {
    throw new TypeError("the page broke this");
  };
  if (button instanceof HTMLElement) button.click();
};

/** Stops it once. @param {unknown} [button] */
const stopOnce = (button) => {
  const { insertBefore } = Node.prototype;
  Node.prototype.insertBefore = () => {
    Node.prototype.insertBefore = insertBefore;
    throw new TypeError("the page broke this");
  };
  if (button instanceof HTMLElement) button.click();
};

test("a wasm that stops starts again: the code stays, and the page hears nothing twice", { tag: "@quick" }, async ({
  waiting: { payer, order, number, checkout, page },
  sandbox,
  invariants,
}) => {
  invariants.expects(/payment-checkout: stopped/);
  invariants.allows(/the page broke this|RuntimeError|thrown: /);
  const picture = await checkout.picture();
  const before = checkout.heard("checkout-state").length;
  for (let stop = 0; stop < 2; stop += 1) {
    await checkout.button("cancel").evaluate(stopOnce);
    // The question was what could not be drawn.
    await expect.poll(() => page.evaluate(() => Node.prototype.insertBefore.toString())).toContain("[native code]");
    await payer.seesCode();
    expect(await checkout.picture()).toBe(picture);
  }
  await payer.pays(number);
  await payer.sees("paid");
  expect(checkout.heard("checkout-ready")).toHaveLength(1);
  expect(checkout.heard("checkout-pending")).toHaveLength(1);
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid", merchantOperationNumber: number });
  expect(checkout.heard("checkout-error")).toEqual([]);
  expect(checkout.heard("checkout-state").length).toBeGreaterThan(before);
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  // The receipt is all that is left of the payment in this page.
  await page.evaluate(stopOnce);
  await checkout.set({ "heading-level": "3" });
  await expect(checkout.element.getByRole("heading", { name: "¡Pago confirmado!", level: 3 })).toBeVisible();
  expect(checkout.heard("checkout-result")).toHaveLength(1);
});

test("a wasm that stops again and again loses nothing, and after a reload the page's own content stands there, with the number", async ({
  waiting: { payer, order, number, checkout, page },
  sandbox,
  invariants,
}) => {
  invariants.expects(/payment-checkout: stopped/);
  // A call that follows the stop may throw as well.
  invariants.allows(/the page broke this|RuntimeError|thrown: /);
  const said = checkout.element.getByText(`Número de operación: ${number}`);
  await checkout.button("cancel").evaluate(stopAlways);
  await expect(checkout.heading("crashed")).toBeVisible();
  await expect(said).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "crash", retryable: true });
  await payer.presses("reloadPage");
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await checkout.button("cancel").evaluate(stopAlways);
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await expect(checkout.heading("again")).toBeVisible();
  await expect(said).toBeVisible();
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  expect(checkout.heard("checkout-error").map(({ detail }) => detail)).toMatchObject([
    { code: "crash", retryable: true },
    { code: "crash", retryable: false },
  ]);
  // The number is known even where it stops at once.
  await page.addInitScript(stopAlways);
  await payer.reloads();
  await expect(checkout.heading("again")).toBeVisible();
  await expect(said).toBeVisible();
});

test("settings that the wasm cannot read end the element visibly, and the page hears it", async ({
  waiting: { payer, order, number, checkout },
  sandbox,
  invariants,
}) => {
  invariants.expects(/payment-checkout: stopped/);
  invariants.allows(/options that the wasm does not know|RuntimeError/);
  // The script passes what the element answers, which is `true` or `false` elsewhere.
  await checkout.element.evaluate((element) => {
    element.hasAttribute = () => /** @type {any} */ ("yes");
    element.setAttribute("order-label", "A-8");
  });
  await expect(checkout.heading("crashed")).toBeVisible();
  await expect(checkout.element.getByText(`Número de operación: ${number}`)).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "crash", retryable: true });
  await payer.presses("reloadPage");
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
