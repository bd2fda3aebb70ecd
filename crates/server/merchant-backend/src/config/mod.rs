//! The settings: from texts, as a person writes them, to a [`Config`] that was checked.
//!
//! ```text
//! settings        every setting with its help, default, type and reader; what has no setting
//! commands        the commands of the program besides serving
//! value           the value of one setting, or what is wrong with it
//! combined        values that several settings have together; secrets
//! events, stores, allowed_redirects, payment_method_details
//!                 settings with a form or a file of their own
//! ```
//!
//! It reads the files that settings name, and knows the types of the parts that are set. It opens
//! no database and no socket, and knows no address, no use case and no rule of a payment. No error
//! and no `Debug` text repeats a secret.

pub(crate) mod allowed_redirects;
mod combined;
mod commands;
mod events;
mod payment_method_details;
mod settings;
mod stores;
mod value;

pub use commands::{Command, EventCommand, KeyCommand, NewApiKey};
pub(crate) use events::{EventReceiver, EventSigningKey};
pub use payment_method_details::MethodDetails;
pub use settings::{Config, Settings, Timing};
pub use stores::{MerchantStore, MerchantStores};
pub use value::WrongSettings;

use crate::config::allowed_redirects::RedirectAllow;
use crate::cookies::CookieKey;
use crate::http_client::{is_exposed, is_loopback};
use crate::payment_service::ServiceAccess;
use crate::shop_orders::OrderSource;
use crate::staff::{SecondFactorPolicy, SecondFactors};
use payment_model::{Currency, NotOfferedReason, Offer, PaymentMethodName};
use payment_rules::offer::not_offered;
use payment_rules::order::OrderFacts;
use secrecy::ExposeSecret as _;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

impl Config {
    /// The way to the payment service.
    pub(crate) fn service_access(&self) -> ServiceAccess {
        ServiceAccess {
            base: self.payment_url.clone(),
            version: self.api_version.clone(),
            facilitator: self.payment_facilitator_code.clone(),
            token: Arc::clone(&self.payment_token),
            accepted: self.accepted_codes.clone(),
            is_told_traces: self.trace_to_payment_service,
        }
    }

    /// True when cookies are for https only.
    pub(crate) fn cookies_are_secure(&self) -> bool {
        let told = self.cookie_secure;
        told.unwrap_or(self.public_url.scheme() == "https")
    }

    /// What makes and checks the second factors of staff.
    pub(crate) fn second_factors(&self) -> SecondFactors {
        let key = CookieKey::new(self.cookie_key.expose_secret());
        let shop = &self.stores.first().merchant_name;
        SecondFactors::new(key, self.second_factor_policy, shop)
    }

    /// For how long an attempt may run before another process may take it over: longer than
    /// all its requests to the service together.
    pub(crate) fn lease(&self) -> Duration {
        self.payment_timeout * 8 + Duration::from_secs(20)
    }

    /// For how long a request that moves money may be on the way before its sender is taken for gone.
    pub(crate) fn sending(&self) -> Duration {
        self.payment_timeout * 2 + Duration::from_secs(30)
    }

    /// The methods that a payer may choose here. Those that lead the payer elsewhere need an address to come back to: of
    /// the merchant's pages, or of the server's own page of an order.
    pub(crate) fn methods(&self, on_own_page: bool) -> impl Iterator<Item = &PaymentMethodName> {
        use PaymentMethodName::{Installment, Qr};
        let back = on_own_page || !self.redirect_allow.is_empty();
        let further = self.method_details.methods();
        [&Qr, &Installment]
            .into_iter()
            .chain(further)
            .filter(move |method| match method {
                Installment => back,
                method => back || self.method_details.want_redirect(method) != Some(true),
            })
    }

    /// The methods that this order can be paid by, and why it cannot by the others: by none of them once its store takes
    /// no payments any more.
    pub(crate) fn offer(&self, order: &OrderFacts, on_own_page: bool, refused_codes: u32) -> Offer {
        let methods = self.methods(on_own_page);
        match self.stores.of_order(order) {
            Some(store) => order.offer(methods, &store.limits, refused_codes),
            None => Offer {
                currency: Currency::new(&*order.currency),
                methods: Vec::new(),
                not_offered: methods
                    .map(|method| not_offered(method, NotOfferedReason::Setting))
                    .collect(),
            },
        }
    }

    /// The sentences about limits of methods that the server does not have.
    fn unknown_limits(&self) -> Vec<String> {
        let known: Vec<_> = self.methods(true).collect();
        let named = self.stores.all().flat_map(|store| store.limits.methods());
        let unknown: BTreeSet<_> = named
            .filter(|method| !known.contains(method))
            .map(PaymentMethodName::as_str)
            .collect();
        let known = known.iter().map(|method| method.as_str());
        let known = known.collect::<Vec<_>>().join(", ");
        let sentence = |method| {
            format!(
                "METHOD_LIMITS or a store's `limits` name `{method}`, which is no method of this server: name one of {known}, or add it to METHOD_DETAILS."
            )
        };
        unknown.into_iter().map(sentence).collect()
    }

    /// The warnings for the log, about settings that are permitted but risky.
    #[must_use]
    pub fn warnings(&self) -> Vec<&'static str> {
        let receivers = &self.events.receivers;
        let exposes_events = receivers.iter().any(|receiver| is_exposed(&receiver.url));
        let stores = self.stores.all();
        let sells_past_limits = stores.into_iter().any(MerchantStore::sells_past_limits);
        let has_plain_key = receivers.iter().any(|one| one.key.is_plain_text());
        let exposes_orders = matches!(&self.orders, OrderSource::Shop(shop) if shop.is_exposed());
        let permits_password_alone = self.staff_accounts.is_some()
            && self.second_factor_policy == SecondFactorPolicy::Optional;
        let exposes_cookies = !self.cookies_are_secure() && !is_loopback(&self.public_url);
        [
            (is_exposed(&self.payment_url), "PAYMENT_URL is http: the access token travels unencrypted"),
            (self.redirect_allow.is_empty(), "REDIRECT_ALLOW is empty: on your own pages nobody can pay by installments, or by what else leads elsewhere"),
            (exposes_cookies, "cookies are not limited to https: set COOKIE_SECURE=true behind https"),
            (receivers.is_empty(), "EVENTS_URL is missing: nobody is told of payments, and programs of the shop can read the events of 30 days"),
            (sells_past_limits, "METHOD_LIMITS or the `limits` of a store name a method without the currency of a store: that store does not offer the method"),
            (exposes_events, "the address of a receiver of events is http: events travel unencrypted"),
            (has_plain_key, "the secret of a receiver of events has no `whsec_`: libraries for Standard Webhooks decode every secret as base64, and find no matching signature; give `whsec_` and 32 random bytes in base64"),
            (exposes_orders, "ORDERS_URL is http: ORDERS_SECRET and payers' data travel unencrypted"),
            (self.trusted_proxies.is_empty(), "TRUSTED_PROXIES is missing: behind a proxy, all payers together count as one client"),
            (self.staff_accounts.is_none(), "STAFF_FILE is missing: nobody of the staff can sign in"),
            (permits_password_alone, "STAFF_SECOND_FACTOR is optional: whoever has the password of an account without a second factor can give money back"),
        ]
        .into_iter()
        .filter_map(|(is_risky, warning)| is_risky.then_some(warning))
        .collect()
    }
}

#[cfg(test)]
mod tests;
