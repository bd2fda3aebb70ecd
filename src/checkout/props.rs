use super::before_start::BeforeStart;
use super::handle::CheckoutHandle;
use super::notice::Notice;
use super::request::OrderRequest;
use crate::browser::Exchange;
use crate::browser::api_client::Addresses;
use crate::texts::Overrides;
use browser_kit::texts::Locale;
use checkout_flow::{ContinueUrl, Money, OperationRef, Settings, State};
use payment_model::PaymentMethodName;
use yew::{AttrValue, Callback, Classes, Html, Properties};

/// The settings of a [`CheckoutCard`](crate::CheckoutCard). Only `base_url` is required. Another `base_url`, address,
/// `request` or `resume` is another checkout, which begins anew and cancels nothing; every other change applies to the
/// running payment.
#[derive(Debug, Clone, PartialEq, Properties)]
pub struct CheckoutProps {
    /// The address of your server, as in `/api`. The paths of the contract are appended to it.
    ///
    /// Required; empty where all three other addresses are given.
    pub base_url: AttrValue,
    /// The address that starts a payment. Default: `{base_url}/charges`.
    #[prop_or_default]
    pub authorize_url: Option<AttrValue>,
    /// The address of its state, with the names of the numbers in braces. Default:
    /// `{base_url}/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
    #[prop_or_default]
    pub status_url: Option<AttrValue>,
    /// The address that cancels it. Default: `{base_url}/charges/{merchant_code}/{merchant_operation_number}`.
    #[prop_or_default]
    pub cancel_url: Option<AttrValue>,
    /// The address that says which operation of the order its payer should see, as in `/api/charges/live`. Default: a tab
    /// that remembers nothing begins with the choice.
    #[prop_or_default]
    pub live_url: Option<AttrValue>,
    /// Your own fields of the body that starts a payment, such as the id of the order. Default: none.
    #[prop_or_default]
    pub request: OrderRequest,
    /// The methods on offer, in this order. Default: `Qr` and `Installment`.
    #[prop_or_else(|| vec![PaymentMethodName::Qr, PaymentMethodName::Installment])]
    pub methods: Vec<PaymentMethodName>,
    /// The language. Default: that of the nearest `lang` around the checkout, which it follows. Without the feature
    /// `languages` there is only Spanish, and any other one counts as none.
    #[prop_or_default]
    pub locale: Option<Locale>,
    /// The language until the page is in one that the checkout has. Default: Spanish.
    #[prop_or_default]
    pub fallback_locale: Locale,
    /// Texts in place of ours. Default: none.
    #[prop_or_default]
    pub messages: Overrides,
    /// The language of the page, in which its texts and names are written, as a tag such as `de`. Default: that of the
    /// nearest `lang`.
    #[prop_or_default]
    pub page_language: Option<AttrValue>,
    /// The level of the screen's heading, from 1 to 6; any other counts as 2. Default: 2.
    #[prop_or(2)]
    pub heading_level: u8,
    /// The seller's name. Default: no name is shown.
    #[prop_or_default]
    pub merchant_name: Option<AttrValue>,
    /// The payee's name in the payer's wallet. Default: `merchant_name`.
    #[prop_or_default]
    pub payee_name: Option<AttrValue>,
    /// The apps that pay your QR codes, as they are written in a sentence: `Apu, Nube`. Default: "your payment app".
    #[prop_or_default]
    pub wallets: Option<AttrValue>,
    /// The address of your help (`https:`, `mailto:`, `tel:` or a path), with `{number}` in the place of the operation's
    /// number. Default: no link.
    #[prop_or_default]
    pub help_url: Option<AttrValue>,
    /// Your shop's name of the order, as the payer knows it. Default: no order is shown.
    #[prop_or_default]
    pub order_label: Option<AttrValue>,
    /// The address to which a lender sends the payer back, relative to the page. Default: the address of the page.
    #[prop_or_default]
    pub redirect_url: Option<AttrValue>,
    /// The address of the page that follows a payment: the main button of the receipt leads there. Default: no button.
    #[prop_or_default]
    pub paid_url: Option<AttrValue>,
    /// The hosts that a continue URL may lead to. Default: any with https.
    #[prop_or_default]
    pub redirect_hosts: Vec<String>,
    /// An operation that exists already, of any origin. Default: the checkout starts with the choice.
    #[prop_or_default]
    pub resume: Option<OperationRef>,
    /// The price on your page, in whole cents. Another authorized amount is an error, and no code is shown. Default: no
    /// amount is shown before your server names it.
    #[prop_or_default]
    pub price: Option<Money>,
    /// Is asked before each new attempt, never before a repetition of one: your page may make the order then. Properties
    /// that change until the answer belong to this attempt. Default: attempts begin at once.
    #[prop_or_default]
    pub on_start: Option<Callback<PaymentMethodName, BeforeStart>>,
    /// True when your page shows a choice of methods of its own, and starts a payment by
    /// [`CheckoutHandle::start`](crate::CheckoutHandle::start). Default: false.
    #[prop_or_default]
    pub hide_choice: bool,
    /// Receives what happens. Default: nothing does.
    #[prop_or_default]
    pub on_notice: Callback<Notice>,
    /// Is asked before the payer is led to another site; `false` keeps them here, with a link on the screen. Default:
    /// `true`.
    #[prop_or_else(|| Callback::from(|_| true))]
    pub on_redirect: Callback<ContinueUrl, bool>,
    /// Receives the kind of the screen whenever it changes. Default: nothing does.
    #[prop_or_default]
    pub on_state: Callback<State>,
    /// Receives each request to your server with its answer, for the developer of a page. Default: nothing does.
    #[prop_or_default]
    pub on_exchange: Callback<Exchange>,
    /// What your page can do with the checkout. Default: a handle that your page does not have.
    #[prop_or_default]
    pub handle: CheckoutHandle,
    /// Content of your page for the slots of the checkout, as in `<p slot="paid">`. Content without a
    /// slot is never seen. Default: none.
    #[prop_or_default]
    pub children: Html,
    /// The classes of the element around the checkout. Default: none.
    #[prop_or_default]
    pub class: Classes,
    /// The host to which the page leads on from the receipt by itself. The page hears the press that ends that.
    #[doc(hidden)]
    #[prop_or_default]
    pub leads_on: Option<AttrValue>,
    /// True when the payer ended that.
    #[doc(hidden)]
    #[prop_or_default]
    pub stays: bool,
    /// True when the page answers a press on the part `share-button`.
    #[doc(hidden)]
    #[prop_or_default]
    pub shares: bool,
}

impl CheckoutProps {
    pub(crate) fn locale(&self) -> Locale {
        self.locale.unwrap_or(self.fallback_locale)
    }

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
            asks_page: self.on_start.is_some(),
            hides_choice: self.hide_choice,
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
        // An order may be in only one of these.
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
        } else if self.request.to_json().is_err() {
            Some("the request is not an object that can be written as JSON")
        } else if !self.price.as_ref().is_none_or(priced) {
            Some("the amount is not in whole cents")
        } else {
            None
        }
    }
}
