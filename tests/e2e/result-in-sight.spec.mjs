// On a phone: what ends or interrupts a payment is brought into sight, wherever the payer has scrolled to.

import { expect, test } from "./support/fixtures.mjs";
import { signed } from "../support/signed-order.mjs";
import { look } from "./support/payer.mjs";
import { servers } from "../servers.mjs";

/** @import { BrowserContext, Page } from "@playwright/test" */
/** @import { Payer } from "./support/payer.mjs" */

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
test.use(PHONE);

/**
 * What a shop may have below: a footer with a text, a field and a dialog. The page can be scrolled by 900 pixels in any
 * state.
 * @param {Page} page
 */
async function withFooter(page) {
  await page.evaluate(() => {
    const footer = document.createElement("footer");
    footer.style.height = "2000px";
    const [text, label, dialog] = ["p", "label", "dialog"].map((name) => document.createElement(name));
    text.append("Términos");
    label.append("Cupón", document.createElement("input"));
    dialog.append(Object.assign(document.createElement("button"), { textContent: "Cerrar" }));
    footer.append(text, label, dialog);
    document.body.append(footer);
  });
}

/**
 * The payer has a code, pressed something outside of the checkout, and has scrolled.
 * @param {Payer} payer
 * @param {number} by
 */
async function scrollsTo(payer, by) {
  await withFooter(payer.page);
  // The focus would move to the new heading.
  await payer.checkout.heading("qr").blur();
  await payer.page.evaluate((by) => scrollTo(0, by), by);
}

for (const by of [300, 900]) {
  test(`a payment is seen by who has scrolled by ${by} pixels`, async ({ waiting: { payer, checkout } }) => {
    await scrollsTo(payer, by);
    await payer.pays();
    await expect(checkout.heading("paid")).toBeInViewport({ ratio: 1 });
  });
}

test("a page does not move where the result is visible already", async ({ waiting: { payer, checkout, page } }) => {
  await scrollsTo(payer, 0);
  const room = await checkout.heading("qr").evaluate((heading) => heading.getBoundingClientRect().top);
  // The browser itself moves a page whose content grows above the window.
  await page.evaluate((by) => {
    document.documentElement.style.overflowAnchor = "none";
    scrollTo(0, by);
  }, Math.floor(room) - 200);
  const before = await page.evaluate(() => scrollY);
  await payer.pays();
  await expect(checkout.heading("paid")).toBeInViewport({ ratio: 1 });
  expect(before).toBeGreaterThan(0);
  expect(await page.evaluate(() => scrollY)).toBe(before);
});

test("a decline is seen, and that a payment is being confirmed", async ({
  waiting: { payer, checkout, number },
  sandbox,
  controls,
  invariants,
}) => {
  invariants.allows(/#unknown-state\)/);
  await scrollsTo(payer, 900);
  await controls.faults({ method: "GET", path: `/charges/*/${number}/*`, times: 99, kind: "unknown_state", state: "EN_CAMINO" });
  await expect(checkout.heading("confirming")).toBeInViewport({ ratio: 1 });

  await payer.page.evaluate(() => scrollTo(0, 900));
  await controls.faults();
  await sandbox.drive(number, "decline");
  await expect(checkout.heading("declined")).toBeInViewport({ ratio: 1 });
});

test("a result that came while the payer was in the wallet is seen once they come back", { tag: "@quick" }, async ({
  waiting: { payer, checkout, page },
}) => {
  await scrollsTo(payer, 900);
  await look(page, true);
  await payer.pays();
  await payer.sees("paid");
  await expect(checkout.heading("paid")).not.toBeInViewport();
  await look(page, false);
  await expect(checkout.heading("paid")).toBeInViewport({ ratio: 1 });
  // Once: a payer who scrolls on is left where they are.
  await page.evaluate(() => scrollTo(0, 900));
  await look(page, true);
  await look(page, false);
  await payer.comesBack();
  await expect(checkout.heading("paid")).not.toBeInViewport();
});

/** What a payer may be busy with on the page. @type {Record<string, (page: Page) => Promise<unknown>>} */
const BUSY = {
  types: (page) => page.getByLabel("Cupón").focus(),
  "selects a text": (page) => page.evaluate(() => getSelection()?.selectAllChildren(/** @type {Node} */ (document.querySelector("footer p")))),
  "has a dialog open": (page) => page.evaluate(() => document.querySelector("dialog")?.showModal()),
  "has zoomed in": async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
    await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBe(2);
  },
};

for (const [what, does] of Object.entries(BUSY)) {
  test(`a payer who ${what} elsewhere is not disturbed`, async ({ waiting: { payer, checkout, page } }) => {
    await scrollsTo(payer, 900);
    await does(page);
    await page.evaluate(() => scrollTo(0, 900));
    await payer.pays();
    await payer.sees("paid");
    await expect(checkout.heading("paid")).not.toBeInViewport();
  });
}

test("a dialog with the checkout in it is scrolled", async ({ waiting: { payer, checkout, page } }) => {
  await withFooter(page);
  await page.evaluate(() => {
    const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog"));
    dialog.style.height = "500px";
    dialog.append(/** @type {Node} */ (document.querySelector("payment-checkout")));
    dialog.showModal();
  });
  await payer.seesCode();
  await page.getByRole("button", { name: "Cerrar" }).focus();
  await page.evaluate(() => document.querySelector("dialog")?.scrollTo(0, 300));
  await expect(checkout.heading("qr")).not.toBeInViewport();
  await payer.pays();
  await expect(checkout.heading("paid")).toBeInViewport({ ratio: 1 });
});

test("nothing moves slowly before a payer who wants no motion", async ({ waiting: { payer, checkout, page } }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await scrollsTo(payer, 900);
  await page.evaluate(() => void (document.documentElement.style.scrollBehavior = "smooth"));
  await payer.pays();
  await payer.sees("paid");
  expect(await checkout.heading("paid").evaluate((heading) => heading.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
});

test("a payer whose page was loaded again meanwhile sees the result", async ({ waiting: { payer, checkout, page } }) => {
  await scrollsTo(payer, 300);
  await page.goto("about:blank");
  await payer.pays();
  await page.goBack();
  await expect(checkout.heading("paid")).toBeInViewport({ ratio: 1 });
});

/**
 * What may run on the server's own page, and how the page comes to the result.
 * @type {Record<string, { scripts: boolean, prepares?: (context: BrowserContext) => Promise<unknown>, comes?: (page: Page) => Promise<unknown> }>}
 */
const BROWSERS = {
  "with the element": { scripts: true },
  "without WebAssembly": {
    scripts: true,
    prepares: async (context) => {
      await context.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
      await context.clock.install();
    },
    comes: (page) => page.clock.runFor(15_000),
  },
  // The browser does the same by itself every 15 seconds.
  "without scripts": { scripts: false, comes: (page) => page.reload() },
};

for (const [how, { scripts, prepares, comes }] of Object.entries(BROWSERS)) {
  test(`the end of a code on the server's own page is seen ${how}`, async ({ browser, sandbox }) => {
    const context = await browser.newContext({ ...PHONE, locale: "es-PE", javaScriptEnabled: scripts });
    await prepares?.(context);
    const page = await context.newPage();
    const led = await page.request.post(`${servers.backend}/api/pay`, { form: { order: signed() }, maxRedirects: 0 });
    await page.goto(new URL(led.headers().location, servers.backend).href);
    // A press in the moment in which the element takes the place of the card would hit neither.
    if (how === "with the element") await expect(page.locator("payment-checkout")).toHaveJSProperty("state", "choosing");
    await page.getByRole("button", { name: /Con QR/ }).click();
    await expect(page.getByRole("img", { name: /Código QR/ })).toBeVisible();
    const number = await page.locator("payment-checkout [part=number], .card .number").first().innerText();
    await page.evaluate(() => {
      /** @type {HTMLElement | null} */ (document.activeElement?.shadowRoot?.activeElement)?.blur();
      scrollTo(0, 300);
    });
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).not.toBeInViewport();
    await sandbox.drive(number.replace(/\D/g, ""), "expire");
    await expect(async () => {
      await comes?.(page);
      await expect(heading).toHaveText(/Este QR venció|¿Cómo quieres pagar\?/, { timeout: 1000 });
    }).toPass();
    await expect(heading).toBeInViewport({ ratio: 1 });
    await context.close();
  });
}
