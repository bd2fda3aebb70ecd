// Signs an order for the payment server: a JWS in compact form (HS256), as a library for JWT makes it, too.
import { createHmac } from 'node:crypto';
import type { Order, Payment } from '@vendure/core';

/** The page asks for a new one whenever it is opened. */
const LIFE_SECONDS = 3600;

export class OrderSigner {
  constructor(
    /** The payment server's PUBLIC_URL. */
    private readonly audience: string,
    private readonly secret: string,
  ) {}

  /** A payment of Vendure's is an order of the payment server's, with a price that never changes. */
  sign(order: Order, payment: Payment): string {
    const iat = Math.floor(Date.now() / 1000);
    return this.jws({
      aud: this.audience,
      iat,
      exp: iat + LIFE_SECONDS,
      order_id: payment.transactionId,
      label: order.code,
      amount: payment.amount,
      currency: order.currencyCode,
      payer: payerOf(order),
      products: order.lines.map((line) => ({
        sku: line.productVariant.sku,
        name: line.productVariant.name,
        quantity: line.quantity,
        unit_price: line.proratedUnitPriceWithTax,
      })),
    });
  }

  private jws(claims: object): string {
    const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
    return `${text}.${createHmac('sha256', this.secret).update(text).digest('base64url')}`;
  }
}

/** What the payment service may know of the customer. What is empty is left out. */
function payerOf({ customer, billingAddress, shippingAddress }: Order): object {
  const address = billingAddress.streetLine1 ? billingAddress : shippingAddress;
  return filled({
    first_name: customer?.firstName,
    last_name: customer?.lastName,
    email: customer?.emailAddress,
    location: filled({
      line_1: address.streetLine1,
      line_2: address.streetLine2,
      city: address.city,
      state: address.province,
      country: address.countryCode,
    }),
  });
}

function filled(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
}
