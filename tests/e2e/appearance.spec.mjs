// The element in narrow and wide places, in every light, and in a merchant's colors.

import { darkRuns, decode, pixel } from "./support/qr-image.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { latch } from "./support/held-answers.mjs";
import { Gallery } from "./support/pages/gallery.mjs";

const WHITE = [255, 255, 255];

/** The places of the element's parts, by their names. */
async function places(checkout) {
  return checkout.element.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const place = (selector) => {
      const box = element.shadowRoot.querySelector(selector).getBoundingClientRect();
      return [box.x, box.y - top, box.width, box.height].map(Math.round);
    };
    return { card: place(".checkout"), tile: place(".tile"), steps: place(".side > div:not(.keep)") };
  });
}

const SCREENS = {
  "a phone": { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true },
  "a narrow phone": { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  "a laptop": { viewport: { width: 1280, height: 800 } },
};

test("nothing jumps when the code comes on phones and on a laptop", async ({ device }) => {
  for (const [where, options] of Object.entries(SCREENS)) {
    const payer = await device(options);
    const { page, checkout } = payer;
    await page.addInitScript(() => {
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of /** @type {any[]} */ (list.getEntries())) {
          globalThis.shifts.push({ value, what: sources.map(({ node }) => node?.nodeName) });
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    // The server takes its time, so that the outline is there to be looked at.
    const { promise, resolve } = latch();
    await page.route("**/api/charges", async (route) => {
      await promise;
      await route.continue();
    });
    await payer.opens();
    await payer.sees("choosing");
    await checkout.qrButton.click();
    await payer.sees("authorizing");
    await settled(checkout);
    const before = await places(checkout);
    await page.evaluate(() => void (globalThis.shifts.length = 0));
    resolve();
    await expect(checkout.image).toBeVisible();
    await settled(checkout);
    const after = await places(checkout);

    expect(after.tile, where).toEqual(before.tile);
    expect(after.steps, where).toEqual(before.steps);
    expect(Math.abs(after.card[3] - before.card[3]), where).toBeLessThanOrEqual(24);
    const shifts = await page.evaluate(() => globalThis.shifts);
    const sum = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(sum, `${where}: ${JSON.stringify(shifts)}`).toBeLessThan(0.01);
  }
});

/** Until what moves has arrived and the browser has drawn it. */
async function settled(checkout) {
  await checkout.element.evaluate(async ({ shadowRoot }) => {
    const moving = shadowRoot.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
    await Promise.all(moving.map((animation) => animation.finished));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

test("the code can be scanned in any width of the screen, and a narrow column is as on a phone", async ({
  waiting: { number, checkout, page },
  sandbox,
}) => {
  const { qr_content } = await sandbox.operation(number);
  for (const width of [320, 360, 375, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const { width: side } = await checkout.image.boundingBox();
    expect(side, `${width}px`).toBeGreaterThanOrEqual(256);
    expect(await checkout.scan(), `${width}px`).toBe(qr_content);
    // Every module is as large as every other. The corner is a square of seven modules.
    const uneven = async () => {
      const runs = darkRuns(await checkout.image.screenshot());
      return runs.map((run) => run / (runs[0] / 7)).filter((modules) => !Number.isInteger(modules));
    };
    await expect.poll(uneven, `${width}px`).toEqual([]);
  }

  await page.setViewportSize({ width: 1600, height: 900 });
  const columns = () =>
    checkout.element.evaluate(({ shadowRoot }) => {
      const box = (selector) => shadowRoot.querySelector(selector).getBoundingClientRect();
      const sideways = shadowRoot.querySelector(".checkout").scrollWidth > Math.ceil(box(".checkout").width);
      return { beside: box(".side").left >= box(".tile").right, sideways };
    });
  await checkout.element.evaluate((element) => document.body.append(element));
  await expect(checkout.image).toBeVisible();
  for (const [width, beside] of [[288, false], [340, false], [480, false], [800, true], [1400, true]]) {
    await checkout.element.evaluate((element, width) => element.style.setProperty("width", `${width}px`), width);
    expect(await columns(), `a column of ${width}px`).toEqual({ beside, sideways: false });
  }
});

/**
 * The ways of docs/theming.md: a style of the page, and what a part of the element then has.
 * @type {[css: string, part: string, property: string, expected: string][]}
 */
const THEMES = [
  ["payment-checkout { --checkout-accent-text: rgb(1, 2, 3) }", "save-button", "color", "rgb(1, 2, 3)"],
  ["payment-checkout { --checkout-surface: rgb(1, 2, 3) }", "checkout", "background-color", "rgb(1, 2, 3)"],
  ["payment-checkout { --checkout-text: rgb(1, 2, 3) }", "checkout", "color", "rgb(1, 2, 3)"],
  ["payment-checkout { --checkout-border: rgb(1, 2, 3) }", "checkout", "border-top-color", "rgb(1, 2, 3)"],
  ["payment-checkout { --checkout-radius: 0 }", "checkout", "border-top-left-radius", "0px"],
  ["payment-checkout { --checkout-font: Georgia, serif }", "heading", "font-family", "Georgia, serif"],
  ["body { font-family: Georgia } payment-checkout::part(checkout) { font-family: inherit }", "heading", "font-family", "Georgia"],
  ["payment-checkout { --checkout-font-size: 21px }", "checkout", "font-size", "21px"],
  ["payment-checkout { --checkout-padding: 0px }", "checkout", "padding-top", "0px"],
  ["payment-checkout { --checkout-shadow: none }", "checkout", "box-shadow", "none"],
  ["payment-checkout::part(heading) { font-family: Georgia }", "heading", "font-family", "Georgia"],
  ["payment-checkout::part(checkout) { max-inline-size: none }", "checkout", "max-inline-size", "none"],
  ["payment-checkout { color-scheme: dark; --checkout-surface: initial }", "checkout", "background-color", "rgb(28, 31, 36)"],
];

test("each documented way to a look of the page's own has its effect", async ({ waiting: { checkout, page } }) => {
  for (const [css, part, property, expected] of THEMES) {
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, css);
    const shown = checkout.element.locator(`[part~="${part}"]`).first();
    await expect.soft(shown, css).toHaveCSS(property, expected);
  }
});

test("the code is a picture that a long press saves, white at its edge in every light, and drawn as it comes", async ({
  waiting: { number, checkout, page },
  sandbox,
}) => {
  await expect(checkout.image).toHaveAccessibleName(
    "Código QR para pagar 129.90 soles peruanos a Retama y Cumbre. Escanéalo con tu app de pagos o guárdalo.",
  );
  const hit = await checkout.image.evaluate((/** @type {HTMLImageElement} */ image) => {
    image.scrollIntoView({ block: "center" });
    const { x, y, width, height } = image.getBoundingClientRect();
    const node = /** @type {ShadowRoot} */ (image.getRootNode()).elementFromPoint(x + width / 2, y + height / 2);
    const pressed = new MouseEvent("contextmenu", { bubbles: true, cancelable: true, composed: true });
    return { image: node === image, menu: image.dispatchEvent(pressed), src: image.src.slice(0, 22) };
  });
  expect(hit).toEqual({ image: true, menu: true, src: "data:image/png;base64," });

  const { qr_content } = await sandbox.operation(number);
  for (const look of /** @type {const} */ ([
    { colorScheme: "dark", forcedColors: "none" },
    { colorScheme: "dark", forcedColors: "active" },
    { colorScheme: "light", forcedColors: "active" },
  ])) {
    await page.emulateMedia(look);
    const tile = await checkout.tile.screenshot();
    for (const [x, y] of [[4, 40], [-5, 40], [40, 4], [40, -5]]) {
      expect(pixel(tile, x, y), `${JSON.stringify(look)} at ${x}, ${y}`).toEqual(WHITE);
    }
    expect(decode(tile), JSON.stringify(look)).toBe(qr_content);
    await expect(checkout.image).toHaveCSS("image-rendering", "pixelated");
  }

  // A picture of a code that was scaled before has modules of several sizes.
  const modules = await checkout.image.evaluate(async (/** @type {HTMLImageElement} */ image) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [331, 331];
    canvas.getContext("2d").drawImage(image, 0, 0, 331, 331);
    const loaded = new Promise((done) => image.addEventListener("load", done, { once: true }));
    image.src = canvas.toDataURL();
    await loaded;
    return image.style.getPropertyValue("--_modules");
  });
  expect(modules).toBe("");
  expect(await checkout.scan()).toBe(qr_content);
});

/** The least contrast of the main buttons and of the links of all cards with what is behind them, in an accent. */
function contrasts(exhibits, accent) {
  return exhibits.evaluateAll(async (exhibits, accent) => {
    document.documentElement.style.setProperty("--checkout-accent", accent);
    const moving = exhibits.flatMap(({ shadowRoot }) => shadowRoot.getAnimations());
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})));
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (color) => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const linear = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const contrast = (one, other) => {
      const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const least = (selector, behind) =>
      Math.min(
        ...exhibits.flatMap(({ shadowRoot }) =>
          [...shadowRoot.querySelectorAll(selector)].map((node) => contrast(getComputedStyle(node).color, getComputedStyle(behind(node)).backgroundColor)),
        ),
      );
    return { button: least("[data-look=primary]", (node) => node), link: least(".save", (node) => node.closest(".checkout")) };
  }, accent);
}

test("with a radius of nothing every corner is square, and with any accent buttons and links can be read", async ({ page }) => {
  const gallery = new Gallery(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await gallery.open({ width: "768" });
  const round = () =>
    gallery.exhibits.evaluateAll((exhibits) => {
      const found = new Set();
      for (const node of exhibits.flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll("*")])) {
        for (const pseudo of ["", "::before", "::after"]) {
          const { borderRadius } = getComputedStyle(node, pseudo || null);
          if (borderRadius !== "0px") found.add(`.${node.classList[0] ?? node.localName}${pseudo}`);
        }
      }
      return [...found].sort();
    });
  expect(await round()).toEqual(expect.arrayContaining([".checkout", ".progress", ".step"]));
  for (const radius of ["0", "0px"]) {
    await page.evaluate((radius) => document.documentElement.style.setProperty("--checkout-radius", radius), radius);
    // Only signs and lights are round.
    expect(await round(), radius).toEqual([".icon", ".pulse::before"]);
  }

  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const theme of ["light", "dark"]) {
    await gallery.open({ theme }, ["qr", "qr-asking", "paid-next"]);
    for (const accent of ["#ffe000", "#ffffff", "#000000", "#00e5a0", "#0a5bb0", "#7f7f7f", "#ff3b6b"]) {
      const { button, link } = await contrasts(gallery.exhibits, accent);
      for (const [what, least] of [["button", button], ["link", link]]) {
        expect(least, `${what}, ${accent}, ${theme}`).toBeGreaterThanOrEqual(4.5);
        expect(least, `a ${what} is there`).toBeLessThanOrEqual(21.1);
      }
    }
  }
});

test("a small radius makes the numbers of the steps and the bar less round", { tag: "@quick" }, async ({ waiting: { checkout } }) => {
  const { element } = checkout;
  const radii = () =>
    element.evaluate(({ shadowRoot }) =>
      ["[part=step-number]", "[part=progress]"].map((part) => {
        const { borderRadius } = getComputedStyle(shadowRoot.querySelector(part));
        return Number.parseFloat(borderRadius);
      }),
    );
  await element.evaluate(({ style }) => style.setProperty("--checkout-radius", "4px"));
  const [step, bar] = await radii();
  expect([step, bar.toFixed(1)]).toEqual([8, "0.8"]);
  // The number is written by the style, so that a page may color it, and is heard once.
  await expect(element.getByRole("listitem").first()).toHaveText("Abre Apu, Nube o la app de tu banco.");
});

test("nothing moves by itself for longer than five seconds, and with reduced motion nothing moves", async ({
  payer,
  checkout,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await payer.begins();
  const moving = () =>
    checkout.element.evaluate(({ shadowRoot }) =>
      shadowRoot.getAnimations().map((animation) => ({
        name: /** @type {CSSAnimation} */ (animation).animationName,
        ends: Number(animation.effect.getComputedTiming().endTime),
      })),
    );
  const all = await moving();
  expect(all.map(({ name }) => name)).toContain("breathe");
  expect(Math.max(...all.map(({ ends }) => ends))).toBeLessThanOrEqual(5_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moving()).toEqual([]);
  await payer.pays();
  await payer.sees("paid");
  const check = checkout.element.locator("[part=icon] path");
  await expect(check).toHaveCSS("animation-name", "none");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect(check).toHaveCSS("animation-name", "draw");
});
