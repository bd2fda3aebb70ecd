// A built page behind a server of its own: strict policy, `/api` from the merchant's server.

import { createServer, request as ask } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { servers } from "../../servers.mjs";

const BACKEND = new URL(servers.backend);

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "img-src data:",
  "style-src 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".map": "application/json",
  ".wasm": "application/wasm",
};

/**
 * Puts something in the place of a mark that has to be there.
 * @param {string} html
 * @param {string} mark
 * @param {string} insert
 */
export function filled(html, mark, insert) {
  if (!html.includes(mark)) throw new Error(`the page has no ${mark}`);
  return html.replace(mark, () => insert);
}

/**
 * Serves a folder at an address of its own.
 * @param {string} folder
 * @param {(html: string, search: string) => string} [render] what a server does to the page
 */
export async function serve(folder, render = (html) => html) {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url, "http://page");
    if (pathname.startsWith("/api/")) {
      forward(request, response);
      return;
    }
    const path = normalize(pathname === "/" ? "/index.html" : pathname);
    const headers = { "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" };
    try {
      const file = await readFile(join(folder, path));
      headers["Content-Type"] = TYPES[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, headers).end(path === "/index.html" ? render(file.toString(), search) : file);
    } catch {
      // The browser asks for an icon that does not exist.
      response.writeHead(path === "/favicon.ico" ? 204 : 404, headers).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  return {
    address: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function forward(request, response) {
  const { method, headers, url } = request;
  const { hostname, port } = BACKEND;
  const onward = ask({ hostname, port, method, headers, path: url }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  // A page that goes away takes its question along.
  response.on("close", () => onward.destroy());
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}
