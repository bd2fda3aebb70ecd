// The servers of this worker of Playwright. For the end-to-end tests `cargo xtask test` starts some for
// each worker, so a test may turn the service's clock and plan its faults. When Playwright is started by
// hand, these are the addresses where `cargo xtask stack` usually listens.

/**
 * @typedef {object} Servers
 * @property {string} shop
 * @property {string} backend
 * @property {string} sandbox
 * @property {string} receiver the merchant's own system
 * @property {string} staff_password
 * @property {string} orders_secret of a shop that signs its orders
 * @property {string} program of the merchant's server, for its commands; empty where only its addresses are known
 * @property {Record<string, string>} settings that the commands need
 */

/** @type {Servers[]} */
export const all = process.env.SERVERS
  ? JSON.parse(process.env.SERVERS)
  : [
      {
        shop: "http://127.0.0.1:18080",
        backend: "http://127.0.0.1:18081",
        sandbox: "http://127.0.0.1:18082",
        receiver: "http://127.0.0.1:18083",
        staff_password: process.env.STAFF_PASSWORD ?? "",
        orders_secret: process.env.ORDERS_SECRET ?? "",
        program: "",
        settings: {},
      },
    ];

/** @type {Servers} */
export const servers = all[Number(process.env.TEST_PARALLEL_INDEX ?? 0) % all.length];
