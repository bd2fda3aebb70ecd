# The shop's own orders, one file each. In a shop of your own they are a table of its database, and a
# change of an order is one transaction.
import json
import os
import re
import secrets
from pathlib import Path

PRODUCTS = {'mochila-telar': {'name': 'Mochila de telar «Ñandutí»', 'price': 12990}}  # in cents
FOLDER = Path(__file__).parent / 'orders'


def new_order(sku, quantity):
    """Makes an order. The price is the shop's; a browser says at most what it wants, and how many."""
    product = PRODUCTS[sku]
    order = {
        'id': secrets.token_hex(16),  # nobody guesses the page of another payer
        'amount': quantity * product['price'],
        'currency': 'PEN',
        'payer': {'first_name': 'Íñigo', 'last_name': 'Núñez', 'email': 'inigo@example.com'},
        'products': [{'sku': sku, 'name': product['name'], 'quantity': quantity, 'unit_price': product['price']}],
        'paid': False,
        'events': [],
    }
    save_order(order)
    return order


def find_order(order_id):
    """The order of this id, which may be anything that a stranger sent."""
    if not isinstance(order_id, str) or not re.fullmatch('[0-9a-f]{32}', order_id):
        return None
    file = FOLDER / f'{order_id}.json'
    return json.loads(file.read_text('utf-8')) if file.is_file() else None


def save_order(order):
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f'{order["id"]}.json').write_text(json.dumps(order), 'utf-8')


def secret(name):
    """A secret of the environment. Without it nothing goes on: anybody can sign with an empty one."""
    value = os.environ.get(name, '')
    if len(value) < 32:
        raise SystemExit(f'{name} is missing or too short')
    return value
