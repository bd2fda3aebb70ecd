// What the page asks of Vendure's Shop API.

const ORDER = `fragment Order on Order {
  code state totalWithTax currencyCode
  lines { id quantity linePriceWithTax productVariant { name } }
  payments { state transactionId }
}`;

/** Sends a request. An error of the order's, such as a state that permits no payment, is thrown like any other. */
async function ask(text, variables = {}) {
  const answer = await fetch('/shop-api', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(errors[0].message);
  const refused = Object.values(data).find((value) => value?.errorCode);
  if (refused) throw new Error(refused.paymentErrorMessage || refused.transitionError || refused.message);
  return data;
}

const change = (call, types, variables) =>
  ask(`mutation(${types}) { ${call} { ...Order ... on ErrorResult { errorCode message } } } ${ORDER}`, variables);

export const products = async () =>
  (await ask('{ products { items { name variants { id priceWithTax currencyCode } } } }')).products.items;

export const activeOrder = async () => (await ask(`{ activeOrder { ...Order } } ${ORDER}`)).activeOrder;

/** The state of an order that was placed. */
export const placedOrder = async (code) =>
  (await ask('query($code: String!) { orderByCode(code: $code) { code state } }', { code })).orderByCode;

export const addToCart = (id) =>
  change('addItemToOrder(productVariantId: $id, quantity: 1)', '$id: ID!', { id });

export const emptyCart = () =>
  ask('mutation { removeAllOrderLines { ... on ErrorResult { errorCode message } } }');

/** Says who buys and where to send it, and leads the order to its payment. */
export async function checkOut({ firstName, lastName, emailAddress, streetLine1, city }) {
  const { eligibleShippingMethods } = await ask('{ eligibleShippingMethods { id } }');
  await change('setCustomerForOrder(input: $customer)', '$customer: CreateCustomerInput!', {
    customer: { firstName, lastName, emailAddress },
  });
  await change('setOrderShippingAddress(input: $address)', '$address: CreateAddressInput!', {
    address: { fullName: `${firstName} ${lastName}`, streetLine1, city, countryCode: 'PE' },
  });
  await change('setOrderShippingMethod(shippingMethodId: $ids)', '$ids: [ID!]!', {
    ids: [eligibleShippingMethods[0].id],
  });
  await toState('ArrangingPayment');
}

/** Ends the code of the payment that waits, and leads the order back to its cart. */
export const backToCart = () => toState('AddingItems');

const toState = (state) =>
  ask(
    `mutation($state: String!) { transitionOrderToState(state: $state) {
      ... on OrderStateTransitionError { errorCode message transitionError } } }`,
    { state },
  );

/** The signed order of the payment that waits; the first time it makes that payment. */
export async function signedOrder(order) {
  if (!order.payments.some(({ state }) => state === 'Waiting')) {
    await ask(`mutation { addPaymentToOrder(input: { method: "payment-checkout", metadata: {} }) {
      ... on ErrorResult { errorCode message }
      ... on PaymentDeclinedError { paymentErrorMessage }
      ... on PaymentFailedError { paymentErrorMessage } } }`);
  }
  return (await ask('{ paymentCheckout { server order amount currency } }')).paymentCheckout;
}
