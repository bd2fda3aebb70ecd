// The built site, as any host of plain files serves it: `cargo xtask test --only site`.

import { test as base, expect } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { REPOSITORY } from "../../docs/site/sources.mjs";
import { SCENES } from "../../docs/site/stage/scenes.mjs";
import { findings } from "../e2e/support/accessibility.mjs";
import { BASE, files, serve, text } from "./support/folder.mjs";

const GUIDE = new URL("../../docs/element.md", import.meta.url);

/**
 * @typedef {{ complaints: string[] }} Watched
 * @typedef {{ site: Awaited<ReturnType<typeof serve>> }} Served
 */

/**
 * Pages of the site. A test fails when one of them logs an error, or asks another host for anything.
 * @type {import("@playwright/test").Fixtures<Watched, Served, import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions>}
 */
const fixtures = {
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const site = await serve();
      await use(site);
      site.stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ site }, use) => use(`${site.origin}${BASE}`),
  complaints: [
    async ({ context, site }, use) => {
      const complaints = [];
      await context.route(
        (url) => url.origin !== site.origin && url.protocol.startsWith("http"),
        (route) => {
          complaints.push(`a request to ${route.request().url()}`);
          return route.abort();
        },
      );
      context.on("console", (message) => {
        // The element explains to its developer what is wrong with an answer or a setting, which is what the test chose.
        if (message.type() === "error" && !message.text().startsWith("payment-checkout: ")) complaints.push(message.text());
      });
      context.on("weberror", (error) => complaints.push(`thrown: ${error.error()}`));
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
};
const test = base.extend(fixtures);
test.use({ locale: "en" });

test("every link within the site leads to a page and to a heading", async () => {
  const all = await files();
  const pages = all.filter((file) => file.endsWith(".html") && !file.startsWith("stage/"));
  const texts = new Map(await Promise.all(pages.map(async (file) => /** @type {const} */ ([file, await text(file)]))));
  const ids = new Map([...texts].map(([file, html]) => [file, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]));
  const broken = [];
  let count = 0;
  for (const [file, html] of texts) {
    for (const [, written] of html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|data|mailto):/.test(written)) continue;
      const [path, hash = ""] = decodeURIComponent(written).split("#");
      const absolute = posix.join(BASE, path ? posix.resolve(`/${posix.dirname(file)}`, path.startsWith(BASE) ? `/${path.slice(BASE.length)}` : path) : file);
      if (path.startsWith("/") && !path.startsWith(BASE)) broken.push(`${file}: ${written} is outside of ${BASE}`);
      const name = absolute.slice(BASE.length);
      const target = [name, posix.join(name, "index.html")].find((each) => all.includes(each));
      count += 1;
      if (!target) broken.push(`${file}: ${written}`);
      else if (hash && !ids.get(target)?.has(hash)) broken.push(`${file}: ${written} has no such heading`);
    }
  }
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test("links to source files lead to the repository if it is ours, and are words if not", async ({ page }) => {
  await page.goto("guides/start.html");
  await expect(page.locator("main")).toContainText("examples/shops");
  const links = await page.locator('main a[href*="examples/"]').all();
  expect(links.length > 3).toBe(REPOSITORY !== undefined);
  for (const link of links) expect(await link.getAttribute("href")).toContain(`${REPOSITORY}/blob/`);
});

test("the first page leads to a guide, the API and the playground", async ({ page }) => {
  await page.goto("");
  await expect(page.getByRole("heading", { level: 1, name: "payment-checkout" })).toBeVisible();
  await expect(page.getByRole("img", { name: /QR code that waits/ })).toBeVisible();
  await page.getByRole("link", { name: "Take a first payment" }).click();
  await expect(page).toHaveURL(/guides\/start\.html$/);
  await page.goto("");
  await page.getByRole("link", { name: "Try the element" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Playground" })).toBeVisible();
});

test("the search finds a guide by its words, and a field of the API", async ({ page }) => {
  for (const [words, address] of /** @type {const} */ ([
    ["forced colors motion", /guides\/(theming|accessibility)\.html/],
    ["Checkout-Replaces", /api\/element\.html/],
  ])) {
    await page.goto("guides/start.html");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill(words);
    const results = page.getByRole("listbox").getByRole("option");
    await expect(results.first()).toBeVisible();
    const links = await results.locator("a").evaluateAll((/** @type {HTMLAnchorElement[]} */ all) => all.map((each) => each.href));
    expect(links.find((link) => address.test(link)), links.join("\n")).toBeTruthy();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("searchbox")).toHaveCount(0);
  }
});

test("a page of the API has the address, its parameters, answers and an example", async ({ page }) => {
  await page.goto("api/element.html");
  await expect(page.getByRole("heading", { name: "POST /charges", exact: false }).first()).toBeVisible();
  const answer = page.locator("details", { hasText: /^409:/ }).first();
  await answer.locator("summary").click();
  await expect(answer.getByRole("cell", { name: "order-paid" })).toBeVisible();
  await page.getByRole("link", { name: "AuthorizeBody" }).first().click();
  await expect(page).toHaveURL(/api\/schemas\.html#schema-authorizebody$/);
});

test.describe("the playground", () => {
  const element = (page) => page.frameLocator("iframe").locator("payment-checkout");
  const opens = async (page) => {
    await page.goto("playground.html");
    await expect(page.getByText("Shown: Choice of methods.")).toBeVisible();
  };

  test("has an example for every state that the guide names", async () => {
    const [, states] = /printed: states -->([\s\S]*?)<!-- \/printed/.exec(await readFile(GUIDE, "utf8"));
    const named = [...states.matchAll(/^\| `(\w+)` \|/gm)].map(([, state]) => state).filter((state) => state !== "state");
    expect(named.length).toBeGreaterThan(10);
    // An element that is loading has nothing to choose yet.
    expect(new Set(["loading", ...SCENES.map(({ state }) => state)])).toEqual(new Set(named));
  });

  test("says that nothing is paid", async ({ page }) => {
    await page.goto("playground.html");
    await expect(page.getByText("The answers behind it are examples: nothing is paid")).toBeVisible();
  });

  for (const { name, label, state, note } of SCENES) {
    test(`shows: ${label}`, async ({ page }) => {
      await opens(page);
      await page.getByLabel("State", { exact: true }).focus();
      await page.getByLabel("State", { exact: true }).selectOption(name);
      await expect(page.getByText(`Shown: ${label}.`)).toBeVisible({ timeout: 45_000 });
      await expect(element(page)).toHaveJSProperty("state", state);
      if (note) await expect(page.getByText(note)).toBeVisible();
      // The reader goes on where the controls are.
      await expect(page.getByLabel("State", { exact: true })).toBeFocused();
    });
  }

  test("has a control for every attribute, and each changes the code", async ({ page }) => {
    await opens(page);
    const manifest = JSON.parse(await text("stage/custom-elements.json"));
    const { attributes, cssProperties } = manifest.modules.flatMap((each) => each.declarations).find((each) => each.tagName === "payment-checkout");
    await page.getByText("Attributes", { exact: true }).click();
    const html = page.getByLabel("HTML", { exact: true });
    for (const { name } of attributes) {
      const control = page.getByLabel(name, { exact: true });
      const kind = await control.evaluate((/** @type {HTMLInputElement} */ node) => (node.type === "checkbox" ? "switch" : node.tagName));
      if (kind === "switch") await control.check();
      else if (kind === "SELECT") await control.selectOption({ index: 1 });
      else await control.fill("sample");
      await expect(html).toContainText(kind === "INPUT" ? `${name}="sample"` : name);
    }
    await page.getByText("Colors and shape").click();
    for (const { name } of cssProperties) {
      await page.getByLabel(name, { exact: true }).fill("3px");
      await expect(page.getByLabel("CSS", { exact: true })).toContainText(`${name}: 3px;`);
    }
  });

  test("the settings reach the element", async ({ page }) => {
    await opens(page);
    await page.getByLabel("Language", { exact: true }).selectOption("pt-BR");
    await expect(element(page).getByRole("heading", { name: "Como você quer pagar?" })).toBeVisible();
    await page.getByText("Attributes", { exact: true }).click();
    await page.getByLabel("amount", { exact: true }).fill("500");
    await expect(element(page).getByText("S/ 5,00")).toBeVisible();
    await page.getByLabel("Dark", { exact: true }).check();
    await expect(page.getByLabel("CSS", { exact: true })).toContainText("color-scheme: dark;");
    await expect(element(page)).toHaveCSS("color-scheme", "dark");
    await page.getByText("Properties and methods").click();
    await page.getByLabel("messages, as JSON").fill('{ "choose.heading": "Pick one" }');
    await expect(element(page).getByRole("heading", { name: "Pick one" })).toBeVisible();
    await expect(page.getByLabel("JavaScript", { exact: true })).toContainText("checkout.messages = { 'choose.heading': 'Pick one' };");
    for (const [width, px] of /** @type {const} */ ([["320 px", 320], ["360 px", 360]])) {
      await page.getByLabel(width).check();
      await expect.poll(() => element(page).evaluate(() => innerWidth)).toBe(px);
    }
  });

  test("a state begins anew after a reload", async ({ page }) => {
    for (const { name, label } of SCENES.filter(({ name }) => ["live", "refused"].includes(name))) {
      await opens(page);
      await page.getByLabel("State", { exact: true }).selectOption(name);
      await expect(page.getByText(`Shown: ${label}.`)).toBeVisible();
    }
  });

  test("a person who types is not interrupted by the element", async ({ page }) => {
    await opens(page);
    await page.getByLabel("State", { exact: true }).selectOption("ask");
    await page.getByText("Attributes", { exact: true }).click();
    const name = page.getByLabel("merchant-name", { exact: true });
    await name.fill("");
    // Slow enough that the state is played between two keys.
    await name.pressSequentially("Retama y Cumbre", { delay: 300 });
    await expect(name).toHaveValue("Retama y Cumbre");
    await expect(element(page).getByText("Retama y Cumbre").first()).toBeVisible();
  });

  test("copies the code", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await opens(page);
    await page.getByRole("button", { name: "Copy HTML" }).click();
    await expect(page.getByText("HTML is copied.")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.getByLabel("HTML", { exact: true }).innerText());
  });

  test("a payer presses in the frame, and no link leads out of it", async ({ page }) => {
    await opens(page);
    await element(page).getByRole("button", { name: /^In installments/ }).click();
    const link = element(page).getByRole("link", { name: /lender/ });
    await link.click();
    await expect(page.getByText("lender.example/continue, which is not a part of the playground")).toBeVisible();
    await expect(link).toBeVisible();
  });

  for (const theme of /** @type {const} */ (["light", "dark"])) {
    test(`axe finds nothing, ${theme}`, async ({ page }) => {
      // Before the page is opened: the site follows a change of the system's theme a moment later.
      await page.emulateMedia({ colorScheme: theme });
      await opens(page);
      for (const name of ["Colors and shape", "Attributes", "Properties and methods", "Events, the newest first"]) {
        await page.getByText(name, { exact: true }).click();
      }
      expect(await findings(page, ".playground", { themes: [theme] })).toEqual([]);
    });
  }
});
