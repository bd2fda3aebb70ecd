// A page, a server or a wasm that is wrong: its developer reads why, and the payer sees the screen, as
// docs/diagnostics.md has them.

import { readFileSync } from "node:fs";
import { expect, test } from "./support/fixtures.mjs";
import { ANSWERS, PAGES, WASM } from "./support/breaks.mjs";
import { placeOrder } from "./support/order.mjs";

/**
 * The rows of a chapter that have four cells.
 * @param {string} chapter
 * @returns {{ name: string, code: string, says: RegExp, sees: { state: string, error?: string } }[]}
 */
function rows(chapter) {
  const text = readFileSync(new URL("../../docs/diagnostics.md", import.meta.url), "utf8");
  const [, body] = text.split(`\n## ${chapter}\n`);
  return body
    .split("\n## ")[0]
    .split("\n")
    .filter((line) => /^\|.*\|.*\|.*\|.*\|$/.test(line) && !/^\|(-| Break )/.test(line))
    .map((line) => {
      const [name, code, says, sees] = line.split("|").slice(1).map((cell) => cell.trim());
      const [state, error] = sees.split(":").map((word) => word.replaceAll("`", "").trim());
      return { name, code: code.replaceAll("`", ""), says: pattern(says), sees: { state, error } };
    });
}

/** `…` stands for any words. @param {string} says */
const pattern = (says) =>
  new RegExp(
    says
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*"),
  );

/** The sentences of a page's console, as they come. @param {import("@playwright/test").Page} page */
function wordsIn(page) {
  /** @type {string[]} */
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  return said;
}

/**
 * Puts an element into the page; answers with its locator.
 * @param {import("@playwright/test").Page} page
 * @param {string} id
 * @param {import("./support/breaks.mjs").Made} made
 * @param {string} [order]
 */
async function put(
  page,
  id,
  { attributes = {}, properties = {}, slot, events = [] },
  order,
) {
  await page.evaluate(
    ({ id, attributes, properties, slot, events, order }) => {
      const element = document.createElement("payment-checkout");
      element.id = id;
      for (const [name, value] of Object.entries({ lang: "es", ...attributes })) {
        if (value !== null) element.setAttribute(name, value);
      }
      element.request = order && { order_id: order };
      Object.assign(element, properties);
      if (slot) element.append(Object.assign(document.createElement("p"), { slot }));
      element.addEventListener("checkout-error", ({ detail }) => {
        element.dataset.error = detail.code;
      });
      for (const name of events) element.addEventListener(name, () => {});
      document.querySelector("main").append(element);
    },
    { id, attributes, properties, slot, events, order },
  );
  return page.locator(`#${id}`);
}

/** @param {import("@playwright/test").Locator} element */
const seen = (element) =>
  element.evaluate((/** @type {any} */ { state, dataset }) => ({ state, error: dataset.error }));

test("every break of the server has a row", () => {
  const told = rows("The server's answers");
  expect(told.map(({ name }) => name)).toEqual(Object.keys(ANSWERS));
  expect(told.length).toBeGreaterThanOrEqual(22);
});

// In parts, which run beside each other.
const PARTS = 3;
for (let part = 0; part < PARTS; part += 1) {
  test(`each wrong answer of the server is told, with its field: part ${part + 1}`, async ({
    payer,
    checkout,
    page,
    context,
    invariants,
  }) => {
    const told = rows("The server's answers").filter((_, index) => index % PARTS === part);
    invariants.allows(/docs\/diagnostics\.md|Failed to load resource|net::ERR_/);
    await page.clock.install();
    const said = wordsIn(page);
    await payer.opens();
    await payer.sees("choosing");

    /** @type {import("@playwright/test").Locator[]} */
    const elements = [];
    for (const [index, { name }] of told.entries()) {
      const { change, method = "QR", order } = ANSWERS[name];
      await page.route(`**/broken-${index}/api/**`, async (route) => {
        const url = route.request().url().replace(`/broken-${index}`, "");
        await change(route, () => route.fetch({ url }));
      });
      const { id, amount } = await placeOrder(context);
      const attributes = { "base-url": `/broken-${index}/api`, amount, currency: "PEN", order: order ?? null };
      const element = await put(page, `broken-${index}`, { attributes }, order ? undefined : id);
      const at = checkout.at(element);
      await (method === "QR" ? at.qrButton : at.installmentButton).click();
      elements.push(element);
    }
    for (const [index, { name, code, says, sees }] of told.entries()) {
      const base = `/broken-${index}/api`;
      const words = new RegExp(`${says.source.replaceAll("\\/api", base)}.*#${code}\\)$`);
      await expect(async () => {
        await page.clock.fastForward(4_000);
        const own = said.filter((line) => line.includes(base) || !line.includes("/broken-"));
        expect(own, name).toContainEqual(expect.stringMatching(words));
        expect(await seen(elements[index]), name).toEqual(sees);
      }).toPass({ timeout: 40_000 });
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
    const sentences = said.filter((line) => line.includes("docs/diagnostics.md"));
    expect(new Set(sentences).size, "each is told once").toBe(sentences.length);
    expect(sentences.filter((line) => /\.\.|names no order/.test(line))).toEqual([]);
  });
}

test("each mistake of the page is told, with the name that was meant", async ({ payer, order, page, invariants }) => {
  const told = rows("The page");
  expect(told.map(({ name }) => name)).toEqual(Object.keys(PAGES));
  invariants.allows(/docs\/diagnostics\.md/);
  const said = wordsIn(page);
  await payer.opens();
  await payer.sees("choosing");
  expect(said.filter((line) => line.includes("docs/diagnostics.md"))).toEqual([]);
  for (const [index, { name, code, says, sees }] of told.entries()) {
    const mistake = PAGES[name];
    const attributes = { "base-url": "/api", ...mistake.attributes };
    const element = await put(page, `mistaken-${index}`, { ...mistake, attributes }, order.id);
    const words = new RegExp(`${says.source}.*#${code}\\)$`);
    await expect.poll(() => said, name).toContainEqual(expect.stringMatching(words));
    expect(await seen(element), name).toEqual(sees);
    await element.evaluate((gone) => gone.remove());
  }
});

for (const { name, code, says, sees } of rows("The wasm")) {
  test(`a wasm that does not run is explained: ${name}`, async ({ payer, checkout, page, invariants }) => {
    invariants.allows(/docs\/diagnostics\.md|could not be loaded|integrity|violates|wasm-eval|Failed to load|net::ERR/);
    const said = wordsIn(page);
    await WASM[name](page);
    await payer.opens();
    const words = new RegExp(`${says.source}.*#${code}\\)$`);
    await expect.poll(() => said).toContainEqual(expect.stringMatching(words));
    expect(checkout.heardOnce("checkout-error")).toMatchObject({
      code: sees.error,
      status: null,
      message: expect.stringMatching(/^load: /),
    });
    await expect(page.getByText("Preparando el pago…")).toBeVisible();
    expect(await seen(checkout.element)).toMatchObject({ state: sees.state });
  });
}

test("a sound payment loads nothing that explains, and says nothing", async ({ payer, page }) => {
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url()));
  const said = wordsIn(page);
  await payer.begins();
  await payer.pays();
  await payer.sees("paid");
  expect(loaded.filter((url) => url.includes("diagnostics"))).toEqual([]);
  expect(said).toEqual([]);
});

test("debug tells the steps, without a person, an amount or a code", async ({ payer, order, checkout, page }) => {
  const said = wordsIn(page);
  await payer.opens();
  await checkout.element.evaluate((/** @type {any} */ element) => {
    element.debug = true;
  });
  await payer.chooses("QR");
  await payer.pays();
  await payer.sees("paid");
  await expect.poll(() => said.join("\n")).toContain("checkout-result state=AUTORIZADO");
  for (const step of [
    /^payment-checkout: checkout-action action=method-chosen method=QR$/,
    /^payment-checkout: checkout-state state=authorizing previous=choosing$/,
    /^payment-checkout: request POST \/api\/charges: 200 after \d+ ms/,
    /^payment-checkout: checkout-pending state=PENDIENTE method=QR$/,
  ]) {
    expect(said).toContainEqual(expect.stringMatching(step));
  }
  const all = said.join("\n");
  for (const secret of [order.amount, "Rosa", "Quispe", "data:image"]) {
    expect(all).not.toContain(secret);
  }
});

test("a developer who broke the console, or blocks the module, costs nobody a payment", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/ERR_FAILED.*diagnostics\.js/);
  await page.addInitScript(() => {
    const broken = () => {
      throw new TypeError("no console");
    };
    globalThis.console = /** @type {any} */ ({ error: broken, warn: broken, info: broken });
  });
  await page.route("**/diagnostics.js", (route) => route.abort());
  await payer.opens();
  await checkout.element.evaluate((element) => {
    element.setAttribute("debug", "");
    element.setAttribute("baseurl", "/nowhere");
  });
  await payer.chooses("QR");
  await payer.pays();
  await payer.sees("paid");
});
