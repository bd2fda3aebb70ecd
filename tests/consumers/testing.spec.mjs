// `payment-checkout-element/testing` as a merchant's tests use it: the packed element in a browser, and no server at all.

import { expect, test as base } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = process.env.PACKAGE ?? fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));
const { exports } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
const { TestServer } = await import(pathToFileURL(join(PACKAGE, exports["./testing"].default)).href);

const SHOP = "https://shop.test";
const TYPES = { html: "text/html", js: "text/javascript", mjs: "text/javascript", css: "text/css", wasm: "application/wasm" };

/** The shop's page. Its script is the driver's, too: a page that takes payments does not have that. */
const pageOf = (/** @type {Record<string, string>} */ attributes) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Pay</title><link rel="icon" href="data:,">
<payment-checkout base-url="/api" live-url="/api/charges/live" amount="12990" currency="PEN"
  ${Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(" ")}></payment-checkout>
<script type="module">
  import '/element/payment-checkout.js';
  import { CheckoutDriver } from '/testing/index.mjs';
  const checkout = document.querySelector('payment-checkout');
  checkout.request = { order_id: '1001', ...JSON.parse(new URLSearchParams(location.search).get('more') ?? '{}') };
  globalThis.results = [];
  checkout.addEventListener('checkout-result', ({ detail }) => results.push(detail.outcome));
  checkout.addEventListener('checkout-redirect', (event) => event.preventDefault());
  globalThis.payer = new CheckoutDriver(checkout);
</script></html>`;

/** @type {import("@playwright/test").TestType<any, any>} */
const test = base.extend(/** @type {any} */ ({
  options: [{}, { option: true }],
  attributes: [{}, { option: true }],

  server: async ({ page, options, attributes }, use) => {
    const server = new TestServer(options);
    await page.route(`${SHOP}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/") {
        await route.fulfill({ contentType: TYPES.html, body: pageOf(attributes) });
        return;
      }
      const path = normalize(pathname);
      const type = TYPES[path.split(".").at(-1)];
      await route.fulfill({ contentType: type, body: await readFile(join(PACKAGE, path)) });
    });
    await page.route(`${SHOP}/api/**`, async (route) => {
      const request = route.request();
      const answer = await server.handle({
        method: request.method(),
        url: request.url(),
        headers: request.headers(),
        body: request.postData() ?? "",
      });
      // A page that is gone hears nothing any more.
      if (answer) await route.fulfill(answer).catch(() => {});
      else await route.abort().catch(() => {});
    });
    await use(server);
    server.close();
  },

  /** The driver in the page: a member by its name, called with arguments or read. */
  payer: async ({ page, server }, use) => {
    expect(server.requests).toEqual([]);
    await page.goto(SHOP);
    const payer = new Proxy({}, {
      get: (_, name) => name === "then" ? undefined : (...values) => page.evaluate(([member, given]) => {
        const found = Reflect.get(globalThis, "payer")[member];
        return typeof found === "function" ? found.apply(Reflect.get(globalThis, "payer"), given) : found;
      }, /** @type {const} */ ([String(name), values])),
    });
    await use(payer);
  },
}));

const keys = (server) => server.requests.filter(({ address }) => address === "start").map(({ headers }) => headers["idempotency-key"]);

for (const [lang, heading] of [
  ["es-PE", "Escanea con tu app"],
  ["en", "Scan with your app"],
  ["pt-BR", "Escaneie com seu app"],
]) {
  test.describe(lang, () => {
    test.use({ attributes: { locale: lang, methods: "QR INSTALLMENT CASHCODE BANK_TRANSFER CARD WALLET" } });
    test.use({ options: { methods: ["QR", "INSTALLMENT", "CASHCODE", "BANK_TRANSFER", "CARD", "WALLET"] } });

    test(`a payer finds every method, leaves each, cancels, and pays (${lang})`, async ({ page, server, payer }) => {
      for (const method of ["INSTALLMENT", "CASHCODE", "BANK_TRANSFER", "CARD", "WALLET"]) {
        await payer.choose(method);
        const { number } = await payer.reaches("pending");
        expect(number).toBe(server.operation.merchantOperationNumber);
        await payer.payAnotherWay();
      }
      await payer.choose("QR");
      await payer.reaches("pending");
      expect(await payer.qr()).toMatch(/^(data|blob):/);
      await payer.cancel();
      await payer.reaches("cancelled");
      await payer.retry();
      await payer.choose("QR");
      const waiting = await payer.reaches("pending");
      expect(waiting).toMatchObject({ isFinal: false, heading, amount: lang === "pt-BR" ? "S/ 129,90" : "S/ 129.90" });
      server.becomes("paid");
      const paid = await payer.reaches("paid");
      expect(paid).toMatchObject({ state: "paid", isFinal: true, number: server.operation.merchantOperationNumber });
      expect(paid.amount).toBe(lang === "pt-BR" ? "S/ 129,90" : "S/ 129.90");
      expect(await page.evaluate(() => Reflect.get(globalThis, "results"))).toEqual(["cancelled", "paid"]);
      expect(server.operations).toHaveLength(7);
    });
  });
}

test.describe("an order beyond a limit", () => {
  test.use({ options: { limits: { QR: { PEN: { most: 10000 } } } } });

  test("a payer reads why there is no QR, and pays in installments", async ({ page, server, payer }) => {
    await payer.reaches("choosing");
    const checkout = page.locator("payment-checkout");
    await expect(checkout.getByText("By QR you can pay up to S/ 100.00.")).toBeVisible();
    await expect(checkout.getByRole("button", { name: "By QR" })).toHaveCount(0);
    await payer.choose("INSTALLMENT");
    await payer.reaches("pending");
    expect(server.operations).toHaveLength(1);
  });
});

test("a lost answer is asked for again by the same key, and makes no second operation", async ({ server, payer }) => {
  server.fails("start", "lost");
  server.fails("start", "unreadable");
  server.fails("start", "payment-service-unavailable");
  await payer.choose("QR");
  while ((await payer.reaches("pending", "failed")).state === "failed") await payer.retry();
  expect(new Set(keys(server)).size).toBe(1);
  expect(server.operations).toHaveLength(1);
});

for (const [state, outcome] of [
  ["declined", "declined"],
  ["expired", "expired"],
  ["invalid", "invalid"],
  ["cancelled", "cancelled"],
  ["settled", "paid"],
]) {
  test(`an operation that is ${state} is shown as ${outcome}, also after a reload`, async ({ page, server, payer }) => {
    await payer.choose("QR");
    await payer.reaches("pending");
    server.becomes(state);
    const { number } = await payer.reaches(outcome);
    expect(number).toBe(server.operation.merchantOperationNumber);
    await page.reload();
    await payer.reaches(outcome);
    expect(server.operations).toHaveLength(1);
  });
}

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true });

  test("the driver reads the heading of a phone", async ({ payer }) => {
    await payer.choose("QR");
    expect((await payer.reaches("pending")).heading).toBe("Pay from this phone");
  });
});

test("what is being confirmed is no end", async ({ server, payer }) => {
  await payer.choose("QR");
  await payer.reaches("pending");
  server.becomes("confirming");
  const outcome = await payer.reaches("checking");
  expect(outcome).toMatchObject({ isFinal: false, heading: "We are confirming your payment" });
  server.becomes("paid");
  await payer.reaches("paid");
});

test("a code of another tab is found, and is left only after a question", async ({ page, server, payer }) => {
  await payer.reaches("choosing");
  server.begins("INSTALLMENT");
  await payer.choose("QR");
  await expect.poll(() => payer.heading()).toBe("You already started to pay this order");
  await payer.press("live.replace");
  await payer.reaches("pending");
  expect(server.operations.map(({ method, state }) => [method, state])).toEqual([
    ["INSTALLMENT", "cancelled"],
    ["QR", "pending"],
  ]);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(SHOP);
  await payer.reaches("pending");
  expect(await payer.qr()).toBeTruthy();
});

test("a payment that was given back can be made anew, in another operation", async ({ page, server, payer }) => {
  await payer.choose("QR");
  await payer.reaches("pending");
  server.becomes("paid");
  await payer.reaches("paid");
  server.becomes("reversed");
  await page.reload();
  await payer.reaches("reversed");
  await payer.retry();
  await payer.reaches("choosing", "pending");
});

test("an order that is paid is not paid again", async ({ server, payer }) => {
  await payer.reaches("choosing");
  server.begins("QR");
  server.becomes("paid");
  await payer.choose("QR");
  await payer.reaches("paid");
  expect(server.operations).toHaveLength(1);
});

for (const [problem, heading] of [
  ["order-closed", "The store could not accept this payment"],
  ["authorization-refused", "The store could not accept this payment"],
  ["code-refused", "The store could not accept this payment"],
  ["order-token-refused", "The store could not accept this payment"],
  ["not-found", "The store could not accept this payment"],
  // A code with the old price may be paid.
  ["order-changed", "This order may be paid already"],
  ["order-may-be-paid", "This order may be paid already"],
]) {
  test(`the payer reads of ${problem}: ${heading}`, async ({ server, payer }) => {
    server.fails("start", problem);
    await payer.choose("QR");
    await payer.reaches("failed");
    expect(await payer.heading()).toBe(heading);
  });
}

test("a page that sends an amount is refused", async ({ page, server, payer }) => {
  await page.goto(`${SHOP}/?more=${encodeURIComponent('{"amount":"1"}')}`);
  await payer.choose("QR");
  await payer.reaches("failed");
  expect(server.operations).toEqual([]);
});

test("a screen that passes is there as long as the server waits", async ({ server, payer }) => {
  const go = server.pauses("start");
  await payer.choose("QR");
  await payer.reaches("authorizing");
  go();
  await payer.reaches("pending");
  server.fails("cancel", "cannot-cancel-now", { times: 99 });
  await payer.cancel();
  await payer.reaches("pending");
});

test.describe("a clock of the test", () => {
  const clock = { now: Date.parse("2025-02-07T17:30:00Z") };
  test.use({ options: { holds: false, now: () => clock.now } });

  test("on another day a code counts down, and is overdue a minute after its deadline", async ({ page, server, payer }) => {
    await page.clock.install({ time: clock.now });
    await payer.choose("QR");
    await payer.reaches("pending");
    await expect(page.getByRole("timer")).toContainText(/14:\d\d|15:00/);
    clock.now += 16 * 60_000 + 1_000;
    await payer.reaches("overdue");
    server.becomes("expired");
    expect(await payer.reaches("expired")).toMatchObject({ isFinal: true });
  });
});

test("the driver reads an element of another frame", async ({ page, server }) => {
  await page.route(`${SHOP}/outer`, (route) => route.fulfill({ contentType: TYPES.html, body: '<iframe src="/" width="600" height="900"></iframe>' }));
  await page.goto(`${SHOP}/outer`);
  await page.frameLocator("iframe").getByRole("button", { name: /^By QR/ }).waitFor();
  const qr = await page.evaluate(async () => {
    const { CheckoutDriver } = await import(/** @type {any} */ ("/testing/index.mjs"));
    const driver = new CheckoutDriver(document.querySelector("iframe").contentDocument.querySelector("payment-checkout"));
    await driver.choose("QR");
    await driver.reaches("pending");
    return driver.qr;
  });
  expect(qr).toMatch(/^(data|blob):/);
  expect(server.operations).toHaveLength(1);
});

test("a server that fails for good is tried for fifteen seconds", async ({ page, server, payer }) => {
  server.fails("start", "internal", { times: Infinity });
  await page.clock.install();
  await payer.choose("QR");
  await expect(async () => {
    await page.clock.fastForward(2_000);
    expect(await payer.state()).toBe("failed");
  }).toPass();
  expect(server.requests.filter(({ address }) => address === "start")).toHaveLength(5);
});

test("a driver that waits in vain says what is on the screen", async ({ page, payer }) => {
  await payer.reaches("choosing");
  const reason = await page.evaluate(async () => {
    const { CheckoutDriver } = await import(/** @type {any} */ ("/testing/index.mjs"));
    const driver = new CheckoutDriver(document.querySelector("payment-checkout"), { timeout: 1 });
    return driver.press("No such button").catch(String);
  });
  expect(reason).toMatch(/no button or link "No such button" within 1 ms. Its state is choosing, its heading "How would you like to pay\?"/);
  expect(reason).toContain('the payer can press "By QR Scan or save it, and pay in your app."');
});
