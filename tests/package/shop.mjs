// A shop whose pages `payment-checkout-element verify` looks at, and the command.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const PACKAGE = process.env.PACKAGE ?? fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));

/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };

/** Runs the command as a shop's script does. */
export const verify = (/** @type {string[]} */ ...words) => nodeVerify([], ...words);

/** The same with options of Node.js. @returns {Promise<{ code: number, out: string, err: string }>} */
export const nodeVerify = (/** @type {string[]} */ options, /** @type {string[]} */ ...words) =>
  new Promise((resolve) => {
    execFile(process.execPath, [...options, join(PACKAGE, "commands/main.mjs"), "verify", ...words], (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });

/** The line of a report about a file. */
export const line = (/** @type {string} */ out, /** @type {string} */ name) => out.split("\n").find((each) => each.includes(name))?.trim();

/**
 * @typedef {{ to: string } | { type: string, body: string | Buffer, policy?: string, status?: number }} Answer
 * @typedef {Record<string, string | number | Answer>} Pages
 */

/** A server of a folder. `pages` are answered before files. `asked` has the headers of each request. */
export async function serve(/** @type {string} */ folder, /** @type {Pages} */ pages) {
  /** @type {import("node:http").IncomingHttpHeaders[]} */
  const asked = [];
  const server = createServer(async (request, response) => {
    asked.push(request.headers);
    const { pathname } = new URL(request.url, "http://shop");
    const page = pages[pathname];
    if (typeof page === "number") return response.writeHead(page).end();
    if (typeof page === "object" && "to" in page) return response.writeHead(302, { location: page.to }).end();
    if (typeof page === "object") {
      if (page.policy) response.setHeader("content-security-policy", page.policy);
      return response.writeHead(page.status ?? 200, { "content-type": page.type }).end(page.body);
    }
    if (page?.startsWith("needs ") && request.headers.cookie !== "session=1") return response.writeHead(403).end();
    if (page !== undefined) return response.writeHead(200, { "content-type": TYPES[extname(pathname)] ?? "text/html" }).end(page.replace("needs ", ""));
    try {
      const file = await readFile(join(folder, pathname));
      return response.writeHead(200, { "content-type": TYPES[extname(pathname)] ?? "text/plain" }).end(file);
    } catch {
      return response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { address: `http://127.0.0.1:${port}`, asked, stop: () => server.close() };
}

export const TAG = '<script type="module" src="/element/payment-checkout.js"></script>';
