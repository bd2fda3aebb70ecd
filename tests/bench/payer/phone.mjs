// A slow phone with a slow connection, emulated by Chromium.

/** @import { Browser } from "@playwright/test" */

/** Bytes a second. @param {number} kilobits a second */
const bytes = (kilobits) => (kilobits * 1000) / 8;

/**
 * A new context, so nothing is cached, with a page in it.
 * @param {Browser} browser
 * @param {number} slower how many times slower its processor is than this machine's
 */
export async function slowPhone(browser, slower) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: "es-PE",
    timezoneId: "America/Lima",
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: bytes(1600),
    uploadThroughput: bytes(750),
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  return { context, page, session };
}
