//! What the script of `<payment-checkout>` passes to its wasm, once for each change of the page. `cargo xtask print` writes
//! the TypeScript type by which the script makes it, so a field that only one side knows does not compile.

use serde::Deserialize;

/// The settings of a `<payment-checkout>`: its attributes and properties, with addresses resolved and claims of a signed
/// order in place of absent attributes. The property `request`, which may be any value, is beside them.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct CheckoutOptions {
    /// The values of all attributes that have one, in the order of their table; an empty one counts as absent.
    pub attributes: Vec<Option<String>>,
    /// The methods on offer.
    pub methods: Vec<String>,
    /// The attribute of this name as a whole address, not relative to the page.
    pub redirect_url: Option<String>,
    /// The attribute of this name as a whole address.
    pub paid_url: Option<String>,
    /// The level of headings, from 1 to 6.
    pub heading_level: u8,
    /// True when the page has a choice of its own, so that the element shows none.
    pub hides_choice: bool,
    /// The host to which the receipt leads on by itself.
    pub leads_on: Option<String>,
    /// True when the payer pressed the button to stay.
    pub stays: bool,
    /// The language of the element, as a tag.
    pub locale: String,
    /// The language of the page, as a tag.
    pub page_language: Option<String>,
    /// Texts of a language that came as a file, in the order of all texts.
    pub texts: Vec<Option<String>>,
    /// Texts of the page in the same order, which replace those of the language.
    pub overrides: Vec<Option<String>>,
    /// The language of the texts of the page, if the element does not have it.
    pub texts_locale: Option<String>,
    /// The direction of these texts, `ltr` or `rtl`.
    pub texts_direction: Option<String>,
    /// The identity of the order: `request` as JSON, with its id in place of a signed order.
    pub order_identity: Option<String>,
    /// True when the browser can share pictures.
    pub shares: bool,
}
