//! What the script of `<payment-checkout>` passes to its wasm, once for each change of the page. `cargo xtask print` writes
//! the TypeScript type by which the script makes it, so a field that only one side knows does not compile.

use serde::Deserialize;

/// The settings of a `<payment-checkout>`: its attributes and properties, with addresses resolved and claims of a signed
/// order in place of absent attributes. The property `request`, which may be any value, is beside them.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the tables of attributes say what theirs are")]
pub struct CheckoutOptions {
    pub base_url: Option<String>,
    pub authorize_url: Option<String>,
    pub status_url: Option<String>,
    pub cancel_url: Option<String>,
    pub live_url: Option<String>,
    /// The methods on offer.
    pub methods: Vec<String>,
    pub amount: Option<String>,
    pub currency: Option<String>,
    pub merchant_name: Option<String>,
    pub payee_name: Option<String>,
    pub wallets: Option<String>,
    pub help_url: Option<String>,
    pub order_label: Option<String>,
    /// Whole addresses, not relative to the page.
    pub redirect_url: Option<String>,
    pub paid_url: Option<String>,
    /// Hosts, separated by spaces.
    pub redirect_hosts: Option<String>,
    pub merchant_code: Option<String>,
    pub merchant_operation_number: Option<String>,
    pub transaction_id: Option<String>,
    pub heading_level: u8,
    pub hides_choice: bool,
    /// The host to which the receipt leads on by itself, and whether the payer ended that.
    pub leads_on: Option<String>,
    pub stays: bool,
    /// The language of the element, as a tag.
    pub locale: String,
    /// The language of the page, as a tag.
    pub page_language: Option<String>,
    /// Texts of a language that came as a file, in the order of all texts.
    pub texts: Vec<Option<String>>,
    /// Texts of the page in the same order, which replace those of the language.
    pub overrides: Vec<Option<String>>,
    /// The language of the texts of the page, if the element does not have it, and its direction.
    pub texts_locale: Option<String>,
    pub texts_direction: Option<String>,
    /// The identity of the order: `request` as JSON, with its id in place of a signed order.
    pub order_identity: Option<String>,
    /// True when the browser can share pictures.
    pub shares: bool,
}
