// Measures the staff's search at one size, for `cargo xtask bench staff`: prints `name<TAB>figure`.
//
// Environment: SHOP_URL, BACKEND_URL, BACKEND_PROCESS, STAFF_PASSWORD, CHROME, COUNT.

import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";

const { SHOP_URL, BACKEND_URL, BACKEND_PROCESS, STAFF_PASSWORD, CHROME } = process.env;
const COUNT = Number(process.env.COUNT);
const STAFF = `${BACKEND_URL}/api/staff`;
/** How many rows the page collects. */
const ROWS = 10_000;

/** @param {string} name @param {number} figure */
const tell = (name, figure) => console.log(`${name}\t${figure.toFixed(2)}`);

const sorted = (numbers) => [...numbers].sort((one, other) => one - other);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const p95 = (numbers) => sorted(numbers)[Math.floor(numbers.length * 0.95)];

/** The server's memory in MiB. */
function memory() {
  const status = readFileSync(`/proc/${BACKEND_PROCESS}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const signedIn = await fetch(`${STAFF}/session`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name: "ana", password: STAFF_PASSWORD }),
});
const cookie = signedIn.headers.getSetCookie()[0].split(";")[0];

/** @param {string} path */
async function get(path) {
  const answer = await fetch(`${STAFF}${path}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Milliseconds until the whole answer is there, many times. */
async function repeat(path, times = 40) {
  const taken = [];
  for (let round = -3; round < times; round += 1) {
    const start = performance.now();
    await (await get(path)).arrayBuffer();
    if (round >= 0) taken.push(performance.now() - start);
  }
  return taken;
}

async function measure(name, path) {
  const taken = await repeat(path);
  tell(`${name}, ms`, median(taken));
  tell(`${name}, ms, p95`, p95(taken));
}

tell("server before, MiB", memory());
const first = await (await get("/operations")).json();
const [some] = first.operations;
await measure("first page", "/operations");
await measure("by number", `/operations?q=${some.merchant_operation_number}`);
await measure("by transaction", `/operations?q=${some.transaction_id}`);
await measure("by cip, none", "/operations?q=no-such-number");
const month = "from=2026-06-01T05:00:00Z&to=2026-07-01T05:00:00Z";
await measure("state in a month", `/operations?state=LIQUIDADO&${month}`);
await measure("method", "/operations?method=BANK_TRANSFER");
await measure("rare state", "/operations?state=EXTORNADO");
await measure("a state that nothing has", "/operations?state=REGISTRADO");
await measure("amounts", "/operations?amount_min=100000&amount_max=100999");
await measure("exceptions", "/exceptions");
await measure("one operation", `/operations/${some.merchant_code}/${some.merchant_operation_number}`);

// A page far down the list.
let cursor = first.next_cursor;
for (let seen = 50; seen < COUNT * 0.9 && cursor; seen += 200) {
  cursor = (await (await get(`/operations?limit=200&cursor=${cursor}`)).json()).next_cursor;
}
await measure("page at nine tenths", `/operations?cursor=${cursor}`);

const start = performance.now();
const file = await get("/operations.csv");
tell("file begins, ms", performance.now() - start);
const bytes = (await file.arrayBuffer()).byteLength;
tell("file is whole, ms", performance.now() - start);
tell("file, KiB", bytes / 1024);
tell("server after, MiB", memory());

const browser = await chromium.launch({
  executablePath: CHROME,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ baseURL: SHOP_URL, viewport: { width: 1280, height: 900 } });
await page.goto("/staff.html");
const element = page.locator("payment-operations");
await element.getByLabel("Usuario").fill("ana");
await element.getByLabel("Contraseña").fill(STAFF_PASSWORD ?? "");
await element.getByRole("button", { name: "Ingresar" }).click();
const table = element.getByRole("table");
await table.waitFor();

const asked = performance.now();
await element.getByRole("button", { name: "Buscar", exact: true }).click();
await element.getByText("200 operaciones, hay más").first().waitFor();
tell("page: first rows, ms", performance.now() - asked);

/** From the press until the rows are counted on the screen, measured in the page. */
const pages = [];
for (let shown = 400; shown <= ROWS; shown += 200) {
  pages.push(
    await page.evaluate(async (shown) => {
      const root = document.querySelector("payment-operations").shadowRoot;
      const buttons = [...root.querySelectorAll("button")];
      const more = buttons.find((button) => button.textContent.trim() === "Mostrar más");
      const count = root.querySelector(".count");
      const start = performance.now();
      more.click();
      while (count.textContent.replace(/\D/g, "") !== String(shown)) {
        await new Promise(requestAnimationFrame);
      }
      return performance.now() - start;
    }, shown),
  );
}
tell("page: 200 more at the start, ms", median(pages.slice(0, 10)));
tell("page: 200 more at 10,000 rows, ms", median(pages.slice(-10)));

const key = await page.evaluate(async () => {
  const root = document.querySelector("payment-operations").shadowRoot;
  const field = root.querySelector("input");
  const taken = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    field.value += "1";
    field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    taken.push(performance.now() - start);
  }
  return taken;
});
tell("page: a key at 10,000 rows, ms, two frames", median(key));
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable");
await session.send("HeapProfiler.collectGarbage");
const { metrics } = await session.send("Performance.getMetrics");
const metric = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
tell("page: heap at 10,000 rows, MiB", metric("JSHeapUsedSize") / 1024 / 1024);
tell("page: nodes at 10,000 rows", metric("Nodes"));
await browser.close();
