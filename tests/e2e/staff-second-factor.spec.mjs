// Tests the second factor at the desk: setting it up, signing in, the code before an act, and a lost phone.

import { findings } from "./support/accessibility.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { Staff } from "./support/pages/staff.mjs";
import { decode } from "./support/qr-image.mjs";
import { App, enrolmentCode, hire } from "./support/second-factor.mjs";
import { matches, tree, written } from "./support/transcript.mjs";
import { servers } from "../servers.mjs";

/** @import { Page, Route } from "@playwright/test" */

const ELEMENT = "payment-operations";
/** A test may wait for the next code of the app. */
const WITH_CODES_MS = 150_000;

test.skip(() => !servers.program, "the operator's command needs servers that `cargo xtask test` started");
test.beforeEach(({ invariants }) => {
  test.setTimeout(WITH_CODES_MS);
  // An enrolment ends the other sessions, which the desk is told by its request for news.
  invariants.allows(/status of 40[13] .*\/api\/staff\/(session|news\?after=\S*)\)/);
});

/**
 * Enrols from the key on the screen to the end. Returns the app and the recovery codes.
 * @param {Staff} staff
 * @param {(step: string) => Promise<void>} look at each step
 */
async function enrol(staff, look = async () => {}) {
  const { dialog } = staff;
  await expect(dialog.getByRole("img", { name: staff.words.keyQr })).toBeVisible();
  await look("key");
  // A phone reads it in a dark appearance, too.
  await staff.page.emulateMedia({ colorScheme: "dark" });
  const image = await dialog.getByRole("img", { name: staff.words.keyQr }).screenshot();
  const uri = String(await dialog.getByRole("link").getAttribute("href"));
  expect(decode(image)).toBe(uri);
  const app = new App(uri);
  await staff.dialogCode.fill(await app.code());
  await staff.button("review", dialog).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  await look("codes");
  const recovery = await dialog.getByRole("listitem").allInnerTexts();
  await staff.page.keyboard.press("Escape");
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  await staff.button("haveCodes", dialog).click();
  await expect(dialog).toBeHidden();
  return { app, recovery };
}

/**
 * Signs in with a code, and sees the field for it appear.
 * @param {Page} page
 * @param {string} name
 * @param {string} code
 */
async function signInWith(page, name, code) {
  const staff = new Staff(page);
  await staff.open();
  await staff.signIn(name);
  await expect(staff.code).toBeFocused();
  await expect(staff.password).toHaveValue(servers.staff_password);
  await staff.code.fill(code);
  await staff.signInButton.click();
  return staff;
}

/** The server's answer to an act after the five minutes. @param {Route} route */
async function wantsCode(route) {
  const problem = { type: "urn:payment-checkout:problem:second-factor-required", status: 403, money: "nothing_charged" };
  await route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify(problem) });
}

/** Signs out, and waits for the end of the session. @param {Staff} staff */
async function signOut(staff) {
  await staff.signOutButton.click();
  await expect(staff.signInButton).toBeVisible();
}

/**
 * An account with a second factor, signed out.
 * @param {(name?: string) => Promise<Staff>} signIn
 */
async function enrolled(signIn) {
  const name = hire();
  const staff = await signIn(name);
  await staff.setUpFactor.click();
  await staff.dialogCode.fill(await enrolmentCode(name));
  await staff.button("review", staff.dialog).click();
  const { app, recovery } = await enrol(staff);
  await signOut(staff);
  return { name, app, recovery, page: staff.page };
}

test("a second factor is set up at the desk, and axe finds nothing on any step", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const name = hire();
  const staff = await signIn(name);
  await staff.setUpFactor.click();
  await expect(staff.dialogCode).toBeFocused();
  expect(await findings(staff.page, ELEMENT)).toEqual([]);
  const code = await enrolmentCode(name);
  await staff.dialogCode.fill(code);
  await staff.button("review", staff.dialog).click();
  const key = await staff.dialog.getByRole("link").getAttribute("href");
  // Closed before the end, it goes on with the same key.
  await staff.button("leave", staff.dialog).click();
  await staff.setUpFactor.click();
  await staff.dialogCode.fill(code);
  await staff.button("review", staff.dialog).click();
  await expect(staff.dialog.getByRole("link")).toHaveAttribute("href", String(key));
  const { app, recovery } = await enrol(staff, async (step) => {
    expect(await findings(staff.page, ELEMENT), step).toEqual([]);
  });
  expect(new Set(recovery).size).toBe(10);
  await expect(staff.element.getByRole("button", { name: staff.words.changeDevice })).toBeVisible();
  const kept = await staff.page.evaluate(() => [sessionStorage.length, localStorage.length]);
  expect(kept).toEqual([0, 0]);

  await signOut(staff);
  const again = await signInWith(staff.page, name, "000000");
  await expect(again.element.getByText(again.words.codeRefused).first()).toBeVisible();
  await expect(again.code).toHaveValue("");
  await expect(again.code).toBeFocused();
  expect(await findings(again.page, ELEMENT)).toEqual([]);
  await again.code.fill(await app.code());
  await again.signInButton.click();
  await expect(again.signOutButton).toBeVisible();
  // The code of the sign-in is enough for the next five minutes.
  await again.look(sale.number);
  await again.refund("10.00");
  expect(await sale.refunded()).toEqual([1000]);
});

test("a refund after the five minutes asks for a code in its dialog, and is sent once", async ({ signIn, sell, invariants }) => {
  invariants.allows(/status of 403 .*\/api\/staff\/(refund|session\/code)\)/);
  const sale = await sell("pay", "settle");
  const { name, app, page } = await enrolled(signIn);
  const staff = await signInWith(page, name, await app.code());
  await staff.look(sale.number);
  // Nothing of the server waits five minutes here: its answer after them is played once.
  /** @type {(string | undefined)[]} */
  const keys = [];
  await page.route("**/api/staff/refund", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.fallback();
    await wantsCode(route);
  });
  await staff.typeRefund("12.34");
  await staff.button("review", staff.dialog).click();
  await staff.button("sendRefund", staff.dialog).click();
  await expect(staff.dialogCode).toBeFocused();
  expect(await findings(page, ELEMENT)).toEqual([]);
  await staff.dialogCode.fill("000000");
  await staff.button("stepUp", staff.dialog).click();
  await expect(staff.dialog.getByText(staff.words.codeRefused).first()).toBeVisible();
  await staff.dialogCode.fill(await app.code());
  await staff.button("stepUp", staff.dialog).click();
  await expect(staff.results).toBeVisible();
  expect(await sale.refunded()).toEqual([1234]);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test("back from the code leads to the refund as it was typed, and nothing is sent", async ({ signIn, sell, invariants }) => {
  invariants.allows(/status of 403 .*\/api\/staff\/refund\)/);
  const sale = await sell("pay", "settle");
  const { name, app, page } = await enrolled(signIn);
  const staff = await signInWith(page, name, await app.code());
  await staff.look(sale.number);
  await page.route("**/api/staff/refund", wantsCode);
  await staff.typeRefund("12.34");
  await staff.button("review", staff.dialog).click();
  await staff.button("sendRefund", staff.dialog).click();
  await expect(staff.dialogCode).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(staff.dialog.getByText("S/ 12.34")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(staff.dialog).toBeHidden();
  expect(await sale.refunded()).toEqual([]);
});

test("without the phone a recovery code signs in, once", async ({ signIn }) => {
  const { name, recovery, page } = await enrolled(signIn);
  const staff = await signInWith(page, name, recovery[3]);
  await expect(staff.signOutButton).toBeVisible();
  await signOut(staff);
  const again = await signInWith(page, name, recovery[3]);
  await expect(again.element.getByText(again.words.codeRefused).first()).toBeVisible();
  await again.code.fill(recovery[4]);
  await again.signInButton.click();
  await expect(again.signOutButton).toBeVisible();
});

test("without phone and recovery codes a new enrolment code signs in and sets the new phone up", async ({ signIn }) => {
  const { name, app: old, recovery, page } = await enrolled(signIn);
  const staff = await signInWith(page, name, await enrolmentCode(name));
  const { app } = await enrol(staff);
  await signOut(staff);
  // The phone and the recovery codes of before are worth nothing.
  const again = await signInWith(page, name, await old.code());
  await expect(again.element.getByText(again.words.codeRefused).first()).toBeVisible();
  await again.code.fill(recovery[0]);
  await again.signInButton.click();
  await expect(again.code).toHaveValue("");
  await again.code.fill(await app.code());
  await again.signInButton.click();
  await expect(again.signOutButton).toBeVisible();
});

test("the recovery codes are printed alone", async ({ signIn }) => {
  const name = hire();
  const staff = await signIn(name);
  await staff.setUpFactor.click();
  await staff.dialogCode.fill(await enrolmentCode(name));
  await staff.button("review", staff.dialog).click();
  await staff.page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", "");
  });
  await enrol(staff, async (step) => {
    if (step !== "codes") return;
    await staff.button("print", staff.dialog).click();
    await expect(staff.page.locator("html")).toHaveAttribute("data-printed", "");
    await staff.page.emulateMedia({ media: "print" });
    await expect(staff.dialog.getByRole("listitem").first()).toBeVisible();
    await expect(staff.signOutButton).toBeHidden();
    await expect(staff.button("haveCodes", staff.dialog)).toBeHidden();
    await staff.page.emulateMedia({ media: null });
  });
});

/**
 * What assistive technology is given of the dialog, or of the sign-in, with a sign for what differs between runs.
 * @param {Page} page
 */
async function given(page) {
  const nodes = await tree(page);
  const all = [...nodes.values()];
  const place = ["dialog", "form"].map((name) => all.find(({ role }) => role?.value === name)).find(Boolean);
  return written(place, nodes).map((line) =>
    line
      .replace(/\b[A-Z2-7]{4}( [A-Z2-7]{4})+\b|\b[A-Z2-7]{32}\b/, "‹key›")
      .replace(/\b\w{4}(-\w{4}){3}\b/, "‹recovery code›")
      .replace(/\beva-[\d-]+/, "‹name›")
      .replace(/•+/, "‹password›")
      .replace(/\d+ (operaci|operation).*/, "‹operations›"),
  );
}

test("assistive technology is given what it was given, in Spanish and in English", async ({ signIn, sell, invariants }) => {
  invariants.allows(/status of 403 .*\/api\/staff\/(refund|session\/code|second-factor)\)/);
  /** @type {string[]} */
  const text = [];
  for (const path of ["", "?lang=en"]) {
    const sale = await sell("pay", "settle");
    const name = hire();
    const staff = await signIn(name, path);
    const { page, words, dialog } = staff;
    const keep = async (/** @type {string} */ title) => {
      text.push(`== ${title}, ${path ? "in English" : "in Spanish"}`, ...(await given(page)), "");
    };
    // What the list says when it comes would be a part of the first step.
    await expect(staff.rows.first()).toBeVisible();
    await staff.setUpFactor.click();
    await expect(staff.dialogCode).toBeFocused();
    await keep("enrolment code");
    await staff.dialogCode.fill("WRONG");
    await staff.button("review", dialog).click();
    await expect(dialog.getByText(words.codeRefused).first()).toBeVisible();
    await keep("enrolment code refused");
    await staff.dialogCode.fill(await enrolmentCode(name));
    await staff.button("review", dialog).click();
    await enrol(staff, keep);
    await staff.look(sale.number);
    await page.route("**/api/staff/refund", wantsCode);
    await staff.typeRefund("12.34");
    await staff.button("review", dialog).click();
    await staff.button("sendRefund", dialog).click();
    await expect(staff.dialogCode).toBeFocused();
    await keep("step-up");
    await staff.dialogCode.fill("000000");
    await staff.button("stepUp", dialog).click();
    await expect(dialog.getByText(words.codeRefused).first()).toBeVisible();
    await keep("step-up refused");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await signOut(staff);
    await staff.signIn(name);
    await expect(staff.code).toBeFocused();
    await keep("sign-in");
    await staff.code.fill("000000");
    await staff.signInButton.click();
    await expect(staff.element.getByText(words.codeRefused).first()).toBeVisible();
    await keep("sign-in refused");
  }
  matches("staff-second-factor", text.join("\n"));
});
