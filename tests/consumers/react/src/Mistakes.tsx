// Mistakes of a page, each of which its types refuse, beside what they take.

import type { CheckoutLocale, MethodList, WholeCents } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';

// A tag knows where to ask: by `base-url`, or by all three addresses.

export const base = <payment-checkout base-url="/api" />;
export const own = <payment-checkout authorize-url="/start" status-url="/state" cancel-url="/cancel" />;
export const both = <payment-checkout base-url="/api" status-url="/state" />;

// @ts-expect-error no address at all
export const none = <payment-checkout merchant-name="Your shop" />;

// @ts-expect-error two of three addresses
export const two = <payment-checkout authorize-url="/start" status-url="/state" />;

// @ts-expect-error an address that is not there yet
export const laterAddress = (address: string | undefined) => <payment-checkout base-url={address} />;

// @ts-expect-error the staff's element has no other address
export const staffAddress = <payment-operations locale="en" />;

// A price is whole cents as text, and has its currency.

export const rightPrice = <payment-checkout base-url="/api" amount="12990" currency="PEN" />;
export const order = ({ amount, currency }: { amount: WholeCents; currency: string }) => (
  <payment-checkout base-url="/api" amount={amount} currency={currency} />
);
export const laterPrice = (order: { amount: WholeCents; currency: string } | undefined) => (
  <payment-checkout base-url="/api" amount={order?.amount} currency={order?.currency} />
);
// These throw at a fraction.
export const priceOfText = (price: string) => <payment-checkout base-url="/api" amount={`${BigInt(price)}`} currency="PEN" />;
export const priceOfNumber = (price: number) => <payment-checkout base-url="/api" amount={`${BigInt(price)}`} currency="PEN" />;

// @ts-expect-error a price with a fraction
export const fraction = <payment-checkout base-url="/api" amount="129.90" currency="PEN" />;

// @ts-expect-error a price with its currency's sign
export const sign = <payment-checkout base-url="/api" amount="S/ 12990" currency="PEN" />;

// @ts-expect-error a number, which may have a fraction
export const float = <payment-checkout base-url="/api" amount={12990} currency="PEN" />;

// @ts-expect-error a text that nobody looked at
export const unseenPrice = (price: string) => <payment-checkout base-url="/api" amount={price} currency="PEN" />;

// @ts-expect-error the same, written by a number that may have a fraction
export const madePrice = (price: number) => <payment-checkout base-url="/api" amount={`${price}`} currency="PEN" />;

// @ts-expect-error a price without its currency
export const bare = <payment-checkout base-url="/api" amount="12990" />;

// @ts-expect-error a currency without a price
export const currency = <payment-checkout base-url="/api" currency="PEN" />;

// Methods, languages and levels are known words.

export const rightWords = <payment-checkout base-url="/api" methods="QR BANK_TRANSFER CARD" locale="en-GB" heading-level={3} debug />;
export const six = <payment-checkout base-url="/api" methods="WALLET CARD BANK_TRANSFER CASHCODE INSTALLMENT QR" />;
export const variables = (methods: MethodList, locale: CheckoutLocale) => (
  <payment-checkout base-url="/api" methods={methods} locale={locale} heading-level="3" />
);
export const madeWords = (first: 'QR' | 'CARD') => <payment-checkout base-url="/api" methods={`${first} WALLET`} />;

// @ts-expect-error words are separated by spaces
export const comma = <payment-checkout base-url="/api" methods="QR,INSTALLMENT" />;

// @ts-expect-error a misspelled method
export const misspelled = <payment-checkout base-url="/api" methods="QR INSTALMENT" />;

// @ts-expect-error a method in small letters
export const small = <payment-checkout base-url="/api" methods="qr" />;

// @ts-expect-error a method twice
export const twice = <payment-checkout base-url="/api" methods="QR CARD QR" />;

// @ts-expect-error a language that there is not
export const language = <payment-checkout base-url="/api" locale="fr" />;

// @ts-expect-error a language by its name
export const named = <payment-checkout base-url="/api" locale="english" />;

// @ts-expect-error a language that nobody looked at: `lang` takes it
export const unseenLanguage = (language: string) => <payment-checkout base-url="/api" locale={language} />;

// @ts-expect-error a level that there is not
export const level = <payment-checkout base-url="/api" heading-level="7" />;

// @ts-expect-error a word for a boolean
export const debug = <payment-checkout base-url="/api" debug="yes" />;

// @ts-expect-error an action that the staff have not
export const staffWords = <payment-operations base-url="/api/staff" permissions="refunds" />;

// JSX lets any attribute with a hyphen pass, and the console tells those. Of others each has to be there.

export const rightNames = <payment-checkout base-url="/api" messages={{ 'choose.heading': 'Pay' }} request={{ id: 1 }} />;

// @ts-expect-error an attribute that there is not
export const attribute = <payment-checkout base-url="/api" metods="QR" />;

// @ts-expect-error the name of a property, which is no attribute
export const property = <payment-checkout base-url="/api" orderLabel="1001" />;

// @ts-expect-error a text that there is not
export const unknownText = <payment-checkout base-url="/api" messages={{ 'choose.headline': 'Pay' }} />;

// @ts-expect-error the request is an object
export const request = <payment-checkout base-url="/api" request="1001" />;

// An operation that exists has two numbers.

export const rightOperation = <payment-checkout base-url="/api" merchant-code="100000001" merchant-operation-number="0042" />;

// @ts-expect-error a merchant without a number
export const merchantAlone = <payment-checkout base-url="/api" merchant-code="100000001" />;

// @ts-expect-error a number without a merchant
export const numberAlone = <payment-checkout base-url="/api" merchant-operation-number="0042" />;

// Each event has its own detail.

export const rightEvents = (
  <payment-checkout
    base-url="/api"
    oncheckout-result={({ detail }) => detail.outcome === 'paid'}
    oncheckout-error={({ detail }) => detail.code === 'network' && detail.status === 502}
    oncheckout-state={({ detail }) => detail.previous === 'choosing'}
    oncheckout-action={({ detail }) => detail.action === 'code-saved' && detail.method === 'QR'}
    oncheckout-redirect={(event) => event.preventDefault()}
  />
);

// @ts-expect-error an error has no outcome
export const error = <payment-checkout base-url="/api" oncheckout-error={({ detail }) => detail.outcome} />;

// @ts-expect-error an outcome that there is not
export const outcome = <payment-checkout base-url="/api" oncheckout-result={({ detail }) => detail.outcome === 'done'} />;

// @ts-expect-error a code that there is not
export const code = <payment-checkout base-url="/api" oncheckout-error={({ detail }) => detail.code === 'timeout'} />;

// @ts-expect-error a state that there is not
export const state = <payment-checkout base-url="/api" oncheckout-state={({ detail }) => detail.state === 'waiting'} />;

// @ts-expect-error an action that there is not
export const action = <payment-checkout base-url="/api" oncheckout-action={({ detail }) => detail.action === 'closed'} />;

// @ts-expect-error a ready element tells nothing
export const ready = <payment-checkout base-url="/api" oncheckout-ready={({ detail }) => detail.state} />;

// @ts-expect-error a call in place of a listener
export const called = <payment-checkout base-url="/api" oncheckout-result={console.log('paid')} />;
