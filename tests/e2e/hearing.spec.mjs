// Each change is heard once, in the right language, and nothing old is left to be found.

import { Heard } from "./support/heard.mjs";
import { expect, test } from "./support/fixtures.mjs";

/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

/** Takes the focus away, as a browser does that gives none to a clicked button. */
const blur = (page) => page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement?.shadowRoot?.activeElement)?.blur());

test("the question takes the focus though nothing had it, is read as a whole, and gives the focus back", async ({
  payer,
  checkout,
  shop,
  page,
}) => {
  const heard = await Heard.on(page);
  await payer.begins();
  await blur(page);
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.cancel());
  await expect(checkout.warning).toBeFocused();
  // On a button a real screen reader said the button alone.
  expect(await heard.focused()).toBe("alertdialog “¿Anular este pago?”, group “¿Anular este pago? Si ya pagaste, espera la confirmación.”");
  // The page is out of reach while it is asked.
  await page.keyboard.press("Tab");
  for (const button of ["confirm", "keep"]) {
    await page.keyboard.press("Tab");
    if (button === "keep") await page.keyboard.press("Shift+Tab");
  }
  await expect(checkout.button("confirm")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await expect(checkout.button("cancel")).toBeFocused();
  await expect(checkout.image).toBeVisible();

  // Escape closes the question while nothing has the focus, too.
  await payer.presses("cancel");
  await blur(page);
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  await checkout.button("keep").press("Enter");
  await expect(checkout.question).toBeHidden();

  // The page's own button that asked has the focus again.
  await shop.outside.focus();
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.cancel());
  await expect(checkout.warning).toBeFocused();
  await checkout.button("keep").press("Enter");
  await expect(checkout.question).toBeHidden();
  await expect(shop.outside).toBeFocused();
});

test("in a dialog of the page Escape closes the question alone, and a page that hides or moves the element is not held by it", async ({
  waiting: { payer, checkout, shop, page },
}) => {
  await checkout.element.evaluate((element) => {
    const dialog = document.createElement("dialog");
    dialog.id = "around";
    document.body.append(dialog);
    dialog.append(element);
    dialog.showModal();
  });
  await payer.seesCode();
  const around = page.locator("#around");
  for (const lose of [async () => {}, blur]) {
    await payer.presses("cancel");
    await expect(checkout.warning).toBeFocused();
    await lose(page);
    await page.keyboard.press("Escape");
    await expect(checkout.question).toBeHidden();
    await expect(around).toHaveAttribute("open", "");
  }

  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => {
    document.querySelector("main").append(element);
    document.querySelector("dialog").remove();
    element.hidden = true;
    element.cancel();
  });
  await shop.outside.click({ trial: true });
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => {
    element.hidden = false;
  });
  await expect(checkout.warning).toBeFocused();

  // Moved, it is asked again.
  await checkout.element.evaluate((element) => document.querySelector("main").prepend(element));
  await expect(checkout.warning).toBeFocused();
  await expect(shop.outside.click({ trial: true, timeout: 500 })).rejects.toThrow();

  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => {
    element.hidden = true;
  });
  await shop.outside.click({ trial: true });
});

test("after a sleep the true time is said once, check now always answers, and a text waits until the one before was said", async ({
  payer,
  checkout,
  page,
  context,
  invariants,
}) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  const heard = await Heard.on(page);
  await payer.begins();
  const left = await checkout.secondsLeft();
  // Timers that were due meanwhile run once, as they do on a device that wakes.
  await page.clock.fastForward((left - 121) * 1_000);
  await expect(checkout.status).toHaveText(/^Tienes 2 minutos( [12] segundos?)? para pagar\.$/);
  await page.clock.runFor(6_000);
  await expect(checkout.status).toHaveText("");
  const marks = (await heard.said()).filter((line) => line.includes("para pagar"));
  expect(marks.filter((line) => line.includes("Tienes 5"))).toEqual([]);

  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000));
  // The second press comes at once.
  await checkout.button("check").evaluate((/** @type {HTMLElement} */ button) => {
    button.click();
    button.click();
  });
  await expect(checkout.status).toContainText("Acabamos de consultar");
  await expect(checkout.element.getByText(/Última consulta/).first()).toBeVisible();
  await page.clock.runFor(4_000);
  await expect(checkout.status).toContainText("Acabamos de consultar");
  await page.clock.runFor(1_000);
  await expect(checkout.status).toContainText("Última consulta");
  await page.clock.runFor(6_000);
  await expect(checkout.status).toHaveText("");

  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  for (let time = 1; time <= 3; time += 1) {
    await expect(checkout.status, `answer ${time}`).toContainText("Se cortó la conexión");
    await page.clock.runFor(6_000);
    await expect(checkout.status).toHaveText("");
    await payer.presses("check");
  }
});

test("after a load that was tried again, and from the page's own content in a slot, the focus is on the next heading", async ({
  payer,
  order,
  checkout,
  page,
  sandbox,
  invariants,
}) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/ERR_FAILED|NS_ERROR|Failed to load/i);
  const heard = await Heard.on(page);
  await page.route("**/*.wasm", (route) => route.abort());
  await payer.opens();
  await checkout.button("reload").press("Enter");
  await expect(checkout.button("reload")).toBeFocused();
  await page.unroute("**/*.wasm");
  await checkout.button("reload").press("Enter");
  await expect(checkout.heading("choosing")).toBeFocused();
  expect(await heard.focused()).toBe(
    "heading “¿Cómo quieres pagar? Te confirmaremos el pago aquí mismo.”",
  );

  await checkout.element.evaluate((element) => {
    const link = document.createElement("a");
    [link.slot, link.href, link.textContent] = ["expired", "#help", "Ayuda"];
    element.append(link);
    // A name of the page is in the page's language.
    document.documentElement.lang = "de";
    element.setAttribute("merchant-name", "Ginster und Gipfel");
  });
  await expect(checkout.element.locator("[lang=de]").first()).toHaveText("Ginster und Gipfel");
  await payer.chooses("QR");
  const number = await order.number();
  await sandbox.drive(number, "expire");
  await payer.sees("expired");
  await page.getByRole("link", { name: "Ayuda", exact: true }).focus();
  await sandbox.drive(number, "pay", { late: true });
  // A payer who comes back to the window is answered at once.
  await payer.comesBack();
  await payer.sees("paid");
  await expect(checkout.heading("paid")).toBeFocused();
});

test("copied is said once, and whoever comes back to a payment hears how it stands", async ({ device }) => {
  const payer = await device({ permissions: ["clipboard-write"] });
  const { page, checkout } = payer;
  const heard = await Heard.on(page);
  await payer.begins();
  const copy = checkout.element.getByRole("button", { name: "Copiar número de operación" });
  await copy.press("Enter");
  // The button keeps its name.
  await expect(copy).toHaveText("Copiado");
  expect((await heard.said()).filter((line) => line.includes("Copiado"))).toEqual(["live: Copiado"]);

  await payer.reloads();
  await payer.seesCode();
  const told = async (words) => (await heard.said()).filter((line) => words.test(line)).length;
  await expect.poll(() => told(/^status: Tu QR para pagar/)).toBe(1);
  await payer.pays();
  await payer.sees("paid");
  // It waits until the text before was said.
  await expect.poll(() => told(/^status: ¡Pago confirmado!/)).toBe(1);
  expect(await told(/Tu QR para pagar/)).toBe(1);
});

test("an error is heard once, by the focus or as an alert, and a code that takes long can be left for another way", async ({
  payer,
  order,
  checkout,
  page,
  invariants,
}) => {
  invariants.allows(/status of 422|answered 422/);
  await page.clock.install();
  const heard = await Heard.on(page);
  /** @type {import("@playwright/test").Route | undefined} */
  let held;
  await page.route("**/api/charges", (route) => void (held = route));
  const arrives = () => expect.poll(() => typeof held).toBe("object");
  await payer.opens();
  await checkout.works();
  await checkout.qrButton.click();
  await payer.sees("authorizing");
  await arrives();
  // The server begins an operation, and its answer does not come.
  await held.fetch();
  held = undefined;
  await expect(checkout.button("another")).toBeHidden();
  await page.clock.fastForward(8_000);
  await expect(checkout.button("another")).toBeVisible();
  expect((await heard.said()).at(-1)).toMatch(/Está tardando/);
  await checkout.button("another").press("Enter");
  await payer.sees("choosing");
  await expect(checkout.heading("choosing")).toBeFocused();

  for (const inside of [true, false]) {
    await checkout.qrButton.press("Enter");
    await arrives();
    // The request leaves before the screen about it is drawn, which takes the focus.
    await expect(checkout.element.getByText(/Todavía no se cobra nada/).first()).toBeVisible();
    if (!inside) await page.evaluate(() => document.querySelector("a").focus());
    await held.fulfill({ status: 422, body: "{}" });
    held = undefined;
    await expect(checkout.button("retry")).toBeVisible();
    const alerts = (await heard.said()).filter((line) => line.startsWith("alert:"));
    expect(alerts, `focus inside: ${inside}`).toHaveLength(inside ? 0 : 1);
    if (inside) expect(await heard.focused()).toMatch(/^heading “La tienda no pudo aceptar.* Si ya pagaste, no vuelvas a pagar/);
    await payer.presses("retry");
  }

  // The payer is given the operation that the server had begun.
  await page.unroute("**/api/charges");
  await payer.chooses("QR");
  expect((await order.operations()).filter(({ live }) => live)).toHaveLength(1);
});
