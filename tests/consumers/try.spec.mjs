// `examples/try` of the package, as a newcomer meets it: a page that plays the server itself, and the plugin for Vite's
// development server in a page of one's own. Neither has a server of a merchant.

import { expect, test as base } from "@playwright/test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = process.env.PACKAGE ?? fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));
/** A project with Vite and the packed package, which the test of `docs/start.md` makes. */
const PROJECT = fileURLToPath(new URL("../../target/consumers/start", import.meta.url));

const TYPES = { html: "text/html", js: "text/javascript", mjs: "text/javascript", css: "text/css", wasm: "application/wasm" };

/** @type {import("@playwright/test").TestType<any, any>} */
const test = base.extend(/** @type {any} */ ({
  bar: async ({ page }, use) => use(page.getByRole("complementary", { name: "What the payment service says next" })),
  press: async ({ bar }, use) => use((/** @type {string} */ name) => bar.getByRole("button", { name }).click()),
  heading: async ({ page }, use) => use((/** @type {string} */ name) => page.getByRole("heading", { name })),
  number: async ({ page }, use) => use(page.locator("payment-checkout [part=number]").first()),
  choosesQr: async ({ page }, use) =>
    use(async () => {
      await page.getByRole("button", { name: /^By QR/ }).click();
      await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    }),
}));

test.describe("the page", () => {
  /** Opens it as if a host served the package's folder. */
  async function open(page, origin) {
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
      await route.fulfill({ contentType: TYPES[path.split(".").at(-1)], body: await readFile(join(PACKAGE, path)) });
    });
    await page.goto(`${origin}/examples/try/?lang=en`);
  }

  test.beforeEach(({ page }) => open(page, "http://localhost:8000"));

  test("shows a QR code and what the buttons say, and says that no payment is real", async ({ page, bar, press, heading, choosesQr }) => {
    await expect(bar).toContainText("No payment here is real.");
    await press("Paid");
    await expect(bar).toContainText("No payment has begun yet");
    await choosesQr();
    await press("Declined");
    await expect(heading("Your payment was not approved")).toBeVisible();
    await page.getByRole("button", { name: "Get a new QR" }).click();
    await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    await press("Paid");
    await expect(heading("Payment confirmed!")).toBeVisible();
    await press("Declined");
    await expect(bar).toContainText("That no longer happens to this payment");
  });

  test("takes every method that it offers", async ({ page, press, heading }) => {
    await page.getByRole("button", { name: /^In cash/ }).click();
    await expect(page.getByRole("button", { name: "Cancel payment" })).toBeVisible();
    await press("Paid");
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(heading("Payment confirmed!")).toBeVisible();
  });

  test("leaves nothing that has the focus below the bar", async ({ page, bar, choosesQr }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await choosesQr();
    const last = page.getByRole("button", { name: "Cancel payment" });
    await last.focus();
    await expect.poll(async () => (await last.boundingBox()).y + (await last.boundingBox()).height).toBeLessThanOrEqual((await bar.boundingBox()).y);
  });

  test("has one operation after a lost answer, and another one after an expiry", async ({ page, press, heading, number, choosesQr }) => {
    await press("Lost answer");
    await choosesQr();
    await expect(number).toHaveText("250207000001");
    await press("Expired");
    await expect(heading("This QR has expired")).toBeVisible();
    await page.getByRole("button", { name: "Get a new QR" }).click();
    await expect(number).toHaveText("250207000002");
  });

  test("begins with a new order after the button for it, in another language too", async ({ page, press, choosesQr }) => {
    await choosesQr();
    await press("New order");
    await expect(page.getByRole("button", { name: /^By QR/ })).toBeVisible();
    await page.getByRole("link", { name: "Español" }).click();
    await expect(page.getByRole("button", { name: /^Con QR/ })).toBeVisible();
    await expect(page.getByRole("complementary", { name: "Lo que dice el servicio de pagos" })).toContainText("Ningún pago de esta página es real.");
  });

  test("plays nothing at an address that payers reach", async ({ page, bar }) => {
    await open(page, "https://shop.test");
    await expect(page.getByText("only at an address of your own machine")).toBeVisible();
    await expect(bar).toHaveCount(0);
    await expect(page.getByRole("button")).toHaveCount(0);
  });
});

test.describe("the plugin", () => {
  test.describe.configure({ mode: "serial" });

  // The servers of other tests run in the same project.
  const config = { root: PROJECT, configFile: false, logLevel: "silent", cacheDir: join(PROJECT, "node_modules/.vite-try") };
  const tag = '<payment-checkout base-url="/pay" live-url="/pay/charges/live" amount="4990" currency="PEN"></payment-checkout>';
  const file = (/** @type {string} */ name) => join(PROJECT, name);

  let build, createServer;

  test.beforeAll(async () => {
    ({ build, createServer } = await import(pathToFileURL(join(PROJECT, "node_modules/vite/dist/node/index.js")).href));
    await writeFile(file("try.html"), `<!doctype html><html lang="en"><link rel="icon" href="data:,">${tag}<script type="module" src="/try.js"></script></html>`);
    await writeFile(file("try.js"), "import 'payment-checkout-element';\ndocument.querySelector('payment-checkout').request = { order_id: '1001' };\n");
    await writeFile(file("vite.try.mjs"), "export { tryPayments } from 'payment-checkout-element/try';\n");
  });

  /** The plugin, as a configuration in the project gets it. */
  const plugins = async () => {
    const { tryPayments } = await import(file("vite.try.mjs"));
    return [tryPayments({ baseUrl: "/pay", amount: "4990" })];
  };

  test("plays the server for a page of one's own, which a reload does not make forget", async ({ page, bar, press, heading, number, choosesQr }) => {
    const server = await createServer({ ...config, plugins: await plugins(), server: { host: "127.0.0.1", port: 0 } });
    await server.listen();
    const [address] = server.resolvedUrls?.local ?? [];
    await page.goto(`${address}try.html`);
    await press("Lost answer");
    await choosesQr();
    await page.reload();
    await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    await press("Paid");
    await expect(heading("Payment confirmed!")).toBeVisible();
    await expect(number).toHaveText("250207000001");
    await press("New order");
    await choosesQr();
    await expect(bar).toContainText("No payment here is real.");
    await server.close();
  });

  test("reads no body of another address", async () => {
    const own = {
      name: "own",
      configureServer({ middlewares }) {
        middlewares.use("/pay/charges-report", async (request, response) => response.end(Buffer.concat(await request.toArray()).toString()));
      },
    };
    const server = await createServer({ ...config, plugins: [...(await plugins()), own], server: { host: "127.0.0.1", port: 0 } });
    await server.listen();
    const [address] = server.resolvedUrls?.local ?? [];
    const answer = await fetch(`${address}pay/charges-report`, { method: "POST", body: "all of it" });
    expect(await answer.text()).toBe("all of it");
    await server.close();
  });

  test("refuses an address that is no path of the page", async () => {
    const { tryPayments } = await import(file("vite.try.mjs"));
    expect(() => tryPayments({ baseUrl: "https://shop.test/api" })).toThrow(/baseUrl is a path of your page/);
  });

  test("leaves nothing of itself in a build", async () => {
    const input = file("try.html");
    const built = await build({ ...config, plugins: await plugins(), build: { write: false, rollupOptions: { input } } });
    const files = built.output.map(({ code, source }) => String(code ?? source));
    expect(files.join("\n")).toContain("payment-checkout");
    expect(files.join("\n")).not.toContain("payment-checkout-try");
  });

  test("is in no page: one that imports it does not build", async () => {
    await writeFile(file("wrong.js"), "import { tryPayments } from 'payment-checkout-element/try';\nconsole.log(tryPayments);\n");
    const building = build({ ...config, build: { write: false, rollupOptions: { input: file("wrong.js") } } });
    await expect(building).rejects.toThrow(/"\.\/try" is not exported/);
  });
});
