<?php
// A merchant's whole server in one file, with nothing to install but PHP 8.0 or newer. Copy it and make it yours.
//
//   php -S 127.0.0.1:8000 server.php    the shop at http://127.0.0.1:8000/, with its server at /api
//   php server.php watch                beside it: finds what no browser and no notification tells
//   php server.php new-order            makes an order at the running server, and prints what a test needs to pay it;
//                                       `new-order 5` is an order of five pieces
//
// With PHP_CLI_SERVER_WORKERS=8 in its environment the first one answers eight requests at once, and holds those of payers
// who wait. Take no real money with it as it is. It leaves out: refunds and accounts for staff, methods other than QR and
// installments, orders with methods of their own, reading the QR, the way back from a lender into another browser, several machines,
// limits on requests, statements to compare with, events for other systems, the removal of old orders, and HTTPS. Instead
// of an alert it writes a line to its log.
declare(strict_types=1);

const HERE = __DIR__;
define('PORT', getenv('PORT') ?: $_SERVER['SERVER_PORT'] ?? '8000');
define('SHOP_URL', getenv('SHOP_URL') ?: 'http://127.0.0.1:' . PORT); // where payers and the payment service reach it
define('PAYMENT_URL', getenv('PAYMENT_URL') ?: 'http://127.0.0.1:8082');
define('PAYMENT_TOKEN', getenv('PAYMENT_TOKEN') ?: 'sandbox-token'); // never in an answer, a page or a log
define('MERCHANT_CODE', getenv('MERCHANT_CODE') ?: 'demo-merchant');
define('DATA', getenv('DATA') ?: HERE . '/orders');
// What a method takes at least and at most, in cents: {"QR": {"PEN": {"least": 600, "most": 50000}}}
define('METHOD_LIMITS', json_decode(getenv('METHOD_LIMITS') ?: '{}', true, flags: JSON_THROW_ON_ERROR));
define('ELEMENT', getenv('ELEMENT') ?: 'node_modules/payment-checkout-element/element'); // where this is started
define('HOLDS', (int) getenv('PHP_CLI_SERVER_WORKERS') > 1); // a held request would keep the only worker

const PRODUCT = ['sku' => 'mochila-telar', 'name' => 'Mochila de telar', 'quantity' => '1', 'unit_price' => '12990'];
const PHONE = ['country_code' => '51', 'subscriber' => '999888777'];
const LOCATION = ['line_1' => 'Jr. Unión 120', 'line_2' => '', 'city' => 'Lima', 'state' => 'Lima', 'country' => 'PE'];
const PAYER = ['first_name' => 'Ana', 'last_name' => 'Quispe', 'email' => 'ana@example.com', 'phone' => PHONE, 'location' => LOCATION];

const METHODS = ['QR', 'INSTALLMENT'];
const WAITING = ['REGISTRADO', 'PENDIENTE'];
const PAID = ['AUTORIZADO', 'LIQUIDADO'];
const ENDED = ['INVALIDO', 'DENEGADO', 'CANCELADO', 'EXPIRADO', 'EXTORNADO'];
const DAY = 24 * 3600;
const ANSWER_WITHIN = 10; // the payment service, in seconds
const MAY_ARRIVE_FOR = 120; // a cancellation whose answer was lost

/** What the caller gets in place of an answer, as `application/problem+json` (RFC 9457). */
class Problem extends Exception
{
    public function __construct(public int $status, public string $type, public string $detail, public array $members = [])
    {
        parent::__construct($detail);
    }
}

function must(mixed $condition, int $status, string $type, string $detail, array $members = []): void
{
    $condition || throw new Problem($status, $type, $detail, $members);
}

/** What a problem says of the money, by its type. With any other type its request may have moved some: `unknown`. */
const MONEY = [
    'nothing_charged' => [
        'bad-request', 'field-not-allowed', 'redirect-url-not-allowed', 'idempotency-key-required', 'cross-site-request',
        'method-not-offered', 'idempotency-key-reused', 'body-too-large', 'unsupported-media-type', 'payment-reversed',
    ],
    'may_be_paid' => ['order-paid', 'operation-live', 'operation-unconfirmed', 'cannot-cancel-now'],
];

function money_of(string $type): string
{
    return array_key_first(array_filter(MONEY, fn (array $types) => in_array($type, $types, true))) ?? 'unknown';
}

const NOT_FOUND = [404, 'not-found', 'It does not exist, or belongs to another session.'];
const UNAVAILABLE = [503, 'payment-service-unavailable', 'No usable answer. Repeat this request.', ['retry_after' => 2]];

/** A problem that names the operation to follow. */
function conflict(object $operation, string $type, string $detail, array $members = []): Problem
{
    return new Problem(409, $type, $detail, names($operation) + ['transaction_id' => id_of($operation)] + $members);
}

function order_paid(object $operation): Problem
{
    return conflict($operation, 'order-paid', 'This order is paid; there is nothing more to pay.');
}

function names(object $operation): array
{
    return ['merchant_code' => MERCHANT_CODE, 'merchant_operation_number' => $operation->number];
}

function encode(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);
}

function random(): string
{
    return bin2hex(random_bytes(16));
}

// --- What is on disk: a file for each order, with its operations and keys. In a server of your own each of them has a
// table, and a change is a transaction.

/** Returns when the text is on disk, whole: a crash leaves the old file or the new one. */
function write(string $text): string
{
    $draft = DATA . '/draft-' . random();
    $stream = fopen($draft, 'x');
    fwrite($stream, $text) === strlen($text) || throw new RuntimeException("$draft cannot be written");
    fflush($stream);
    function_exists('fsync') && fsync($stream); // PHP 8.0 has none: the last change may go with the power
    fclose($stream);
    return $draft;
}

function save(object $order): void
{
    rename(write(encode($order)), DATA . "/orders/$order->id");
}

function load(mixed $id): ?object
{
    $file = is_string($id) && preg_match('/^[0-9a-f]{32}$/D', $id) ? DATA . "/orders/$id" : '';
    return is_file($file) ? json_decode(file_get_contents($file), flags: JSON_THROW_ON_ERROR) : null;
}

/** Keeps the text under this name if there is none yet, and returns what is there. */
function keep_first(string $folder, string $name, string $text): string
{
    $draft = write($text);
    @link($draft, DATA . "/$folder/$name");
    unlink($draft);
    return file_get_contents(DATA . "/$folder/$name");
}

/** The order of an operation, if there is one. */
function order_of(string $number): ?object
{
    $file = preg_match('/^\d{12}$/D', $number) ? DATA . "/operations/$number" : '';
    return is_file($file) ? load(file_get_contents($file)) : null;
}

/** For another session than its own an order does not exist. */
function own(?object $order): object
{
    $session = $_COOKIE['session'] ?? null;
    must($order && is_string($session) && hash_equals($order->session, $session), ...NOT_FOUND);
    return $order;
}

/** All that concerns one order happens one after the other. The work gets the order as it is on disk then. */
function in_turn(string $id, callable $work): mixed
{
    $lock = fopen(DATA . "/locks/$id", 'c');
    flock($lock, LOCK_EX);
    try {
        return $work(load($id));
    } finally {
        fclose($lock);
    }
}

function find(object $order, string $number): object
{
    return first($order->operations, fn (object $one) => $one->number === $number);
}

function first(array $values, callable $is_wanted): mixed
{
    return array_values(array_filter($values, $is_wanted))[0] ?? null;
}

// --- What became of an operation.

/** `waiting`, `paid`, `ended` without a payment, `reversed` (paid and given back), or `unknown`: being confirmed. */
function outcome(object $operation): string
{
    $state = $operation->transaction->state ?? null;
    if ($operation->never_begun) {
        return 'ended';
    }
    if ($state === null || $operation->mismatch) {
        return 'unknown';
    }
    if (in_array($state, WAITING, true)) {
        return 'waiting';
    }
    // The answer to an authorization begins a payment and ends none. Only a query or a cancellation tells an end.
    if (!$operation->known_at || !in_array($state, [...PAID, ...ENDED], true)) {
        return 'unknown';
    }
    if (in_array($state, PAID, true)) {
        // A cancellation on its way gives back what was paid meanwhile.
        return time() < $operation->cancel_may_arrive_until ? 'unknown' : 'paid';
    }
    $states = [$state, ...array_column((array) ($operation->transaction->lifecycle ?? []), 'state')];
    return $operation->was_paid || array_intersect($states, [...PAID, 'EXTORNADO']) ? 'reversed' : 'ended';
}

function is_open(object $operation): bool
{
    return in_array(outcome($operation), ['waiting', 'unknown'], true);
}

function id_of(object $operation): ?string
{
    return $operation->transaction->transaction_id ?? null;
}

/** What paid an order: with one the shop sends the goods, and of more a person gives the rest back. */
function payments_of(object $order): array
{
    return array_values(array_filter($order->operations, fn (object $operation) => outcome($operation) === 'paid'));
}

/** True a minute after the deadline by the payment service's clock. Our own may be wrong. */
function is_overdue(object $operation): bool
{
    $deadline = $operation->transaction->expiration_date->unix_time ?? null;
    return is_numeric($deadline) && $operation->service_time >= $deadline + 60;
}

/** Takes over what the service says of an operation, if it can be believed. */
function take(object $order, object $operation, mixed $told): bool
{
    $transactions = is_array($told->transactions ?? null) ? $told->transactions : [];
    $transaction = $transactions[0] ?? null;
    $is_soles = fn (mixed $one) => in_array($one->currency ?? null, ['PEN', '604'], true);
    $is_of_order = fn (mixed $one) => $is_soles($one) && ($one->amount ?? null) === $order->amount;
    $id = $transaction->transaction_id ?? null;
    $is_same = is_string($id) && $id === (id_of($operation) ?? $id)
        && ($told->merchant_operation_number ?? null) === $operation->number;
    // The history of a cancellation alone says that it had been paid.
    $history = $transaction->lifecycle ?? [];
    $is_entry = fn (mixed $entry) => is_string($entry->state ?? null);
    $is_history = is_array($history) && count(array_filter($history, $is_entry)) === count($history);
    $is_whole = $is_history || ($transaction->state ?? null) !== 'CANCELADO';
    $is_paid_for = $is_of_order($told) && $is_of_order($transaction) && count($transactions) === 1;
    $operation->mismatch = !($is_same && $is_paid_for && $is_whole);
    // Nothing goes back to waiting, and a payment ends only by being given back.
    $before = $operation->known_at ? $operation->transaction->state : null;
    $is_over = in_array($before, [...PAID, ...ENDED], true);
    $state = $transaction->state ?? null;
    if ($operation->mismatch || ($is_over && !in_array($state, [$before, ...PAID, 'CANCELADO', 'EXTORNADO'], true))) {
        $why = $operation->mismatch ? 'does not fit the order (number, amount, currency or history)' : 'says ' . encode($state) . " after $before";
        error_log("Operation $operation->number: ask the payment service about its answer, which $why");
        return false;
    }
    $operation->was_paid = $operation->was_paid || in_array($before, PAID, true);
    $operation->transaction = $transaction;
    return true;
}

// --- The payment service: it alone knows what is paid.

/** What came back: `accepted`, `refused`, or neither: then it may have been done, or be done later. */
function call(string $method, string $path, ?array $body = null): array
{
    $request = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authorization: Bearer ' . PAYMENT_TOKEN, 'ALG-API-VERSION: 1709847567', 'Content-Type: application/json'],
        'content' => $body ? encode($body) : '',
        'timeout' => ANSWER_WITHIN,
        'follow_location' => 0, // the token is for this address alone
        'ignore_errors' => true, // the body of a refusal has messages
    ]]);
    $text = @file_get_contents(PAYMENT_URL . "/charges$path", false, $request);
    if ($text === false) {
        return [];
    }
    $status = (int) explode(' ', $http_response_header[0])[1];
    $date = first($http_response_header, fn (string $line) => stripos($line, 'date:') === 0);
    // No answer brings our token or the address for notifications to a browser.
    // A byte order mark and bytes that are no UTF-8 do not make the whole answer unreadable.
    $text = str_replace(PAYMENT_TOKEN, '', preg_replace('/^\xEF\xBB\xBF/', '', $text));
    $told = without_callback(json_decode($text, flags: JSON_INVALID_UTF8_SUBSTITUTE));
    $result = $told->meta->status ?? null;
    if ($status >= 400 && $status < 500 && !in_array($status, [408, 425, 429], true)) {
        return ['refused' => $status, 'messages' => $result->message_ilgn ?? []];
    }
    $is_success = $status === 200 && in_array($told->success ?? null, [true, 'true'], true) && ($result->code ?? null) === '00';
    $is_accepted = $is_success && ($told->merchant_code ?? null) === MERCHANT_CODE;
    return $is_accepted ? ['accepted' => $told, 'time' => $date ? strtotime(substr($date, 5)) : time()] : [];
}

function without_callback(mixed $value): mixed
{
    if (is_object($value)) {
        unset($value->callback_url);
    }
    if (is_object($value) || is_array($value)) {
        foreach ($value as $part) {
            without_callback($part); // objects are changed in place
        }
    }
    return $value;
}

/** Finds out what became of an operation. True if the answer is believed. */
function learn(object $order, object $operation): bool
{
    $path = '/' . MERCHANT_CODE . "/$operation->number";
    $is_lost = !$operation->transaction;
    // A query needs the id in an answer that was lost, and the code with it. Nobody can pay it: it can be cancelled.
    $answer = $is_lost ? call('DELETE', $path) : call('GET', "$path/" . rawurlencode(id_of($operation)));
    $is_believed = isset($answer['accepted']) && take($order, $operation, $answer['accepted']->operation ?? null);
    $operation->asked_at = microtime(true);
    if ($is_believed) {
        $operation->known_at = $operation->asked_at;
        $operation->service_time = $answer['time'];
    }
    if ($is_lost && ($answer['refused'] ?? 0) === 404) {
        $operation->never_begun = true; // should the request arrive later, its code expires
    }
    save($order);
    if (outcome($operation) === 'paid') {
        // Every other code of the order is superfluous.
        foreach (array_filter($order->operations, 'is_open') as $other) {
            learn($order, $other) && end_it($order, $other);
        }
        count(payments_of($order)) > 1 && error_log("Order $order->id is paid more than once: give one back.");
    }
    return $is_believed;
}

/** Cancels an operation that waits by the answer right before, and no other: a cancellation gives a payment back. */
function end_it(object $order, object $operation): void
{
    if (outcome($operation) !== 'waiting') {
        return;
    }
    $operation->cancel_may_arrive_until = time() + MAY_ARRIVE_FOR;
    save($order); // before it leaves
    if (call('DELETE', '/' . MERCHANT_CODE . "/$operation->number")) {
        $operation->cancel_may_arrive_until = 0;
    }
    learn($order, $operation);
}

// --- What an order can be paid by.

/** Why an order cannot be paid by a method, or nothing. All orders are in soles, which are PEN and 604 in ISO 4217. */
function why_not(object $order, mixed $method): ?array
{
    $refusal = ['method' => $method, 'reason' => 'setting', 'least' => null, 'most' => null];
    if (!in_array($method, METHODS, true)) {
        return $refusal;
    }
    $limits = METHOD_LIMITS[$method] ?? ['PEN' => []];
    $bounds = $limits['PEN'] ?? $limits['604'] ?? null;
    if ($bounds === null) {
        return ['reason' => 'currency'] + $refusal;
    }
    $refusal = array_map(fn (mixed $bound) => (string) $bound, $bounds) + $refusal;
    if (isset($bounds['least']) && (int) $order->amount < $bounds['least']) {
        return ['reason' => 'below-least'] + $refusal;
    }
    if (isset($bounds['most']) && (int) $order->amount > $bounds['most']) {
        return ['reason' => 'above-most'] + $refusal;
    }
    return null;
}

/** The methods that an order can be paid by, and why not by the others. */
function offer_of(object $order): array
{
    $methods = array_values(array_filter(METHODS, fn (string $method) => !why_not($order, $method)));
    $not_offered = array_map(fn (string $method) => why_not($order, $method), array_values(array_diff(METHODS, $methods)));
    return ['currency' => $order->currency, 'methods' => $methods, 'not_offered' => $not_offered];
}

function must_offer(object $order, mixed $method): void
{
    $refusal = why_not($order, $method);
    if (!$refusal) {
        return;
    }
    ['currency' => $currency, 'methods' => $methods] = offer_of($order);
    $members = ['field' => 'payment_method.method_name'] + $refusal + ['currency' => $currency, 'methods' => $methods];
    $hint = 'This order can be paid by ' . (implode(' or ', $methods) ?: 'no method') . '.';
    throw new Problem(422, 'method-not-offered', $hint, $members);
}

// --- Starting a payment.

function start(): array
{
    $body = read_body('order_id', 'payment_method');
    $chosen = only_fields($body->payment_method ?? null, 'payment_method', 'method_name', 'method_details');
    $method = $chosen->method_name ?? null;
    $details = only_fields($chosen->method_details ?? (object) [], 'payment_method.method_details', 'redirect_url');
    $has_key = preg_match('/^"?([!#-~]{1,255}?)"?$/D', $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? '', $key);
    must($has_key, 400, 'idempotency-key-required', 'Send the header Idempotency-Key: "…", a new one for each attempt.');
    $order = own(load($body->order_id ?? null));
    $redirect_url = $method === 'INSTALLMENT' ? $details->redirect_url ?? '' : null;
    $is_ours = $redirect_url === null || is_string($redirect_url) && str_starts_with($redirect_url, SHOP_URL . '/');
    $hint = 'The field redirect_url must begin with ' . SHOP_URL . '/.';
    must($is_ours, 400, 'redirect-url-not-allowed', $hint, ['field' => 'redirect_url']);
    $replaces = trim($_SERVER['HTTP_CHECKOUT_REPLACES'] ?? '', '"');
    $answer = in_turn($order->id, fn (object $latest) => authorize($latest, $key[1], $method, $redirect_url, $replaces));
    return [200, $answer];
}

/** The answer of this key: the order's one live operation, or a new one. */
function authorize(object $order, string $key, mixed $method, ?string $redirect_url, string $replaces): object
{
    $name = hash('sha256', "$order->session $key");
    $wanted = encode([$order->id, $method, $redirect_url]);
    $is_same = keep_first('keys', $name, $wanted) === $wanted;
    must($is_same, 422, 'idempotency-key-reused', 'This Idempotency-Key came with another request.');
    $known = $order->keys->$name ?? null;
    if (isset($known->problem)) {
        [$status, $type, $detail, $members] = $known->problem;
        throw new Problem($status, $type, $detail, (array) $members);
    }
    if (isset($known->number)) {
        return find($order, $known->number)->answer;
    }
    try {
        foreach (payments_of($order) as $paid) {
            throw order_paid($paid);
        }
        $live = null;
        foreach (array_filter($order->operations, 'is_open') as $old) {
            $live = keep_or_end($order, $old, $method, $replaces) ?? $live;
        }
        $live ??= begin($order, $method, $redirect_url);
        $order->keys->$name = (object) ['number' => $live->number];
        return $live->answer;
    } catch (Problem $problem) {
        if (in_array($problem->type, ['authorization-refused', 'payment-reversed'], true)) {
            // The key's final answer. After any other problem it runs again.
            $words = [$problem->status, $problem->type, $problem->detail, $problem->members];
            $order->keys->$name = (object) ['problem' => $words];
        }
        if ($problem->type === 'method-not-offered') {
            unlink(DATA . "/keys/$name"); // the payer takes another method
        }
        throw $problem;
    } finally {
        save($order);
    }
}

/** Returns the operation if it is the one to pay. Otherwise it ends it: two codes of one order would both be paid. */
function keep_or_end(object $order, object $old, mixed $method, string $replaces): ?object
{
    if (learn($order, $old)) {
        $can_be_paid = isset($old->answer) && outcome($old) === 'waiting' && !is_overdue($old);
        if ($can_be_paid && $old->method === $method) {
            return $old;
        }
        if (outcome($old) === 'waiting') {
            must_offer($order, $method); // no code ends for one that cannot begin
        }
        if ($can_be_paid && $old->number !== $replaces) {
            throw conflict($old, 'operation-live', 'The order has this code already.', ['method_name' => $old->method]);
        }
        end_it($order, $old);
    }
    must($old->transaction || !is_open($old), ...UNAVAILABLE);
    return match (outcome($old)) {
        'ended' => null,
        'paid' => throw order_paid($old),
        'reversed' => throw conflict($old, 'payment-reversed', 'The first code was paid late, and given back.'),
        default => throw conflict($old, 'operation-unconfirmed', 'The first code is being confirmed.', ['retry_after' => 5]),
    };
}

/** A new operation, which is on disk before its request leaves. */
function begin(object $order, mixed $method, ?string $redirect_url): object
{
    must_offer($order, $method);
    do {
        $number = (string) random_int(10 ** 11, 10 ** 12 - 1); // no counter: a restored backup would count the same again
    } while (keep_first('operations', $number, $order->id) !== $order->id);
    $operation = (object) [
        'number' => $number, 'method' => $method, 'secret' => random(), 'created_at' => microtime(true),
        'asked_at' => 0, 'known_at' => 0, 'service_time' => 0, 'cancel_may_arrive_until' => 0,
        'transaction' => null, 'mismatch' => false, 'was_paid' => false, 'never_begun' => false,
    ];
    $order->operations[] = $operation;
    save($order);

    $details = ['callback_url' => SHOP_URL . "/api/notifications/$number/$operation->secret"];
    $answer = call('POST', '', ['action' => 'authorize', 'channel' => 'ecommerce'] + names($operation) + [
        'payment_method' => [
            'method_name' => $method,
            'method_details' => $details + ($redirect_url === null ? [] : ['redirect_url' => $redirect_url]),
        ],
        'payment_details' => [
            'amount' => $order->amount, // the order's, whatever the browser thinks
            'currency' => $order->currency,
            'billing' => PAYER, 'shipping' => PAYER, 'customer' => PAYER,
            'product_details' => [['quantity' => $order->quantity] + PRODUCT],
        ],
    ]);
    if (isset($answer['refused'])) {
        $operation->never_begun = true;
        save($order);
        // Our token, or a number that somebody else used.
        must(!in_array($answer['refused'], [401, 403, 409], true), ...UNAVAILABLE);
        $hint = 'The payment service refused this payment. Try another method or ask the shop.';
        throw new Problem(422, 'authorization-refused', $hint, [
            'service_status' => $answer['refused'],
            'messages' => $answer['messages'],
        ]);
    }
    $accepted = $answer['accepted'] ?? null;
    $transaction = $accepted->transaction ?? null;
    $told = (object) [
        'merchant_operation_number' => $accepted->merchant_operation_number ?? null,
        'amount' => $transaction->amount ?? null,
        'currency' => $transaction->currency ?? null,
        'transactions' => [$transaction],
    ];
    // An unknown outcome is no refusal. The same key comes again, and first ends what may have begun here.
    must($accepted && take($order, $operation, $told), ...UNAVAILABLE);
    $operation->answer = $accepted;
    return $operation;
}

// --- The state of an operation, and cancelling it.

/** The answer about a state. What is not certain has a state of our own, and nothing that could be paid. */
function state_of(object $order, object $operation): array
{
    $result = outcome($operation);
    $headers = [];
    $known = $operation->known_at ?: $operation->created_at;
    if ($operation->asked_at > $known) { // the service did not answer
        $headers['Age'] = (int) ceil(microtime(true) - $known);
    }
    if ($result === 'reversed') {
        $headers['Order-State'] = payments_of($order) ? 'paid' : 'open';
    }

    [$state, $transactions] = ['POR_CONFIRMAR', []];
    if ($result !== 'unknown' && $operation->transaction) {
        $transaction = clone $operation->transaction;
        [$state, $transactions] = [$transaction->state, [$transaction]];
        $code = $result === 'waiting' ? $operation->answer->transaction->processor_response ?? null : null;
        if ($code) {
            // A query may lack the code, and a reload would lose it.
            $transaction->processor_response = (array) ($transaction->processor_response ?? []) + (array) $code;
        }
    }
    $facts = ['amount' => $order->amount, 'currency' => $order->currency, 'transactions' => $transactions];
    $shown = names($operation) + ['state' => $state] + $facts;
    $meta = ['status' => ['code' => '00', 'message_ilgn' => []]];
    return [200, ['success' => true] + names($operation) + ['operation' => $shown, 'meta' => $meta], $headers];
}

/** Answers the state. While the payer waits it holds the request, for as long as `Prefer: wait` says. */
function status(string $code, string $number, string $transaction_id): array
{
    $order = own(order_of($number));
    $before = find($order, $number);
    must($code === MERCHANT_CODE && in_array($transaction_id, ['-', id_of($before)], true), ...NOT_FOUND);
    preg_match('/\bwait=(\d{1,4})\b/', $_SERVER['HTTP_PREFER'] ?? '', $wait);
    $seconds = HOLDS && is_open($before) ? min(20, (int) ($wait[1] ?? 0)) : 0;
    $end = microtime(true) + $seconds;
    while (true) {
        [$answer, $outcome] = in_turn($order->id, function (object $order) use ($number): array {
            $operation = find($order, $number);
            if (abs(time() - $operation->asked_at) >= 2) {
                learn($order, $operation);
            }
            return [state_of($order, $operation), outcome($operation)];
        });
        if ($seconds) {
            $answer[2]['Preference-Applied'] = 'wait';
        }
        if ($outcome !== outcome($before) || microtime(true) >= $end) {
            return $answer;
        }
        usleep(300_000);
    }
}

/** Cancels what waits. What is paid stays, and what has ended is answered as it is. */
function cancel(string $code, string $number): array
{
    $order = own(order_of($number));
    must($code === MERCHANT_CODE, ...NOT_FOUND);
    return in_turn($order->id, function (object $order) use ($number): array {
        $operation = find($order, $number);
        $is_answered = learn($order, $operation);
        if ($is_answered) {
            end_it($order, $operation);
        }
        if (outcome($operation) === 'paid') {
            throw order_paid($operation);
        }
        if (!is_open($operation)) {
            return state_of($order, $operation);
        }
        must($is_answered || $operation->mismatch, ...UNAVAILABLE);
        $is_sure = time() >= $operation->cancel_may_arrive_until;
        must($is_sure, 504, 'cancel-unconfirmed', 'The cancellation is not confirmed yet; ask again.', ['retry_after' => 2]);
        throw new Problem(409, 'cannot-cancel-now', 'This payment is still being confirmed; ask again.', ['retry_after' => 5]);
    });
}

/** What the payer of an order should see: the paid operation, the one that waits, the one given back, or else the methods. */
function live(): array
{
    $order = own(load(read_body('order_id')->order_id ?? null));
    return in_turn($order->id, function (object $order): array {
        foreach (array_filter($order->operations, 'is_open') as $operation) {
            learn($order, $operation);
        }
        foreach (['paid', 'waiting', 'reversed'] as $wanted) {
            $seen = first(array_reverse($order->operations), fn (object $one) => outcome($one) === $wanted);
            if ($seen) {
                return state_of($order, $seen);
            }
        }
        $offer = offer_of($order);
        return $offer['not_offered'] ? [200, $offer] : [204, null];
    });
}

/** A notification is a hint: nothing in it is believed, and everybody gets the same answer. */
function notified(string $number, string $secret): array
{
    $order = order_of($number);
    if ($order && hash_equals(find($order, $number)->secret, $secret)) {
        in_turn($order->id, fn (object $latest) => learn($latest, find($latest, $number)));
    }
    return [204, null];
}

/** Finds what no browser and no notification tells: what was paid after its payer left, or late. */
function watch(): void
{
    while (true) {
        foreach (array_diff(scandir(DATA . '/orders'), ['.', '..']) as $id) {
            in_turn($id, function (object $order): void {
                foreach ($order->operations as $operation) {
                    $every = is_open($operation) ? 15 : DAY / 24;
                    $is_new = abs(time() - $operation->asked_at) < $every;
                    $is_over = $operation->never_begun || time() > $operation->created_at + 7 * DAY;
                    try {
                        $is_new || $is_over || learn($order, $operation);
                    } catch (Throwable $error) {
                        error_log((string) $error);
                    }
                }
            });
        }
        sleep(5);
    }
}

// --- The shop.

/** The shop says what it costs. Whoever has the cookie may pay. */
function new_order(string $quantity = '1'): array
{
    $session = $_COOKIE['session'] ?? '';
    $session = is_string($session) && preg_match('/^[0-9a-f]{32}$/D', $session) ? $session : random();
    $amount = (string) (PRODUCT['unit_price'] * $quantity);
    $order = (object) ['id' => random(), 'session' => $session, 'quantity' => $quantity, 'amount' => $amount];
    $order->currency = 'PEN';
    $order->operations = [];
    $order->keys = (object) [];
    save($order);
    $cookie = "session=$session; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000";
    $body = ['order_id' => $order->id, 'amount' => $order->amount, 'currency' => $order->currency];
    return [201, $body, ['Set-Cookie' => $cookie]];
}

/** The page, or a file of the element. */
function file_of(string $name = ''): array
{
    $path = $name === '' ? dirname(HERE) . '/index.html' : ELEMENT . "/$name";
    must(is_file($path), ...NOT_FOUND);
    $types = ['html' => 'text/html', 'js' => 'text/javascript', 'css' => 'text/css', 'wasm' => 'application/wasm'];
    $type = $types[pathinfo($path, PATHINFO_EXTENSION)] ?? 'text/plain';
    return [200, file_get_contents($path), ['Content-Type' => $type]];
}

// --- HTTP.

const ROUTES = [
    ['POST', '~^/api/charges$~D', 'start'],
    ['GET', '~^/api/charges/([^/]+)/([^/]+)/([^/]+)$~D', 'status'],
    ['DELETE', '~^/api/charges/([^/]+)/([^/]+)$~D', 'cancel'],
    ['POST', '~^/api/charges/live$~D', 'live'],
    ['POST', '~^/api/notifications/([^/]+)/([^/]+)$~D', 'notified'],
    ['POST', '~^/api/orders(?:/([1-9]\d?))?$~D', 'new_order'],
    ['GET', '~^/(?:element/([\w-]+(?:[./][\w-]+)*))?$~D', 'file_of'],
];

/** The JSON object of the request. */
function read_body(string ...$allowed): object
{
    $is_json = str_starts_with($_SERVER['CONTENT_TYPE'] ?? '', 'application/json');
    must($is_json, 415, 'unsupported-media-type', 'Send the header Content-Type: application/json.');
    $text = file_get_contents('php://input', length: 65_537);
    must(strlen($text) <= 65_536, 413, 'body-too-large', 'The body may have 64 KiB.');
    return only_fields(json_decode($text), 'body', ...$allowed);
}

/** Refuses what a browser must not set, such as the amount, by its name. */
function only_fields(mixed $value, string $name, string ...$allowed): object
{
    must(is_object($value), 400, 'bad-request', "$name must be an object.", ['field' => $name]);
    foreach ($value as $field => $_) {
        $is_allowed = in_array($field, $allowed, true);
        must($is_allowed, 400, 'field-not-allowed', "The field $field is not allowed in $name.", ['field' => $field]);
    }
    return $value;
}

function answer(): array
{
    $is_strangers = ($_SERVER['HTTP_SEC_FETCH_SITE'] ?? '') === 'cross-site' && $_SERVER['REQUEST_METHOD'] !== 'GET';
    must(!$is_strangers, 403, 'cross-site-request', 'A page of another site sent this.');
    foreach (ROUTES as [$method, $pattern, $act]) {
        if ($method === $_SERVER['REQUEST_METHOD'] && preg_match($pattern, strtok($_SERVER['REQUEST_URI'], '?'), $found)) {
            return $act(...array_map('rawurldecode', array_slice($found, 1)));
        }
    }
    throw new Problem(...NOT_FOUND);
}

function serve(): void
{
    ignore_user_abort(true); // what has begun ends, whether or not the browser waits for it
    try {
        $answer = answer();
    } catch (Throwable $error) {
        if (!$error instanceof Problem) {
            error_log((string) $error);
            $error = new Problem(500, 'internal', 'Repeat this request.');
        }
        $members = $error->members;
        $headers = ['Content-Type' => 'application/problem+json'];
        $headers += isset($members['retry_after']) ? ['Retry-After' => $members['retry_after']] : [];
        unset($members['retry_after']);
        $type = ['type' => "urn:payment-checkout:problem:$error->type", 'title' => $error->type];
        $words = $type + ['status' => $error->status, 'detail' => $error->detail];
        $answer = [$error->status, $words + $members + ['money' => money_of($error->type)], $headers];
    }
    [$status, $body, $headers] = $answer + [2 => []];
    http_response_code($status);
    foreach ($headers + ['Content-Type' => 'application/json', 'Cache-Control' => 'no-store'] as $name => $value) {
        header("$name: $value");
    }
    echo is_string($body) ? $body : ($body === null ? '' : encode($body));
}

function print_new_order(string $quantity): void
{
    $post = stream_context_create(['http' => ['method' => 'POST']]);
    $made = file_get_contents('http://127.0.0.1:' . PORT . "/api/orders/$quantity", false, $post);
    ['order_id' => $id] = $order = json_decode($made, true);
    $cookie = first($http_response_header, fn (string $line) => str_starts_with($line, 'Set-Cookie: '));
    unset($order['order_id']);
    echo encode(['request' => ['order_id' => $id]] + $order + ['cookie' => strtok(substr($cookie, 12), ';')]), "\n";
}

// A warning is an error: nothing goes on after a write that failed, and no answer begins with one.
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    return error_reporting() & $level ? throw new ErrorException($message, 0, $level, $file, $line) : true;
});
foreach (['orders', 'operations', 'keys', 'locks'] as $folder) {
    is_dir(DATA . "/$folder") || @mkdir(DATA . "/$folder", recursive: true);
}
match (PHP_SAPI === 'cli' ? $argv[1] ?? '' : 'serve') {
    'serve' => serve(),
    'watch' => watch(),
    'new-order' => print_new_order($argv[2] ?? '1'),
};
