// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/**
 * The settings of a `<payment-checkout>`: its attributes and properties, with addresses resolved and claims of a signed
 * order in place of absent attributes. The property `request`, which may be any value, is beside them.
 */
export interface CheckoutOptions {
    /**
     * The values of all attributes that have one, in the order of their table; an empty one counts as absent.
     */
    attributes: (string | undefined)[];
    /**
     * The methods on offer.
     */
    methods: string[];
    /**
     * The attribute of this name as a whole address, not relative to the page.
     */
    redirectUrl: string | undefined;
    /**
     * The attribute of this name as a whole address.
     */
    paidUrl: string | undefined;
    /**
     * The level of headings, from 1 to 6.
     */
    headingLevel: number;
    /**
     * True when the page has a choice of its own, so that the element shows none.
     */
    hidesChoice: boolean;
    /**
     * The host to which the receipt leads on by itself.
     */
    leadsOn: string | undefined;
    /**
     * True when the payer pressed the button to stay.
     */
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
     * The language of the texts of the page, if the element does not have it.
     */
    textsLocale: string | undefined;
    /**
     * The direction of these texts, `ltr` or `rtl`.
     */
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
