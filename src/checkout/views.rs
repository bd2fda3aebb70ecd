//! The screens, drawn from what the flow says. No view holds any logic of the flow.

use crate::i18n::Catalog;
use checkout_flow::{Event, View};
use yew::{AttrValue, Callback, Html, html};

/// What the screens need to know besides the flow's view.
pub(crate) struct Around<'a> {
    /// Texts, money and dates in the payer's language.
    pub(crate) catalog: &'a Catalog,
    /// Who sells.
    pub(crate) merchant_name: Option<&'a AttrValue>,
    /// Whom the payer's wallet will name, when it differs.
    pub(crate) payee_name: Option<&'a AttrValue>,
    /// Milliseconds left to pay; negative when the time is over, `None` without a deadline.
    pub(crate) remaining: Option<i64>,
}

/// The whole checkout.
pub(crate) fn checkout(view: &View<'_>, around: &Around<'_>, send: &Callback<Event>) -> Html {
    let _ = (view, around, send);
    html! {}
}
