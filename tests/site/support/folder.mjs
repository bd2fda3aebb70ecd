// The built site as files, and behind a server of its own below the path that it was built for.

import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const SITE = process.env.SITE ?? fileURLToPath(new URL("../../../target/site", import.meta.url));
export const BASE = process.env.SITE_BASE ?? "/";

/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".gif": "image/gif",
};

/** The paths of all files of the site. @returns {Promise<string[]>} */
export async function files() {
  const all = await readdir(SITE, { recursive: true, withFileTypes: true });
  return all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name).slice(SITE.length + 1));
}

export const text = (/** @type {string} */ file) => readFile(join(SITE, file), "utf8");

/** Serves plain files, as any host does: no redirect and no rewriting. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const path = normalize(pathname.slice(BASE.length - 1));
    try {
      if (!pathname.startsWith(BASE)) throw new Error("outside of the site");
      const file = path.endsWith("/") ? `${path}index.html` : path;
      const content = await readFile(join(SITE, file));
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content);
    } catch {
      // The browser asks for an icon that does not exist.
      response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
