// Browsers without newer features: the payer still pays.

import { writeFile } from "node:fs/promises";
import { expect, test } from "./support/fixtures.mjs";
import { Staff } from "./support/pages/staff.mjs";

/** Before the page loads: no `URL.canParse`, and no style sheets that scripts make. */
function older() {
  delete URL.canParse;
  delete Document.prototype.adoptedStyleSheets;
  delete ShadowRoot.prototype.adoptedStyleSheets;
  globalThis.CSSStyleSheet = class CSSStyleSheet {
    constructor() {
      throw new TypeError("Illegal constructor");
    }
  };
}

/** The computed style of the card and of its first button. */
function looks(element) {
  return element.evaluate(({ shadowRoot }) =>
    ["[part=checkout], [part=operations]", "button"].map((name) => {
      const style = getComputedStyle(shadowRoot.querySelector(name));
      return ["paddingTop", "borderRadius", "backgroundColor", "color", "fontSize", "boxShadow"].map(
        (property) => style[property],
      );
    }),
  );
}

test("without URL.canParse and without sheets that scripts make, a payer pays", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
  device,
}, info) => {
  const { page: newer, shop: newerShop, checkout: newerCheckout } = await device();
  await page.context().storageState().then(({ cookies }) => newer.context().addCookies(cookies));
  await newerShop.openOrder(order);
  await newerCheckout.shows("choosing");

  await page.addInitScript(older);
  await shop.openOrder(order);
  await checkout.shows("choosing");
  const expected = await looks(newerCheckout.element);
  await expect.poll(() => looks(checkout.element)).toEqual(expected);
  await writeFile(info.outputPath("older.png"), await page.screenshot({ fullPage: true }));
  await checkout.payByQr();
  // The style stays when the screen changes.
  expect((await looks(checkout.element))[0]).toEqual(expected[0]);
  await writeFile(info.outputPath("older-qr.png"), await page.screenshot({ fullPage: true }));
  await sandbox.drive(await order.number(), "pay");
  await checkout.shows("paid");
  expect(checkout.heard("checkout-error")).toEqual([]);
});

test("without sheets that scripts make, a print leaves the page out", async ({
  shop,
  order,
  checkout,
  page,
}) => {
  await page.addInitScript(older);
  await page.addInitScript(() => {
    globalThis.print = () => {
      const links = [...document.querySelectorAll("link[rel=stylesheet]")];
      const loaded = links.find(({ href, media }) => href.includes("print.css") && media === "print")?.sheet;
      globalThis.printed = { loaded: Boolean(loaded), marked: document.querySelectorAll("[data-checkout-printed]").length };
    };
  });
  await shop.openOrder(order);
  await checkout.payInCash();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("link")].some(({ href, sheet }) => href.includes("print.css") && sheet),
  );
  await checkout.button("print").click();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
  await expect(checkout.heading("cash")).toBeVisible();
  expect(await page.evaluate(() => globalThis.printed)).toEqual({ loaded: true, marked: 1 });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("without sheets that scripts make, the staff element has its style", async ({
  page,
  device,
  invariants,
}) => {
  invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
  const { page: newer } = await device();
  const looksOf = async (page) => {
    const staff = new Staff(page);
    await staff.open();
    await expect(staff.name).toBeVisible();
    return page.locator("payment-operations");
  };
  const expected = await looks(await looksOf(newer));
  await page.addInitScript(older);
  const element = await looksOf(page);
  await expect.poll(() => looks(element)).toEqual(expected);
});

test("a console that throws, or is not there, costs nobody a payment", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
}) => {
  await page.addInitScript(() => {
    const broken = () => {
      throw new TypeError("no console");
    };
    globalThis.console = { error: broken, warn: broken };
  });
  await shop.openOrder(order);
  // An unknown method and an unknown text give the element something to report.
  await page.locator("payment-checkout").evaluate((element) => {
    element.setAttribute("methods", "QR NOTHING");
    element.messages = { "qr.headin": "?" };
  });
  await checkout.payByQr();
  await sandbox.drive(await order.number(), "pay");
  await checkout.shows("paid");
});

test("the page's own content stands where the style cannot be had", async ({ page, shop }) => {
  await page.addInitScript(older);
  await page.route("**/*.wasm", (route) => route.abort());
  await page.addInitScript(() => {
    globalThis.CSSStyleSheet = undefined;
  });
  await shop.open();
  const slotted = await page.evaluate(() => {
    const element = document.createElement("payment-checkout");
    element.textContent = "Another way to pay";
    document.body.append(element);
    return element.shadowRoot.querySelector("slot")?.assignedNodes().map((node) => node.textContent);
  });
  expect(slotted).toEqual(["Another way to pay"]);
});
