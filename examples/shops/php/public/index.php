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
$known = ['token' => $token, 'amount' => (string) $order['amount'], 'currency' => $order['currency']];
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
  <payment-checkout base-url="<?= htmlspecialchars($server) ?>" live-url="<?= htmlspecialchars($server) ?>/charges/live" merchant-name="Retama y Cumbre">
    <p>The checkout is being loaded.</p>
    <form method="post" action="<?= htmlspecialchars($server) ?>/pay">
      <input type="hidden" name="order" value="<?= $token ?>">
      <button>Pay on a page without scripts</button>
    </form>
  </payment-checkout>
  <p id="next" hidden><a href="">See your order</a></p>
  <script type="module">
    const order = <?= json_encode($known, JSON_HEX_TAG | JSON_THROW_ON_ERROR) ?>;
    const checkout = document.querySelector('payment-checkout');
    checkout.amount = order.amount;
    checkout.currency = order.currency;
    checkout.request = { order: order.token };
    checkout.addEventListener('checkout-result', ({ detail }) => {
      document.querySelector('#next').hidden = detail.outcome !== 'paid'; // the shop itself has the last word
    });
    try {
      await import('/element/payment-checkout.js'); // from here on the tag works
    } catch {
      checkout.querySelector('p').textContent = 'The checkout could not be loaded. If you have paid, do not pay again. Please reload the page.';
      checkout.dispatchEvent(new CustomEvent('checkout-error', { bubbles: true, detail: { code: 'load', retryable: false } }));
    }
  </script>
<?php endif ?>
</body>
</html>
