// Pages and browsers of other people, at the desk: staff find an operation and give money back once, or read that it is not
// known. The conditions are those of `support/conditions.mjs`.

import { CONDITIONS } from "./support/conditions.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { Staff } from "./support/pages/staff.mjs";

/** The conditions that touch what the desk does, too. */
const PLAYED = [
  "a wrapped `fetch` that answers with objects of its own",
  "a wrapped `fetch` that returns something with a `then` only",
  "a `Response` of the page's own",
  "a `Request` that adds to each request",
  "a `Date.parse` that throws",
  "a `performance.now` that throws",
  "a `queueMicrotask` that throws",
  "a session storage that is refused",
  "an `Intl` without formats",
  "an `addEventListener` of the window that throws",
];

/**
 * A member of staff in a browser where this runs first.
 * @param {() => Promise<import("./support/payer.mjs").Payer>} device
 * @param {() => void} before
 */
async function signedIn(device, before) {
  const { page } = await device();
  await page.addInitScript(before);
  const staff = new Staff(page, "es");
  await staff.open();
  await staff.signIn("ana");
  await expect(staff.signOutButton).toBeVisible();
  return staff;
}

for (const [at, name] of PLAYED.entries()) {
  const { before } = CONDITIONS[name];
  const tag = at < 3 ? [] : ["@long"];
  test(`${name}: staff find a sale and give a part back once`, { tag }, async ({ device, sell, invariants }) => {
    invariants.allows(/^(?!.*stopped)/);
    const sale = await sell("pay", "settle");
    const ana = await signedIn(device, /** @type {() => void} */ (before));
    await ana.look(sale.number);
    await ana.refund("10.00");
    await expect(ana.dialog.getByText("Registrado", { exact: true })).toBeVisible();
    expect(await sale.refunded()).toEqual([1000]);
  });
}

test("a page that spoils the answer to a refund has staff repeat the same one", async ({ device, sell, invariants }) => {
  invariants.allows(/^(?!.*stopped)/);
  const sale = await sell("pay", "settle");
  const ana = await signedIn(device, () => {
    const { fetch } = globalThis;
    let spoils = true;
    globalThis.fetch = async (/** @type {any} */ ...given) => {
      const answer = await Reflect.apply(fetch, globalThis, given);
      if (!spoils || given[0].method !== "POST" || !given[0].url.endsWith("/refund")) return answer;
      spoils = false;
      return undefined;
    };
  });
  await ana.look(sale.number);
  await ana.typeRefund("10.00");
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).click();
  await expect(ana.dialog.getByRole("heading", { name: "No se sabe si el reembolso llegó" })).toBeVisible();
  await ana.dialog.getByRole("button", { name: "Intentar de nuevo" }).click();
  await expect(ana.results).toBeVisible();
  expect(await sale.refunded()).toEqual([1000]);
});
