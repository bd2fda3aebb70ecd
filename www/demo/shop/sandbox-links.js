import { sandbox } from "./sandbox-address.js";
import { language } from "./texts.js";

/**
 * A page of the sandbox, in the shop's language as far as the sandbox speaks it.
 *
 * @param {string} page its path
 */
export function sandboxPage(page) {
  const url = new URL(page, sandbox());
  if (language === "en") {
    url.searchParams.set("lang", "en");
  }
  return url.href;
}

/** The page of the program that takes the server's events; it listens one port above the sandbox. */
export function receiver() {
  const url = new URL("/", sandbox());
  url.port = String(Number(url.port) + 1);
  return url.href;
}
