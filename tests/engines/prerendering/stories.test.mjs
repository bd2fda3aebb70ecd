// The twelve stories, and what else the guide says.

import assert from "node:assert/strict";
import { TEXTS } from "../../e2e/support/texts.mjs";
import { servers } from "../../servers.mjs";
import { checkout } from "./shop.mjs";
import { events, getsCode, leads, nothingEarly, seen, story, waits } from "./story.mjs";

const CHOICE = TEXTS.es.choosing;

story(
  "1. nothing was begun: the page draws the choice, and asks, tells and focuses nothing before it is shown",
  async ({ shop, opens }) => {
    const order = await shop.order();
    shop.page("/before", { loads: ["/pay"], run: leads });
    shop.page("/pay", {
      body: checkout(order),
      run: async ({ tell, measured, loads }) => {
        const element = document.querySelector("payment-checkout");
        element.focus();
        const final = element.whenFinal();
        await loads();
        element.focus();
        const { startTime } = await measured("ready");
        const [navigation] = performance.getEntriesByType("navigation");
        const shownAt = Reflect.get(navigation, "activationStart");
        await tell("times", { value: { shownAt, startTime, pending: await Promise.race([final, "pending"]) } });
      },
    });
    await opens("/before");
    const waiting = await shop.hears("/pay", "waits");
    assert.ok(waiting.early, "this browser loads no page in advance");
    assert.equal(shop.of("/pay").findLast(({ what }) => what === "look").screen, CHOICE);
    shop.says("go");
    const { value } = await shop.hears("/pay", "times");
    await shop.hears("/pay", "look", { screen: CHOICE, focus: true });
    assert.ok(value.shownAt > 0);
    assert.deepEqual(value, { shownAt: value.shownAt, startTime: value.shownAt, pending: "pending" });
    nothingEarly(shop);
    assert.deepEqual(shop.questions("/pay").map(({ line }) => line), ["POST /api/charges/live"]);
    assert.equal(events(shop, "checkout-ready").length, 1);
    assert.deepEqual(events(shop, "checkout-state").map(({ early }) => early), [false]);
  },
  { always: true },
);

story("2. a code waits in this tab: the page goes on with it", async (cast) => {
  const { shop, sandbox } = cast;
  const { order, number } = await getsCode(cast);
  shop.says("go");
  await shop.hears("/pay", "checkout-pending", { number });
  await shop.hears("/pay", "look", { screen: TEXTS.es.qr });
  nothingEarly(shop);
  assert.ok(!seen(shop).includes(CHOICE), String(seen(shop)));
  assert.equal(await order.number(), number);
  assert.equal((await sandbox.authorizations(order)).length, 1);
});

story(
  "3. the payer paid in this tab: the page shows it without a press",
  async (cast) => {
    const { shop, sandbox } = cast;
    const { order, number } = await getsCode(cast);
    await sandbox.drive(number, "pay");
    await shop.hears("/before", "checkout-result", { outcome: "paid" });
    shop.says("go");
    await shop.hears("/pay", "checkout-result", { outcome: "paid", number });
    await shop.hears("/pay", "look", { screen: TEXTS.es.paid });
    nothingEarly(shop);
    assert.equal(events(shop, "checkout-result").length, 1);
    assert.deepEqual(events(shop, "checkout-start"), []);
    assert.equal((await sandbox.authorizations(order)).length, 1);
  },
  { always: true },
);

for (const [at, step, outcome, screen] of /** @type {const} */ ([
  [4, "decline", "declined", TEXTS.es.declined],
  [5, "expire", "expired", TEXTS.es.expired],
])) {
  story(`${at}. the payment ended as ${outcome} in this tab: the page shows that end`, async (cast) => {
    const { shop, sandbox } = cast;
    const { number } = await getsCode(cast);
    await sandbox.drive(number, step);
    await shop.hears("/before", "checkout-result", { outcome });
    shop.says("go");
    await shop.hears("/pay", "checkout-result", { outcome, number });
    await shop.hears("/pay", "look", { screen });
    nothingEarly(shop);
    assert.ok(!seen(shop).includes(CHOICE), String(seen(shop)));
  });
}

story("6. the payer paid in another tab meanwhile: the page shows it", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: async ({ hears }) => {
    await hears("begin");
    open("/other", "_blank", "noopener");
    await hears("go");
    location.href = "/pay";
  } });
  shop.page("/pay", { body: checkout(order), run: waits });
  shop.page("/other", { body: checkout(order), run: async ({ hears, chooses }) => {
    await hears("choose");
    chooses();
    await hears("close");
    close();
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  shop.says("begin");
  await shop.hears("/other", "checkout-ready");
  shop.says("choose");
  const { number } = await shop.hears("/other", "checkout-pending");
  await sandbox.drive(number, "pay");
  await shop.hears("/other", "checkout-result", { outcome: "paid" });
  shop.says("close");
  await shop.hears("/before", "visibility", { hidden: false });
  shop.says("go");
  await shop.hears("/pay", "checkout-result", { outcome: "paid", number });
  nothingEarly(shop);
  assert.equal((await sandbox.authorizations(order)).length, 1);
});

story("7. a return from the lender: its token is used, and leaves the address, once the page is shown", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  const { merchant_operation_number: number } = await order.begin("INSTALLMENT", { redirect_url: new URL("/pay", servers.shop).href });
  const lender = await fetch(new URL(`/lender/${number}`, servers.sandbox));
  const token = (await lender.text()).match(/[?&]checkout=([^"&]+)/)[1];
  await sandbox.drive(number, "pay");
  shop.forgetSession();
  const address = `/pay?checkout=${token}`;
  shop.page("/back", { body: `<a href="${address}">Tienda</a>`, loads: [address], run: async ({ hears }) => {
    await hears("go");
    document.querySelector("a").click();
  } });
  shop.page("/pay", { body: checkout(order), run: async ({ tell, loads }) => {
    await loads();
    await tell("still", { value: location.search });
    document.addEventListener("checkout-result", () => tell("address", { value: location.search }));
  } });
  await opens("/back");
  await shop.hears("/pay", "still", { value: `?checkout=${token}` });
  shop.says("go");
  await shop.hears("/pay", "address", { value: "" });
  await shop.hears("/pay", "checkout-result", { outcome: "paid", number });
  nothingEarly(shop);
  assert.ok(shop.questions("/pay").some(({ headers }) => headers["checkout-token"]));
});

story("8. the order changed meanwhile: the page names the new one as it is shown, and no other is asked about", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  const another = await shop.order();
  shop.page("/before", { body: `<data value="${another.id}"></data>`, loads: ["/pay"], run: async ({ hears }) => {
    await hears("go");
    sessionStorage.setItem("order", document.querySelector("data").value);
    location.href = "/pay";
  } });
  shop.page("/pay", { body: checkout(order), run: async ({ hears, loads, chooses }) => {
    const element = document.querySelector("payment-checkout");
    document.addEventListener("prerenderingchange", () => {
      element.request = { order_id: sessionStorage.getItem("order") };
    });
    await loads();
    await hears("choose");
    chooses();
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  shop.says("go");
  await shop.hears("/pay", "checkout-ready");
  shop.says("choose");
  const { number } = await shop.hears("/pay", "checkout-pending");
  nothingEarly(shop);
  assert.equal(await another.number(), number);
  assert.deepEqual(await order.operations(), []);
  assert.equal(events(shop, "checkout-ready").length, 1);
  const about = shop.questions("/pay").map(({ body }) => body).filter(Boolean);
  assert.deepEqual(about.filter((body) => !body.includes(another.id)), []);
  assert.equal((await sandbox.authorizations(another)).length, 1);
});

story("9. the tab is hidden as the page is shown in it: it works as any hidden page", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: async ({ hears }) => {
    await hears("hide");
    open("/front", "_blank", "noopener");
    await hears("go");
    location.href = "/pay";
  } });
  shop.page("/pay", { body: checkout(order), run: waits });
  shop.page("/front", { run: async ({ hears }) => {
    await hears("close");
    close();
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  const { merchant_operation_number: number } = await order.begin("QR");
  shop.says("hide");
  await shop.hears("/before", "visibility", { hidden: true });
  shop.says("go");
  await shop.hears("/pay", "checkout-pending", { number, hidden: true });
  nothingEarly(shop);
  await sandbox.drive(number, "pay");
  await shop.hears("/pay", "checkout-result", { outcome: "paid" });
  shop.says("close");
  await shop.hears("/pay", "visibility", { hidden: false });
  assert.equal(events(shop, "checkout-result").length, 1);
});

story("10. nobody comes: nobody was asked anything", async ({ shop, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: async ({ hears }) => {
    await hears("go");
    location.href = "/elsewhere";
  } });
  shop.page("/pay", { body: checkout(order), run: waits });
  shop.page("/elsewhere", { run: ({ tell }) => tell("arrived") });
  await opens("/before");
  await shop.hears("/pay", "waits");
  shop.says("go");
  await shop.hears("/elsewhere", "arrived");
  nothingEarly(shop);
  assert.deepEqual(shop.questions("/pay"), []);
  assert.deepEqual(shop.of("/pay").filter(({ early }) => !early), []);
});

story("11. the payer leaves the page with a code, and comes back after paying: the browser has kept it", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: checkout(order), run: async ({ hears, loads, chooses }) => {
    await loads();
    await hears("choose");
    chooses();
    await hears("leave");
    location.href = "/elsewhere";
  } });
  shop.page("/elsewhere", { run: async ({ tell, hears }) => {
    await tell("arrived");
    await hears("back");
    history.back();
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  shop.says("go");
  await shop.hears("/pay", "checkout-ready");
  shop.says("choose");
  const { number } = await shop.hears("/pay", "checkout-pending");
  shop.says("leave");
  await shop.hears("/elsewhere", "arrived");
  await sandbox.drive(number, "pay");
  shop.says("back");
  await shop.hears("/pay", "again");
  await shop.hears("/pay", "checkout-result", { outcome: "paid", number });
  nothingEarly(shop);
  assert.equal(new Set(shop.of("/pay").map(({ load }) => load)).size, 1);
  assert.equal((await sandbox.authorizations(order)).length, 1);
});

story("12. two pages are loaded in advance: only the one that is shown works", async ({ shop, opens }) => {
  const order = await shop.order();
  const another = await shop.order();
  shop.page("/before", { loads: ["/pay", "/pay-another"], run: leads });
  shop.page("/pay", { body: checkout(order), run: waits });
  shop.page("/pay-another", { body: checkout(another), run: waits });
  await opens("/before");
  await shop.hears("/pay", "waits");
  await shop.hears("/pay-another", "waits");
  shop.says("go");
  await shop.hears("/pay", "checkout-ready", { early: false });
  assert.equal(shop.of("/pay").findLast(({ what }) => what === "look").screen, CHOICE);
  nothingEarly(shop);
  nothingEarly(shop, "/pay-another");
  assert.deepEqual(shop.questions("/pay-another"), []);
  assert.ok(shop.questions("/pay").length > 0);
});

// What else docs/element.md says of pages that are loaded in advance.

story("a page that starts a payment itself while it is loaded in advance starts it once it is shown", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: checkout(order), run: ({ loads }) => {
    document.querySelector("payment-checkout").start("QR");
    return loads();
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  assert.deepEqual(await order.operations(), []);
  shop.says("go");
  await shop.hears("/pay", "checkout-pending");
  nothingEarly(shop);
  assert.equal((await sandbox.authorizations(order)).length, 1);
});

story("the desk of the staff asks who is signed in once it is shown", async ({ shop, opens }) => {
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: '<payment-operations base-url="/api/staff"></payment-operations>', run: async ({ tell }) => {
    const compiled = () => performance.getEntriesByName("payment-operations:wasm").length > 0;
    while (!compiled()) await tell("compiling");
    for (const what of ["compiled", "still", "waits"]) await tell(what);
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  assert.deepEqual(shop.questions("/pay"), []);
  shop.says("go");
  await shop.hears("/pay", "look", { screen: /./, early: false });
  assert.ok(shop.questions("/pay").every(({ early, line }) => !early && line.includes("/api/staff/")));
});

story("what could not be loaded in advance is loaded once the page is shown, and no failure is told", async ({ shop, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: checkout(order), run: waits });
  shop.breaks(/^\/element\/.*\.wasm$/);
  await opens("/before");
  await shop.broke("HEAD");
  shop.breaks();
  shop.says("go");
  await shop.hears("/pay", "checkout-ready", { early: false });
  assert.equal(shop.of("/pay").findLast(({ what }) => what === "look").screen, TEXTS.es.choosing);
  nothingEarly(shop);
  assert.deepEqual(shop.of("/pay").filter(({ what }) => what === "checkout-error"), []);
});
