// Payment links at the desk: a seller makes one on a phone, the customer pays by it, and the list says so.

import { findings } from "./support/accessibility.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { hire } from "./support/second-factor.mjs";
import { matches, tree, written } from "./support/transcript.mjs";
import { servers } from "../servers.mjs";

/** @import { Locator, Page } from "@playwright/test" */
/** @import { Staff } from "./support/pages/staff.mjs" */

const ELEMENT = "payment-operations";
const MOST_PRESSES = 7;
const MOST_SECONDS = 20;

/** A browser that can share, and keeps what was shared. @param {Page} page */
async function letShare(page) {
  await page.evaluate(() => {
    const share = async (/** @type {ShareData} */ data) => {
      Object.assign(globalThis, { shared: data });
    };
    Object.defineProperty(navigator, "share", { configurable: true, value: share });
  });
}

/** What was shared last. @param {Page} page @returns {Promise<ShareData>} */
const shared = (page) => page.evaluate(() => Reflect.get(globalThis, "shared"));

/** A card of the list. @param {Staff} staff @param {string} label */
const card = (staff, label) => staff.element.getByRole("listitem").filter({ hasText: label });

/** What nobody else sells at the same time. */
const something = () => `Polo ${crypto.randomUUID().slice(0, 8)}`;

/**
 * Makes a link by the form of the desk, and returns its address.
 * @param {Staff} staff
 * @param {string} label
 */
async function make(staff, label, amount = "45.00", press = (/** @type {Locator} */ control) => control.click()) {
  await press(staff.button("newLink"));
  // The first field has the focus.
  await expect(staff.dialog.getByLabel(staff.words.amount)).toBeFocused();
  await staff.page.keyboard.type(amount);
  await press(staff.dialog.getByLabel(staff.words.linkLabel));
  await staff.page.keyboard.type(label);
  await press(staff.button("makeLink", staff.dialog));
  await expect(staff.dialog.getByRole("heading", { name: staff.words.linkReady })).toBeFocused();
  return staff.dialog.getByText(/^https?:\/\/\S+$/).innerText();
}

/** The payer's page may be on another address than the shop. */
test.beforeEach(({ invariants }) => invariants.allows(/^a request to \S+\/api\/pay/));

test("a link is made and shared on a phone by few presses, paid by its customer, and seen as paid", async ({ signIn, device, sandbox }) => {
  const ana = await signIn("ana");
  const { page } = ana;
  await page.setViewportSize({ width: 360, height: 740 });
  await letShare(page);
  await ana.button("links").click();
  await expect(ana.button("newLink")).toBeVisible();
  const label = something();
  let presses = 0;
  const begun = Date.now();
  const press = async (/** @type {Locator} */ control) => {
    presses += 1;
    await control.click();
  };
  const address = await make(ana, label, "45.00", press);
  await press(ana.button("share", ana.dialog));
  await expect.poll(() => shared(page)).toBeTruthy();
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  expect(Date.now() - begun).toBeLessThan(MOST_SECONDS * 1000);
  const { text, ...more } = await shared(page);
  expect(more).toEqual({});
  expect(text).toMatch(/: paga S\/\s45\.00 por Polo /);
  expect(text).toContain(`aquí: ${address} (hasta `);
  await ana.dialog.getByRole("combobox", { name: ana.words.linkText }).selectOption("English");
  await press(ana.button("share", ana.dialog));
  await expect.poll(async () => (await shared(page)).text).toContain(`${label} here: ${address} (until `);
  await ana.dialog.getByText(ana.words.linkQr).click();
  await expect(ana.dialog.getByRole("img", { name: "QR" })).toBeVisible();
  await ana.closeDialog();
  await expect(ana.button("newLink")).toBeFocused();
  await expect(card(ana, label)).toContainText("Sin abrir");

  // The customer has another device, and a browser without scripts.
  const customer = await device({ javaScriptEnabled: false });
  await customer.page.goto(address);
  await expect(customer.page.getByText(label)).toBeVisible();
  await customer.page.getByRole("button", { name: "Con QR" }).click();
  const number = (await customer.page.getByText(/Número de operación/).innerText()).replace(/\D/g, "");
  await ana.button("refresh").click();
  await expect(card(ana, label)).toContainText("Esperando el pago");

  await sandbox.drive(number, "pay");
  await expect(async () => {
    const check = customer.page.getByRole("link", { name: "Consultar ahora" });
    if (await check.isVisible()) await check.click();
    await expect(customer.page.getByRole("heading", { name: "¡Pago confirmado!" })).toBeVisible({ timeout: 500 });
  }).toPass();
  await ana.button("refresh").click();
  await expect(card(ana, label)).toContainText("Pagado");
  await expect(card(ana, label).getByRole("button", { name: ana.words.end, exact: true })).toHaveCount(0);
  await card(ana, label).getByRole("button", { name: "Ver la operación" }).click();
  await expect(ana.operation(number)).toBeVisible();
  await ana.element.getByRole("button", { name: "← Volver" }).click();
  await expect(card(ana, label)).toContainText("Pagado");
});

test("a link that was ended begins no payment, and its page offers none", async ({ signIn, device }) => {
  const ana = await signIn("ana");
  await ana.button("links").click();
  const label = something();
  const address = await make(ana, label);
  await ana.closeDialog();
  await card(ana, label).getByRole("button", { name: ana.words.end, exact: true }).click();
  await ana.button("endYes", ana.dialog).click();
  await expect(ana.dialog).toBeHidden();
  await expect(ana.element.getByRole("heading", { name: ana.words.links })).toBeFocused();
  await expect(card(ana, label)).toContainText("Terminado");
  await expect(card(ana, label)).toContainText("Lo terminó ana");

  const customer = await device({ javaScriptEnabled: false });
  await customer.page.goto(address);
  await expect(customer.page.getByRole("main")).toBeVisible();
  await expect(customer.page.getByRole("button", { name: "Con QR" })).toHaveCount(0);
});

test("a press twice makes one link", async ({ signIn }) => {
  const ana = await signIn("ana");
  await ana.button("links").click();
  await ana.button("newLink").click();
  const label = something();
  await ana.dialog.getByLabel(ana.words.amount).fill("45");
  await ana.dialog.getByLabel(ana.words.linkLabel).fill(label);
  await ana.button("makeLink", ana.dialog).dblclick();
  await ana.closeDialog();
  await expect(card(ana, label)).toHaveCount(1);
});

test("who may only look sees the links, and no address of one", async ({ signIn }) => {
  const ana = await signIn("ana");
  await ana.button("links").click();
  const label = something();
  const address = await make(ana, label);
  const mira = await signIn("mira");
  const listed = mira.page.waitForResponse(/\/api\/staff\/links/);
  await mira.button("links").click();
  expect(await (await listed).text()).not.toContain(new URL(address).pathname);
  await expect(card(mira, label)).toContainText("Sin abrir");
  await expect(mira.button("newLink")).toHaveCount(0);
  await expect(card(mira, label).getByRole("button")).toHaveCount(0);
});

for (const [path, copied] of /** @type {const} */ ([["", "Copiado"], ["?lang=en", "Copied"]])) {
  test(`axe finds nothing on links, ${copied}`, async ({ signIn }) => {
    const ana = await signIn("ana", path);
    await ana.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await letShare(ana.page);
    await ana.button("links").click();
    await ana.button("newLink").click();
    await ana.button("makeLink", ana.dialog).click();
    await expect(ana.dialog.getByLabel(ana.words.amount)).toHaveAttribute("aria-invalid", "true");
    expect(await findings(ana.page, ELEMENT)).toEqual([]);
    await ana.button("leave", ana.dialog).click();
    const label = something();
    const address = await make(ana, label);
    await ana.dialog.getByText(ana.words.linkQr).click();
    expect(await findings(ana.page, ELEMENT)).toEqual([]);
    await ana.dialog.getByRole("button", { name: ana.words.copyText }).click();
    await expect(ana.dialog.getByRole("button", { name: ana.words.copyText })).toHaveText(copied);
    expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toContain(address);
    await ana.closeDialog();
    expect(await findings(ana.page, ELEMENT)).toEqual([]);
    await card(ana, label).getByRole("button", { name: ana.words.end, exact: true }).click();
    expect(await findings(ana.page, ELEMENT)).toEqual([]);
    await ana.button("leave", ana.dialog).click();
    await expect(card(ana, label)).toBeVisible();
  });
}

/**
 * What assistive technology is given of the dialog, or of the list down to its newest link, with a sign for what differs
 * between runs.
 * @param {Staff} staff
 */
async function given({ page, words }) {
  const nodes = await tree(page);
  const all = [...nodes.values()];
  const heading = all.find(({ role, name }) => role?.value === "heading" && name?.value === words.links);
  const place = all.find(({ role }) => role?.value === "dialog") ?? nodes.get(heading.parentId);
  const lines = written(place, nodes);
  const [, second] = lines.flatMap((line, at) => (line.startsWith("  listitem") ? [at] : []));
  return lines.slice(0, second).map((line) =>
    line
      .replace(/https?:\/\/[^\s”]+/g, "‹address›")
      .replace(/\beva-[\d-]+/g, "‹name›")
      .replace(/(\d+ [a-z]+\.?|[A-Z][a-z]+ \d+), \d+:\d\d ([ap]\.m\.|[AP]M)/g, "‹time›"),
  );
}

test("assistive technology is given the links as before, in Spanish and in English", async ({ signIn }) => {
  test.skip(!servers.program, "the account is added to the file of servers that `cargo xtask test` started");
  // With a limit, the amount has a hint.
  const name = hire('permissions = ["link"]\nlink_limit = 5000');
  /** @type {string[]} */
  const text = [];
  for (const path of ["", "?lang=en"]) {
    const staff = await signIn(name, path);
    const { dialog, words } = staff;
    const keep = async (/** @type {string} */ title) => {
      text.push(`== ${title}, ${path ? "in English" : "in Spanish"}`, ...(await given(staff)), "");
    };
    await letShare(staff.page);
    await staff.button("links").click();
    await staff.button("newLink").click();
    await staff.button("makeLink", dialog).click();
    await expect(dialog.getByLabel(words.amount)).toHaveAttribute("aria-invalid", "true");
    await keep("form with mistakes");
    await staff.button("leave", dialog).click();
    await make(staff, "Polo azul", "1.50");
    await dialog.getByText(words.linkQr).click();
    await keep("made link");
    await staff.closeDialog();
    const newest = card(staff, "Polo azul").first();
    await expect(newest).toBeVisible();
    await keep("list");
    await newest.getByRole("button", { name: words.end, exact: true }).click();
    await keep("question of the end");
    await staff.button("endYes", dialog).click();
    await expect(dialog).toBeHidden();
    await expect(newest.getByRole("button", { name: words.end, exact: true })).toHaveCount(0);
    await keep("list with an ended link");
  }
  matches("staff-links", text.join("\n"));
});
