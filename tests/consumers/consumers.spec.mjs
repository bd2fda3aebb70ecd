// The packed package in pages of other people: each takes a payment by QR, all that are built under the
// strict policy.
//
// `cargo xtask test --only consumers` installs and builds them in `target/consumers`.

import { spawn } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect, test as base } from "../e2e/support/fixtures.mjs";
import { filled, serve } from "./support/static-server.mjs";

const BUILT = fileURLToPath(new URL("../../target/consumers", import.meta.url));

/** Serves each page and returns its address. */
const PAGES = {
  plain: async () => {
    const folder = join(BUILT, "plain");
    const preload = await readFile(join(folder, "element/preload.html"), "utf8");
    return serve(folder, (html) => filled(html, "<!-- preload -->", preload));
  },
  react: () => serve(join(BUILT, "react/dist")),
  "react, rendered by a server": async () => {
    const { render } = await import(pathToFileURL(join(BUILT, "react/dist/server/server.js")).href);
    return serve(join(BUILT, "react/dist"), (html, search) =>
      filled(html, "<!--page-->", render(search)),
    );
  },
  svelte: () => serve(join(BUILT, "svelte/dist")),
  vue: () => serve(join(BUILT, "vue/dist")),
  webpack: () => serve(join(BUILT, "webpack/dist")),
};

/** The same of pages that differ from these. */
const OTHERS = {
  // The project that a reader of `docs/start.md` builds.
  start: () => develop(join(BUILT, "start")),
  yew: () => serve(join(BUILT, "yew")),
};

/**
 * @typedef {object} Consumer
 * @property {string} page_of the name of a page
 * @property {{ address: string, stop(): void }} served
 */

/** @type {import("@playwright/test").Fixtures<Consumer, {}, import("@playwright/test").PlaywrightTestOptions>} */
const fixtures = {
  page_of: ["", { option: true }],
  served: async ({ page_of }, use) => {
    const page = await (PAGES[page_of] ?? OTHERS[page_of])();
    await use(page);
    page.stop();
  },
  baseURL: async ({ served }, use) => use(served.address),
};
const test = base.extend(fixtures);

for (const name of Object.keys(PAGES)) {
  test.describe(name, () => {
    test.use({ page_of: name });

    test("pays by QR", async ({ page, checkout, sandbox }) => {
      const wasm = [];
      page.on("request", (request) => request.url().endsWith(".wasm") && wasm.push(request.url()));
      await page.goto("/");
      const element = checkout.in("en");
      await expect(page.getByRole("heading", { name: "How do you pay?" })).toBeVisible();
      // A press before the amount is known counts for nothing: the payer has not seen what it costs.
      await expect(element.amount).toHaveText("S/ 129.90");
      await element.payByQr();
      const [{ detail }] = checkout.heard("checkout-pending");
      await sandbox.drive(detail.merchantOperationNumber, "pay");
      await element.shows("paid");
      // The page got the result through its framework.
      await expect(page.locator("output")).toHaveText(`paid: ${detail.merchantOperationNumber}`);
      checkout.heardOnce("checkout-result");
      expect(wasm).toHaveLength(1);
    });
  });
}

test.describe("a wasm that is hosted elsewhere", () => {
  test.use({ page_of: "plain" });

  const moved = async (page, change) => {
    const folder = join(BUILT, "plain/element");
    const name = (await readdir(folder)).find((name) => name.endsWith(".wasm"));
    const body = change(await readFile(join(folder, name)));
    await page.route("**/moved/checkout.wasm", (route) =>
      route.fulfill({ body, contentType: "application/wasm" }),
    );
    await page.goto("/elsewhere.html");
  };

  test("runs, under another tag", async ({ page }) => {
    await moved(page, (wasm) => wasm);
    await expect(page.getByRole("heading", { name: "How would you like to pay?" })).toBeVisible();
  });

  test("runs only as it was packed", async ({ page, invariants }) => {
    invariants.expects(/could not be loaded/);
    invariants.expects(/integrity/);
    await moved(page, (wasm) => {
      wasm[wasm.length - 1] ^= 1;
      return wasm;
    });
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByText("The checkout is being loaded.")).toBeVisible();
  });
});

test.describe("react, rendered by a server", () => {
  test.use({ page_of: "react, rendered by a server" });

  test("with an order that it knew, hears and asks as one rendered by the browser", async ({
    context,
    page,
    checkout,
    sandbox,
  }) => {
    const made = await context.request.post("/api/orders", {
      data: {
        items: [{ sku: "mochila-telar", quantity: 1 }],
        customer: { first_name: "Ana", last_name: "Quispe", email: "ana@example.com" },
      },
    });
    const { order_id, amount, currency } = await made.json();
    await page.goto(`/?${new URLSearchParams({ order_id, amount, currency })}`);
    const element = checkout.in("en");
    await expect(page.getByRole("heading", { name: "How do you pay?" })).toBeVisible();
    await element.payByQr();
    const [{ detail }] = checkout.heard("checkout-pending");
    await sandbox.drive(detail.merchantOperationNumber, "pay");
    await expect(page.locator("output")).toHaveText(`paid: ${detail.merchantOperationNumber}`);
  });
});

test.describe("yew", () => {
  test.use({ page_of: "yew" });

  for (const [by, path] of [
    ["the component", "/"],
    ["the element", "/?element"],
  ]) {
    test(`a press in ${by} is heard by nothing of the page's own`, async ({
      page,
      checkout,
      sandbox,
    }) => {
      await page.goto(path);
      // The component has no tag of its own.
      const element = checkout.at(page.getByRole("main")).in("en");
      await page.getByRole("button", { name: "Help", exact: true }).click();
      await expect(page.locator("#presses")).toHaveText("1");
      await element.payByQr();
      await element.button("cancel").click();
      await expect(element.question).toBeVisible();
      await element.button("keep").click();
      await expect(element.question).toHaveCount(0);
      await page.getByRole("button", { name: "More help" }).click();
      // Two presses on the page's buttons, and five in the checkout.
      await expect(page.locator("#presses")).toHaveText("2");
      const shown = await page.locator("[part=operation] [part=number]").innerText();
      const number = shown.replace(/\D/g, "");
      await sandbox.drive(number, "pay");
      await element.shows("paid");
      await expect(page.locator("output")).toHaveText(`paid: ${number}`);
    });
  }
});

test.describe("the ten-minute start", () => {
  test.use({ page_of: "start" });

  test("pays by QR, followed to the letter", async ({ page, checkout, sandbox, invariants }) => {
    // The page has no icon, which every browser asks for.
    invariants.allows(/favicon\.ico/);
    await page.goto("/");
    const element = checkout.in("en");
    await element.payByQr();
    const [{ detail }] = checkout.heard("checkout-pending");
    // "Reload the page in the middle": the same payment goes on.
    await page.reload();
    await element.showsQr();
    expect(checkout.heard("checkout-pending").at(-1).detail).toEqual(detail);
    await sandbox.drive(detail.merchantOperationNumber, "pay");
    await element.shows("paid");
    await expect(page.locator("#done")).toHaveText(
      `Operation ${detail.merchantOperationNumber} is paid.`,
    );
  });

  for (const [what, answer] of /** @type {const} */ ([
    ["a failure", { status: 500, body: '{"title":"Broken"}' }],
    ["a page", { status: 200, body: "<p>Elsewhere" }],
  ])) {
    test(`does not keep ${what} in place of an order, and a reload makes one`, async ({
      page,
      checkout,
      invariants,
    }) => {
      invariants.allows(/favicon\.ico|status of 500/);
      // The console has the reason, which the page throws on.
      invariants.expects(/^thrown: /);
      await page.route("**/api/orders", (route) => route.fulfill(answer), { times: 1 });
      await page.goto("/");
      await expect(page.getByText("Your order could not be made")).toBeVisible();
      await page.reload();
      await checkout.in("en").payByQr();
    });
  }

  test("keeps the order after a decline, so that another attempt is not another order", async ({
    page,
    checkout,
    sandbox,
    invariants,
  }) => {
    invariants.allows(/favicon\.ico/);
    await page.goto("/");
    const element = checkout.in("en");
    await element.payByQr();
    const order = await page.evaluate(() => sessionStorage.order);
    const [{ detail }] = checkout.heard("checkout-pending");
    await sandbox.drive(detail.merchantOperationNumber, "decline");
    await element.shows("declined");
    await page.reload();
    await element.shows("declined");
    await page.getByRole("button", { name: "Get a new QR" }).click();
    await expect(element.image).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.order)).toBe(order);
  });
});

/** Runs the development server of a folder. */
async function develop(folder) {
  // Runs the program behind `npx vite`. With npx in between, the program would keep running after
  // the test.
  const vite = spawn(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", "0"],
    { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
  );
  return { address: await printedBy(vite), stop: () => vite.kill() };
}

/** The address that a development server prints. */
async function printedBy({ stdout }) {
  for await (const line of createInterface(stdout)) {
    // Colors would stand in the middle of it.
    const [address] = stripVTControlCharacters(line).match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [];
    if (address) {
      stdout.resume();
      return address;
    }
  }
  throw new Error("the development server printed no address");
}
