import type { Currency, MerchantCode, MerchantOperationNumber, PaymentMethodName, TransactionId } from './payment-model.js';

/**
 * A price in whole cents, as text of digits: `'12990'` is 129.90. TypeScript has no type of "any text but a wrong
 * literal", so a plain `string` is refused too. Declare the price of your order as `WholeCents` where it comes in, or
 * write `${BigInt(price)}`, which takes texts and numbers, and throws at a fraction.
 */
export type WholeCents = `${bigint}`;

/** The words of a union that other words may join. */
type Known<Word> = Word extends string ? (string extends Word ? never : Word) : never;

/** The methods that the element can offer. */
export type OfferedMethod = Known<PaymentMethodName>;

type Orders<Word extends string, All extends string = Word> = Word extends string
  ? Word | `${Word} ${Orders<Exclude<All, Word>>}`
  : never;

/** Methods on offer, in order, separated by one space, each once. */
export type MethodList = Orders<OfferedMethod>;

type Region<Language extends string> = `${Language}-${string}`;

/**
 * A language of the element, or another form of one, as in `en-GB`. A page that has its language in a variable, and may
 * have others too, sets `lang` around the element, which takes any language.
 */
export type CheckoutLocale = 'es-PE' | 'en' | 'pt-BR' | 'es' | 'pt' | Region<'es' | 'en' | 'pt'>;

/** The level of the heading, as in `<h2>`. */
export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** The attributes of `<payment-checkout>` that stand by themselves. */
export interface CheckoutOptions {
  /** Methods on offer, in order, separated by spaces; `QR INSTALLMENT` if absent. */
  methods?: MethodList | null | undefined;
  /** The name of the merchant. */
  'merchant-name'?: string | null | undefined;
  /** The name that the payer's wallet shows, when it differs. */
  'payee-name'?: string | null | undefined;
  /** The apps that pay the QR code, as they stand in a sentence: `Apu, Nube`. */
  wallets?: string | null | undefined;
  /** The address of the merchant's help; `{number}` stands for the operation's number. */
  'help-url'?: string | null | undefined;
  /** The address of the order's page at the merchant's server, which pays without the wasm. */
  'page-url'?: string | null | undefined;
  /** The shop's name for the order, as the payer knows it. */
  'order-label'?: string | null | undefined;
  /** The address to which the lender returns the payer; the page itself if absent. */
  'redirect-url'?: string | null | undefined;
  /** The only hosts that the payer may be led to, separated by spaces. */
  'redirect-hosts'?: string | null | undefined;
  /** The address that tells which operation of the order its payer should see; nobody is asked if absent. */
  'live-url'?: string | null | undefined;
  /** The transaction of the operation to show, where it is known. */
  'transaction-id'?: TransactionId | null | undefined;
  /** `es-PE`, `en` or `pt-BR`; the nearest `lang` if absent. */
  locale?: CheckoutLocale | null | undefined;
  /** The level of the heading, from 1 to 6; 2 if absent. */
  'heading-level'?: HeadingLevel | `${HeadingLevel}` | null | undefined;
  /** Tells the steps of the flow in the console. */
  debug?: boolean | null | undefined;
}

/** The addresses of the merchant's server. */
export interface CheckoutAddresses {
  /** The address of the merchant's server, as in `/api`. */
  'base-url': string;
  /** The address to authorize at, if not `{base-url}/charges`. */
  'authorize-url'?: string | null | undefined;
  /** The address to ask for the state, with the names of the numbers in braces. */
  'status-url'?: string | null | undefined;
  /** The address to cancel at, with the names of the numbers in braces. */
  'cancel-url'?: string | null | undefined;
}

/** All three addresses by themselves, which need no `base-url`. */
export interface CheckoutOwnAddresses {
  'base-url'?: string | null | undefined;
  /** The address to authorize at. */
  'authorize-url': string;
  /** The address to ask for the state, with the names of the numbers in braces. */
  'status-url': string;
  /** The address to cancel at, with the names of the numbers in braces. */
  'cancel-url': string;
}

/** The page's price: both or neither. */
export interface CheckoutPrice {
  /** The page's price, in whole cents; together with `currency`. */
  amount: WholeCents | null | undefined;
  /** ISO 4217; together with `amount`. */
  currency: Currency | null | undefined;
}

/** An operation that exists: both numbers or neither. */
export interface CheckoutOperation {
  /** With `merchant-operation-number`: shows an operation that exists. */
  'merchant-code': MerchantCode | null | undefined;
  /** With `merchant-code`: shows an operation that exists. */
  'merchant-operation-number': MerchantOperationNumber | null | undefined;
}

type Without<Pair> = { [Name in keyof Pair]?: null | undefined };

/**
 * The attributes of `<payment-checkout>`, by name: what one tag may have together. A compiler that rejects a tag explains
 * itself by the last alternative that fits, so the usual one is last.
 */
export type CheckoutAttributes = CheckoutOptions &
  (CheckoutOwnAddresses | CheckoutAddresses) &
  (CheckoutPrice | Without<CheckoutPrice>) &
  (CheckoutOperation | Without<CheckoutOperation>);
