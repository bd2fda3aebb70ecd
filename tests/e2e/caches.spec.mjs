// A service worker of the shop that answers in the server's place.

import { expect, test } from "./support/fixtures.mjs";

/** @typedef {{ ignoreSearch?: boolean, ignoreVary?: boolean }} Match */

/**
 * A worker that answers every GET below `/api/` from its cache, once it has an answer.
 * @param {Match} how
 */
const worker = (how) => `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    const { method, url } = event.request;
    if (method === 'GET' && new URL(url).pathname.startsWith('/api/charges/')) event.respondWith(answer(event.request));
  });
  async function answer(request) {
    const cache = await caches.open('api');
    const kept = await cache.match(request, ${JSON.stringify(how)});
    if (kept) return kept;
    const answer = await fetch(request);
    await cache.put(request, answer.clone());
    return answer;
  }`;

/**
 * Lets the worker of the shop answer for this page.
 * @param {import("@playwright/test").Page} page
 * @param {Match} how
 */
async function works(page, how) {
  await page.context().route("**/own-worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: worker(how) }));
  // The shop's own pages take no script at an address that is a text (Trusted Types).
  await page.route("**/own-page", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><link rel=icon href=data:,>" }));
  await page.goto("/own-page");
  await page.evaluate(async () => {
    const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    await navigator.serviceWorker.register("/own-worker.js");
    await controlled;
  });
}

const OLD = /GET \/api\/charges\/\S+ answered \d+: some answers here were older than their question, by their Date: the service worker http:\S+\/own-worker\.js keeps them.*#cached/;

test("a payment is seen though a service worker of the shop answers from its cache", { tag: "@quick" }, async ({
  payer,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(OLD);
  await works(page, { ignoreVary: true });
  const fresh = page.waitForRequest(/checkout-fresh=\d+/);
  await payer.begins();
  await fresh;
  await payer.pays();
  await payer.sees("paid");
  expect(checkout.heard("checkout-error")).toEqual([]);
});

test("a worker that keeps held answers, too, does not hide a payment, nor does a reload", async ({ payer, page, invariants }) => {
  invariants.allows(OLD);
  await works(page, {});
  await payer.begins();
  await payer.reloads();
  await payer.seesCode();
  await payer.pays();
  await payer.sees("paid");
});

test("a payer behind a worker that keeps any answer reads that the store does not answer, and not to pay again", async ({
  payer,
  checkout,
  page,
  order,
  invariants,
}) => {
  invariants.expects(OLD);
  await works(page, { ignoreVary: true, ignoreSearch: true });
  await payer.begins({ order });
  await expect(checkout.text("troubled")).toBeVisible();
  await payer.pays();
  await expect.poll(() => order.state()).toBe("paid");
  await payer.presses("check");
  await expect(checkout.text("checkedInVain")).toBeVisible();
  await payer.seesCode();
  // A worker that learned better.
  await page.evaluate(() => caches.delete("api"));
  await payer.sees("paid");
  await expect(checkout.text("troubled")).toBeHidden();
});
