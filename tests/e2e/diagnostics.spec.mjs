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

// In parts, which run beside each other.
const PARTS = 2;
for (let part = 0; part < PARTS; part += 1) {
  test(`each wrong answer of the server is told, with its field: part ${part + 1}`, async ({
    payer,
    checkout,
    page,
    context,
    invariants,
  }) => {
    const all = rows("The server's answers");
    expect(all.map(({ name }) => name)).toEqual(Object.keys(ANSWERS));
    const told = all.filter((_, index) => index % PARTS === part);
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
    // Of all elements two at most are held, so the others have to go first.
    const isHeld = (/** @type {string} */ name) => name.startsWith("status: held");
    const checked = [...told.entries()].sort(([, one], [, other]) => Number(isHeld(one.name)) - Number(isHeld(other.name)));
    for (const [index, { name, code, says, sees }] of checked) {
      if (isHeld(name)) for (const other of elements) if (other !== elements[index]) await other.evaluate((gone) => gone.remove());
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
    const messages = checkout.heard("checkout-error").map(({ detail }) => detail.message);
    expect(messages).toContainEqual(expect.stringMatching(/^server: POST \/broken-\d+\/api\/charges answered 200: the (field|body) .*breaks the contract$/));
    const sentences = said.filter((line) => line.includes("docs/diagnostics.md"));
    expect(new Set(sentences).size, "each is told once").toBe(sentences.length);
    expect(sentences.filter((line) => /\.\.|names no order/.test(line))).toEqual([]);
  });
}

test("each mistake of the page is told, with the name that was meant", async ({ payer, order, checkout, page, invariants }) => {
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
    // With other options it is not told again.
    await element.evaluate((element) => element.setAttribute("order-label", "A-2"));
    const label = element.getByText("Pedido A-2");
    if (mistake.attributes?.["hide-choice"]) await expect(label, name).toBeAttached();
    else if (sees.state === "choosing") await expect(label, name).toBeVisible();
    await element.evaluate((gone) => gone.remove());
  }
  const sentences = said.filter((line) => line.includes("docs/diagnostics.md"));
  expect(new Set(sentences).size, "each is told once").toBe(sentences.length);
  expect(checkout.heard("checkout-error").filter(({ detail }) => detail.message === "configuration: redirect-url")).toHaveLength(1);
});

/**
 * Compares what the console says, what `checkout-error` has and what the payer sees when the wasm does not run.
 * @param {import("@playwright/test").Page} page
 * @param {import("./support/pages/checkout.mjs").Checkout} checkout
 */
function watchesWasm(page, checkout) {
  const said = wordsIn(page);
  /** @param {string} name of a row @param {import("./support/pages/checkout.mjs").Word} heading */
  return async (name, heading) => {
    const row = rows("The wasm").find((row) => row.name === name);
    if (!row) throw new Error(`no row has the name: ${name}`);
    const { code, says, sees } = row;
    await expect(checkout.heading(heading), name).toBeVisible();
    await expect.poll(() => said, name).toContainEqual(expect.stringMatching(new RegExp(`${says.source}.*#${code}\\)$`)));
    expect(checkout.heard("checkout-error").at(-1)?.detail, name).toMatchObject({
      code: sees.error,
      retryable: heading !== "unable",
      status: null,
      message: expect.stringMatching(/^load: /),
    });
    await expect(page.getByText("Preparando el pago…"), name).toBeVisible();
    expect(await seen(checkout.element), name).toMatchObject({ state: sees.state });
  };
}

test("a wasm that cannot be had is explained, and another one never runs", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/integrity/);
  invariants.allows(/docs\/diagnostics\.md|Failed to load|net::ERR/);
  expect(rows("The wasm").map(({ name }) => name)).toEqual(Object.keys(WASM));
  const tells = watchesWasm(page, checkout);
  await WASM["it is of another version"](page);
  await payer.opens();
  await tells("it is of another version", "loadFailed");
  await WASM["a blocker stops it"](page);
  await payer.presses("reload");
  await expect.poll(() => checkout.heard("checkout-error")).toHaveLength(2);
  await tells("a blocker stops it", "loadFailed");
  await WASM["a page is in its place"](page);
  await payer.presses("reload");
  await tells("a page is in its place", "outdated");
  // A reload was not offered in another tab yet.
  const other = await payer.tab();
  await WASM["it is missing"](other.page);
  const alsoTells = watchesWasm(other.page, other.checkout);
  await other.opens();
  await alsoTells("it is missing", "outdated");
  const wrapped = await payer.tab();
  await WASM["the page answers with an object of its own"](wrapped.page);
  const tellsToo = watchesWasm(wrapped.page, wrapped.checkout);
  await wrapped.opens();
  await tellsToo("the page answers with an object of its own", "loadFailed");
});

test("nothing is downloaded in vain where no wasm may run, and it is explained", async ({ payer, context, invariants }) => {
  invariants.expects(/could not be loaded/);
  // The browser's own words, where it has some.
  invariants.allows(/docs\/diagnostics\.md|violates|wasm-eval/);
  /** @type {string[]} */
  const asked = [];
  context.on("request", (request) => request.url().endsWith(".wasm") && asked.push(request.url()));
  await payer.orders();
  for (const name of ["the policy has no `'wasm-unsafe-eval'`", "the browser has no WebAssembly"]) {
    const tab = await payer.tab();
    const { page, checkout } = tab;
    const tells = watchesWasm(page, checkout);
    await WASM[name](page);
    await tab.opens();
    await tells(name, "unable");
    await expect(checkout.button("reload"), name).toHaveCount(0);
    expect(checkout.heard("checkout-error"), name).toHaveLength(1);
  }
  expect(asked).toEqual([]);
});

test("a function that the page broke for good is named beside the request that no answer came to", async ({
  payer,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/was not answered: .*the page has replaced Headers of the browser.*#unreachable/);
  invariants.allows(/the page broke this|#unreachable/);
  await payer.opens();
  await page.evaluate(() => {
    globalThis.Headers = /** @type {any} */ (
      class {
        constructor() {
          throw new TypeError("the page broke this");
        }
      }
    );
  });
  const told = page.waitForEvent("console", (message) => /the page has replaced Headers/.test(message.text()));
  await checkout.qrButton.click();
  await told;
});

test("a policy that blocks the picture of the code is named, and the payer has a way out", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/img-src/);
  invariants.expects(/the policy of the page blocks the picture of the code.* lacks img-src data:.*#policy/);
  await page.route(/\?order=/, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const policy = headers["content-security-policy"];
    headers["content-security-policy"] = policy.replace(/img-src [^;]*/, "img-src 'self'");
    return route.fulfill({ response, headers });
  });
  const said = wordsIn(page);
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("unseenQr");
  await expect(checkout.button("retry")).toBeVisible();
  await expect.poll(() => said.filter((line) => line.includes("#policy"))).toHaveLength(1);
  expect(said.filter((line) => line.includes("#qr-image"))).toEqual([]);
});

test("a sound payment says nothing; debug tells the steps, without a person, an amount or a code", async ({
  payer,
  checkout,
  page,
  context,
}) => {
  const second = await placeOrder(context);
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url()));
  const said = wordsIn(page);
  await payer.begins();
  await payer.pays();
  await payer.sees("paid");
  expect(loaded.filter((url) => url.includes("diagnostics"))).toEqual([]);
  expect(said).toEqual([]);

  await checkout.element.evaluate((/** @type {any} */ element, id) => {
    element.debug = true;
    element.request = { order_id: id };
  }, second.id);
  await payer.sees("choosing");
  await payer.chooses("QR");
  await payer.pays(await second.number());
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
  for (const secret of [second.amount, "Rosa", "Quispe", "data:image"]) {
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
