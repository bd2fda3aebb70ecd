// The pages that are compared, served over HTTP/1.1, compressed beforehand, with `/api` from the merchant's server.

import { readdir, readFile } from "node:fs/promises";
import { createServer, request as ask } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** @typedef {Map<string, Buffer>} Page the content of each address */

const own = (/** @type {string} */ name) => readFile(fileURLToPath(new URL(name, import.meta.url)));

/** The page of plain JavaScript. @returns {Promise<Page>} */
export async function plain() {
  return new Map([
    ["/", await own("plain.html")],
    ["/plain.js", await own("plain.js")],
  ]);
}

/**
 * A page with the element of a package.
 * @param {string} folder the package
 * @param {{hints: boolean}} options with hints the page has the lines of the element's `preload.html`
 * @returns {Promise<Page>}
 */
export async function element(folder, { hints }) {
  const html = (await own("checkout.html")).toString();
  const mark = "<!-- preload -->";
  if (!html.includes(mark)) throw new Error(`checkout.html has no ${mark}`);
  const lines = hints ? await preload(folder) : "";
  /** @type {Page} */
  const page = new Map([
    ["/", Buffer.from(html.replace(mark, () => lines))],
    ["/checkout.js", await own("checkout.js")],
  ]);
  for (const name of await readdir(join(folder, "element"))) {
    // Browsers load no maps without their tools, and the lines are in the page.
    if (!/\.(map|html)$/.test(name)) page.set(`/element/${name}`, await readFile(join(folder, "element", name)));
  }
  return page;
}

/** The lines that a page preloads with. Earlier packages had them beside the folder. @param {string} folder the package */
async function preload(folder) {
  const inside = readFile(join(folder, "element/preload.html"), "utf8");
  return inside.catch(() => readFile(join(folder, "preload.html"), "utf8"));
}

/** The policy that docs/security.md recommends. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "require-trusted-types-for 'script'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @type {Record<string, string>} */
const TYPES = {
  "": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** @param {Buffer} file */
function compressed(file) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: file.length };
  return brotliCompressSync(file, { params });
}

/**
 * Serves a page at an address of its own.
 * @param {Page} page
 * @param {string} backend the address of the merchant's server
 * @param {(request: IncomingMessage) => void} [onward] sees, and may change, what is passed on to it
 */
export async function serve(page, backend, onward = () => {}) {
  const files = new Map([...page].map(([path, file]) => [path, compressed(file)]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://page");
    if (pathname.startsWith("/api/")) {
      onward(request);
      forward(request, response, backend);
      return;
    }
    const file = files.get(pathname);
    const headers = {
      "Cache-Control": "no-store",
      "Content-Security-Policy": POLICY,
      "X-Content-Type-Options": "nosniff",
    };
    if (!file) return void response.writeHead(404, headers).end();
    const type = TYPES[extname(pathname)] ?? "application/octet-stream";
    response.writeHead(200, { ...headers, "Content-Type": type, "Content-Encoding": "br" }).end(file);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {string} backend */
function forward(request, response, backend) {
  const { method, headers, url } = request;
  const { hostname, port } = new URL(backend);
  const onward = ask({ hostname, port, method, headers, path: url }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  // A page that goes away takes its question along.
  response.on("close", () => onward.destroy());
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}
