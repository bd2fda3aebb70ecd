// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

import type { CheckoutLocale, HeadingLevel, MethodList, OfferedMethod, WholeCents } from './attributes.js';
import type { Messages } from './element.js';
import type { CheckoutState, ResultDetail } from './events.js';
import type { Currency, MerchantCode, MerchantOperationNumber, TransactionId } from './payment-model.js';

/** The languages of the element. */
export type LocaleTag =
  /** Español. */
  | 'es-PE'
  /** English. */
  | 'en'
  /** Português. */
  | 'pt-BR';

/** The attributes of `<payment-checkout>`, each with the type of its value. */
export interface CheckoutAttributeValues {
  /** The address of your server, as in `/api` or `https://pay.example/api`. If absent: an error. */
  'base-url': string;
  /** The address that starts a payment. If absent: `{base-url}/charges`. */
  'authorize-url': string;
  /** The address of its state; `{merchant_code}`, `{merchant_operation_number}` and `{transaction_id}` are replaced by the numbers. If absent: the address in server.md. */
  'status-url': string;
  /** The address that cancels it, with the first two numbers in braces. If absent: the address in server.md. */
  'cancel-url': string;
  /** The address that says which operation of the order its payer should see, as in `/api/charges/live`: see Resuming. If absent: a tab that remembers nothing begins with the choice. */
  'live-url': string;
  /** The methods on offer, in order, separated by spaces, as far as the order can be paid by them: `QR`, `INSTALLMENT`, `CASHCODE`, `BANK_TRANSFER`, `CARD`, `WALLET`. If absent: `QR INSTALLMENT`. */
  methods: MethodList;
  /** The price on your page, in whole cents: `12990` is 129.90. Another authorized amount is the error `amount-mismatch`, and no code is shown. If absent: no amount is shown before the server's. */
  amount: WholeCents;
  /** ISO 4217, letters or digits; together with `amount` or not at all. */
  currency: Currency;
  /** The seller's name. If absent: no name is shown. */
  'merchant-name': string;
  /** The payee's name in the payer's wallet, when that differs. If absent: `merchant-name`. */
  'payee-name': string;
  /** The apps that pay your QR codes, as they are written in a sentence: `Apu, Nube`. The choice says "With Apu, Nube or your bank's app", the first step "Open Apu, Nube or your bank's app". If absent: "your payment app". */
  wallets: string;
  /** The address of the order's page at your server, such as `pay_url` of `POST /api/shop/orders`: `https:` or a path of your site. Where the element cannot run, "Pay on another page" leads there, before the content of the tag. If absent: no link. */
  'page-url': string;
  /** The address of your help, as in `https://chat.example/shop?text=Payment%20{number}`: `https:`, `mailto:`, `tel:` or a path of your site. `{number}` is replaced by the operation's number. "Need help?" leads there, in a new tab, from every screen of a payment that has begun. If absent: no link. */
  'help-url': string;
  /** The order as your server signed it (a JWS), in place of the property `request`. Its claims `amount`, `currency` and `label` are shown at once, as by the attributes of these names, and its claim `methods` leaves out the others. If absent: the property `request`. */
  order: string;
  /** Your shop's name of the order, as the payer knows it. If absent: no order is shown. */
  'order-label': string;
  /** The address to which the lender or bank sends the payer back; relative to the page. If absent: the page's own address. */
  'redirect-url': string;
  /** The address of your page that follows a payment, relative to the page: `https:`, or `http:` as your page. The main button of the receipt leads there. The element goes there by itself five seconds after the payment, unless it had ended before the page was opened. The receipt says so, with the host, and has a button to stay; any other press or key in it, as to copy, save or print, keeps the payer, too. Before it goes, it dispatches `checkout-redirect`, which your page may prevent. It never goes to the page's own address. If absent: no button. */
  'paid-url': string;
  /** The only hosts that the payer may be led to, separated by spaces; a port other than the usual one belongs to it. If absent: any host with https. */
  'redirect-hosts': string;
  /** The code of the merchant of an existing operation, of any origin; together with `merchant-operation-number`. If absent: the element starts with the choice. */
  'merchant-code': MerchantCode;
  /** The number of that operation; together with `merchant-code`. If absent: the element starts with the choice. */
  'merchant-operation-number': MerchantOperationNumber;
  /** Its transaction, if you know it. If absent: your server finds it. */
  'transaction-id': TransactionId;
  /** The level of the heading on each screen, from `1` to `6`; the question's heading is one below. Any other value counts as `2`. If absent: `2`. */
  'heading-level': HeadingLevel | `${HeadingLevel}`;
  /** The language: `es-PE`, `en`, `pt-BR`. If absent: the nearest `lang`. */
  locale: CheckoutLocale;
  /** The element's language until the page's is one that it has. If absent: the `lang` around it, or `es-PE`. */
  'fallback-locale': LocaleTag;
  /** Shows no choice of methods, because your page has one of its own and calls `start(method)`. */
  'hide-choice': boolean;
  /** Logs each step in the console, whatever its value: diagnostics.md. */
  debug: boolean;
}

/** The properties and methods of `<payment-checkout>`. */
export interface CheckoutMembers {
  /** The address of your server, as in `/api` or `https://pay.example/api`. */
  baseUrl: string | null;
  /** The address that starts a payment. */
  authorizeUrl: string | null;
  /** The address of its state; `{merchant_code}`, `{merchant_operation_number}` and `{transaction_id}` are replaced by the numbers. */
  statusUrl: string | null;
  /** The address that cancels it, with the first two numbers in braces. */
  cancelUrl: string | null;
  /** The address that says which operation of the order its payer should see, as in `/api/charges/live`: see Resuming. */
  liveUrl: string | null;
  /** The methods on offer, in order, separated by spaces, as far as the order can be paid by them: `QR`, `INSTALLMENT`, `CASHCODE`, `BANK_TRANSFER`, `CARD`, `WALLET`. */
  methods: MethodList | null;
  /** The price on your page, in whole cents: `12990` is 129.90. Another authorized amount is the error `amount-mismatch`, and no code is shown. */
  amount: WholeCents | null;
  /** ISO 4217, letters or digits; together with `amount` or not at all. */
  currency: Currency | null;
  /** The seller's name. */
  merchantName: string | null;
  /** The payee's name in the payer's wallet, when that differs. */
  payeeName: string | null;
  /** The apps that pay your QR codes, as they are written in a sentence: `Apu, Nube`. The choice says "With Apu, Nube or your bank's app", the first step "Open Apu, Nube or your bank's app". */
  wallets: string | null;
  /** The address of the order's page at your server, such as `pay_url` of `POST /api/shop/orders`: `https:` or a path of your site. Where the element cannot run, "Pay on another page" leads there, before the content of the tag. */
  pageUrl: string | null;
  /** The address of your help, as in `https://chat.example/shop?text=Payment%20{number}`: `https:`, `mailto:`, `tel:` or a path of your site. `{number}` is replaced by the operation's number. "Need help?" leads there, in a new tab, from every screen of a payment that has begun. */
  helpUrl: string | null;
  /** The order as your server signed it (a JWS), in place of the property `request`. Its claims `amount`, `currency` and `label` are shown at once, as by the attributes of these names, and its claim `methods` leaves out the others. */
  order: string | null;
  /** Your shop's name of the order, as the payer knows it. */
  orderLabel: string | null;
  /** The address to which the lender or bank sends the payer back; relative to the page. */
  redirectUrl: string | null;
  /** The address of your page that follows a payment, relative to the page: `https:`, or `http:` as your page. The main button of the receipt leads there. The element goes there by itself five seconds after the payment, unless it had ended before the page was opened. The receipt says so, with the host, and has a button to stay; any other press or key in it, as to copy, save or print, keeps the payer, too. Before it goes, it dispatches `checkout-redirect`, which your page may prevent. It never goes to the page's own address. */
  paidUrl: string | null;
  /** The only hosts that the payer may be led to, separated by spaces; a port other than the usual one belongs to it. */
  redirectHosts: string | null;
  /** The code of the merchant of an existing operation, of any origin; together with `merchant-operation-number`. */
  merchantCode: MerchantCode | null;
  /** The number of that operation; together with `merchant-code`. */
  merchantOperationNumber: MerchantOperationNumber | null;
  /** Its transaction, if you know it. */
  transactionId: TransactionId | null;
  /** The level of the heading on each screen, from `1` to `6`; the question's heading is one below. Any other value counts as `2`. */
  headingLevel: HeadingLevel | `${HeadingLevel}` | null;
  /** The language: `es-PE`, `en`, `pt-BR`. */
  locale: CheckoutLocale | null;
  /** The element's language until the page's is one that it has. */
  fallbackLocale: LocaleTag | null;
  /** Shows no choice of methods, because your page has one of its own and calls `start(method)`. */
  hideChoice: boolean;
  /** Logs each step in the console, whatever its value: diagnostics.md. */
  debug: boolean;
  /** Your own fields of the body that starts a payment, as in `{ order_id: '1001' }`; any JSON. The element adds `payment_method` and nothing else. Give a new object to change it. In the field `order` a signed order (JWS) counts by its `order_id`: signed anew, it is the same order. */
  request: object | undefined;
  /** Texts in place of ours, by key, and a language of their own: see Texts. */
  messages: Messages | undefined;
  /** The kind of the present screen, one of the words below. */
  readonly state: CheckoutState;
  /** The version of the package; `PaymentCheckout.version` has it too. */
  readonly version: string;
  /** Asks the payer whether to cancel the waiting operation; does nothing without one. */
  cancel(): void;
  /** Does the same as the button *try again* or *new code*: loads again, sends the same attempt again, or asks for a new code. */
  retry(): void;
  /** Starts a payment by this method, one of `methods`: for a choice of your own. While an operation waits, the payer is asked whether to leave it; then call it again. Before the element works, it waits. */
  start(method: OfferedMethod): void;
  /** A promise of this checkout's first `checkout-result`, however long it takes; a later correction is an event only. When the element is given another checkout, it rejects with an `AbortError`. Call it after the import. */
  whenFinal(): Promise<ResultDetail>;
  /** Moves the focus to the heading of the screen, or of the first one while the element is loading. */
  focus(options?: FocusOptions): void;
}
