// The type of a price: what the compiler says to a page that gives another text.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test("the compiler names the type by which a page declares its price", async () => {
  const folder = await mkdtemp(join(tmpdir(), "price-type-"));
  const page = join(folder, "page.ts");
  await writeFile(
    page,
    `import type { PaymentCheckout } from ${JSON.stringify(file("npm/element/types/element.js"))};
export const show = (checkout: PaymentCheckout, price: string) => { checkout.amount = price; };\n`,
  );
  const options = ["--noEmit", "--strict", "--target", "es2022", "--types", "", page];
  const { stdout } = spawnSync(process.execPath, [file("node_modules/typescript/bin/tsc"), ...options], { encoding: "utf8" });
  await rm(folder, { recursive: true });
  assert.match(stdout, /Type 'string' is not assignable to type 'WholeCents \| null'\./);
});
