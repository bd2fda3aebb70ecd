<?php
// The payment server tells here what was paid. No browser does: anybody can send what a browser sends.
declare(strict_types=1);
require __DIR__ . '/../../orders.php';

/** The key of a secret. A mistyped one would be a short or an empty key, and anybody can sign with that. */
function key_of(string $secret): string
{
    if (!str_starts_with($secret, 'whsec_')) {
        return $secret;
    }
    $key = base64_decode(substr($secret, 6), true);
    return strlen((string) $key) >= 24
        ? $key
        : throw new RuntimeException('EVENTS_SECRET is not whsec_ and at least 24 bytes in base64');
}

/** Whether these bytes are the payment server's and new, by the convention Standard Webhooks. */
function is_genuine(string $body): bool
{
    $key = key_of(secret('EVENTS_SECRET'));
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    // While a secret is being changed, there are several signatures. Each is compared in constant time.
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $signed = array_filter($signatures, fn (string $one) => hash_equals($right, $one));
    return $signed && preg_match('/^\d+$/D', $time) && abs(time() - (int) $time) <= 300;
}

/** Takes an event, and returns the status of the answer. All but 2xx is sent again. */
function take(string $body): int
{
    if (!is_genuine($body)) {
        return 401;
    }
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    $data = $event['data'];
    $order = find_order($data['order_id']);
    if (!$order) {
        return 404;
    }
    if (in_array($data['id'], $order['events'], true)) {
        return 204; // it came before: nothing is done twice
    }
    switch ($event['type']) {
        case 'order.paid':
        case 'order.paid_late':
            if ($data['amount'] !== (string) $order['amount'] || $data['currency'] !== $order['currency']) {
                error_log("{$order['id']}: {$data['amount']} {$data['currency']} is not its price");
                return 422;
            }
            $order['paid'] = true; // the delivery starts here
            break;
        case 'order.reversed':
            $order['paid'] = $data['order_state'] === 'paid'; // another payment may be in force
            break;
        default:
            error_log("{$order['id']}: {$event['type']}"); // a refund, or paid twice: for your staff
    }
    $order['events'][] = $data['id'];
    save_order($order);
    return 204;
}

http_response_code(500); // for an exception, whatever PHP is set to show of it
http_response_code(take(file_get_contents('php://input')));
