# The payment server tells here what was paid. No browser does: anybody can send what a browser sends.
import hmac
import json
import sys
import time
from base64 import b64decode, b64encode

from orders import find_order, save_order, secret


def key_of(text):
    """The key of a secret. A mistyped one would be a short or an empty key, and anybody can sign with that."""
    if not text.startswith('whsec_'):
        return text.encode()
    key = b64decode(text[6:], validate=True)
    if len(key) < 24:
        raise SystemExit('EVENTS_SECRET is not whsec_ and at least 24 bytes in base64')
    return key


KEY = key_of(secret('EVENTS_SECRET'))


def is_genuine(headers, body):
    """Whether these bytes are the payment server's and new, by the convention Standard Webhooks."""
    event_id, sent = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    content = f'{event_id}.{sent}.'.encode() + body
    right = b'v1,' + b64encode(hmac.digest(KEY, content, 'sha256'))
    # While a secret is being changed, there are several signatures. Each is compared in constant time.
    signatures = headers.get('webhook-signature', '').encode().split(b' ')
    signed = any([hmac.compare_digest(right, one) for one in signatures])
    return signed and sent.isdecimal() and abs(time.time() - int(sent)) <= 300


def take_event(headers, body):
    """Takes an event, and returns the status of the answer. All but 2xx is sent again."""
    if not is_genuine(headers, body):
        return 401
    event = json.loads(body)
    data = event['data']
    order = find_order(data['order_id'])
    if not order:
        return 404
    if data['id'] in order['events']:
        return 204  # it came before: nothing is done twice
    if event['type'] in ('order.paid', 'order.paid_late'):
        if (data['amount'], data['currency']) != (str(order['amount']), order['currency']):
            print(f'{order["id"]}: {data["amount"]} {data["currency"]} is not its price', file=sys.stderr)
            return 422
        order['paid'] = True  # the delivery starts here
    elif event['type'] == 'order.reversed':
        order['paid'] = data['order_state'] == 'paid'  # another payment may be in force
    else:
        print(f'{order["id"]}: {event["type"]}', file=sys.stderr)  # a refund, or paid twice: for your staff
    order['events'].append(data['id'])
    save_order(order)
    return 204
