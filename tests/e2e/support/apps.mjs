// The browsers inside apps, as far as a page sees them: what each calls itself, and what it lacks. Sources: the issues of the
// public projects that are named.

/**
 * @typedef {"share" | "downloads" | "windows" | "print" | "clipboard"} Ability
 * @typedef {{ userAgent: string, lacks: Ability[] }} App
 */

const ANDROID = "Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

/** @type {Record<string, App>} */
export const APPS = {
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
export function without(lacks) {
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
