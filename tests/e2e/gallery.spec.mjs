// Every screen, drawn by the element's own views from made-up states: looked through by axe, and
// read word by word.

import { findings } from "./support/accessibility.mjs";
import { Gallery } from "./support/pages/gallery.mjs";
import { expect, test } from "./support/fixtures.mjs";

test("nothing stands out of its card on a small phone, and no screen writes a currency's code or a zone's long name", async ({
  page,
}) => {
  test.slow();
  const gallery = new Gallery(page);
  // 1280 pixels at 400 %.
  await page.setViewportSize({ width: 320, height: 640 });
  for (const unusual of ["none", "long-names", "huge-amount", "long-reason"]) {
    for (const locale of ["es-PE", "en", "pt-BR"]) {
      await gallery.open({ unusual, locale, width: "320" });
      expect.soft(await gallery.sideways(), `${unusual}, ${locale}`).toEqual([]);
      const texts = await gallery.exhibits.evaluateAll((exhibits) =>
        exhibits.map(({ shadowRoot }) => /** @type {ShadowRoot} */ (shadowRoot).textContent ?? ""),
      );
      expect(texts.length).toBeGreaterThan(50);
      const wrong = texts.filter((text) => /PEN\s|estándar|Standard|padrão/.test(text));
      expect.soft(wrong, `${unusual}, ${locale}`).toEqual([]);
    }
  }
});

// Two tests, since axe takes its time.
for (const theme of ["light", "dark"]) {
  test(`axe finds nothing on any screen: ${theme}`, async ({ page }) => {
    test.slow();
    const gallery = new Gallery(page);
    await gallery.open({ theme });
    // The same screen hangs there in several states, so several regions have its name.
    const rules = { "landmark-unique": { enabled: false } };
    expect(await findings(page, "main", { themes: [theme], rules })).toEqual([]);
  });
}

/** A time of day as the browser writes it, and the date before it. */
const TIME = /(\p{L}+, \d+ de \p{L}+( de \d{4})?, )?[\d:]+\s[ap]\.m\./gu;

test("no word was kept from the translators", async ({ page }) => {
  const gallery = new Gallery(page);
  await gallery.open({ locale: "pseudo" });
  // The texts that come from the server, the page and the browser's own formatting.
  const outside = [
    "Ya no quedan mochilas de este color.", "5C753A68", "T-880412", "Retama y Cumbre", "Comercial Retama E.I.R.L.", "S/", "soles peruanos", "PIGEON_POST", "lender.example"];
  const words = await gallery.words();
  expect(words.length).toBeGreaterThan(200);
  const left = words.filter(({ text }) => {
    const own = outside.reduce((rest, known) => rest.replaceAll(known, ""), text).replaceAll(TIME, "");
    // A text may stand within another one.
    const innermost = /⟦[^⟦⟧]*⟧/gu;
    return /\p{L}/u.test(own.replace(innermost, "").replace(innermost, ""));
  });
  expect(left).toEqual([]);
});

test("the wall is found from the shop, explains each screen, and is chosen from by keyboard", async ({ shop, page }) => {
  await shop.open();
  await page.getByRole("link", { name: "Galería de pantallas" }).click();
  const gallery = new Gallery(page);
  await expect(gallery.exhibit("paid-twice")).toBeAttached();
  const entries = await page.locator(".entry").evaluateAll((entries) =>
    entries.map((entry) => ({
      screen: entry.id,
      sentence: entry.querySelector(".about p")?.textContent,
      facts: entry.querySelector("dl")?.textContent,
      parts: Number.parseInt(entry.querySelector("summary")?.textContent ?? "", 10),
    })),
  );
  expect(entries.length).toBeGreaterThan(50);
  for (const { screen, sentence, facts, parts } of entries) {
    expect.soft(sentence, screen).toMatch(/^\p{Lu}.+\.$/u);
    expect.soft(facts, screen).toMatch(/^state[a-z]+eventcheckout-/);
    expect.soft(parts, screen).toBeGreaterThan(0);
  }
  const facts = (screen) => page.locator(`#${screen} dl`);
  await expect(facts("declined")).toContainText("statedeclinedeventcheckout-result, outcome declinedslotsdeclined");
  await expect(facts("qr-image")).toContainText("statefailedeventcheckout-error, code qr-image");
  await expect(page.getByRole("heading", { level: 2 }).filter({ visible: true }).first()).toHaveText("Choose");
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "paid-twice" }).click();
  await expect(gallery.exhibit("paid-twice")).toBeInViewport();

  await page.getByLabel("Language").selectOption("en");
  await expect(gallery.exhibit("qr").getByText("Order 1001")).toBeVisible();
  const screen = page.getByRole("combobox", { name: "Screen" });
  await screen.focus();
  await screen.selectOption("paid");
  await expect(screen).toBeFocused();
  await expect(page).toHaveURL(/screen=paid&locale=en/);
  await expect(gallery.exhibit("paid")).toBeVisible();
  expect(await gallery.names()).toEqual(["paid"]);
  // The address says what is shown.
  await page.reload();
  await expect(gallery.exhibit("paid").getByText("Order 1001").first()).toBeVisible();
  expect(await gallery.names()).toEqual(["paid"]);
});

test("the gallery says what there is instead of a wrong name, and shows a phone, several widths and other looks", async ({ page }) => {
  const gallery = new Gallery(page);
  await gallery.open({ screen: "qqr", theme: "dark" });
  await expect(gallery.problem).toContainText("There is no screen “qqr”. There are: choosing,");

  await gallery.open({ screen: "qr", locale: "es-PE" });
  await expect(gallery.problem).toBeHidden();
  expect(await gallery.names()).toEqual(["qr"]);
  const phone = gallery.exhibit("qr").getByRole("heading", { name: "Paga desde este celular" });
  await expect(phone).toBeHidden();
  await page.getByRole("checkbox", { name: "Phone" }).check();
  await expect(phone).toBeVisible();
  await page.getByRole("checkbox", { name: "320" }).check();
  await expect(gallery.exhibits).toHaveCount(2);
  const widths = await gallery.exhibits.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  expect(widths).toEqual([320, 360]);
  await page.getByRole("checkbox", { name: "320" }).uncheck();
  await page.getByRole("checkbox", { name: "Phone" }).uncheck();
  await expect(phone).toBeHidden();

  const css = page.locator("#css");
  await expect(css).toBeHidden();
  await page.getByLabel("Accent").fill("#7a3e9d");
  await page.getByLabel("Radius").selectOption("6px");
  await expect(css).toHaveText(/^payment-checkout \{\s+--checkout-accent: #7a3e9d;\s+--checkout-radius: 6px;\s+\}$/);
  const card = gallery.exhibit("qr").locator(".checkout");
  await expect(card).toHaveCSS("border-radius", "6px");
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(css).toBeHidden();
  await expect(card).toHaveCSS("border-radius", "14px");
});
