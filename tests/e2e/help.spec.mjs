// The way to the merchant's help, about the operation on the screen.

import { expect, test } from "./support/fixtures.mjs";

test("help is offered once a payment has begun, and knows its number", async ({ payer, order, checkout, page, context, invariants }) => {
  invariants.expects(/help-url is no https:/);
  const help = checkout.element.getByRole("link", { name: "¿Necesitas ayuda?" });
  await payer.opens();
  await checkout.works();
  await expect(help).toHaveCount(0);
  await payer.chooses("QR");
  const number = await order.number();
  const [chat] = await Promise.all([context.waitForEvent("page"), help.click()]);
  await expect(chat.getByText(number.replace(/(\d{4})(?=\d)/g, "$1\u{a0}"))).toBeVisible();
  await chat.close();
  await expect(checkout.image).toBeVisible();

  // The number is written into the address as text, and an address that runs something is none.
  await checkout.set({ "help-url": "mailto:help@shop.example?subject=Payment%20{number}" });
  await expect(help).toHaveAttribute("href", `mailto:help@shop.example?subject=Payment%20${number}`);
  // The file that warns is loaded only now.
  const warned = page.waitForEvent("console", (message) => message.text().includes("help-url is no https:"));
  await checkout.set({ "help-url": "javascript:alert({number})" });
  await warned;
  await expect(help).toHaveCount(0);
});
