//! The tag of the element: it is hidden beside the card, and replaces it in browsers that can run it.

use checkout_texts::Locale;
use maud::{Markup, PreEscaped, html};
use payment_model::{Money, PaymentMethodName};

/// The module that lets the element take the place of the card. It is served beside the page.
pub const ELEMENT_PAGE: &str = include_str!("element-page.js");

/// The further style sheet of a page with the element. A policy has to permit it by its hash.
pub const ELEMENT_STYLE: &str = include_str!("element.css");

/// What the element on a page needs besides the facts of the page.
#[derive(Debug, Clone)]
pub struct Element<'a> {
    /// The path of the server's addresses, such as `/api`.
    pub base: &'a str,
    /// The handle of the page, by which the element names the order.
    pub handle: &'a str,
    /// The methods on offer.
    pub methods: &'a [PaymentMethodName],
    /// After how many seconds the page is drawn again without the element; `None` if it does not change by
    /// itself.
    pub refresh: Option<u64>,
}

/// The facts of the page that the element shows.
pub(crate) struct Facts<'a> {
    pub(crate) locale: Locale,
    pub(crate) merchant_name: &'a str,
    pub(crate) order_name: &'a str,
    pub(crate) money: &'a Money,
    /// The address of the page, to which a lender leads back.
    pub(crate) url: &'a str,
}

impl Element<'_> {
    /// True if it offers every method of the page. It has no button for one that it does not know.
    pub(crate) fn offers_all(&self) -> bool {
        let mut methods = self.methods.iter();
        !methods.any(|method| matches!(method, PaymentMethodName::Unknown(_)))
    }

    /// What the head of the page has for it.
    pub(crate) fn head(&self) -> Markup {
        let pages = format!("{}/pay", self.base);
        html! {
            style { (PreEscaped(ELEMENT_STYLE)) }
            // In this order: the first one tells the element its order.
            script type="module" src={ (pages) "/element-page.js" } {}
            script type="module" src={ (pages) "/element/payment-checkout.js" } {}
            @if let Some(seconds) = self.refresh {
                noscript { meta http-equiv="refresh" content=(seconds); }
            }
        }
    }

    /// The tag, with what the card beside it shows.
    pub(crate) fn tag(&self, facts: &Facts<'_>) -> Markup {
        let names: Vec<&str> = self.methods.iter().map(PaymentMethodName::as_str).collect();
        html! {
            payment-checkout
                hidden
                base-url=(self.base)
                live-url={ (self.base) "/charges/live" }
                methods=(names.join(" "))
                amount=(facts.money.amount)
                currency=(facts.money.currency.as_str())
                merchant-name=(facts.merchant_name)
                order-label=(facts.order_name)
                redirect-url=(facts.url)
                locale=(facts.locale.tag())
                heading-level="1"
                data-pay-link=(self.handle)
                data-refresh=[self.refresh] {}
        }
    }
}
