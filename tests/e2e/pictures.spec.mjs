// Every screen, compared with pictures of it.
//
// This writes the pictures that differ: cargo xtask test --only e2e -- pictures.spec --update-snapshots

import { Gallery } from "./support/pages/gallery.mjs";
import { expect, test } from "./support/fixtures.mjs";

/** One screen of each kind, for what differs little from one to the next. */
const FEW = [
  "choosing",
  "qr",
  "qr-asking",
  "lender",
  "cash-code",
  "confirming",
  "overdue",
  "unconfirmed",
  "qr-checked-in-vain",
  "paid",
  "declined",
  "refused",
];

/** A finger, and nothing to hover with: the code is on the very phone that pays. */
const PHONE = { hasTouch: true, isMobile: true };

/** The compared pictures: every screen as most payers see it, and some of them in every other way. */
const WALLS = [
  { name: "phone", choice: {}, device: PHONE },
  { name: "night", choice: { theme: "dark" }, screens: FEW },
  { name: "wide", choice: { width: "768" }, screens: FEW },
  { name: "english", choice: { locale: "en" }, screens: FEW },
  { name: "portuguese", choice: { locale: "pt-BR" }, screens: FEW },
  { name: "long-names", choice: { unusual: "long-names" }, screens: ["qr", "paid"] },
  { name: "huge-amount", choice: { unusual: "huge-amount" }, screens: ["qr", "paid"] },
  { name: "unknown-currency", choice: { unusual: "unknown-currency" }, screens: ["qr", "paid"] },
  { name: "no-deadline", choice: { unusual: "no-deadline" }, screens: ["qr", "cash-code"] },
  { name: "long-reason", choice: { unusual: "long-reason" }, screens: ["declined", "refused"] },
  { name: "own-numbers", choice: { unusual: "own-numbers", width: "320" }, screens: ["qr", "overdue"] },
  { name: "nameless", choice: { unusual: "nameless" }, screens: ["choosing", "qr", "paid"] },
];

for (const { name, choice, screens, device: options } of WALLS) {
  test(`the screens look as they did: ${name}`, async ({ device }) => {
    const { page } = await device({ viewport: { width: 1280, height: 900 }, ...options });
    const gallery = new Gallery(page);
    await gallery.open({ locale: "es-PE", theme: "light", width: "360", ...choice }, screens);
    await gallery.useOwnFont();
    for (const [screen, picture] of await gallery.pictures()) {
      // All of them, not only the first that differs.
      expect.soft(picture).toMatchSnapshot([name, `${screen}.png`]);
    }
  });
}
