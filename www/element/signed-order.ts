// Signed orders, which the shop signs anew for each page. Only the server verifies them.

/** A value as JSON, with its id in place of a signed order. No payment begins with a value that is not JSON. */
export function orderIdentity(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (name, value) => (name === 'order' && idOfSigned(value)) || value);
  } catch {
    return undefined;
  }
}

/** The id in a signed order, which is a JWS in compact form. Another value has none. */
function idOfSigned(order: unknown): unknown {
  try {
    const [, claims] = (order as string).split('.');
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).order_id;
  } catch {
    return undefined;
  }
}
