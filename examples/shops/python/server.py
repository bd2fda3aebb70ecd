# What the shop asks the payment server about its own orders, and what it has it do, without a browser:
#
#   python3 server.py page ORDER      gives the order to the server; `pay_url` is its page, for a mail or a chat
#   python3 server.py ask ORDER
#   python3 server.py cancel ORDER
#   python3 server.py refund ORDER RETURN CENTS|all   RETURN is the shop's own number of the return
#   python3 server.py events [CURSOR]                 CURSOR is `next` of the last answer
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from orders import find_order, secret

SERVER = os.environ.get('PAYMENT_SERVER', 'http://127.0.0.1:8081/api')  # its PUBLIC_URL


def call(method, path, body=None, key=None):
    """The server's answer, or the problem that it names. A request that got no answer is repeated with the same key."""
    headers = {'Authorization': f'Bearer {secret("SHOP_API_KEY")}', 'Content-Type': 'application/json'}
    if key:
        headers['Idempotency-Key'] = f'"{key}"'
    data = json.dumps(body).encode() if body else None
    try:
        with urlopen(Request(f'{SERVER}/shop{path}', data, headers, method=method), timeout=60) as answer:
            return json.load(answer)
    except HTTPError as problem:
        return json.load(problem)


def main(act, *words):
    if act == 'page':
        order = find_order(words[0])
        facts = {name: order[name] for name in ('amount', 'currency', 'payer', 'products')}
        return call('POST', '/orders', {'order_id': order['id'], **facts})
    if act == 'ask':
        return call('GET', f'/orders/{words[0]}')
    if act == 'cancel':
        return call('POST', f'/orders/{words[0]}/cancel')
    if act == 'refund':
        order_id, number, amount = words  # in cents, or `all` for everything that is left
        return call('POST', '/refunds', {'order_id': order_id, 'amount': amount}, f'return-{number}')
    return call('GET', f'/events?after={words[0]}' if words else '/events')


if __name__ == '__main__':
    print(json.dumps(main(*sys.argv[1:])))
