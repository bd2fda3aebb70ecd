// Whoever sends events to the shop: the payment server, or somebody who pretends to be it.

import { createHmac, randomBytes } from "node:crypto";

export class EventSender {
  #key;

  /** @param {string} address of the shop @param {string} secret */
  constructor(address, secret) {
    this.address = address;
    this.#key = Buffer.from(secret.replace("whsec_", ""), "base64");
  }

  /**
   * Sends an event about an order, and returns the status of the answer.
   * @param {object} data
   * @param {{ id?: string, type?: string, key?: Buffer, seconds?: number, sent?: string }} [changed]
   */
  async send(data, changed = {}) {
    const { id = `evt_${randomBytes(8).toString("hex")}`, type = "order.paid", key = this.#key, seconds = 0, sent } = changed;
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
    const time = String(Math.floor(Date.now() / 1000) + seconds);
    const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
    const answer = await fetch(`${this.address}/events`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": time,
        "webhook-signature": `v1,${signature}`,
      },
      body: sent ?? body,
    });
    await answer.arrayBuffer();
    return answer.status;
  }
}
