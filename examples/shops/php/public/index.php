<?php
// The page of an order. It signs the order for the payment server, anew each time that it is opened.
//
//   php -S 127.0.0.1:8000 -t public
declare(strict_types=1);
require __DIR__ . '/../orders.php';

/** A signed order: a JWS in compact form (HS256), as a library for JWT makes it, too. */
function signed(array $claims): string
{
    $base64url = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $text = $base64url('{"alg":"HS256","typ":"JWT"}') . '.' . $base64url(json_encode($claims, JSON_THROW_ON_ERROR));
    return $text . '.' . $base64url(hash_hmac('sha256', $text, secret('ORDERS_SECRET'), true));
}

if (!isset($_GET['order'])) {
    // In your shop this is the cart. The address of an order keeps: its reload is no second order.
    header('Location: /?order=' . new_order('mochila-telar', 1)['id'], true, 303);
    exit;
}
$order = find_order($_GET['order']);
if (!$order) {
    http_response_code(404);
    exit('There is no such order.');
}
$server = getenv('PAYMENT_SERVER') ?: 'http://127.0.0.1:8081/api'; // its PUBLIC_URL
$token = signed([
    'aud' => $server,
    'iat' => time(),
    'exp' => time() + 3600,
    'order_id' => $order['id'],
    'amount' => $order['amount'],
    'currency' => $order['currency'],
    'payer' => $order['payer'],
    'products' => $order['products'],
]);
header('Cache-Control: no-store'); // the token is this payer's
$price = number_format($order['amount'] / 100, 2) . ' ' . $order['currency'];
?>
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Your order</title>
  <style>body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif }</style>
</head>
<body>
  <h1>Your order</h1>
  <p><?= htmlspecialchars("{$order['products'][0]['name']}, $price") ?></p>
<?php if ($order['paid']): ?>
  <p>Your order is paid. Thank you! <a href="/">Another one</a></p>
<?php else: ?>
  <?= @file_get_contents(__DIR__ . '/element/preload.html') // it comes sooner ?>
  <payment-checkout base-url="<?= htmlspecialchars($server) ?>" live-url="<?= htmlspecialchars($server) ?>/charges/live" merchant-name="Retama y Cumbre"
                    order="<?= $token ?>" paid-url="/?order=<?= htmlspecialchars($order['id']) ?>&amp;paid">
    <p>If the checkout does not come, pay here:</p>
    <form method="post" action="<?= htmlspecialchars($server) ?>/pay">
      <input type="hidden" name="order" value="<?= $token ?>">
      <button>Pay on a page without scripts</button>
    </form>
  </payment-checkout>
  <script type="module" src="/element/payment-checkout.js"></script>
<?php endif ?>
</body>
</html>
