import type { PaymentMethodName } from './payment-model.js';
import type { CheckoutAttributeValues, LocaleTag } from './surface.js';

// Only the alias of a union keeps its name in an error. The second type of this one adds no text.
/**
 * A price in whole cents, as text of digits: `'12990'` is 129.90. TypeScript has no type of "any text but a wrong
 * literal", so a plain `string` is refused too. Declare the price of your order as `WholeCents` where it comes in, or
 * write `${BigInt(price)}`, which takes texts and numbers, and throws at a fraction.
 */
export type WholeCents = `${bigint}` | (`${bigint}` & { readonly length: number });

/** The words of a union that other words may join. */
type Known<Word> = Word extends string ? (string extends Word ? never : Word) : never;

/** The methods that the element can offer. */
export type OfferedMethod = Known<PaymentMethodName>;

type Orders<Word extends string, All extends string = Word> = Word extends string
  ? Word | `${Word} ${Orders<Exclude<All, Word>>}`
  : never;

/** Methods on offer, in order, separated by one space, each once. */
export type MethodList = Orders<OfferedMethod>;

type Language<Tag> = Tag extends `${infer Language}-${string}` ? Language : Tag;
type Region<Language extends string> = `${Language}-${string}`;

/**
 * A language of the element, or another form of one, as in `en-GB`. A page that has its language in a variable, and may
 * have others too, sets `lang` around the element, which takes any language.
 */
export type CheckoutLocale = LocaleTag | Language<LocaleTag> | Region<Language<LocaleTag> & string>;

/** The level of the heading, as in `<h2>`. */
export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** Attributes that may be left out, or be removed by `null`. */
type Optional<Values> = { [Name in keyof Values]?: Values[Name] | null | undefined };

type Addresses = 'base-url' | 'authorize-url' | 'status-url' | 'cancel-url';
type Price = 'amount' | 'currency';
type Operation = 'merchant-code' | 'merchant-operation-number';

/** The attributes that depend on no other one. */
export type CheckoutOptions = Optional<Omit<CheckoutAttributeValues, Addresses | Price | Operation>>;

/** The address of the merchant's server, and others where they differ. */
export type CheckoutAddresses = Pick<CheckoutAttributeValues, 'base-url'> &
  Optional<Pick<CheckoutAttributeValues, Exclude<Addresses, 'base-url'>>>;

/** All three addresses, which need no `base-url`. */
export type CheckoutOwnAddresses = Pick<CheckoutAttributeValues, Exclude<Addresses, 'base-url'>> &
  Optional<Pick<CheckoutAttributeValues, 'base-url'>>;

/** The page's price: both or neither. */
export type CheckoutPrice = { [Name in Price]: CheckoutAttributeValues[Name] | null | undefined };

/** An operation that exists: both numbers or neither. */
export type CheckoutOperation = { [Name in Operation]: CheckoutAttributeValues[Name] | null | undefined };

type Without<Pair> = { [Name in keyof Pair]?: null | undefined };

/**
 * The attributes of `<payment-checkout>`, by name: what one tag may have together. A compiler that rejects a tag explains
 * itself by the last alternative that fits, so the usual one is last.
 */
export type CheckoutAttributes = CheckoutOptions &
  (CheckoutOwnAddresses | CheckoutAddresses) &
  (CheckoutPrice | Without<CheckoutPrice>) &
  (CheckoutOperation | Without<CheckoutOperation>);
