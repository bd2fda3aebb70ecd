// Payments in the browsers inside apps: the payer keeps the code, goes to a lender, and comes back, maybe in another browser.
// What only a device shows is in docs/element.md.

import { expect, test } from "./support/fixtures.mjs";

/**
 * @typedef {"share" | "downloads" | "windows" | "print" | "clipboard"} Ability
 * @typedef {{ userAgent: string, lacks: Ability[] }} App
 */

const ANDROID = "Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

/**
 * As far as a page sees them: what each calls itself, and what it lacks. Sources: the issues of the public projects that are
 * named.
 * @type {Record<string, App>}
 */
const APPS = {
  // No Web Share in the WebView of Android: w3c/web-share#190. A download of `data:` or `blob:` does nothing unless the app
  // listens: react-native-webview#2526. Windows need the app's help, too.
  "a WebView of Android without anything of its app's": { userAgent: ANDROID, lacks: ["share", "downloads", "windows", "print"] },
  // Downloads that do nothing: eligrey/FileSaver.js#649. A share that copies nothing: cwackerfuss/reactle#261.
  "the largest social app on Android": { userAgent: `${ANDROID} [FB_IAB/FB4A;FBAV/470.0.0.45.108;]`, lacks: ["share", "downloads", "windows", "print", "clipboard"] },
  // No `blob:` in addresses: eligrey/FileSaver.js#754. No downloads: add2cal/add-to-calendar-button#72.
  "an app of pictures on Android": { userAgent: `${ANDROID} Instagram 338.0.0.37.91 Android`, lacks: ["share", "downloads", "windows", "print"] },
  "an app of short films on Android": { userAgent: `${ANDROID} musical_ly_2023502030 BytedanceWebview/d8a21c6`, lacks: ["share", "downloads", "windows", "print"] },
  // It shares, as WKWebView does: pichillilorenzo/flutter_inappwebview#1985.
  "a messenger on a telephone of the other kind": { userAgent: `${IPHONE} [FBAN/MessengerForiOS;FBAV/456.0.0.31.111;]`, lacks: ["downloads", "windows", "print"] },
  // react-native-webview#1262 and #2526.
  "the WebView of a framework for apps in JavaScript": { userAgent: ANDROID, lacks: ["share", "downloads", "print"] },
  // pichillilorenzo/flutter_inappwebview#1985.
  "the WebView of a framework for apps in Dart": { userAgent: ANDROID, lacks: ["share", "downloads", "windows", "clipboard"] },
};

/** Runs in each document before its first script: takes abilities away. @param {Ability[]} lacks */
function without(lacks) {
  if (lacks.includes("share")) for (const name of ["share", "canShare"]) Reflect.deleteProperty(Navigator.prototype, name);
  if (lacks.includes("windows")) globalThis.open = () => null;
  if (lacks.includes("print")) Reflect.deleteProperty(globalThis, "print");
  if (lacks.includes("clipboard")) Object.defineProperty(navigator, "clipboard", { value: undefined });
  if (lacks.includes("downloads")) {
    addEventListener("click", (event) => {
      const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.hasAttribute("download"));
      if (link) event.preventDefault();
    });
  }
}


for (const [at, [name, { userAgent, lacks }]] of Object.entries(APPS).entries()) {
  test(`${name}: a code is kept and paid, and a lender's payer comes back in another browser`, { tag: at < 2 ? [] : ["@long"] }, async ({
    device,
    invariants,
  }) => {
    invariants.allows(/^(?!.*stopped)/);
    const payer = await device({ userAgent, viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    await payer.page.addInitScript(without, lacks);
    const { checkout } = payer;
    const order = await payer.opens();
    await checkout.qrButton.click();
    await expect(checkout.image).toBeVisible();
    const number = await order.number();
    // A picture that can be held and pressed is what is left without downloads.
    const picture = await checkout.image.evaluate((image) => {
      image.scrollIntoView({ block: "center" });
      const { left, top, width, height } = image.getBoundingClientRect();
      const root = /** @type {ShadowRoot} */ (image.getRootNode());
      return {
        isPicture: image instanceof HTMLImageElement && image.src.startsWith("data:image/png;base64,"),
        isOnTop: root.elementFromPoint(left + width / 2, top + height / 2) === image,
      };
    });
    expect(picture).toEqual({ isPicture: true, isOnTop: true });
    await checkout.button("copyNumber").click();
    await expect(checkout.element.getByText(/^(Copiado|No se pudo copiar)/).first()).toBeAttached();
    await payer.pays(number);
    await payer.comesBack();
    await payer.sees("paid");

    await payer.orders();
    await payer.begins({ method: "INSTALLMENT" });
    const address = await payer.lender.returnAddress();
    await payer.lender.approve();
    await payer.sees("paid");
    const other = await device();
    await other.page.goto(String(address));
    await other.sees("paid");
  });
}
