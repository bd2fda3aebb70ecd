import 'payment-checkout-element';
import type { PaymentCheckout, ResultDetail } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';
import { useEffect, useRef, useState } from 'react';

interface Order {
  order_id: string;
  amount: string;
  currency: string;
}

/** The order that this page is about; a real shop has made it before the page is opened. */
async function makeOrder(): Promise<Order> {
  const answer = await fetch('/api/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      items: [{ sku: 'mochila-telar', quantity: 1 }],
      customer: { first_name: 'Ana', last_name: 'Quispe', email: 'ana@example.com' },
    }),
  });
  if (!answer.ok) throw new Error(`no order was made: ${answer.status}`);
  return answer.json();
}

export function Pay() {
  const checkout = useRef<PaymentCheckout>(null);
  const [order, setOrder] = useState<Order>();
  const [result, setResult] = useState<ResultDetail>();

  useEffect(() => {
    let wanted = true;
    makeOrder().then((order) => wanted && setOrder(order), console.error);
    return () => {
      wanted = false;
    };
  }, []);

  return (
    <main>
      <h1>Pay</h1>
      <payment-checkout
        ref={checkout}
        base-url="/api"
        merchant-name="Retama y Cumbre"
        amount={order?.amount ?? null}
        currency={order?.currency ?? null}
        request={order && { order_id: order.order_id }}
        messages={{ 'choose.heading': 'How do you pay?' }}
        oncheckout-result={(event) => setResult(event.detail)}
      >
        The checkout is being loaded.
      </payment-checkout>
      <output>{result && `${result.outcome}: ${result.merchantOperationNumber}`}</output>
      <button type="button" onClick={() => checkout.current?.cancel()}>
        Think better of it
      </button>
    </main>
  );
}
