import { find } from "./make.js";
import { sandbox } from "./sandbox.js";
import { locale } from "./texts.js";

/** Points the link to the sandbox's wallet, where a QR of the demo is paid. */
export function linkWallet() {
  const link = /** @type {HTMLAnchorElement} */ (find("wallet"));
  link.href = new URL(locale === "en" ? "/phone?lang=en" : "/phone", sandbox()).href;
}
