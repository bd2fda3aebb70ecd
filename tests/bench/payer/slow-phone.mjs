// A slow phone with a slow connection, emulated by Chromium, and the requests of a page on it with the bytes that they brought, by
// Chromium's own count.

/** @import { Browser, CDPSession } from "@playwright/test" */

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

export class Traffic {
  /** The first request is that of the page. @type {Map<string, {start: number, end: number, bytes: number}>} */
  #requests = new Map();

  /** @param {CDPSession} session */
  constructor(session) {
    session.on("Network.requestWillBeSent", ({ requestId, timestamp, request }) => {
      // The picture's address has the picture in it.
      if (request.url.startsWith("data:")) return;
      this.#requests.set(requestId, { start: timestamp, end: Infinity, bytes: 0 });
    });
    // It had been loaded in advance, and was counted then.
    session.on("Network.requestServedFromCache", ({ requestId }) => this.#requests.delete(requestId));
    session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => {
      const request = this.#requests.get(requestId);
      if (request) Object.assign(request, { end: timestamp, bytes: encodedDataLength });
    });
  }

  /**
   * The requests that had begun, and the bytes that had come, so many milliseconds after the page was asked for.
   * @param {number} ms
   */
  until(ms) {
    const all = [...this.#requests.values()];
    const limit = all[0].start + ms / 1000;
    const come = all.filter(({ end }) => end <= limit);
    return {
      requests: all.filter(({ start }) => start <= limit).length,
      bytes: come.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }
}
