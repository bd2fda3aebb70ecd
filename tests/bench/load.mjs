// Measures the cost of the wasm's integrity check and the gain of preloading: the time from opening a page
// until it offers the methods, on an emulated slow phone (4 times slower, 1.6 Mbit/s, 150 ms).
//
//   cargo xtask test --only consumers   # packs the package and lays the plain page out
//   node tests/bench/load.mjs
//
// The variants take turns, so that other work on the machine slows all of them alike.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "@playwright/test";

const PLAIN = new URL("../../target/consumers/plain", import.meta.url).pathname;
const ROUNDS = 9;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const preload = await readFile(join(PLAIN, "preload.html"), "utf8");
const onlyModules = preload.replace(/<link rel="preload".*\n/, "");

/** Each changes the page or the code that it loads. */
const VARIANTS = {
  "checked, nothing preloaded": {},
  "unchecked, nothing preloaded": { unchecked: true },
  "checked, modules preloaded": { lines: onlyModules },
  "checked, everything preloaded": { lines: preload },
  "unchecked, everything preloaded": { lines: preload, unchecked: true },
};

/** Answers as a server of files would, compressed once. */
async function serve({ lines = "", unchecked = false }) {
  const files = new Map();
  const server = createServer(async ({ url }, response) => {
    const path = url === "/" ? "/index.html" : url;
    if (!files.has(path)) files.set(path, await file(path, lines, unchecked).catch(() => undefined));
    const body = files.get(path);
    if (!body) return void response.writeHead(204).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(path)], "Content-Encoding": "br" });
    response.end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  return { server, address: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/` };
}

async function file(path, lines, unchecked) {
  /** @type {Buffer | string} */
  let body = await readFile(join(PLAIN, path));
  if (path === "/index.html") {
    body = body.toString().replace("<!-- preload -->", lines);
    // The order needs a server; the choice does not.
    body = body.replace(/<script type="module" src="\/main.js"><\/script>/, "");
  }
  if (unchecked && path === "/element/element.js") {
    const checking = body.toString();
    body = checking.replace(/integrity:\w+\.integrity,/, "");
    if (body === checking) throw new Error("element.js checks in another way");
  }
  return brotliCompressSync(body);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROME ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

async function load(address) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const throughput = (1.6 * 1024 * 1024) / 8;
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(address);
  const ready = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const checkout = document.querySelector("payment-checkout");
        const done = () => requestAnimationFrame(() => resolve(performance.now()));
        if (checkout.state === "choosing") done();
        else checkout.addEventListener("checkout-ready", done);
      }),
  );
  await context.close();
  return ready;
}

const middle = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];

const servers = await Promise.all(Object.values(VARIANTS).map(serve));
const times = servers.map(() => []);
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [index, { address }] of servers.entries()) {
    const time = await load(address);
    // The first round warms the browser up.
    if (round) times[index].push(time);
  }
}
for (const [index, name] of Object.keys(VARIANTS).entries()) {
  const [low, high] = [Math.min(...times[index]), Math.max(...times[index])];
  const ms = [middle(times[index]), low, high].map((time) => time.toFixed(0).padStart(6));
  console.log(`${name.padEnd(34)} ${ms[0]} ms   (${ms[1]} to ${ms[2]})`);
}
await browser.close();
for (const { server } of servers) server.close();
