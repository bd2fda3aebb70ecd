import 'payment-checkout-element';
import type { PaymentCheckout, ResultDetail, WholeCents } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';
import { useEffect, useRef, useState } from 'react';

export interface Order {
  order_id: string;
  amount: WholeCents;
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

/** The order that the page's address names, with which a server renders it whole. */
export function orderOf(search: string): Order | undefined {
  const { order_id, amount, currency } = Object.fromEntries(new URLSearchParams(search));
  // An address is text that anybody can write; this throws where it is no whole number.
  return order_id && amount && currency ? { order_id, amount: `${BigInt(amount)}`, currency } : undefined;
}

export function Pay({ known }: { known: Order | undefined }) {
  const checkout = useRef<PaymentCheckout>(null);
  const [order, setOrder] = useState(known);
  const [result, setResult] = useState<ResultDetail>();

  useEffect(() => {
    if (known) return;
    let wanted = true;
    makeOrder().then((order) => wanted && setOrder(order), console.error);
    return () => {
      wanted = false;
    };
  }, [known]);

  return (
    <main>
      <h1>Pay</h1>
      {known ? (
        <Known order={known} onResult={setResult} />
      ) : (
        <payment-checkout
          ref={checkout}
          base-url="/api"
          merchant-name="Retama y Cumbre"
          amount={order?.amount}
          currency={order?.currency}
          request={order && { order_id: order.order_id }}
          messages={{ 'choose.heading': 'How do you pay?' }}
          oncheckout-result={(event) => setResult(event.detail)}
        >
          The checkout is being loaded.
        </payment-checkout>
      )}
      <output>{result && `${result.outcome}: ${result.merchantOperationNumber}`}</output>
      <button type="button" onClick={() => checkout.current?.cancel()}>
        Think better of it
      </button>
    </main>
  );
}

interface KnownProps {
  order: Order;
  onResult: (result: ResultDetail) => void;
}

/**
 * The checkout of an order that the server knew when it rendered the page. A page that React takes over from a
 * server gets neither properties nor listeners of a custom element from its JSX, so they are set here.
 */
export function Known({ order, onResult }: KnownProps) {
  const checkout = useRef<PaymentCheckout>(null);

  useEffect(() => {
    const element = checkout.current;
    if (!element) return;
    element.request = { order_id: order.order_id };
    element.messages = { 'choose.heading': 'How do you pay?' };
    const hear = ({ detail }: CustomEvent<ResultDetail>) => onResult(detail);
    element.addEventListener('checkout-result', hear);
    return () => element.removeEventListener('checkout-result', hear);
  }, [order, onResult]);

  return (
    <payment-checkout
      ref={checkout}
      base-url="/api"
      merchant-name="Retama y Cumbre"
      amount={order.amount}
      currency={order.currency}
    >
      The checkout is being loaded.
    </payment-checkout>
  );
}
