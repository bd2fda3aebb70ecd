import { find } from "./dom.js";
import { sandbox } from "./sandbox-address.js";
import { language } from "./texts.js";

/** Points the links to the sandbox's pages: the wallet that pays a QR, the agent who takes cash. */
export function linkWallet() {
  const origin = sandbox();
  for (const [id, page] of [["wallet", "/phone"], ["agent", "/agent"]]) {
    const link = /** @type {HTMLAnchorElement} */ (find(id));
    link.href = new URL(language === "en" ? `${page}?lang=en` : page, origin).href;
  }
}
