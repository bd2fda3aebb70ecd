// The libraries that the standard Standard Webhooks has for receivers find the server's events genuine: merchants use
// them instead of the code of `examples/shops`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { until } from "../engines/support/until.mjs";
import { Program, freePort } from "./support/program.mjs";
import { sendSample, startBackend, startSandbox, stopServers } from "./support/servers.mjs";

const run = promisify(execFile);
const RESULTS = process.env.RESULTS ?? "";
/** The languages whose library is installed. */
const LIBRARIES = (process.env.LIBRARIES ?? "node").split(",");
const file = (name) => fileURLToPath(new URL(`receivers/${name}`, import.meta.url));
const PROGRAMS = {
  node: ["node", file("receiver.mjs")],
  python: ["python3", "-B", file("receiver.py")],
};
/** The folder of the packages of PyPI. */
const ENV = { PYTHONPATH: process.env.PYTHON_PACKAGES ?? "" };
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** The example of the standard's own document. */
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: "1614265330",
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

let sandbox = "";
before(async () => {
  sandbox = await startSandbox();
});
after(stopServers);

/** A receiver with a secret of its own. */
class Receiver {
  secret = newSecret();

  async start(language) {
    const port = await freePort();
    this.address = `http://127.0.0.1:${port}`;
    this.program = new Program(join(RESULTS, `receiver-${port}.log`), PROGRAMS[language], {
      PORT: String(port),
      EVENTS_SECRET: this.secret,
      ...ENV,
    });
    await this.program.answers(this.address);
    return this;
  }

  /** The events that the library found genuine. */
  async events() {
    return (await fetch(this.address)).json();
  }
}

/** Presses *Pay by QR* for an order that is signed with this secret; the number of its operation. */
async function authorize(server, ordersSecret, order_id) {
  const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    aud: server,
    iat,
    exp: iat + 600,
    order_id,
    amount: 12990,
    currency: "PEN",
    payer: { first_name: "Ana", last_name: "Quispe", email: "ana@example.com" },
    products: [{ sku: "x", name: "Ñandutí", quantity: 1, unit_price: 12990 }],
  };
  const text = `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url(claims)}`;
  const signature = createHmac("sha256", ordersSecret).update(text).digest("base64url");
  const charge = await fetch(`${server}/charges`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": `"${order_id}"` },
    body: JSON.stringify({
      order: `${text}.${signature}`,
      payment_method: { method_name: "QR", method_details: {} },
    }),
  });
  const answer = await charge.json();
  assert.equal(charge.status, 200, JSON.stringify(answer));
  return answer.merchant_operation_number;
}

for (const language of LIBRARIES) {
  describe(language, () => {
    /** @type {Receiver} */
    let receiver;
    before(async () => {
      receiver = await new Receiver().start(language);
    });
    after(() => receiver.program.stop());

    test("the library computes the signature of the standard's own example", async () => {
      const { secret, id, timestamp, body, signature } = VECTOR;
      const [program, ...words] = PROGRAMS[language];
      const options = { env: { PATH: process.env.PATH, ...ENV } };
      const given = ["sign", secret, id, timestamp, body];
      const { stdout } = await run(program, [...words, ...given], options);
      assert.equal(stdout.trim(), signature);
    });

    test("the library finds the events of a payment genuine", async () => {
      const ordersSecret = randomBytes(32).toString("hex");
      const { server } = await startBackend(sandbox, `library-${language}`, {
        address: receiver.address,
        ordersSecret,
        eventsSecret: receiver.secret,
      });
      const order = randomBytes(16).toString("hex");
      const number = await authorize(server, ordersSecret, order);
      await fetch(`${sandbox}/sandbox/operations/${number}/pay`, { method: "POST" });
      const [event] = await until("an event", async () => {
        const events = await receiver.events();
        return events.length > 0 && events;
      });
      assert.equal(event.type, "order.paid");
      assert.ok(!Number.isNaN(Date.parse(event.timestamp)), event.timestamp);
      assert.deepEqual([event.data.order_id, event.data.amount], [order, "12990"]);
    });

    test("the library takes either secret while one is changed, and no other", async () => {
      const known = (await receiver.events()).length;
      const [to, kind] = [receiver.address, "refund.resolved"];
      await sendSample(to, kind, `${newSecret()} ${receiver.secret}`);
      await sendSample(to, kind, `${receiver.secret} ${newSecret()}`);
      await assert.rejects(sendSample(to, kind, newSecret()), /the answer was 401/);
      const samples = (await receiver.events()).slice(known);
      assert.deepEqual(
        samples.map(({ type }) => type),
        [kind, kind],
      );
    });
  });
}
