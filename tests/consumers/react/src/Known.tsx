import type { PaymentCheckout, ResultDetail } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';
import { useEffect, useRef } from 'react';
import type { Order } from './Pay.js';

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
