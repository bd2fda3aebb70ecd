use super::notice::Notice;
use super::request::Request;
use crate::browser::Exchange;
use crate::browser::api_client::Addresses;
use crate::texts::Overrides;
use browser_kit::texts::Locale;
use checkout_flow::{ContinueUrl, Money, OperationRef, Settings, State};
use payment_model::PaymentMethodName;
use yew::{AttrValue, Callback, Properties};

/// The settings that a page gives to a checkout.
#[derive(Debug, Clone, PartialEq, Properties)]
pub struct CheckoutProps {
    /// The address of the merchant's server. The paths of the contract are appended to it.
    pub base_url: AttrValue,
    /// The address to authorize at, if not `{base_url}/charges`.
    #[prop_or_default]
    pub authorize_url: Option<AttrValue>,
    /// The address to ask for the state, with the names of the numbers in braces as in
    /// `{base_url}/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
    #[prop_or_default]
    pub status_url: Option<AttrValue>,
    /// The address to cancel at, with the names of the numbers in braces.
    #[prop_or_default]
    pub cancel_url: Option<AttrValue>,
    /// The address that tells which operation of the order its payer should see. Without it a tab that
    /// remembers nothing begins with the choice.
    #[prop_or_default]
    pub live_url: Option<AttrValue>,
    /// The merchant's own fields of the authorize body.
    #[prop_or_default]
    pub request: Request,
    /// The methods on offer, in this order.
    #[prop_or_else(|| vec![PaymentMethodName::Qr, PaymentMethodName::Installment])]
    pub methods: Vec<PaymentMethodName>,
    /// The language.
    #[prop_or_default]
    pub locale: Locale,
    /// Texts in place of ours.
    #[prop_or_default]
    pub messages: Overrides,
    /// The language of the page, in which its texts and names are written, as a tag such as `de`.
    #[prop_or_default]
    pub page_language: Option<AttrValue>,
    /// The level of the screen's heading, from 1 to 6; any other counts as 2.
    #[prop_or(2)]
    pub heading_level: u8,
    /// The name of the merchant.
    #[prop_or_default]
    pub merchant_name: Option<AttrValue>,
    /// The name that the payer's wallet will show, when it differs.
    #[prop_or_default]
    pub payee_name: Option<AttrValue>,
    /// The apps that pay the merchant's QR codes, as they stand in a sentence: `Apu, Nube`.
    #[prop_or_default]
    pub wallets: Option<AttrValue>,
    /// The address of the merchant's help (`https:`, `mailto:`, `tel:` or a path), with `{number}` in the place of
    /// the operation's number.
    #[prop_or_default]
    pub help_url: Option<AttrValue>,
    /// The merchant's name for the order, as the payer knows it.
    #[prop_or_default]
    pub order_label: Option<AttrValue>,
    /// The address that a lender sends the payer back to. The default is this page's address.
    #[prop_or_default]
    pub redirect_url: Option<AttrValue>,
    /// The hosts that a continue URL may lead to; empty for any.
    #[prop_or_default]
    pub redirect_hosts: Vec<String>,
    /// An operation that exists already. Any system may have created it.
    #[prop_or_default]
    pub resume: Option<OperationRef>,
    /// The page's price. Another authorized amount is a blocking error.
    #[prop_or_default]
    pub price: Option<Money>,
    /// True when the page answers a press on the part `share-button`. Otherwise the button is left
    /// out.
    #[prop_or_default]
    pub shares: bool,
    /// Receives each request with its answer.
    #[prop_or_default]
    pub on_exchange: Callback<Exchange>,
    /// Receives what happens.
    #[prop_or_default]
    pub on_notice: Callback<Notice>,
    /// Is asked before the payer is led to another site; `false` keeps them here.
    #[prop_or_else(|| Callback::from(|_| true))]
    pub on_redirect: Callback<ContinueUrl, bool>,
    /// Receives the kind of the screen whenever it changes.
    #[prop_or_default]
    pub on_state: Callback<State>,
}

impl CheckoutProps {
    pub(crate) fn addresses(&self) -> Addresses {
        let (authorize, status, cancel) = (&self.authorize_url, &self.status_url, &self.cancel_url);
        Addresses::under(
            &self.base_url,
            authorize.as_deref(),
            status.as_deref(),
            cancel.as_deref(),
        )
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            methods: self.methods.clone(),
            hosts: self.redirect_hosts.clone(),
            price: self.price.clone(),
        }
    }

    /// Returns a text that differs between the checkouts of a tab.
    pub(crate) fn identity(&self) -> String {
        let request = self.request.identity();
        let (code, number) = self.resume.as_ref().map_or(("", ""), |resume| {
            (
                resume.merchant_code.as_str(),
                resume.merchant_operation_number.as_str(),
            )
        });
        let mut parts = vec![self.base_url.as_str(), request, code, number];
        // An order may stand in one of these alone.
        for (name, url) in [
            ("authorize", &self.authorize_url),
            ("status", &self.status_url),
            ("cancel", &self.cancel_url),
        ] {
            parts.extend(url.as_deref().into_iter().flat_map(|url| [name, url]));
        }
        parts.join("\n")
    }

    /// True when a flow that was started for `before` cannot serve these properties.
    pub(crate) fn is_another_checkout(&self, before: &Self) -> bool {
        self.identity() != before.identity()
            || self.resume != before.resume
            || self.mistake() != before.mistake()
    }

    /// The first mistake that lets no payment begin, in words.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        let all =
            self.authorize_url.is_some() && self.status_url.is_some() && self.cancel_url.is_some();
        let priced = |price: &Money| price.amount.cents().is_some();
        if !all && self.base_url.is_empty() {
            Some("no address of the server is given")
        } else if self.methods.is_empty() && self.resume.is_none() {
            Some("no known method is offered")
        } else if self.request.to_json().is_err() {
            Some("the request is not an object that can be written as JSON")
        } else if !self.price.as_ref().is_none_or(priced) {
            Some("the amount is not in whole cents")
        } else {
            None
        }
    }
}
