// The element in a panel that is not shown, in a dialog of the page, in a frame.

import { readFileSync } from "node:fs";
import { expect, test } from "./support/fixtures.mjs";
import { placeOrder } from "./support/order.mjs";
import { darkRuns } from "./support/qr-image.mjs";
import { servers } from "../servers.mjs";

/** The requests of a page for the state of a payment. */
function statusRequests(page) {
  const requests = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && /\/api\/charges\//.test(request.url())) requests.push(request);
  });
  return requests;
}

/** Shows or hides the panel around the element, as a page with tabs does. */
function panel(page, display) {
  return page.locator("#checkout").evaluate((panel, display) => {
    panel.style.display = display;
  }, display);
}

test("in a panel that is shown later the code and its time are right, and nobody asked in haste", async ({
  payer,
  checkout,
  page,
  sandbox,
}) => {
  const asked = statusRequests(page);
  const { number } = await payer.begins();
  const { qr_content } = await sandbox.operation(number);
  const [began, left] = [Date.now(), await checkout.secondsLeft()];
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      /** @type {HTMLElement} */ (document.querySelector("#checkout")).style.display = "none";
    });
  });
  await payer.reloads();
  const state = () => checkout.element.evaluate((/** @type {import("../../npm/element/types/element.d.ts").PaymentCheckout} */ { state }) => state);
  await expect.poll(state).toBe("pending");
  await expect(checkout.image).toBeHidden();

  // The server holds the last one until something changes.
  const held = () => Boolean(asked.at(-1)?.headers().prefer);
  await expect.poll(held).toBe(true);
  const before = asked.length;
  for (const display of ["", "none", "", "none", ""]) await panel(page, display);
  await payer.seesCode();
  const seconds = left - (Date.now() - began) / 1_000;
  expect(Math.abs((await checkout.secondsLeft()) - seconds)).toBeLessThan(3);
  expect((await checkout.image.boundingBox()).width).toBeGreaterThanOrEqual(256);
  const runs = darkRuns(await checkout.image.screenshot());
  expect(runs.filter((run) => !Number.isInteger(run / (runs[0] / 7)))).toEqual([]);
  expect(await checkout.scan()).toBe(qr_content);
  expect(asked.length).toBe(before);

  await payer.pays();
  await payer.sees("paid");
});

test("a panel or a dialog of the page that is hidden takes its question along, and the page can be used", async ({
  waiting: { payer, number, checkout, shop, page },
  sandbox,
}) => {
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  await panel(page, "none");
  await shop.outside.click({ trial: true });
  await panel(page, "");
  await payer.seesCode();
  await expect(checkout.question).toBeHidden();
  // Asked by the page while nobody sees it, it waits until it is seen.
  await panel(page, "none");
  await checkout.element.evaluate((/** @type {import("../../npm/element/types/element.d.ts").PaymentCheckout} */ element) => element.cancel());
  await shop.outside.click({ trial: true });
  await panel(page, "");
  await expect(checkout.warning).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await expect(checkout.button("cancel")).toBeFocused();
  expect(await sandbox.state(number)).toBe("PENDIENTE");

  await checkout.element.evaluate((element) => {
    const dialog = document.createElement("dialog");
    dialog.id = "around";
    document.body.append(dialog);
    dialog.append(element);
    dialog.showModal();
  });
  const around = page.locator("#around");
  // One Escape ends the question, and the next one the dialog.
  await payer.presses("cancel");
  await expect(checkout.warning).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await expect(around).toHaveAttribute("open", "");
  await expect(checkout.button("cancel")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(around).not.toHaveAttribute("open");
  await shop.outside.click({ trial: true });
  // A dialog that closes and opens again has no question left in it.
  await around.evaluate((/** @type {HTMLDialogElement} */ dialog) => dialog.showModal());
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  await around.evaluate((/** @type {HTMLDialogElement} */ dialog) => dialog.close());
  await shop.outside.click({ trial: true });
  await around.evaluate((/** @type {HTMLDialogElement} */ dialog) => dialog.showModal());
  await payer.seesCode();
  await expect(checkout.question).toBeHidden();
  await checkout.cancel();
  await payer.sees("cancelled");
  await expect(around).toHaveAttribute("open", "");
  expect(await sandbox.state(number)).toBe("CANCELADO");
});

/**
 * Two pages of a merchant's own, since the policy of the demo's shop permits no frames: one with nothing but the element,
 * and one around it.
 * @param {any} page
 * @param {any} checkout
 * @param {any} order
 * @param {{ site?: string, sandbox?: string }} [where]
 */
async function framed(page, checkout, order, { site = "", sandbox } = {}) {
  await page.route("**/checkout.html?*", (route) => {
    const id = new URL(route.request().url()).searchParams.get("order");
    return html(
      route,
      `<script type="module" src="/element/payment-checkout.js"></script>
       <payment-checkout base-url="/api"></payment-checkout>
       <script>document.querySelector("payment-checkout").request = { order_id: "${id}" }</script>`,
    );
  });
  await page.route("**/around.html", (route) =>
    html(
      route,
      `<h1>Around</h1>
       <iframe width="900" height="900" src="${servers.shop}/checkout.html?order=${order.id}"
               ${sandbox === undefined ? "" : `sandbox="${sandbox}"`}></iframe>`,
    ),
  );
  await page.goto(`${site}/around.html`);
  return checkout.at(page.frameLocator("iframe").locator("payment-checkout"));
}

function html(route, body) {
  return route.fulfill({
    contentType: "text/html; charset=utf-8",
    body: `<!doctype html><html lang="es"><title>Test</title><link rel="icon" href="data:,">${body}`,
  });
}

test("in a frame of the same site a code is paid, and the link that stays leads out of it, and back to the page that was in it", async ({
  payer,
  order,
  checkout,
  page,
  context,
  sandbox,
}) => {
  const second = await placeOrder(context);
  const inside = await framed(page, checkout, order);
  await inside.shows("choosing");
  const pays = (/** @type {string} */ id) =>
    inside.element.evaluate((element, id) => {
      /** @type {import("../../npm/element/types/element.d.ts").PaymentCheckout} */ (element).request = { order_id: id };
    }, id);
  await pays(second.id);
  await inside.payByQr();
  const number = await second.number();
  expect(await inside.scan()).toBe((await sandbox.operation(number)).qr_content);
  await inside.button("cancel").click();
  await expect(inside.warning).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(inside.question).toBeHidden();
  await payer.pays(number);
  await inside.shows("paid");
  await expect(page).toHaveURL("/around.html");

  await pays(order.id);
  await inside.shows("choosing");
  await inside.element.evaluate((element) =>
    element.addEventListener("checkout-redirect", (event) => event.preventDefault(), { once: true }),
  );
  await inside.payByInstallments();
  await inside.continueLink.click();
  await payer.lender.arrived();
  await payer.lender.leave();
  await payer.sees("continue");
  await expect(page).toHaveURL(`/checkout.html?order=${order.id}`);
  await payer.pays();
  await payer.sees("paid");
});

/** The browser warns that a frame of the same origin may take such a `sandbox` off. */
const WARNING = /allow-scripts and allow-same-origin/;
const MAY = "allow-scripts allow-same-origin allow-forms";
const GUIDE = readFileSync(new URL("../../docs/element.md", import.meta.url), "utf8");
/** The words that the guide names. */
const WORDS = String(GUIDE.match(/`(allow-scripts [^`]+)`/)?.[1]).replace(/\s+/g, " ");

/** The module that saves and prints, which comes after the code. @param {any} inside */
async function equipped(inside) {
  const loaded = () => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/save-and-print.js"));
  await expect.poll(() => inside.element.evaluate(loaded)).toBe(true);
}

test("in a frame with the sandbox of the guide a payer saves the code and prints the receipt", async ({
  payer,
  order,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(WARNING);
  const inside = await framed(page, checkout, order, { sandbox: WORDS });
  await inside.payByQr();
  await equipped(inside);
  const [download] = await Promise.all([page.waitForEvent("download"), inside.saveLink.click()]);
  expect(download.suggestedFilename()).toMatch(/^\d+\.png$/);
  await payer.pays(await order.number());
  await inside.shows("paid");
  // A browser that refuses to print says so in the console.
  await inside.button("print").click();
});

test("in a frame whose sandbox forbids to save and to print neither is offered, and the console names the words", async ({
  payer,
  order,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(WARNING);
  for (const word of ["downloads", "modals", "top-navigation-by-user-activation"]) {
    invariants.expects(new RegExp(`the sandbox of the frame .* lacks allow-${word}: .*#sandbox`));
  }
  const inside = await framed(page, checkout, order, { sandbox: MAY });
  await inside.payByQr();
  await equipped(inside);
  await expect(inside.saveLink).toBeHidden();
  await payer.pays(await order.number());
  await inside.shows("paid");
  await expect(inside.button("print")).toBeHidden();
  await expect(inside.receiptLink).toBeHidden();
});

test("out of a frame whose sandbox permits it a lender gets the whole tab, and leads back to the page that the checkout names", async ({
  payer,
  order,
  checkout,
  shop,
  page,
  invariants,
}) => {
  invariants.expects(WARNING);
  const inside = await framed(page, checkout, order, { sandbox: WORDS });
  await inside.set({ "redirect-url": order.path });
  await inside.payByInstallments();
  await payer.lender.arrived();
  await payer.lender.approve();
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  await expect(page).toHaveURL(order.path);
  expect(checkout.heardOnce("checkout-result", order)).toMatchObject({ outcome: "paid" });
});

test("in a frame with sandbox that permits less the payer stays, and the page is told where to", async ({
  order,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(WARNING);
  invariants.expects(/Unsafe attempt to initiate navigation .* sandbox/);
  invariants.expects(/#sandbox/);
  const inside = await framed(page, checkout, order, { sandbox: MAY });
  await inside.payByInstallments();
  await inside.shows("continue");
  await expect(inside.continueLink).toBeVisible();
  await expect(page).toHaveURL("/around.html");
  expect(await inside.element.evaluate(({ state }) => state)).toBe("pending");
  const { url } = checkout.heardOnce("checkout-redirect", order);
  await expect(inside.continueLink).toHaveAttribute("href", url);
});

test("in a frame without an address of its own a payment goes to a lender, and comes back to the page around it", async ({
  payer,
  order,
  checkout,
  page,
}) => {
  await page.route(/\/around\.html/, (route) => {
    const inner = `<script type="module" src="/element/payment-checkout.js"></script>
      <payment-checkout base-url="/api"></payment-checkout>
      <script>document.querySelector("payment-checkout").request = { order_id: "${order.id}" }</script>`;
    return html(route, `<h1>Around</h1><iframe width="900" height="900" srcdoc="${inner.replaceAll('"', "&quot;")}"></iframe>`);
  });
  await page.goto("/around.html?cart=7#top");
  const inside = checkout.at(page.frameLocator("iframe").locator("payment-checkout"));
  await inside.payByInstallments();
  await payer.lender.arrived();
  await payer.lender.leave();
  await inside.shows("continue");
  // The parameter of the return is that page's to take out.
  await expect(page).toHaveURL(/\/around\.html\?cart=7&checkout=/);
  await payer.pays(await order.number());
  await inside.shows("paid");
});

test("an element that the page moves into a frame keeps its payment and its style", async ({ payer, order, checkout, page, sandbox }) => {
  await page.route("**/moves.html", (route) =>
    html(
      route,
      `<script type="module" src="/element/payment-checkout.js"></script>
       <payment-checkout base-url="/api"></payment-checkout>
       <script>document.querySelector("payment-checkout").request = { order_id: "${order.id}" }</script>
       <iframe width="900" height="900"></iframe>`,
    ),
  );
  await page.goto("/moves.html");
  await checkout.payByQr();
  const look = (/** @type {Pick<typeof checkout, "element" | "tile">} */ { element, tile }) =>
    Promise.all(
      [element.locator("[part=checkout]"), tile].map((part) =>
        part.evaluate((part) => {
          const { backgroundColor, borderTopLeftRadius, padding } = getComputedStyle(part);
          return [backgroundColor, borderTopLeftRadius, padding];
        }),
      ),
    );
  const before = await look(checkout);
  await checkout.element.evaluate((element) => document.querySelector("iframe")?.contentDocument?.body.append(element));
  const inside = checkout.at(page.frameLocator("iframe").locator("payment-checkout"));
  await inside.showsQr();
  expect(await look(inside)).toEqual(before);
  const number = await order.number();
  expect(await inside.scan()).toBe((await sandbox.operation(number)).qr_content);
  await inside.button("cancel").click();
  await expect(inside.warning).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(inside.question).toBeHidden();
  await payer.pays(number);
  await inside.shows("paid");
  // And back again.
  await inside.element.evaluate((element) => parent.document.body.append(element));
  await checkout.shows("paid");
  expect((await look({ element: checkout.element, tile: checkout.receipt }))[0]).toEqual(before[0]);
});

test("in a frame of another site, where the session is lost, no payment begins", async ({ order, checkout, page, sandbox, invariants }) => {
  invariants.allows(/a request to http:\/\/localhost/);
  invariants.expects(/status of 40[134] .*\/api\/charges/);
  const site = servers.shop.replace("127.0.0.1", "localhost");
  const inside = await framed(page, checkout, order, { site });
  await inside.qrButton.click();
  await inside.shows("refused");
  await expect(inside.image).toHaveCount(0);
  expect(checkout.heardOnce("checkout-error", order)).toMatchObject({ code: "refused" });
  expect(await sandbox.authorizations(order)).toEqual([]);
  expect(await order.numbers()).toEqual([]);
});
