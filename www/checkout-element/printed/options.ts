// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/**
 * The settings of a `<payment-checkout>`: its attributes and properties, with addresses resolved and claims of a signed
 * order in place of absent attributes. The property `request`, which may be any value, is beside them.
 */
export interface CheckoutOptions {
    baseUrl: string | undefined;
    authorizeUrl: string | undefined;
    statusUrl: string | undefined;
    cancelUrl: string | undefined;
    liveUrl: string | undefined;
    /**
     * The methods on offer.
     */
    methods: string[];
    amount: string | undefined;
    currency: string | undefined;
    merchantName: string | undefined;
    payeeName: string | undefined;
    wallets: string | undefined;
    helpUrl: string | undefined;
    orderLabel: string | undefined;
    /**
     * Whole addresses, not relative to the page.
     */
    redirectUrl: string | undefined;
    paidUrl: string | undefined;
    /**
     * Hosts, separated by spaces.
     */
    redirectHosts: string | undefined;
    merchantCode: string | undefined;
    merchantOperationNumber: string | undefined;
    transactionId: string | undefined;
    headingLevel: number;
    hidesChoice: boolean;
    /**
     * The host to which the receipt leads on by itself, and whether the payer ended that.
     */
    leadsOn: string | undefined;
    stays: boolean;
    /**
     * The language of the element, as a tag.
     */
    locale: string;
    /**
     * The language of the page, as a tag.
     */
    pageLanguage: string | undefined;
    /**
     * Texts of a language that came as a file, in the order of all texts.
     */
    texts: (string | undefined)[];
    /**
     * Texts of the page in the same order, which replace those of the language.
     */
    overrides: (string | undefined)[];
    /**
     * The language of the texts of the page, if the element does not have it, and its direction.
     */
    textsLocale: string | undefined;
    textsDirection: string | undefined;
    /**
     * The identity of the order: `request` as JSON, with its id in place of a signed order.
     */
    orderIdentity: string | undefined;
    /**
     * True when the browser can share pictures.
     */
    shares: boolean;
}
