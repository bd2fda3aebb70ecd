// Every screen, drawn by the element's own views from made-up states: looked through by axe, and
// read word by word.

import { findings } from "./support/accessibility.mjs";
import { Gallery } from "./support/pages/gallery.mjs";
import { expect, test } from "./support/fixtures.mjs";

for (const unusual of ["none", "long-names", "huge-amount", "long-reason"]) {
  test(`nothing stands out of its card on a small phone: ${unusual}`, async ({ page }) => {
    const gallery = new Gallery(page);
    // 1280 pixels at 400 %.
    await page.setViewportSize({ width: 320, height: 640 });
    for (const locale of ["es-PE", "en", "pt-BR"]) {
      await gallery.open({ unusual, locale, width: "320" });
      expect(await gallery.sideways(), locale).toEqual([]);
    }
  });
}

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
const TIME = /(\p{L}+, \d+ de \p{L}+( de \d{4})?, )?[\d:]+\s[ap]\.\s?m\./gu;

test("no word was kept from the translators", async ({ page }) => {
  const gallery = new Gallery(page);
  await gallery.open({ locale: "pseudo" });
  // The texts that come from the server, the page and the browser's own formatting.
  const outside = ["5C753A68", "T-880412", "Retama y Cumbre", "Comercial Retama E.I.R.L.", "S/", "soles peruanos", "PIGEON_POST"];
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

test("an address that names nothing says what there is", async ({ page }) => {
  const gallery = new Gallery(page);
  await gallery.open({ screen: "qqr", theme: "dark" });
  await expect(gallery.problem).toContainText("There is no screen “qqr”. There are: choosing,");
  await gallery.open({ screen: "qr" });
  await expect(gallery.problem).toBeHidden();
  expect(await gallery.names()).toEqual(["qr"]);
});

test("the wall is found from the shop, and chosen from by keyboard", async ({ shop, page }) => {
  await shop.open();
  await page.getByRole("link", { name: "Galería de pantallas" }).click();
  const gallery = new Gallery(page);
  await page.getByLabel("Language").selectOption("en");
  await page.getByLabel("Screen").selectOption("paid");
  await page.getByLabel("Screen").press("Enter");
  await page.getByRole("button", { name: "Show" }).press("Enter");
  await expect(page).toHaveURL(/screen=paid&locale=en/);
  await expect(gallery.exhibit("paid")).toBeVisible();
});
