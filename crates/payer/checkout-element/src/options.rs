//! The attributes and properties of the element, as properties of the component.

use crate::events;
use crate::host::Host;
use browser_kit::json;
use element_surface::attributes::Attributes;
use js_sys::Reflect;
use payment_checkout::{
    Amount, CheckoutHandle, CheckoutProps, CheckoutState, Currency, Exchange, Locale, MerchantCode,
    MerchantOperationNumber, Money, Notice, OperationRef, OrderRequest, Overrides,
    PaymentMethodName, TransactionId,
};
use serde::Deserialize;
use wasm_bindgen::JsValue;
use yew::{AttrValue, Callback, Classes, Html};

/// What the element's script knows besides the attributes, but for `request`, which may be any value.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Options {
    /// The attribute of this name as an address of its own, not relative to the page.
    redirect_url: Option<String>,
    /// The address of the page that follows a payment.
    paid_url: Option<String>,
    /// The host to which the receipt leads on by itself, and whether the payer ended that.
    leads_on: Option<String>,
    stays: bool,
    /// The methods on offer.
    methods: Vec<String>,
    /// The language of the element, as a tag.
    locale: String,
    /// The language of the page, as a tag.
    page_language: Option<String>,
    /// Texts of a language that came as a file, in the order of all texts.
    texts: Vec<Option<String>>,
    /// Texts of the page in the same order, which replace those of the language.
    overrides: Vec<Option<String>>,
    /// The language of the texts of the page, if they are in one that the element does not have.
    texts_locale: Option<String>,
    texts_direction: Option<String>,
    /// The identity of the order: the property `request` as JSON, with its id in place of a signed order.
    order_identity: Option<String>,
    /// True when the browser can share pictures.
    shares: bool,
}

/// The properties of the component for the options of an element.
pub(crate) fn props(options: &JsValue, host: &Host, handle: &CheckoutHandle) -> CheckoutProps {
    let request = Reflect::get(options, &"request".into()).unwrap_or_default();
    let options: Option<Options> = json::read(options.clone());
    debug_assert!(
        options.is_some(),
        "the element's script passes other options"
    );
    let options = options.unwrap_or_default();
    // An empty attribute counts as absent.
    let own = Attributes::read(|name| host.attribute(name).filter(|text| !text.is_empty()));
    let text = |value: Option<String>| value.map(AttrValue::from);
    let words = |list: &str| list.split_whitespace().map(str::to_owned).collect();
    let price = own.amount.zip(own.currency);
    let operation = own.merchant_code.zip(own.merchant_operation_number);
    let transaction = own.transaction_id;
    let mut messages = Overrides::in_order(options.texts, options.overrides);
    if let Some(locale) = options.texts_locale {
        messages = messages.in_locale(locale);
    }
    if let Some(direction) = options.texts_direction {
        messages = messages.in_direction(direction);
    }
    let (notices, redirects, states) = (host.clone(), host.clone(), host.clone());
    let (exchanges, starts) = (host.clone(), host.clone());
    CheckoutProps {
        base_url: text(own.base_url).unwrap_or_default(),
        authorize_url: text(own.authorize_url),
        status_url: text(own.status_url),
        cancel_url: text(own.cancel_url),
        live_url: text(own.live_url),
        request: OrderRequest::named(&request, text(options.order_identity)),
        methods: options
            .methods
            .iter()
            .map(|name| PaymentMethodName::from(name.as_str()))
            .collect(),
        locale: Some(Locale::of_tag(&options.locale)),
        fallback_locale: Locale::default(),
        heading_level: heading_level(own.heading_level.as_deref()),
        page_language: text(options.page_language),
        messages,
        merchant_name: text(own.merchant_name),
        payee_name: text(own.payee_name),
        wallets: text(own.wallets),
        help_url: text(own.help_url),
        order_label: text(own.order_label),
        shares: options.shares,
        redirect_url: text(options.redirect_url),
        paid_url: text(options.paid_url),
        leads_on: text(options.leads_on),
        stays: options.stays,
        redirect_hosts: own.redirect_hosts.as_deref().map(words).unwrap_or_default(),
        resume: operation.map(|(code, number)| OperationRef {
            merchant_code: MerchantCode::new(code),
            merchant_operation_number: MerchantOperationNumber::new(number),
            transaction_id: transaction.map(TransactionId::new),
        }),
        price: price.map(|(amount, currency)| Money {
            amount: Amount::new(amount),
            currency: Currency::new(currency),
        }),
        on_start: Some(Callback::from(move |method: PaymentMethodName| {
            events::ask_to_start(&starts, &method)
        })),
        hide_choice: host.attribute("hide-choice").is_some(),
        handle: handle.clone(),
        children: Html::default(),
        class: Classes::new(),
        on_exchange: Callback::from(move |exchange: Exchange| {
            events::exchanged(&exchanges, exchange);
        }),
        on_notice: Callback::from(move |notice: Notice| {
            events::dispatch_notice(&notices, &notice);
        }),
        on_redirect: Callback::from(move |url| events::ask_to_leave(&redirects, &url)),
        on_state: Callback::from(move |state: CheckoutState| states.show_state(state.as_str())),
    }
}

/// One digit from 1 to 6; 2 for anything else.
fn heading_level(text: Option<&str>) -> u8 {
    match text.map(str::as_bytes) {
        Some([digit @ b'1'..=b'6']) => digit - b'0',
        _ => 2,
    }
}
