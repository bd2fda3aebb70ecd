// Tests every method, with operations that the page or another system began.

import { expect, test } from "./support/fixtures.mjs";
import { placeOrder } from "./support/order.mjs";

/** Adds an element to the page that is given an operation's numbers, and nothing else. */
async function addByNumbers(page, method, { merchant_code, merchant_operation_number, transaction }) {
  await page.evaluate(
    ([method, code, number, id]) => {
      const element = document.createElement("payment-checkout");
      element.id = method;
      element.setAttribute("base-url", "/api");
      element.setAttribute("merchant-code", code);
      element.setAttribute("merchant-operation-number", number);
      element.setAttribute("transaction-id", id);
      document.querySelector("main").prepend(element);
    },
    [method, merchant_code, merchant_operation_number, transaction.transaction_id],
  );
  return page.locator(`#${method}`);
}

/** @type {Record<string, import("./support/pages/checkout.mjs").Word>} */
const WAITING = {
  QR: "qr",
  INSTALLMENT: "continue",
  CASHCODE: "cash",
  BANK_TRANSFER: "transfer",
  CARD: "waiting",
  WALLET: "waiting",
};

test("an operation of each method is shown by its numbers, to its end and beyond", async ({ payer, checkout, page, sandbox, controls }) => {
  await controls.settings({ authorizable: ["CARD", "WALLET"] });
  await page.goto("/");
  const sales = [];
  for (const [method, screen] of Object.entries(WAITING)) {
    const order = await placeOrder(payer.context);
    const back = new URL(order.path, test.info().project.use.baseURL).href;
    const leads = !["QR", "CASHCODE"].includes(method);
    const begun = await order.begin(method, leads ? { redirect_url: back } : {});
    const shown = checkout.at(await addByNumbers(page, method, begun));
    await expect(shown.heading(screen), method).toBeVisible();
    await expect(shown.element.getByText(/129\.90/).first(), method).toBeVisible();
    sales.push({ method, order, shown, number: begun.merchant_operation_number });
  }
  const pending = checkout.heard("checkout-pending").map(({ detail }) => detail);
  expect(pending).toMatchObject(sales.map(({ method, order }) => ({ method, state: "PENDIENTE", amount: order.amount })));

  // A page without a request of its own follows each of them all the same.
  for (const [step, state, screen] of /** @type {const} */ ([["pay", "paid", "paid"], ["reverse", "open", "reversed"]])) {
    for (const { number } of sales) await sandbox.drive(number, step);
    for (const { method, order } of sales) await expect.poll(() => order.state(), method).toBe(state);
    await payer.comesBack();
    for (const { method, shown } of sales) await expect(shown.heading(screen), method).toBeVisible();
  }
  for (const { method, order } of sales) {
    expect(await sandbox.authorizations(order), method).toHaveLength(1);
    expect(await sandbox.cancellations(order), method).toEqual([]);
  }
});

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
