// Browsers without newer features: the payer still pays.

import { writeFile } from "node:fs/promises";
import { ENGINES, play } from "./support/older-engine.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { latch } from "./support/held-answers.mjs";
import { Gallery } from "./support/pages/gallery.mjs";
import { illegible } from "./support/legibility.mjs";
import { Staff } from "./support/pages/staff.mjs";

/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

/** Before the page loads: no `URL.canParse`, and no style sheets that scripts make. */
function older() {
  delete URL.canParse;
  delete Document.prototype.adoptedStyleSheets;
  delete ShadowRoot.prototype.adoptedStyleSheets;
  globalThis.CSSStyleSheet = /** @type {any} */ (class CSSStyleSheet {
    constructor() {
      throw new TypeError("Illegal constructor");
    }
  });
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

test("without URL.canParse, sheets that scripts make and a lock of the screen, a payer pays", async ({
  payer,
  order,
  checkout,
  page,
  device,
  invariants,
}, info) => {
  invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
  const newer = await device(await payer.session());
  await newer.opens({ order });
  await newer.sees("choosing");

  await page.addInitScript(older);
  await page.addInitScript(() => {
    globalThis.locks = 0;
    const request = async () => {
      globalThis.locks += 1;
      throw new DOMException("", "NotAllowedError");
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
  });
  await payer.opens();
  await payer.sees("choosing");
  const expected = await looks(newer.checkout.element);
  await expect.poll(() => looks(checkout.element)).toEqual(expected);
  await writeFile(info.outputPath("older.png"), await page.screenshot({ fullPage: true }));
  await payer.chooses("QR");
  // The style stays when the screen changes.
  expect((await looks(checkout.element))[0]).toEqual(expected[0]);
  await writeFile(info.outputPath("older-qr.png"), await page.screenshot({ fullPage: true }));
  // The browser refused to keep the screen on.
  await expect.poll(() => page.evaluate(() => globalThis.locks)).toBe(1);
  await payer.pays();
  await payer.sees("paid");
  expect(checkout.heard("checkout-error")).toEqual([]);

  // The element for staff has its style, too.
  const [expectedOfStaff, ofStaff] = await Promise.all([newer.page, page].map(async (page) => {
    const staff = new Staff(page);
    await staff.open();
    await expect(staff.name).toBeVisible();
    return () => looks(page.locator("payment-operations"));
  }));
  await expect.poll(ofStaff).toEqual(await expectedOfStaff());
});

test("without sheets that scripts make and with a console that throws, a print leaves the page out and a payer pays", async ({
  payer,
  checkout,
  page,
}) => {
  await page.addInitScript(older);
  await page.addInitScript(() => {
    const broken = () => {
      throw new TypeError("no console");
    };
    // Neither `info` nor `debug` is there.
    globalThis.console = /** @type {any} */ ({ error: broken, warn: broken });
    globalThis.print = () => {
      const links = [.../** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]"))];
      const loaded = links.find(({ href, media }) => href.includes("print.css") && media === "print")?.sheet;
      globalThis.printed = { loaded: Boolean(loaded), marked: document.querySelectorAll("[data-checkout-printed]").length };
    };
  });
  await payer.opens();
  // An unknown method and an unknown text give the element something to report.
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => {
    element.setAttribute("methods", "CASHCODE NOTHING");
    // @ts-expect-error a misspelled key
    element.messages = { "qr.headin": "?" };
  });
  await payer.chooses("CASHCODE");
  await page.waitForFunction(() =>
    [...document.querySelectorAll("link")].some(({ href, sheet }) => href.includes("print.css") && sheet),
  );
  await payer.presses("print");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
  await expect(checkout.heading("cash")).toBeVisible();
  expect(await page.evaluate(() => globalThis.printed)).toEqual({ loaded: true, marked: 1 });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
  // The page's own print.
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await payer.pays();
  await payer.comesBack();
  await payer.sees("paid");
});

/** Looks at a part of a page in both themes and two widths. @param {import("@playwright/test").Locator} element */
async function look(element, step, info) {
  const page = element.page();
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // Colors in the middle of a transition do not count.
      await element.evaluate(({ shadowRoot }) => Promise.all(shadowRoot.getAnimations().map(({ finished }) => finished.catch(() => {}))));
      expect.soft(await illegible(element), `${step}, ${colorScheme}, ${width}`).toEqual([]);
      await writeFile(info.outputPath(`${step}-${colorScheme}-${width}.png`), await page.screenshot({ fullPage: true }));
    }
  }
}

for (const [engine, lacks] of Object.entries(ENGINES)) {
  // The oldest one each time, those between with `--all`.
  const tag = engine === "Chromium 103" ? [] : ["@long"];
  test(`every screen, and every step of a payer and of staff, can be seen in the style that is left in ${engine}`, { tag }, async ({
    context,
    page,
    device,
    invariants,
  }, info) => {
    test.setTimeout(300_000);
    await play(context, lacks);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const gallery = new Gallery(page);
    for (const [theme, width] of [["light", "320"], ["light", "360"], ["light", "768"], ["dark", "360"], ["dark", "768"]]) {
      await page.setViewportSize({ width: width === "768" ? 1280 : 360, height: 800 });
      await gallery.open({ theme, width });
      expect.soft(await illegible(gallery.exhibits), `${theme}, ${width}`).toEqual([]);
      expect.soft(await gallery.sideways(), `${theme}, ${width}`).toEqual([]);
      await writeFile(info.outputPath(`${theme}-${width}.png`), await page.screenshot({ fullPage: true }));
    }

    // Only these three differ in how much of a page's own colors is left.
    if (!["Chromium 103", "Chromium 119", "Firefox 120"].includes(engine)) return;

    const payer = await device({ reducedMotion: "reduce" });
    await play(payer.context, lacks);
    const order = await payer.opens();
    await payer.sees("choosing");
    await look(payer.checkout.element, "choosing", info);
    await payer.chooses("QR");
    await look(payer.checkout.element, "qr", info);
    await payer.presses("cancel");
    await look(payer.checkout.element, "cancel", info);
    await payer.pays();
    await payer.sees("paid");
    await look(payer.checkout.element, "paid", info);

    invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
    const member = await device({ reducedMotion: "reduce" });
    await play(member.context, lacks);
    const staff = new Staff(member.page);
    const element = member.page.locator("payment-operations");
    const number = await order.number();
    await staff.open();
    await expect(staff.name).toBeVisible();
    await look(element, "door", info);
    await staff.signIn("ana");
    await expect(staff.signOutButton).toBeVisible();
    await staff.search(number);
    await expect(staff.row(number)).toBeVisible();
    await look(element, "list", info);
    await staff.row(number).click();
    await expect(staff.operation(number)).toBeVisible();
    await look(element, "operation", info);
  });
}

/**
 * A sheet that comes late, not at all, or never ends; and how long the page waits for it.
 * @type {[string, (route: import("@playwright/test").Route) => void, number][]}
 */
const FATES = [
  ["comes late", (route) => route.continue(), 0],
  ["cannot be had", (route) => route.abort(), 0],
  ["never ends", () => {}, 2000],
];
test("nothing is seen without its style for long, and the page's own content stands where the style cannot be had", async ({
  payer,
  order,
  shop,
  checkout,
  page,
  invariants,
}) => {
  // The last part holds the wasm back, and may end before the element says so.
  invariants.allows(/style\.css|\.wasm\)|could not be loaded/);
  await page.addInitScript(older);
  for (const [fate, answer, patience] of FATES) {
    const { promise, resolve } = latch();
    let ended;
    await page.route("**/element/style.css", async (route) => {
      await promise;
      ended = answer(route);
    });
    // The page is not loaded before the sheet is.
    await page.goto(order.path, { waitUntil: "commit" });
    // Found by role all the same: what is unseen is heard.
    await expect(checkout.heading("choosing"), fate).toBeAttached();
    const opacity = () => checkout.element.evaluate(({ shadowRoot }) => getComputedStyle(shadowRoot.querySelector("[part=stage]")).opacity);
    expect(await opacity(), fate).toBe("0");
    const since = Date.now();
    resolve();
    await expect.poll(opacity, { intervals: [50], message: fate }).toBe("1");
    if (patience) expect(Date.now() - since, fate).toBeLessThan(patience + 1000);
    await ended;
    await checkout.works();
    await page.unroute("**/element/style.css");
  }
  await payer.chooses("QR");

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
