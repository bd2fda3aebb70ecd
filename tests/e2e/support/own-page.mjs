/** @import { Page } from "@playwright/test" */

/**
 * Opens a page that a test writes itself, on the shop's origin: a tag, and a script that runs before the element is loaded.
 *
 * @param {Page} page
 * @param {string} tag
 * @param {string} [script]
 * @param {string} [lang] of the page
 */
export async function ownPage(page, tag, script = "", lang = "es") {
  await page.route("**/own-page*", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Tienda</title>
        <link rel="icon" href="data:,"><main>${tag}</main>
        <script type="module">
          const checkout = document.querySelector('payment-checkout');
          ${script}
          const { PageRefusal } = await import('/element/payment-checkout.js');
          globalThis.PageRefusal = PageRefusal;
        </script></html>`,
    }),
  );
  await page.goto("/own-page");
}
