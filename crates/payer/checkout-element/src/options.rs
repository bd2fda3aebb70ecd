//! The attributes and properties of the element, as properties of the component.

use crate::events;
use crate::host::Host;
use browser_kit::json;
use element_surface::attributes::Name;
use element_surface::options::CheckoutOptions;
use js_sys::Reflect;
use payment_checkout::{
    Amount, CheckoutHandle, CheckoutProps, CheckoutState, Currency, Exchange, Locale, MerchantCode,
    MerchantOperationNumber, Money, Notice, OperationRef, OrderRequest, Overrides,
    PaymentMethodName, TransactionId,
};
use wasm_bindgen::{JsValue, UnwrapThrowExt};
use yew::{AttrValue, Callback, Classes, Html};

/// The properties of the component for the options of an element.
pub(crate) fn props(options: &JsValue, host: &Host, handle: &CheckoutHandle) -> CheckoutProps {
    let request = Reflect::get(options, &"request".into()).unwrap_or_default();
    // The element's own script made them, so the page can mend nothing: the element stops, and says so.
    let options: CheckoutOptions = json::read(options.clone())
        .expect_throw("the script passes options that the wasm does not know");
    let mut values = options.attributes;
    let mut taken = |name: Name| values.get_mut(name as usize)?.take();
    let (amount, currency) = (taken(Name::Amount), taken(Name::Currency));
    let code = taken(Name::MerchantCode);
    let number = taken(Name::MerchantOperationNumber);
    let transaction = taken(Name::TransactionId);
    let hosts = taken(Name::RedirectHosts);
    let text = |value: Option<String>| value.map(AttrValue::from);
    let mut own = |name: Name| text(taken(name));
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
        base_url: own(Name::BaseUrl).unwrap_or_default(),
        authorize_url: own(Name::AuthorizeUrl),
        status_url: own(Name::StatusUrl),
        cancel_url: own(Name::CancelUrl),
        live_url: own(Name::LiveUrl),
        request: OrderRequest::named(&request, text(options.order_identity)),
        methods: options
            .methods
            .iter()
            .map(|name| PaymentMethodName::from(name.as_str()))
            .collect(),
        locale: Some(Locale::of_tag(&options.locale)),
        fallback_locale: Locale::default(),
        heading_level: options.heading_level,
        page_language: text(options.page_language),
        messages,
        merchant_name: own(Name::MerchantName),
        payee_name: own(Name::PayeeName),
        wallets: own(Name::Wallets),
        help_url: own(Name::HelpUrl),
        order_label: own(Name::OrderLabel),
        shares: options.shares,
        redirect_url: text(options.redirect_url),
        paid_url: text(options.paid_url),
        leads_on: text(options.leads_on),
        stays: options.stays,
        redirect_hosts: hosts
            .map(|hosts| hosts.split_whitespace().map(str::to_owned).collect())
            .unwrap_or_default(),
        resume: code.zip(number).map(|(code, number)| OperationRef {
            merchant_code: MerchantCode::new(code),
            merchant_operation_number: MerchantOperationNumber::new(number),
            transaction_id: transaction.map(TransactionId::new),
        }),
        price: amount.zip(currency).map(|(amount, currency)| Money {
            amount: Amount::new(amount),
            currency: Currency::new(currency),
        }),
        on_start: Some(Callback::from(move |method: PaymentMethodName| {
            events::ask_to_start(&starts, &method)
        })),
        hide_choice: options.hides_choice,
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
