# The page of an order. It signs the order for the payment server, anew each time that it is opened.
#
#   python3 shop.py
import hmac
import json
import os
import time
from base64 import urlsafe_b64encode
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from events import take_event
from orders import find_order, new_order, secret

SERVER = os.environ.get('PAYMENT_SERVER', 'http://127.0.0.1:8081/api')  # its PUBLIC_URL
PORT = int(os.environ.get('PORT', '8000'))
ORDERS_SECRET = secret('ORDERS_SECRET').encode()
HERE = Path(__file__).resolve().parent


def base64url(content):
    return urlsafe_b64encode(content).rstrip(b'=')


def signed(claims):
    """A signed order: a JWS in compact form (HS256), as a library for JWT makes it, too."""
    text = base64url(b'{"alg":"HS256","typ":"JWT"}') + b'.' + base64url(json.dumps(claims).encode())
    return (text + b'.' + base64url(hmac.digest(ORDERS_SECRET, text, 'sha256'))).decode()


def preload():
    """Lines of the element, with which it comes sooner. They name the wasm of one build, so each page takes them anew."""
    lines = HERE / 'element/preload.html'
    return lines.read_text() if lines.exists() else ''


CHECKOUT = '''
  %(preload)s
  <payment-checkout base-url="%(server)s" live-url="%(server)s/charges/live" merchant-name="Retama y Cumbre"
                    order="%(token)s" paid-url="/?order=%(id)s&amp;paid">
    <p>If the checkout does not come, pay here:</p>
    <form method="post" action="%(server)s/pay">
      <input type="hidden" name="order" value="%(token)s">
      <button>Pay on a page without scripts</button>
    </form>
  </payment-checkout>
  <script type="module" src="/element/payment-checkout.js"></script>'''

PAGE = '''<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Your order</title>
  <style>body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif }</style>
</head>
<body>
  <h1>Your order</h1>
  <p>%(what)s</p>
  %(rest)s
</body>
</html>
'''


def page(order):
    amount, currency = order['amount'], order['currency']
    now = int(time.time())
    token = signed({
        'aud': SERVER,
        'iat': now,
        'exp': now + 3600,
        'order_id': order['id'],
        'amount': amount,
        'currency': currency,
        'payer': order['payer'],
        'products': order['products'],
    })
    paid = '<p>Your order is paid. Thank you! <a href="/">Another one</a></p>'
    rest = paid if order['paid'] else CHECKOUT % {'preload': preload(), 'server': escape(SERVER), 'token': token, 'id': escape(order['id'])}
    what = f'{order["products"][0]["name"]}, {amount / 100:.2f} {currency}'
    return PAGE % {'what': escape(what), 'rest': rest}


class Shop(SimpleHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        wanted = parse_qs(url.query).get('order')
        if Path(self.translate_path(self.path)).is_relative_to(HERE / 'element'):
            super().do_GET()
        elif url.path == '/' and not wanted:
            # In your shop this is the cart. The address of an order keeps: its reload is no second order.
            self.answer(303, '', ('Location', f'/?order={new_order("mochila-telar", 1)["id"]}'))
        elif url.path == '/' and (order := find_order(wanted[0])):
            # The token is this payer's, so no cache keeps the page.
            html = ('Content-Type', 'text/html; charset=utf-8')
            self.answer(200, page(order), html, ('Cache-Control', 'no-store'))
        else:
            self.answer(404, 'There is no such order.', ('Content-Type', 'text/plain'))

    def do_HEAD(self):
        self.answer(405)

    def do_POST(self):
        length = int(self.headers['Content-Length'] or 0)
        if self.path != '/events' or not 0 <= length <= 100_000:
            self.answer(404)
        else:
            self.answer(take_event(self.headers, self.rfile.read(length)))

    def answer(self, status, text='', *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == '__main__':
    server = ThreadingHTTPServer(('127.0.0.1', PORT), partial(Shop, directory=HERE))
    print(f'The shop is open: http://127.0.0.1:{PORT}/')
    server.serve_forever()
