// Each change is heard once, in the right language, and nothing old is left to be found.

import { Heard } from "./support/heard.mjs";
import { expect, test } from "./support/fixtures.mjs";

/** @import { PaymentCheckout } from "../../npm/types/element.d.ts" */

/** Takes the focus away, as a browser does that gives none to a clicked button. */
const blur = (page) => page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement?.shadowRoot?.activeElement)?.blur());

test("the question takes the focus though nothing had it, is read as a whole, and Escape closes it", async ({ payer, checkout, page }) => {
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
});

test("Escape closes the question while nothing has the focus", async ({ waiting: { payer, checkout, page } }) => {
  await payer.presses("cancel");
  await blur(page);
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
});

test("the focus goes back to the page's own button that asked", async ({ waiting: { checkout, shop } }) => {
  await shop.outside.focus();
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.cancel());
  await expect(checkout.warning).toBeFocused();
  await checkout.button("keep").press("Enter");
  await expect(checkout.question).toBeHidden();
  await expect(shop.outside).toBeFocused();
});

test("in a dialog of the page Escape closes the question alone", async ({ waiting: { payer, checkout, page } }) => {
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
});

test("a page that hides or moves the element is not held by a question that nobody sees", async ({ waiting: { checkout, shop, page } }) => {
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => {
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
  await expect(page.locator("body")).toBeVisible();
});

test("after a sleep the true time is said, once, and nothing stays to be found", async ({ payer, checkout, page }) => {
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
});

test("check now always answers: too soon, without a connection, and with the time", async ({
  payer,
  checkout,
  page,
  context,
  invariants,
}) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  const heard = await Heard.on(page);
  await payer.begins();
  const hears = (words) => expect.poll(async () => (await heard.said()).join("\n")).toMatch(words);
  // The second press comes at once.
  await checkout.button("check").evaluate((/** @type {HTMLElement} */ button) => {
    button.click();
    button.click();
  });
  await hears(/Acabamos de consultar/);
  await hears(/Última consulta/);
  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  for (let time = 1; time <= 3; time += 1) {
    await hears(new RegExp(`(Se cortó la conexión[^]*){${time}}`));
    await payer.presses("check");
  }
});

test("a text waits until the one before was said", async ({ payer, checkout, page, context, invariants }) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  await payer.begins();
  await page.clock.pauseAt(new Date(Date.now() + 2_000));
  await checkout.button("check").press("Enter");
  await page.clock.runFor(1_000);
  await expect(checkout.status).toContainText("Última consulta");
  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(checkout.status).toContainText("Última consulta");
  await page.clock.runFor(4_000);
  await expect(checkout.status).toContainText("Se cortó la conexión");
  await page.clock.runFor(6_000);
  await expect(checkout.status).toHaveText("");
});

test("a code that takes long can be left for another way", async ({ payer, order, checkout, page, controls }) => {
  await controls.faults({ method: "POST", path: "/charges", kind: "delay", ms: 9_000 });
  const heard = await Heard.on(page);
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("authorizing");
  await expect(checkout.button("another")).toBeHidden();
  await expect(checkout.button("another")).toBeVisible();
  expect((await heard.said()).at(-1)).toMatch(/Está tardando/);
  await checkout.button("another").press("Enter");
  await payer.sees("choosing");
  await expect(checkout.heading("choosing")).toBeFocused();
  // The server had begun an operation, and the payer is given that one.
  await payer.chooses("QR");
  expect((await order.operations()).filter(({ live }) => live)).toHaveLength(1);
});

test("after a load that was tried again the focus is on the first heading", async ({ payer, checkout, page, invariants }) => {
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
});

test("the focus on the page's own content in a slot is not lost", async ({
  waiting: { payer, number, checkout, page },
  sandbox,
}) => {
  await checkout.element.evaluate((element) => {
    const link = document.createElement("a");
    [link.slot, link.href, link.textContent] = ["expired", "#help", "Ayuda"];
    element.append(link);
  });
  await sandbox.drive(number, "expire");
  await payer.sees("expired");
  await page.getByRole("link", { name: "Ayuda", exact: true }).focus();
  await sandbox.drive(number, "pay", { late: true });
  // A payer who comes back to the window is answered at once.
  await payer.comesBack();
  await payer.sees("paid");
  await expect(checkout.heading("paid")).toBeFocused();
});

test("whoever comes back to a payment hears how it stands", async ({ waiting: { payer, page } }) => {
  const heard = await Heard.on(page);
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

test("an error is heard once, by the focus or as an alert", async ({ device, invariants }) => {
  invariants.allows(/status of 422/);
  for (const inside of [true, false]) {
    const payer = await device();
    const { page, checkout } = payer;
    const heard = await Heard.on(page);
    let answer;
    await page.route("**/api/charges", async (route) => {
      await new Promise((resolve) => (answer = resolve));
      await route.fulfill({ status: 422, body: "{}" });
    });
    await payer.opens();
    await checkout.qrButton.press("Enter");
    await expect.poll(() => typeof answer).toBe("function");
    // The request leaves before the screen about it is drawn, which takes the focus.
    await expect(checkout.element.getByText(/Todavía no se cobra nada/).first()).toBeVisible();
    if (!inside) await page.evaluate(() => document.querySelector("a").focus());
    answer();
    await expect(checkout.button("retry")).toBeVisible();
    const alerts = (await heard.said()).filter((line) => line.startsWith("alert:"));
    expect(alerts).toHaveLength(inside ? 0 : 1);
    if (inside) expect(await heard.focused()).toMatch(/^heading “La tienda no pudo aceptar.* No se te cobró nada\./);
  }
});

test("a text of a page in another language has its language, and the service's has none", async ({
  payer,
  order,
  checkout,
  page,
  sandbox,
}) => {
  await payer.opens();
  await payer.sees("choosing");
  await page.evaluate(() => {
    document.documentElement.lang = "de";
    const element = document.querySelector("payment-checkout");
    element.setAttribute("merchant-name", "Ginster und Gipfel");
    element.messages = { "choose.heading": "Wie zahlen?", "action.new-qr": "Noch einmal" };
  });
  const lang = (text) =>
    checkout.element.getByText(text, { exact: true }).first().evaluate((node) => node.closest("[lang]").getAttribute("lang"));
  await expect(checkout.element.getByRole("heading", { name: "Wie zahlen?" })).toBeVisible();
  expect(await lang("Wie zahlen?")).toBe("de");
  expect(await lang("Ginster und Gipfel")).toBe("de");
  expect(await lang("Con QR")).toBe("es-PE");
  await payer.chooses("QR");
  await sandbox.drive(await order.number(), "decline");
  await payer.sees("declined");
  expect(await lang("Noch einmal")).toBe("de");
  const reason = checkout.element.locator(".reason span");
  await expect(reason).toHaveAttribute("lang", "");
});

test("copied is said once, and the button keeps its name", async ({ device }) => {
  const payer = await device({ permissions: ["clipboard-write"] });
  const heard = await Heard.on(payer.page);
  const { checkout } = await payer.begins();
  const copy = checkout.element.getByRole("button", { name: "Copiar número de operación" });
  await copy.press("Enter");
  await expect(copy).toHaveText("Copiado");
  expect((await heard.said()).filter((line) => line.includes("Copiado"))).toEqual(["live: Copiado"]);
});

test("nothing moves by itself for longer than five seconds", async ({ payer, checkout, page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await payer.begins();
  const moving = () =>
    checkout.element.evaluate((element) => {
      const running = element.shadowRoot.getAnimations();
      return Math.max(0, ...running.map((animation) => Number(animation.effect.getComputedTiming().endTime)));
    });
  expect(await moving()).toBeGreaterThan(0);
  expect(await moving()).toBeLessThanOrEqual(5_000);
});
