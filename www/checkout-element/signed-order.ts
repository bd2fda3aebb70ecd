// Signed orders, which the shop signs anew for each page. Only the server verifies them.

/** What a signed order says, as far as the element reads it. */
export interface Claims {
  merchant_code?: unknown;
  order_id?: unknown;
  amount?: unknown;
  currency?: unknown;
  label?: unknown;
  methods?: unknown;
}

/** A value as JSON, with its store and id in place of a signed order. No payment begins with a value that is not JSON. */
export function orderIdentity(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (name, value) => {
      const claims = name === 'order' ? claimsOf(value) : undefined;
      return claims?.order_id ? [claims.merchant_code, claims.order_id] : value;
    });
  } catch {
    return undefined;
  }
}

/** The claims of a signed order, which is a JWS in compact form. Another value has none. */
export function claimsOf(order: unknown): Claims | undefined {
  try {
    const { length, 1: claims } = (order as string).split('.');
    if (length !== 3) return undefined;
    const bytes = atob(claims.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
