// Tests every method, with operations that the page or another system began.

import { expect, test } from "./support/fixtures.mjs";

/** A page of the shop with an element that is given an operation's numbers, and nothing else. */
async function showByNumbers(page, { merchant_code, merchant_operation_number, transaction }) {
  await page.goto("/");
  await page.evaluate(
    ([code, number, id]) => {
      const element = document.createElement("payment-checkout");
      element.setAttribute("base-url", "/api");
      element.setAttribute("merchant-code", code);
      element.setAttribute("merchant-operation-number", number);
      element.setAttribute("transaction-id", id);
      document.querySelector("main").prepend(element);
    },
    [merchant_code, merchant_operation_number, transaction.transaction_id],
  );
}

// The element shows these two only by the numbers of an operation; the other methods are chosen by a payer below
// and elsewhere.
for (const method of ["CARD", "WALLET"]) {
  test(`an operation of ${method} is shown by its numbers`, async ({ payer, order, checkout, page, sandbox }) => {
    await sandbox.put("/sandbox/settings", { authorizable: ["CARD", "WALLET"] });
    const back = new URL(order.path, test.info().project.use.baseURL).href;
    const begun = await order.begin(method, { redirect_url: back });
    await showByNumbers(page, begun);
    await payer.sees("waiting");
    await expect(checkout.element.getByText(/129\.90/).first()).toBeVisible();
    const pending = checkout.heardOnce("checkout-pending");
    expect(pending).toMatchObject({ method, state: "PENDIENTE", amount: order.amount });

    // A page without a request of its own follows it all the same, to its end and beyond.
    await payer.pays(begun.merchant_operation_number);
    await expect.poll(() => order.state()).toBe("paid");
    await payer.comesBack();
    await payer.sees("paid");
    await sandbox.drive(begun.merchant_operation_number, "reverse");
    await expect.poll(() => order.state()).toBe("open");
    await payer.comesBack();
    await payer.sees("reversed");
    expect(await sandbox.authorizations(order)).toHaveLength(1);
    expect(await sandbox.cancellations(order)).toEqual([]);
  });
}

test("a cash code is paid at the agent while its page is open", { tag: "@quick" }, async ({ payer, order, checkout, shop, sandbox }) => {
  const { number } = await payer.begins({ method: "CASHCODE" });
  const { cip } = await sandbox.operation(number);
  // Copied by hand it has no spaces.
  const shown = await checkout.element.locator("[part=code]").innerText();
  expect(shown.replace(/\D/g, "")).toContain(cip);
  await expect(checkout.helpLink).toHaveAttribute("rel", "noopener noreferrer");
  await expect(checkout.helpLink).toHaveAttribute("target", "_blank");

  const { agent } = await payer.tab();
  await agent.open(await shop.payAtAgent.getAttribute("href"));
  await agent.takePayment();
  await expect.poll(() => order.state()).toBe("paid");
  await payer.comesBack();
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  await expect(checkout.fact("Método")).toHaveText("Efectivo");
  await expect(checkout.fact("Referencia del pago")).toHaveText(/^[0-9A-F]{8}$/);
  await expect(checkout.fact("Fecha")).toHaveText(/^\p{L}+,? \d+ de \p{L}+ de \d{4}, /u);
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "paid",
    method: "CASHCODE",
    resumed: false,
  });
});

test("a transfer that the bank declines names the account, and another is paid", { tag: "@quick" }, async ({ payer, order, checkout, shop, sandbox }) => {
  const { number: declined } = await payer.begins({ method: "BANK_TRANSFER" });
  await payer.bank.decline();
  await payer.sees("declined");
  const account = checkout.fact("Cuenta de origen");
  await expect(account).toHaveText("**********4821");
  await expect(shop.thanks).toBeHidden();

  await payer.presses("retry");
  await payer.bank.arrived();
  await payer.bank.confirm();
  await payer.sees("paid");
  await expect(account).toBeVisible();
  await expect(shop.thanks).toBeVisible();
  await expect(shop.page).toHaveURL(new RegExp(`/\\?order=${order.id}$`));
  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "declined", merchantOperationNumber: declined, method: "BANK_TRANSFER" },
    { outcome: "paid", method: "BANK_TRANSFER" },
  ]);
  expect(await sandbox.cancellations(order)).toEqual([]);
});

test("a reversal reaches the page that says paid", async ({ payer, order, checkout, shop, sandbox }) => {
  const { number } = await payer.begins({ method: "CASHCODE" });
  await payer.pays();
  await expect.poll(() => order.state()).toBe("paid");
  await payer.presses("check");
  await payer.sees("paid");
  await sandbox.drive(number, "reverse");
  await expect.poll(() => order.state()).toBe("open");
  await payer.comesBack();
  await payer.sees("reversed");
  await expect(shop.thanks).toBeHidden();
  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "paid" },
    { outcome: "reversed", previous: "paid", merchantOperationNumber: number },
  ]);
  expect(await order.state()).toBe("open");
});
