//! The attributes of `<payment-checkout>`.

use crate::item::{Attribute, Values};
use checkout_texts::Locale;
use payment_model::PaymentMethodName;

/// Declares [`Name`] and [`ATTRIBUTES`] from one list, in which a doc comment is the text of the guides.
macro_rules! attributes {
    ($(
        $(#[doc = $about:literal])+
        $(@$identity:ident)? $variant:ident = $name:literal: $values:expr, absent: $absent:literal;
    )+) => {
        /// The attributes, in the order in which the script passes their values. Switches, which come last, are not passed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Name {
            $($(#[doc = $about])+ $variant,)+
        }

        /// Every attribute, in the order of the guides.
        pub(crate) const ATTRIBUTES: &[Attribute] = &[$(Attribute {
            name: $name,
            about: concat!($($about),+),
            absent: $absent,
            values: $values,
            is_identity: stringify!($($identity)?).len() > 0,
        }),+];
    };
}

const TEXT: Values = Values::Text("string");

attributes! {
    /// the address of your server, as in `/api` or `https://pay.example/api`
    @identity BaseUrl = "base-url": TEXT, absent: "an error";
    /// the address that starts a payment
    @identity AuthorizeUrl = "authorize-url": TEXT, absent: "`{base-url}/charges`";
    /// the address of its state; `{merchant_code}`, `{merchant_operation_number}` and `{transaction_id}` are replaced
    /// by the numbers
    @identity StatusUrl = "status-url": TEXT, absent: "the address in [server.md](server.md)";
    /// the address that cancels it, with the first two numbers in braces
    @identity CancelUrl = "cancel-url": TEXT, absent: "the address in [server.md](server.md)";
    /// the address that says which operation of the order its payer should see, as in `/api/charges/live`: see
    /// [Resuming](#resuming)
    LiveUrl = "live-url": TEXT, absent: "a tab that remembers nothing begins with the choice";
    /// the methods on offer, in order, separated by spaces, [as far as the order can be paid by
    /// them](#methods-that-are-not-offered)
    Methods = "methods": Values::Open("MethodList", PaymentMethodName::WORDS), absent: "`QR INSTALLMENT`";
    /// the price on your page, in whole cents: `12990` is 129.90. Another authorized amount is the error
    /// `amount-mismatch`, and no code is shown
    Amount = "amount": Values::Text("WholeCents"), absent: "no amount is shown before the server's";
    /// ISO 4217, letters or digits; together with `amount` or not at all
    Currency = "currency": Values::Text("Currency"), absent: "";
    /// the seller's name
    MerchantName = "merchant-name": TEXT, absent: "no name is shown";
    /// the payee's name in the payer's wallet, when that differs
    PayeeName = "payee-name": TEXT, absent: "`merchant-name`";
    /// the apps that pay your QR codes, as they are written in a sentence: `Apu, Nube`. The choice says "With Apu, Nube
    /// or your bank's app", the first step "Open Apu, Nube or your bank's app"
    Wallets = "wallets": TEXT, absent: "\"your payment app\"";
    /// the address of the [order's page](server.md#a-page-of-the-servers-own) at your server, such as `pay_url` of `POST
    /// /api/shop/orders`: `https:` or a path of your site. Where the element cannot run, "Pay on another page" leads
    /// there, before the content of the tag
    PageUrl = "page-url": TEXT, absent: "no link";
    /// the address of your help, as in `https://chat.example/shop?text=Payment%20{number}`: `https:`, `mailto:`, `tel:`
    /// or a path of your site. `{number}` is replaced by the operation's number. "Need help?" leads there, in a new tab,
    /// from every screen of a payment that has begun
    HelpUrl = "help-url": TEXT, absent: "no link";
    /// the order as your server [signed](server.md#orders-of-your-shop) it (a JWS), in place of the property `request`. Its
    /// claims `amount`, `currency` and `label` are shown at once, as by the attributes of these names, and its claim `methods`
    /// [leaves out](#methods-that-are-not-offered) the others
    Order = "order": TEXT, absent: "the property `request`";
    /// your shop's name of the order, as the payer knows it
    OrderLabel = "order-label": TEXT, absent: "no order is shown";
    /// the address to which the lender or bank sends the payer back; relative to the page
    RedirectUrl = "redirect-url": TEXT, absent: "the page's own address";
    /// the address of your page that follows a payment, relative to the page: `https:`, or `http:` as your page. The main
    /// button of the receipt leads there. The element goes there by itself five seconds after the payment, unless it had
    /// ended before the page was opened. The receipt says so, with the host, and has a button to stay; any other press or
    /// key in it, as to copy, save or print, keeps the payer, too. Before it goes, it dispatches `checkout-redirect`, which your
    /// page may prevent. It never goes to the page's own address
    PaidUrl = "paid-url": TEXT, absent: "no button";
    /// the only hosts that the payer may be led to, separated by spaces; a port other than the usual one belongs to it
    RedirectHosts = "redirect-hosts": TEXT, absent: "any host with https";
    /// the code of the merchant of an existing operation, of any origin; together with `merchant-operation-number`
    @identity MerchantCode = "merchant-code": Values::Text("MerchantCode"), absent: "the element starts with the choice";
    /// the number of that operation; together with `merchant-code`
    @identity MerchantOperationNumber = "merchant-operation-number": Values::Text("MerchantOperationNumber"),
        absent: "the element starts with the choice";
    /// its transaction, if you know it
    TransactionId = "transaction-id": Values::Text("TransactionId"), absent: "your server finds it";
    /// the level of the heading on each screen, from `1` to `6`; the question's heading is one below. Any other value
    /// counts as `2`
    HeadingLevel = "heading-level": Values::Words("HeadingLevel | `${HeadingLevel}`", &["1", "2", "3", "4", "5", "6"]),
        absent: "`2`";
    /// the [language](#languages)
    Locale = "locale": Values::Open("CheckoutLocale", Locale::TAGS), absent: "the nearest `lang`";
    /// the element's [language](#languages) until the page's is one that it has
    FallbackLocale = "fallback-locale": Values::Words("LocaleTag", Locale::TAGS), absent: "the `lang` around it, or `es-PE`";
    /// shows no choice of methods, because your page has one of its own and calls [`start(method)`](#a-choice-of-your-own)
    HideChoice = "hide-choice": Values::Switch, absent: "";
    /// logs each step in the console, whatever its value: [diagnostics.md](diagnostics.md)
    Debug = "debug": Values::Switch, absent: "";
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES, Name, Values};
    use checkout_texts::MethodTexts;
    use payment_model::PaymentMethodName;

    #[test]
    fn every_method_on_offer_has_texts_of_its_own() {
        for word in PaymentMethodName::WORDS {
            assert!(MethodTexts::of(word).receipt.is_some(), "{word}");
        }
    }

    #[test]
    fn names_are_places_in_the_table_and_switches_come_last() {
        assert_eq!(ATTRIBUTES[Name::BaseUrl as usize].name, "base-url");
        assert_eq!(ATTRIBUTES[Name::HideChoice as usize].name, "hide-choice");
        let is_switch = ATTRIBUTES
            .iter()
            .map(|it| matches!(it.values, Values::Switch));
        assert!(is_switch.is_sorted());
    }
}
