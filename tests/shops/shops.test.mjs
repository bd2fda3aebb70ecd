// The shops of `examples/shops`, which merchants copy: each takes a payment through the real server, and its
// page gives nothing away.
//
// `cargo xtask test --only shops` starts this, with the languages that the machine has.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { until } from "../engines/support/until.mjs";
import { startBackend, startSandbox, stopServers } from "./support/servers.mjs";
import { LANGUAGES, PRICE, Shop, claims, given } from "./support/shop.mjs";

let sandbox = "";
before(async () => {
  sandbox = await startSandbox();
});
after(stopServers);

for (const language of LANGUAGES) {
  describe(language, () => {
    /** @type {Shop} */
    let shop;
    let server = "";
    let apiKey = "";
    const ask = (...words) => shop.ask(server, apiKey, ...words);
    /** Presses *Pay by QR* on the page of a signed order. */
    const authorize = async (token) => {
      const charge = await fetch(`${server}/charges`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Idempotency-Key": `"${randomBytes(8).toString("hex")}"`,
          Origin: shop.address,
          "Sec-Fetch-Site": "same-site",
        },
        body: JSON.stringify({
          order: token,
          payment_method: { method_name: "QR", method_details: {} },
        }),
      });
      return { status: charge.status, headers: charge.headers, answer: await charge.json() };
    };

    before(async () => {
      shop = await Shop.prepare(language);
      ({ server, apiKey } = await startBackend(sandbox, language, shop));
      await shop.start(server).answers(shop.address);
    });
    after(() => shop.stop());

    test("an order is paid through the server, which tells the shop", async () => {
      const url = await shop.buy();
      assert.equal(await shop.isPaid(url), false);
      const { token, amount, currency } = given((await shop.read(url)).text);
      assert.deepEqual([amount, currency], [PRICE, "PEN"]);
      const { status, headers, answer } = await authorize(token);
      assert.equal(status, 200, JSON.stringify(answer));
      assert.equal(headers.get("access-control-allow-origin"), shop.address);
      assert.equal(answer.transaction.amount, PRICE);
      const number = answer.merchant_operation_number;
      await shop.stop();
      await shop.start(server).answers(shop.address);
      await fetch(`${sandbox}/sandbox/operations/${number}/pay`, { method: "POST" });
      await until("the shop to know", () => shop.isPaid(url));
      await shop.stop();
      await shop.start(server).answers(shop.address);
      assert.equal(await shop.isPaid(url), true);
    });

    test("the shop asks about its order, gives its money back, and reads what it missed", async () => {
      const url = await shop.buy();
      const id = url.searchParams.get("order") ?? "";
      const { answer } = await authorize(given((await shop.read(url)).text).token);
      assert.equal((await ask("ask", id)).outcome, "waiting");
      const number = answer.merchant_operation_number;
      await fetch(`${sandbox}/sandbox/operations/${number}/pay`, { method: "POST" });
      await until("the shop to know", () => shop.isPaid(url));
      assert.equal((await ask("ask", id)).outcome, "paid");
      const part = await ask("refund", id, "1", "100");
      assert.ok(part.type.endsWith(":return-by-hand"), JSON.stringify(part));
      const whole = await ask("refund", id, "2", "all");
      assert.deepEqual([whole.way, whole.state, whole.amount], ["reversal", "made", PRICE]);
      assert.deepEqual(await ask("refund", id, "2", "all"), whole);
      assert.equal((await ask("ask", id)).outcome, "reversed");
      const { events, next } = await ask("events");
      const own = events.filter(({ event }) => event.data.order_id === id);
      const types = own.map(({ event }) => event.type);
      assert.deepEqual(types, ["order.waiting", "order.paid", "order.reversed"]);
      assert.deepEqual((await ask("events", next)).events, []);
    });

    test("without scripts the payer pays on the server's page, which the shop can send, too", async () => {
      const url = await shop.buy();
      const id = url.searchParams.get("order") ?? "";
      const { text } = await shop.read(url);
      const [, action] = text.match(/<form method="post" action="([^"]+)">/) ?? [];
      assert.equal(action, `${server}/pay`);
      const [, order] = text.match(/<input type="hidden" name="order" value="([^"]+)">/) ?? [];
      const body = new URLSearchParams({ order });
      const led = await fetch(action, { method: "POST", body, redirect: "manual" });
      assert.equal(led.status, 303);
      const sent = await ask("page", id);
      assert.equal(new URL(led.headers.get("location"), server).pathname, new URL(sent.pay_url).pathname);
      assert.match(await (await fetch(sent.pay_url)).text(), /129\.90/);
    });

    test("an order that the shop cancelled is not paid any more", async () => {
      const url = await shop.buy();
      const id = url.searchParams.get("order") ?? "";
      const { token } = given((await shop.read(url)).text);
      await authorize(token);
      assert.equal((await ask("cancel", id)).result, "closed");
      const { status, answer } = await authorize(token);
      assert.equal(status, 422);
      assert.ok(answer.type.endsWith(":order-closed"), JSON.stringify(answer));
      // Nobody has pressed anything on this page.
      const unseen = await shop.buy();
      await ask("cancel", unseen.searchParams.get("order") ?? "");
      const refused = await authorize(given((await shop.read(unseen)).text).token);
      assert.equal(refused.status, 422);
    });

    test("a reload signs the same order, for its payer alone", async () => {
      const url = await shop.buy();
      const page = await shop.read(url);
      assert.equal(page.headers.get("content-type").toLowerCase(), "text/html; charset=utf-8");
      assert.equal(page.headers.get("cache-control"), "no-store");
      assert.match(page.text, /Mochila de telar «Ñandutí», 129\.90 PEN/);
      for (const secret of [shop.ordersSecret, shop.eventsSecret]) {
        assert.ok(!page.text.includes(secret));
      }
      const [first, second] = [page, await shop.read(url)].map(({ text }) =>
        claims(given(text).token),
      );
      assert.equal(first.order_id, url.searchParams.get("order"));
      assert.equal(first.aud, server);
      assert.equal(first.amount, Number(PRICE));
      assert.equal(first.payer.last_name, "Núñez");
      assert.ok(Math.abs(Date.now() / 1000 - first.iat) < 30 && first.exp > first.iat);
      assert.deepEqual({ ...second, iat: 0, exp: 0 }, { ...first, iat: 0, exp: 0 });
      assert.notEqual((await shop.buy()).href, url.href);
    });

    /** Writes an order into a file of the shop's. */
    const write = async (file, changed) => {
      const order = {
        id: randomBytes(16).toString("hex"),
        amount: 500,
        currency: "PEN",
        payer: { first_name: "Ana", last_name: "日本", email: "a@example.com" },
        products: [{ sku: "x", name: "x", quantity: 1, unit_price: 500 }],
        paid: false,
        events: [],
        ...changed,
      };
      await writeFile(join(shop.folder, file ?? `orders/${order.id}.json`), JSON.stringify(order));
      return order;
    };

    test("no name leaves its place in the page", async () => {
      await shop.buy(); // makes the folder
      const name = `</script><script>x</script> <!-- & "Ñ" 'ñ' {{x}} %(x)s $x`;
      const { id, payer, products } = await write(undefined, {
        currency: name,
        payer: { first_name: name, last_name: "日本", email: "a@example.com" },
        products: [{ sku: "x", name, quantity: 1, unit_price: 500 }],
      });
      const { text } = await shop.read(`${shop.address}/?order=${id}`);
      assert.equal(text.match(/<script/g).length, 1);
      assert.equal(text.match(/<\/script/g).length, 1);
      assert.ok(!text.includes("<!--"));
      const { token, currency } = given(text);
      assert.equal(currency, name);
      const told = claims(token);
      assert.deepEqual([told.currency, told.payer, told.products], [name, payer, products]);
    });

    test("strangers get no page, no source and no order", async () => {
      const order = (await shop.buy()).searchParams.get("order");
      await write("elsewhere.json", {});
      for (const id of [
        "1",
        "0".repeat(32),
        "..%2Felsewhere",
        `${order}%0A`,
        `%00${order}`,
        `${order}.json`,
      ]) {
        assert.equal(await shop.raw(`/?order=${id}`), 404, id);
      }
      // A list of orders is no order, or the beginning of a new one.
      assert.ok([303, 404].includes(await shop.raw(`/?order[]=${order}`)));
      for (const name of [
        `orders/${order}.json`,
        "orders.php",
        "orders.mjs",
        "orders.py",
        "shop.mjs",
        "shop.py",
      ]) {
        for (const path of [`/${name}`, `//${name}`]) {
          assert.notEqual(await shop.raw(path), 200, path);
        }
        for (const above of ["../", "../../", "%2e%2e/", "..%2f", "/../../"]) {
          for (const method of ["GET", "HEAD"]) {
            const path = `/element/${above}${name}`;
            assert.notEqual(await shop.raw(path, method), 200, `${method} ${path}`);
          }
        }
      }
    });

    test("the element's files come with their types", async () => {
      const types = {
        "payment-checkout.js": /^(text|application)\/javascript/,
        "style.css": /^text\/css/,
        "payment-checkout-0123456789.wasm": /^application\/wasm$/,
      };
      for (const [name, type] of Object.entries(types)) {
        const { status, headers, text } = await shop.read(`${shop.address}/element/${name}`);
        assert.equal(status, 200, name);
        assert.match(headers.get("content-type"), type);
        assert.equal(text, name);
      }
      assert.equal(await shop.raw("/element/none.js"), 404);
    });

    test("the page has the lines with which the element comes sooner, and does without them", async () => {
      const url = await shop.buy();
      const lines = join(shop.element, "preload.html");
      const place = async () => (await shop.read(url)).text.indexOf("<link ");
      for (const build of ["first", "second"]) {
        await writeFile(lines, `<link rel="modulepreload" href="/element/${build}.js">\n`);
        const { text } = await shop.read(url);
        assert.ok(text.includes(`href="/element/${build}.js"`), text);
        assert.ok((await place()) < text.indexOf("<payment-checkout"));
      }
      await rm(lines);
      assert.equal(await place(), -1);
      assert.equal(await shop.isPaid(url), false);
    });
  });
}
