# A receiver of events that leaves the signature to the package `standardwebhooks` of PyPI: `POST` takes an event,
# `GET` lists those that the library found genuine.
#
#   PORT=… EVENTS_SECRET=whsec_… python3 receiver.py
#   python3 receiver.py sign SECRET ID TIMESTAMP BODY    prints the library's own signature
import json
import os
import sys
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

EVENTS = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        try:
            EVENTS.append(Webhook(os.environ['EVENTS_SECRET']).verify(body, dict(self.headers)))
            self.send_response(204)
        except WebhookVerificationError as error:
            print(error, file=sys.stderr)
            self.send_response(401)
        self.end_headers()

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(EVENTS).encode())


if sys.argv[1:2] == ['sign']:
    secret, event_id, timestamp, text = sys.argv[2:]
    print(Webhook(secret).sign(event_id, datetime.fromtimestamp(int(timestamp), tz=timezone.utc), text))
else:
    ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Receiver).serve_forever()
