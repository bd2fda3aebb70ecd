# A merchant's whole server in one file, with nothing to install but Python 3.9 or newer. Copy it and make it yours.
#
#   python3 server.py              the shop at http://127.0.0.1:8000/, with its server at /api
#   python3 server.py new-order    makes an order at the running server, and prints what a test needs to pay it;
#                                  `new-order 5` is an order of five pieces
#
# Take no real money with it as it is. It leaves out: refunds and accounts for staff, methods other than QR and
# installments, orders with methods of their own, reading the QR, the way back from a lender into another browser, several processes on
# one database, limits on requests, statements to compare with, events for other systems, the removal of old orders, and
# HTTPS. Instead of an alert it writes a line to its log.
import json
import logging
import os
import re
import secrets
import sqlite3
import sys
import threading
import time
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

HERE = Path(__file__).resolve().parent
PORT = int(os.environ.get('PORT', '8000'))
SHOP_URL = os.environ.get('SHOP_URL', f'http://127.0.0.1:{PORT}')  # where payers and the payment service reach it
PAYMENT_URL = os.environ.get('PAYMENT_URL', 'http://127.0.0.1:8082')
PAYMENT_TOKEN = os.environ.get('PAYMENT_TOKEN', 'sandbox-token')  # never in an answer, a page or a log
MERCHANT_CODE = os.environ.get('MERCHANT_CODE', 'demo-merchant')
DATA = os.environ.get('DATA', str(HERE / 'orders.sqlite'))
# What a method takes at least and at most, in cents: {"QR": {"PEN": {"least": 600, "most": 50000}}}
METHOD_LIMITS = json.loads(os.environ.get('METHOD_LIMITS') or '{}', parse_float=int)  # fractions are mistakes
ELEMENT = Path(os.environ.get('ELEMENT', 'node_modules/payment-checkout-element/element'))  # where this is started

PRODUCT = {'sku': 'mochila-telar', 'name': 'Mochila de telar', 'quantity': '1', 'unit_price': '12990'}  # in cents
PHONE = {'country_code': '51', 'subscriber': '999888777'}
LOCATION = {'line_1': 'Jr. Unión 120', 'line_2': '', 'city': 'Lima', 'state': 'Lima', 'country': 'PE'}
PAYER = {'first_name': 'Ana', 'last_name': 'Quispe', 'email': 'ana@example.com', 'phone': PHONE, 'location': LOCATION}

METHODS = ['QR', 'INSTALLMENT']
WAITING = ['REGISTRADO', 'PENDIENTE']
PAID = ['AUTORIZADO', 'LIQUIDADO']
ENDED = ['INVALIDO', 'DENEGADO', 'CANCELADO', 'EXPIRADO', 'EXTORNADO']
DAY = 24 * 3600
ANSWER_WITHIN = 10  # the payment service, in seconds
MAY_ARRIVE_FOR = 120  # a cancellation whose answer was lost


class Problem(Exception):
    """What the caller gets in place of an answer, as `application/problem+json` (RFC 9457)."""

    def __init__(self, status, kind, detail, **members):
        super().__init__(detail)
        self.status, self.kind, self.detail, self.members = status, kind, detail, members


def must(condition, status, kind, detail, **members):
    if not condition:
        raise Problem(status, kind, detail, **members)


# What a problem says of the money, by its type. With any other type its request may have moved some: `unknown`.
MONEY = {
    'nothing_charged': [
        'bad-request', 'field-not-allowed', 'redirect-url-not-allowed', 'idempotency-key-required', 'cross-site-request',
        'method-not-offered', 'idempotency-key-reused', 'body-too-large', 'unsupported-media-type', 'payment-reversed',
    ],
    'may_be_paid': ['order-paid', 'operation-live', 'operation-unconfirmed', 'cannot-cancel-now'],
}


def money_of(kind):
    return next((money for money, kinds in MONEY.items() if kind in kinds), 'unknown')


NOT_FOUND = (404, 'not-found', 'It does not exist, or belongs to another session.')
UNAVAILABLE = (503, 'payment-service-unavailable', 'No usable answer. Repeat this request.')


def conflict(operation, kind, detail, **members):
    """A problem that names the operation to follow."""
    return Problem(409, kind, detail, **names(operation), transaction_id=id_of(operation), **members)


def order_paid(operation):
    return conflict(operation, 'order-paid', 'This order is paid; there is nothing more to pay.')


def names(operation):
    return {'merchant_code': MERCHANT_CODE, 'merchant_operation_number': operation['number']}


# --- What is on disk: a row for each order, with its operations and keys. In a server of your own each of them has a
# table, and a change is a transaction.

database = sqlite3.connect(DATA, check_same_thread=False)
database_lock = threading.Lock()
orders = {}
keys = {}  # what each key of a session came with


def load():
    with database:
        database.execute('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
    for (body,) in database.execute('SELECT body FROM orders'):
        order = json.loads(body)
        orders[order['id']] = order
        keys.update(((order['session'], key), known['wanted']) for key, known in order['keys'].items())


def save(order):
    """Returns when the order is on disk. If that fails nothing goes on: what is on disk is not known then."""
    try:
        with database_lock, database:
            database.execute('INSERT OR REPLACE INTO orders VALUES (?, ?)', (order['id'], json.dumps(order)))
    except sqlite3.Error:
        logging.exception('%s cannot be written', DATA)
        os._exit(1)
    orders[order['id']] = order


def find(number):
    """The operation of this number with its order, or neither."""
    for order in list(orders.values()):
        for operation in order['operations']:
            if operation['number'] == number:
                return order, operation
    return None, None


def own(request, order):
    """For another session than its own an order does not exist."""
    must(order and order['session'] == request.session, *NOT_FOUND)
    return order


turns = {}


def turn(order):
    """All that concerns one order happens one after the other: `with turn(order):`."""
    return turns.setdefault(order['id'], threading.Lock())


# --- What became of an operation.


def outcome(operation):
    """`waiting`, `paid`, `ended` without a payment, `reversed` (paid and given back), or `unknown`: being confirmed."""
    transaction = operation['transaction']
    if operation['never_begun']:
        return 'ended'
    if not transaction or operation['mismatch']:
        return 'unknown'
    if transaction['state'] in WAITING:
        return 'waiting'
    # The answer to an authorization begins a payment and ends none. Only a query or a cancellation tells an end.
    if not operation['known_at'] or transaction['state'] not in PAID + ENDED:
        return 'unknown'
    if transaction['state'] in PAID:
        # A cancellation on its way gives back what was paid meanwhile.
        return 'unknown' if time.time() < operation['cancel_may_arrive_until'] else 'paid'
    history = transaction.get('lifecycle')
    entries = history if history and has_history(history) else []
    states = [transaction['state'], *(entry['state'] for entry in entries)]
    was_paid = operation['was_paid'] or any(state in [*PAID, 'EXTORNADO'] for state in states)
    return 'reversed' if was_paid else 'ended'


def is_open(operation):
    return outcome(operation) in ('waiting', 'unknown')


def id_of(operation):
    return operation['transaction'] and operation['transaction']['transaction_id']


def payments_of(order):
    """What paid an order: with one the shop sends the goods, and of more a person gives the rest back."""
    return [operation for operation in order['operations'] if outcome(operation) == 'paid']


def is_overdue(operation):
    """True a minute after the deadline by the payment service's clock. Our own may be wrong."""
    deadline = operation['transaction'].get('expiration_date')
    seconds = deadline.get('unix_time') if isinstance(deadline, dict) else None
    return isinstance(seconds, (int, float)) and operation['service_time'] >= seconds + 60


def has_history(lifecycle):
    entries = [] if lifecycle is None else lifecycle
    is_entry = lambda entry: isinstance(entry, dict) and isinstance(entry.get('state'), str)
    return isinstance(entries, list) and all(map(is_entry, entries))


def take(order, operation, told):
    """Takes over what the service says of an operation, if it can be believed."""
    try:
        [transaction] = told['transactions']
        told_id, state = transaction['transaction_id'], transaction['state']
        is_same = told['merchant_operation_number'] == operation['number'] and told_id == (id_of(operation) or str(told_id))
        is_amount = told['amount'] == transaction['amount'] == order['amount']
        is_currency = {told['currency'], transaction['currency']} <= {'PEN', '604'}
        # The history of a cancellation alone says that it had been paid.
        is_history = state != 'CANCELADO' or has_history(transaction.get('lifecycle'))
        operation['mismatch'] = not (is_same and is_amount and is_currency and is_history)
    except (AttributeError, KeyError, TypeError, ValueError):
        operation['mismatch'], state = True, None
    # Nothing goes back to waiting, and a payment ends only by being given back.
    before = operation['transaction']['state'] if operation['known_at'] else None
    is_over = before in PAID + ENDED
    if operation['mismatch'] or (is_over and state not in [before, *PAID, 'CANCELADO', 'EXTORNADO']):
        unfit = 'does not fit the order (number, amount, currency or history)'
        why = unfit if operation['mismatch'] else f'says {state} after {before}'
        logging.error('Operation %s: ask the payment service about its answer, which %s', operation['number'], why)
        return False
    operation['was_paid'] |= before in PAID
    operation['transaction'] = transaction
    return True


# --- The payment service: it alone knows what is paid.


def call(method, path, body=None):
    """What came back: `accepted`, `refused`, or neither: then it may have been done, or be done later."""
    address = urlsplit(PAYMENT_URL)
    connect = HTTPSConnection if address.scheme == 'https' else HTTPConnection
    service = connect(address.netloc, timeout=ANSWER_WITHIN)
    headers = {'Authorization': f'Bearer {PAYMENT_TOKEN}', 'ALG-API-VERSION': '1709847567'}
    try:
        headers['Content-Type'] = 'application/json'
        service.request(method, f'{address.path}/charges{path}', body and json.dumps(body), headers)
        answer = service.getresponse()
        # No answer brings our token or the address for notifications to a browser.
        text = answer.read().decode('utf-8-sig', 'replace').replace(PAYMENT_TOKEN, '')
        date = answer.headers.get('Date')
        now = parsedate_to_datetime(date).timestamp() if date else time.time()
        told = parse(text, lambda fields: {name: fields[name] for name in fields if name != 'callback_url'}) or {}
        result = told.get('meta', {}).get('status', {})
        code, messages = result.get('code'), result.get('message_ilgn')
    except (OSError, HTTPException, ValueError, TypeError, AttributeError):
        return {}
    finally:
        service.close()
    if 400 <= answer.status < 500 and answer.status not in (408, 425, 429):
        return {'refused': answer.status, 'messages': messages}
    is_success = answer.status == 200 and str(told.get('success')).lower() == 'true' and code == '00'
    is_accepted = is_success and told.get('merchant_code') == MERCHANT_CODE
    return {'accepted': told, 'time': now} if is_accepted else {}


def parse(text, object_hook=None):
    """What a JSON text says; nothing if it is none."""
    try:
        return json.loads(text, object_hook=object_hook)
    except ValueError:
        return None


def learn(order, operation):
    """Finds out what became of an operation. True if the answer is believed."""
    path = f'/{MERCHANT_CODE}/{operation["number"]}'
    is_lost = not operation['transaction']
    if is_lost:
        # A query needs the id in an answer that was lost, and the code with it. Nobody can pay it: it can be cancelled.
        answer = call('DELETE', path)
    else:
        answer = call('GET', f'{path}/{quote(id_of(operation), safe="")}')
    is_believed = 'accepted' in answer and take(order, operation, answer['accepted'].get('operation'))
    operation['asked_at'] = time.time()
    if is_believed:
        operation.update(known_at=operation['asked_at'], service_time=answer['time'])
    if is_lost and answer.get('refused') == 404:
        operation['never_begun'] = True  # should the request arrive later, its code expires
    save(order)
    if outcome(operation) == 'paid':
        # Every other code of the order is superfluous.
        for other in filter(is_open, order['operations']):
            if learn(order, other):
                end(order, other)
        if len(payments_of(order)) > 1:
            logging.error('Order %s is paid more than once: give one back.', order['id'])
    return is_believed


def end(order, operation):
    """Cancels an operation that waits by the answer right before, and no other: a cancellation gives a payment back."""
    if outcome(operation) != 'waiting':
        return
    operation['cancel_may_arrive_until'] = time.time() + MAY_ARRIVE_FOR
    save(order)  # before it leaves
    if call('DELETE', f'/{MERCHANT_CODE}/{operation["number"]}'):
        operation['cancel_may_arrive_until'] = 0
    learn(order, operation)


# --- What an order can be paid by.


def why_not(order, method):
    """Why an order cannot be paid by a method, or nothing. All orders are in soles, which are PEN and 604 in ISO 4217."""
    refusal = {'method': method, 'reason': 'setting', 'least': None, 'most': None}
    if method not in METHODS:
        return refusal
    limits = METHOD_LIMITS.get(method, {'PEN': {}})
    bounds = limits.get('PEN', limits.get('604'))
    if bounds is None:
        return {**refusal, 'reason': 'currency'}
    refusal.update({name: str(bound) for name, bound in bounds.items()})
    if 'least' in bounds and int(order['amount']) < int(bounds['least']):
        return {**refusal, 'reason': 'below-least'}
    if 'most' in bounds and int(order['amount']) > int(bounds['most']):
        return {**refusal, 'reason': 'above-most'}
    return None


def offer_of(order):
    """The methods that an order can be paid by, and why not by the others."""
    methods = [method for method in METHODS if not why_not(order, method)]
    not_offered = [why_not(order, method) for method in METHODS if method not in methods]
    return {'currency': order['currency'], 'methods': methods, 'not_offered': not_offered}


def must_offer(order, method):
    refusal = why_not(order, method)
    if not refusal:
        return
    offer = offer_of(order)
    members = {'field': 'payment_method.method_name', **refusal, 'currency': offer['currency'], 'methods': offer['methods']}
    hint = f'This order can be paid by {" or ".join(offer["methods"]) or "no method"}.'
    raise Problem(422, 'method-not-offered', hint, **members)


# --- Starting a payment.


def start(request):
    body = request.body('order_id', 'payment_method')
    chosen = only_fields(body.get('payment_method'), 'payment_method', 'method_name', 'method_details')
    method = chosen.get('method_name')
    details = only_fields(chosen.get('method_details', {}), 'payment_method.method_details', 'redirect_url')
    key = re.fullmatch(r'"?([!#-~]{1,255}?)"?', request.headers.get('Idempotency-Key', ''))
    must(key, 400, 'idempotency-key-required', 'Send the header Idempotency-Key: "…", a new one for each attempt.')
    order = own(request, orders.get(str(body.get('order_id'))))
    redirect_url = str(details.get('redirect_url')) if method == 'INSTALLMENT' else None
    is_ours = not redirect_url or redirect_url.startswith(f'{SHOP_URL}/')
    hint = f'The field redirect_url must begin with {SHOP_URL}/.'
    must(is_ours, 400, 'redirect-url-not-allowed', hint, field='redirect_url')
    replaces = request.headers.get('Checkout-Replaces', '').strip('"')
    with turn(order):
        return 200, authorize(order, key[1], method, redirect_url, replaces)


def authorize(order, key, method, redirect_url, replaces):
    """The answer of this key: the order's one live operation, or a new one."""
    wanted = json.dumps([order['id'], method, redirect_url])
    is_same = keys.setdefault((order['session'], key), wanted) == wanted
    must(is_same, 422, 'idempotency-key-reused', 'This Idempotency-Key came with another request.')
    known = order['keys'].setdefault(key, {'wanted': wanted})
    if 'problem' in known:
        status, kind, detail, members = known['problem']
        raise Problem(status, kind, detail, **members)
    if 'number' in known:
        return find(known['number'])[1]['answer']
    try:
        for paid in payments_of(order):
            raise order_paid(paid)
        live = None
        for old in filter(is_open, order['operations']):
            live = keep_or_end(order, old, method, replaces) or live
        live = live or begin(order, method, redirect_url)
        known['number'] = live['number']
        return live['answer']
    except Problem as problem:
        if problem.kind in ('authorization-refused', 'payment-reversed'):
            # The key's final answer. After any other problem it runs again.
            known['problem'] = [problem.status, problem.kind, problem.detail, problem.members]
        if problem.kind == 'method-not-offered':
            # The payer takes another method.
            del order['keys'][key], keys[order['session'], key]
        raise
    finally:
        save(order)


def keep_or_end(order, old, method, replaces):
    """Returns the operation if it is the one to pay. Otherwise it ends it: two codes of one order would both be paid."""
    if learn(order, old):
        can_be_paid = 'answer' in old and outcome(old) == 'waiting' and not is_overdue(old)
        if can_be_paid and old['method'] == method:
            return old
        if outcome(old) == 'waiting':
            must_offer(order, method)  # no code ends for one that cannot begin
        if can_be_paid and old['number'] != replaces:
            raise conflict(old, 'operation-live', 'The order has this code already.', method_name=old['method'])
        end(order, old)
    if outcome(old) == 'paid':
        raise order_paid(old)
    if outcome(old) == 'reversed':
        raise conflict(old, 'payment-reversed', 'The first code was paid late, and given back.')
    must(old['transaction'] or not is_open(old), *UNAVAILABLE, retry_after=2)
    if is_open(old):
        raise conflict(old, 'operation-unconfirmed', 'The first code is still being confirmed.', retry_after=5)
    return None


def begin(order, method, redirect_url):
    """A new operation, which is on disk before its request leaves."""
    must_offer(order, method)
    number = str(10**11 + secrets.randbelow(9 * 10**11))  # no counter: a restored backup would count the same again
    must(find(number) == (None, None), *UNAVAILABLE, retry_after=1)
    operation = {'number': number, 'method': method, 'secret': secrets.token_hex(16), 'created_at': time.time()}
    operation.update(asked_at=0, known_at=0, service_time=0, cancel_may_arrive_until=0)
    operation.update(transaction=None, mismatch=False, was_paid=False, never_begun=False)
    order['operations'].append(operation)
    save(order)

    details = {'callback_url': f'{SHOP_URL}/api/notifications/{number}/{operation["secret"]}'}
    if redirect_url:
        details['redirect_url'] = redirect_url
    payment_method = {'method_name': method, 'method_details': details}
    persons = {'billing': PAYER, 'shipping': PAYER, 'customer': PAYER}
    # The amount is the order's, whatever the browser thinks.
    products = [{**PRODUCT, 'quantity': order['quantity']}]
    payment_details = {'amount': order['amount'], 'currency': order['currency'], **persons, 'product_details': products}
    request = {'action': 'authorize', 'channel': 'ecommerce', **names(operation)}
    answer = call('POST', '', {**request, 'payment_method': payment_method, 'payment_details': payment_details})
    if 'refused' in answer:
        operation['never_begun'] = True
        save(order)
        status, messages = answer['refused'], answer['messages']
        must(status not in (401, 403, 409), *UNAVAILABLE, retry_after=2)  # our token, or a number that somebody else used
        hint = 'The payment service refused this payment. Try another method or ask the shop.'
        raise Problem(422, 'authorization-refused', hint, service_status=status, messages=messages)
    accepted = answer.get('accepted', {})
    transaction = accepted.get('transaction')
    facts = transaction if isinstance(transaction, dict) else {}
    number = accepted.get('merchant_operation_number')
    told = {**facts, 'merchant_operation_number': number, 'transactions': [transaction]}
    # An unknown outcome is no refusal. The same key comes again, and first ends what may have begun here.
    must(accepted and take(order, operation, told), *UNAVAILABLE, retry_after=2)
    operation['answer'] = accepted
    return operation


# --- The state of an operation, and cancelling it.


def state_of(order, operation):
    """The answer about a state. What is not certain has a state of our own, and nothing that could be paid."""
    result = outcome(operation)
    headers = {}
    known = operation['known_at'] or operation['created_at']
    if operation['asked_at'] > known:  # the service did not answer
        headers['Age'] = str(int(time.time() - known) + 1)
    if result == 'reversed':
        headers['Order-State'] = 'paid' if payments_of(order) else 'open'

    shown = {**names(operation), 'state': 'POR_CONFIRMAR', 'amount': order['amount'], 'currency': order['currency']}
    shown['transactions'] = []
    if result != 'unknown' and operation['transaction']:
        transaction = {**operation['transaction']}
        shown.update(state=transaction['state'], transactions=[transaction])
        code = operation.get('answer', {}).get('transaction', {}).get('processor_response')
        if code and result == 'waiting':
            # A query may lack the code, and a reload would lose it.
            transaction['processor_response'] = {**code, **(transaction.get('processor_response') or {})}
    meta = {'status': {'code': '00', 'message_ilgn': []}}
    return 200, {'success': True, **names(operation), 'operation': shown, 'meta': meta}, headers


def status(request, code, number, transaction_id):
    """Answers the state. While the payer waits it holds the request, for as long as `Prefer: wait` says."""
    order, operation = find(number)
    must(code == MERCHANT_CODE and own(request, order) and transaction_id in ('-', id_of(operation)), *NOT_FOUND)
    wait = re.search(r'\bwait=(\d{1,4})\b', request.headers.get('Prefer', ''))
    seconds = min(20, int(wait[1])) if wait and is_open(operation) else 0
    end, before = time.time() + seconds, outcome(operation)
    while True:
        with turn(order):
            if not abs(time.time() - operation['asked_at']) < 2:
                learn(order, operation)
            answer = state_of(order, operation)
        if seconds:
            answer[2]['Preference-Applied'] = 'wait'
        if outcome(operation) != before or time.time() >= end:
            return answer
        time.sleep(0.3)


def cancel(request, code, number):
    """Cancels what waits. What is paid stays, and what has ended is answered as it is."""
    order, operation = find(number)
    must(code == MERCHANT_CODE and own(request, order), *NOT_FOUND)
    with turn(order):
        is_answered = learn(order, operation)
        if is_answered:
            end(order, operation)
        if outcome(operation) == 'paid':
            raise order_paid(operation)
        if not is_open(operation):
            return state_of(order, operation)
        must(is_answered or operation['mismatch'], *UNAVAILABLE, retry_after=2)
        is_sure = time.time() >= operation['cancel_may_arrive_until']
        must(is_sure, 504, 'cancel-unconfirmed', 'The cancellation is not confirmed yet; ask again.', retry_after=2)
        raise Problem(409, 'cannot-cancel-now', 'This payment is still being confirmed; ask again.', retry_after=5)


def live(request):
    """What the payer of an order should see: the paid operation, the one that waits, the one given back, or else the methods."""
    order = own(request, orders.get(str(request.body('order_id').get('order_id'))))
    with turn(order):
        for operation in filter(is_open, order['operations']):
            learn(order, operation)
        for wanted in ('paid', 'waiting', 'reversed'):
            for operation in reversed(order['operations']):
                if outcome(operation) == wanted:
                    return state_of(order, operation)
    offer = offer_of(order)
    return (200, offer) if offer['not_offered'] else (204, None)


def notified(_, number, secret):
    """A notification is a hint: nothing in it is believed, and everybody gets the same answer."""
    order, operation = find(number)
    if operation and operation['secret'] == secret:
        threading.Thread(target=learn_in_turn, args=(order, operation)).start()
    return 204, None


def learn_in_turn(order, operation):
    try:
        with turn(order):
            learn(order, operation)
    except Exception:
        logging.exception('Operation %s', operation['number'])


def watch():
    """Finds what no browser and no notification tells: what was paid after its payer left, or late."""
    while True:
        for order in list(orders.values()):
            for operation in order['operations']:
                every = 15 if is_open(operation) else DAY / 24
                is_new = abs(time.time() - operation['asked_at']) < every
                is_over = operation['never_begun'] or time.time() > operation['created_at'] + 7 * DAY
                if not is_new and not is_over:
                    learn_in_turn(order, operation)
        time.sleep(5)


# --- The shop.


def new_order(request, quantity):
    """The shop says what it costs. Whoever has the cookie may pay."""
    session = request.session or secrets.token_hex(16)
    quantity = quantity or '1'
    amount = str(int(PRODUCT['unit_price']) * int(quantity))
    order = {'id': secrets.token_hex(16), 'session': session, 'quantity': quantity, 'amount': amount, 'currency': 'PEN'}
    save({**order, 'operations': [], 'keys': {}})
    cookie = f'session={session}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000'
    body = {'order_id': order['id'], 'amount': order['amount'], 'currency': order['currency']}
    return 201, body, {'Set-Cookie': cookie}


def file(_, name):
    """The page, or a file of the element."""
    path = ELEMENT / name if name else HERE.parent / 'index.html'
    must(path.is_file(), *NOT_FOUND)
    types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm'}
    return 200, path.read_bytes(), {'Content-Type': types.get(path.suffix, 'text/plain')}


# --- HTTP.

ROUTES = [
    ('POST', r'/api/charges', start),
    ('GET', r'/api/charges/([^/]+)/([^/]+)/([^/]+)', status),
    ('DELETE', r'/api/charges/([^/]+)/([^/]+)', cancel),
    ('POST', r'/api/charges/live', live),
    ('POST', r'/api/notifications/([^/]+)/([^/]+)', notified),
    ('POST', r'/api/orders(?:/([1-9][0-9]?))?', new_order),
    ('GET', r'/(?:element/([\w-]+(?:[./][\w-]+)*))?', file),
]


def only_fields(value, name, *allowed):
    """Refuses what a browser must not set, such as the amount, by its name."""
    must(isinstance(value, dict), 400, 'bad-request', f'{name} must be an object.', field=name)
    for field in value:
        must(field in allowed, 400, 'field-not-allowed', f'The field {field} is not allowed in {name}.', field=field)
    return value


class Request(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def body(self, *allowed):
        """The JSON object of the request."""
        is_json = self.headers.get('Content-Type', '').startswith('application/json')
        must(is_json, 415, 'unsupported-media-type', 'Send the header Content-Type: application/json.')
        return only_fields(parse(self.content), 'body', *allowed)

    def serve(self):
        length = self.headers.get('Content-Length', '0')
        try:
            is_short = length.isdecimal() and int(length) <= 65536 and 'Transfer-Encoding' not in self.headers
            self.close_connection |= not is_short  # what is left of it is no request
            must(is_short, 413, 'body-too-large', 'The body may have 64 KiB.')
            self.content = self.rfile.read(int(length))
            answer = self.answer()
        except Problem as problem:
            answer = problem_body(problem)
        except Exception:
            logging.exception('%s %s', self.command, self.path.split('?')[0])
            answer = problem_body(Problem(500, 'internal', 'Repeat this request.'))
        status, body, headers = (*answer, {})[:3]
        content = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b''
        self.send_response(status)
        for name, value in {'Content-Type': 'application/json', 'Cache-Control': 'no-store', **headers}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header('Content-Length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answer(self):
        cookie = re.search(r'(?:^|; *)session=([0-9a-f]{32})(?:;|$)', self.headers.get('Cookie', ''))
        self.session = cookie and cookie[1]
        is_strangers = self.headers.get('Sec-Fetch-Site') == 'cross-site' and self.command != 'GET'
        must(not is_strangers, 403, 'cross-site-request', 'A page of another site sent this.')
        for method, pattern, act in ROUTES:
            found = re.fullmatch(pattern, self.path.split('?')[0])
            if found and method == self.command:
                return act(self, *(part and unquote(part) for part in found.groups()))
        raise Problem(*NOT_FOUND)

    do_GET = do_POST = do_DELETE = serve

    def log_message(self, *_):
        pass


def problem_body(problem):
    members = {**problem.members}
    pause = members.pop('retry_after', None)
    headers = {'Content-Type': 'application/problem+json', **({'Retry-After': str(pause)} if pause else {})}
    kind = {'type': f'urn:payment-checkout:problem:{problem.kind}', 'title': problem.kind}
    words = {**kind, 'status': problem.status, 'detail': problem.detail}
    return problem.status, {**words, 'money': money_of(problem.kind), **members}, headers


if sys.argv[1:2] == ['new-order']:
    client = HTTPConnection('127.0.0.1', PORT)
    client.request('POST', '/'.join(['/api/orders', *sys.argv[2:]]))
    made = client.getresponse()
    order = json.load(made)
    line = {'request': {'order_id': order.pop('order_id')}, **order, 'cookie': made.headers['Set-Cookie'].split(';')[0]}
    print(json.dumps(line))
else:
    load()
    threading.Thread(target=watch, daemon=True).start()
    server = ThreadingHTTPServer(('127.0.0.1', PORT), Request)
    print(f'The shop is open: http://127.0.0.1:{PORT}/', flush=True)
    server.serve_forever()
