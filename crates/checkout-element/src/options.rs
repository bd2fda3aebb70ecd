//! The attributes and properties of the element, as properties of the component.

use crate::events;
use crate::host::Host;
use checkout_flow::{Money, OperationRef};
use js_sys::{Array, Reflect};
use payment_checkout::{CheckoutProps, Given, Locale, Overrides, Request};
use payment_model::{
    Amount, Currency, MerchantCode, MerchantOperationNumber, PaymentMethodName, TransactionId,
};
use wasm_bindgen::{JsCast, JsValue};
use yew::{AttrValue, Callback};

/// The object in which the element's JavaScript lays down its attributes and properties.
pub(crate) struct Options<'a>(pub(crate) &'a JsValue);

impl Options<'_> {
    fn value(&self, name: &str) -> JsValue {
        Reflect::get(self.0, &name.into()).unwrap_or_default()
    }

    fn text(&self, name: &str) -> Option<String> {
        self.value(name).as_string()
    }

    fn attribute(&self, name: &str) -> Option<AttrValue> {
        self.text(name).map(AttrValue::from)
    }

    fn list(&self, name: &str) -> impl Iterator<Item = String> + use<> {
        let list: Array = self.value(name).unchecked_into();
        list.into_iter().filter_map(|entry| entry.as_string())
    }

    /// One digit from 1 to 6; 2 for anything else.
    fn heading_level(&self) -> u8 {
        match self.text("headingLevel").as_deref().map(str::as_bytes) {
            Some([digit @ b'1'..=b'6']) => digit - b'0',
            _ => 2,
        }
    }

    pub(crate) fn props(&self, host: &Host) -> CheckoutProps {
        let number = self.text("merchantOperationNumber");
        let resume = self.text("merchantCode").zip(number);
        let price = self.text("amount").zip(self.text("currency"));
        let (notices, redirects, states) = (host.clone(), host.clone(), host.clone());
        let (exchanges, ends) = (host.clone(), host.clone());
        CheckoutProps {
            base_url: self.attribute("baseUrl").unwrap_or_default(),
            authorize_url: self.attribute("authorizeUrl"),
            status_url: self.attribute("statusUrl"),
            cancel_url: self.attribute("cancelUrl"),
            live_url: self.attribute("liveUrl"),
            request: Request::named(&self.value("request"), self.attribute("named")),
            methods: self
                .list("offers")
                .map(|name| PaymentMethodName::from(name.as_str()))
                .collect(),
            locale: Locale::of_tag(&self.text("locale").unwrap_or_default()),
            heading_level: self.heading_level(),
            page_language: self.attribute("pageLanguage"),
            messages: read_texts(&self.value("texts")),
            merchant_name: self.attribute("merchantName"),
            payee_name: self.attribute("payeeName"),
            wallets: self.attribute("wallets"),
            help_url: self.attribute("helpUrl"),
            order_label: self.attribute("orderLabel"),
            shares: self.value("shares").is_truthy(),
            redirect_url: self.attribute("redirectUrl"),
            redirect_hosts: self.list("hosts").collect(),
            resume: resume.map(|(code, number)| OperationRef {
                merchant_code: MerchantCode::new(code),
                merchant_operation_number: MerchantOperationNumber::new(number),
                transaction_id: self.text("transactionId").map(TransactionId::new),
            }),
            price: price.map(|(amount, currency)| Money {
                amount: Amount::new(amount),
                currency: Currency::new(currency),
            }),
            ended: self.attribute("ended"),
            on_ended: Callback::from(move |ended: AttrValue| ends.keep(&ended)),
            on_exchange: Callback::from(move |exchange| events::exchanged(&exchanges, exchange)),
            on_notice: Callback::from(move |notice| events::tell(&notices, &notice)),
            on_redirect: Callback::from(move |url| events::ask_to_leave(&redirects, &url)),
            on_state: Callback::from(move |state| states.show_state(state)),
        }
    }
}

/// The texts in place of ours, in the order of all texts: a text of a language, a list with one text of the page,
/// or nothing. The element's JavaScript makes the list.
fn read_texts(texts: &JsValue) -> Overrides {
    let Some(texts) = texts.dyn_ref::<Array>() else {
        return Overrides::default();
    };
    let given = |entry: JsValue| {
        let list = entry.dyn_ref::<Array>();
        let wording = list.map(|list| list.get(0)).unwrap_or(entry.clone());
        Some(Given {
            wording: wording.as_string()?.into(),
            of_page: list.is_some(),
        })
    };
    Overrides::in_order(texts.iter().map(given).collect())
}
