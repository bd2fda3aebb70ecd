// The requests of a page and the bytes that they brought, by Chromium's own count.

/** @import { CDPSession } from "@playwright/test" */

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
