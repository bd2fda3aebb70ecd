<?php
// What the shop asks the payment server about its own orders, and what it has it do, without a browser:
//
//   php server.php page ORDER      gives the order to the server; `pay_url` is its page, for a mail or a chat
//   php server.php ask ORDER
//   php server.php cancel ORDER
//   php server.php refund ORDER RETURN CENTS|all   RETURN is the shop's own number of the return
//   php server.php events [CURSOR]                 CURSOR is `next` of the last answer
declare(strict_types=1);
require __DIR__ . '/orders.php';

/** The server's answer, or the problem that it names. A request that got no answer is repeated with the same key. */
function call(string $method, string $path, ?array $body = null, ?string $key = null): array
{
    $server = getenv('PAYMENT_SERVER') ?: 'http://127.0.0.1:8081/api'; // its PUBLIC_URL
    $headers = ['Authorization: Bearer ' . secret('SHOP_API_KEY'), 'Content-Type: application/json'];
    if ($key) {
        $headers[] = "Idempotency-Key: \"$key\"";
    }
    $request = stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body ? json_encode($body, JSON_THROW_ON_ERROR) : '',
        'timeout' => 60,
        'ignore_errors' => true, // the body of a refusal names the problem
    ]]);
    $answer = file_get_contents("$server/shop$path", false, $request);
    return json_decode((string) $answer, true, flags: JSON_THROW_ON_ERROR);
}

/** An order as the server takes it. */
function facts(array $order): array
{
    $names = ['amount' => 1, 'currency' => 1, 'payer' => 1, 'products' => 1];
    return ['order_id' => $order['id']] + array_intersect_key($order, $names);
}

function run(string $act, string ...$words): array
{
    return match ($act) {
        'page' => call('POST', '/orders', facts(find_order($words[0]))),
        'ask' => call('GET', "/orders/{$words[0]}"),
        'cancel' => call('POST', "/orders/{$words[0]}/cancel"),
        // In cents, or `all` for everything that is left.
        'refund' => call('POST', '/refunds', ['order_id' => $words[0], 'amount' => $words[2]], "return-{$words[1]}"),
        'events' => call('GET', $words ? "/events?after={$words[0]}" : '/events'),
    };
}

echo json_encode(run(...array_slice($argv, 1)), JSON_THROW_ON_ERROR), "\n";
