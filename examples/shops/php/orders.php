<?php
// The shop's own orders, one file each. In a shop of your own they are a table of its database, and a
// change of an order is one transaction.
declare(strict_types=1);

const PRODUCTS = ['mochila-telar' => ['name' => 'Mochila de telar «Ñandutí»', 'price' => 12990]]; // in cents
const FOLDER = __DIR__ . '/orders';

/** Makes an order. The price is the shop's; a browser says at most what it wants, and how many. */
function new_order(string $sku, int $quantity): array
{
    ['name' => $name, 'price' => $price] = PRODUCTS[$sku];
    $order = [
        'id' => bin2hex(random_bytes(16)), // nobody guesses the page of another payer
        'amount' => $quantity * $price,
        'currency' => 'PEN',
        'payer' => ['first_name' => 'Íñigo', 'last_name' => 'Núñez', 'email' => 'inigo@example.com'],
        'products' => [['sku' => $sku, 'name' => $name, 'quantity' => $quantity, 'unit_price' => $price]],
        'paid' => false,
        'events' => [],
    ];
    save_order($order);
    return $order;
}

/** The order of this id, which may be anything that a stranger sent. */
function find_order(mixed $id): ?array
{
    $file = is_string($id) && preg_match('/^[0-9a-f]{32}$/D', $id) ? FOLDER . "/$id.json" : '';
    return is_file($file) ? json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR) : null;
}

function save_order(array $order): void
{
    is_dir(FOLDER) || mkdir(FOLDER);
    file_put_contents(FOLDER . "/{$order['id']}.json", json_encode($order, JSON_THROW_ON_ERROR), LOCK_EX);
}

/** A secret of the environment. Without it nothing goes on: anybody can sign with an empty one. */
function secret(string $name): string
{
    $value = (string) getenv($name);
    return strlen($value) >= 32 ? $value : throw new RuntimeException("$name is missing or too short");
}
