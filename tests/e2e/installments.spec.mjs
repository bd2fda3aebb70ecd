import { expect, test } from "./support/fixtures.mjs";

test("a lender approves", { tag: "@quick" }, async ({ payer, order, checkout, shop, sandbox }) => {
  const { number } = await payer.begins({ method: "INSTALLMENT" });
  await payer.lender.approve();

  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  expect(await order.state()).toBe("paid");
  // The page removes the return token from the address, so that the payer cannot copy it.
  await expect(shop.page).toHaveURL(new RegExp(`/\\?order=${order.id}$`));
  const { url } = checkout.heardOnce("checkout-redirect");
  expect(new URL(url).pathname).toContain("/lender/");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: number,
    method: "INSTALLMENT",
    // This document did not see it wait.
    resumed: true,
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  expect(await shop.stored("payment-checkout:")).toEqual([]);
});

test("a lender declines, and the payer pays by QR", { tag: "@quick" }, async ({ payer, order, checkout, shop, sandbox }) => {
  const { number: declined } = await payer.begins({ method: "INSTALLMENT" });
  await payer.lender.decline();

  await payer.sees("declined");
  await expect(shop.thanks).toBeHidden();
  await payer.presses("another");
  await payer.chooses("QR");
  const paid = await order.numberAfter(declined);
  await payer.pays(paid);
  await payer.sees("paid");

  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "declined", merchantOperationNumber: declined, method: "INSTALLMENT" },
    { outcome: "paid", merchantOperationNumber: paid, method: "QR", superseded: [declined] },
  ]);
  // A declined operation needs no cancellation.
  expect(await sandbox.cancellations(order)).toEqual([]);
});

test("who is kept from leaving follows the link that stays, and who leaves the lender goes on there or cancels", async ({
  payer,
  checkout,
  sandbox,
}) => {
  const order = await payer.opens();
  await payer.sees("choosing");
  await checkout.element.evaluate((element) =>
    element.addEventListener("checkout-redirect", (event) => event.preventDefault(), {
      once: true,
    }),
  );
  await checkout.payByInstallments();
  await checkout.continueLink.click();
  await payer.lender.arrived();
  await payer.lender.leave();

  await payer.sees("continue");
  await expect(checkout.text("waiting")).toBeVisible();
  await checkout.continueLink.click();
  await payer.lender.arrived();
  await payer.lender.leave();

  await payer.sees("continue");
  await checkout.cancel();
  await payer.sees("cancelled");
  const number = await order.number();
  expect(await sandbox.state(number)).toBe("CANCELADO");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "cancelled",
    merchantOperationNumber: number,
  });
});
