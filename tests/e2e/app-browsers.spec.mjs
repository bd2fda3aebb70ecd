// Payments in the browsers inside apps: the payer keeps the code, goes to a lender, and comes back, maybe in another browser.
// What only a device shows is in docs/element.md.

import { APPS, without } from "./support/apps.mjs";
import { expect, test } from "./support/fixtures.mjs";

for (const [at, [name, { userAgent, lacks }]] of Object.entries(APPS).entries()) {
  test(`${name}: a code is kept and paid, and a lender's payer comes back in another browser`, { tag: at < 2 ? [] : ["@long"] }, async ({
    device,
    invariants,
  }) => {
    invariants.allows(/^(?!.*stopped)/);
    const payer = await device({ userAgent, viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    await payer.page.addInitScript(without, lacks);
    const { checkout } = payer;
    const order = await payer.opens();
    await checkout.qrButton.click();
    await expect(checkout.image).toBeVisible();
    const number = await order.number();
    // A picture that can be held and pressed is what is left without downloads.
    const picture = await checkout.image.evaluate((image) => {
      image.scrollIntoView({ block: "center" });
      const { left, top, width, height } = image.getBoundingClientRect();
      const root = /** @type {ShadowRoot} */ (image.getRootNode());
      return {
        isPicture: image instanceof HTMLImageElement && image.src.startsWith("data:image/png;base64,"),
        isOnTop: root.elementFromPoint(left + width / 2, top + height / 2) === image,
      };
    });
    expect(picture).toEqual({ isPicture: true, isOnTop: true });
    await checkout.button("copyNumber").click();
    await expect(checkout.element.getByText(/^(Copiado|No se pudo copiar)/).first()).toBeAttached();
    await payer.pays(number);
    await payer.comesBack();
    await payer.sees("paid");

    await payer.orders();
    await payer.begins({ method: "INSTALLMENT" });
    const address = await payer.lender.returnAddress();
    await payer.lender.approve();
    await payer.sees("paid");
    const other = await device();
    await other.page.goto(String(address));
    await other.sees("paid");
  });
}
