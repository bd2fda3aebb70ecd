// A receiver of events that leaves the signature to the package `standardwebhooks` of npm: `POST` takes an event,
// `GET` lists those that the library found genuine.
//
//   PORT=… EVENTS_SECRET=whsec_… node receiver.mjs
//   node receiver.mjs sign SECRET ID TIMESTAMP BODY    prints the library's own signature

import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const [act, secret, id, timestamp, body] = process.argv.slice(2);
if (act === "sign") {
  console.log(new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), body));
} else {
  const webhook = new Webhook(process.env.EVENTS_SECRET ?? "");
  /** @type {unknown[]} */
  const events = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.end(JSON.stringify(events));
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    try {
      const headers = /** @type {Record<string, string>} */ (request.headers);
      events.push(webhook.verify(text, headers));
      response.statusCode = 204;
    } catch (error) {
      console.error(error);
      response.statusCode = 401;
    }
    response.end();
  });
  server.listen(Number(process.env.PORT), "127.0.0.1");
}
