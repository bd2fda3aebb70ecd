//! The headers of every page, and the language of its visitor.

use crate::clock::now;
use crate::http::app::App;
use crate::http::caller::Caller;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::header::{
    ACCEPT_LANGUAGE, CONTENT_SECURITY_POLICY, HeaderName, LOCATION, REFERRER_POLICY, RETRY_AFTER,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use checkout_texts::Locale;
use pay_page::{ELEMENT_STYLE, Element, Message, Page, STYLE, State};
use payment_model::{Amount, Currency, Money, Timestamp};
use payment_rules::order::OrderFacts;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use std::net::IpAddr;
use std::sync::LazyLock;
use std::time::Duration;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const REFRESH: HeaderName = HeaderName::from_static("refresh");
/// How often the page of a payer who waits is drawn again, without scripts.
const REFRESH_INTERVAL: Duration = Duration::from_secs(15);

/// Only the page's own style, pictures within it, and forms to this server.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = hash(STYLE);
    format!(
        "default-src 'none'; style-src {style}; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
});

/// The same, and what the element needs by docs/security.md: the server's own scripts, WebAssembly, and requests
/// to this server.
static ELEMENT_POLICY: LazyLock<String> = LazyLock::new(|| {
    let (style, further) = (hash(STYLE), hash(ELEMENT_STYLE));
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self' {style} {further}; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'"
    )
});

fn hash(sheet: &str) -> String {
    let hash = BASE64_STANDARD.encode(digest(&SHA256, sheet.as_bytes()));
    format!("'sha256-{hash}'")
}

/// In the query of the address of a page that changes by itself: what the page shows. A browser that draws a page again
/// scrolls to where the payer was, and at another address it begins at the top: so the payer sees that the payment ended.
const WAITS: &str = "waits=";
const CODE: &str = "code";

/// Who looks at a page.
pub(super) struct Visitor {
    pub(super) locale: Locale,
    pub(super) client: IpAddr,
    query: String,
}

#[derive(Deserialize)]
struct Language {
    lang: Option<String>,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = <Caller as FromRequestParts<App>>::Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let Caller(client) = Caller::from_request_parts(parts, app).await?;
        // A query that cannot be read chooses no language: a lender may add anything to the address.
        let query: Result<Query<Language>, QueryRejection> =
            Query::from_request_parts(parts, app).await;
        let chosen = query.ok().and_then(|Query(Language { lang })| lang);
        let chosen = chosen.as_deref().and_then(Locale::known);
        let locale = chosen.unwrap_or_else(|| accepted(&parts.headers));
        let query = parts.uri.query().unwrap_or_default().to_owned();
        Ok(Self {
            locale,
            client,
            query,
        })
    }
}

/// The first language of the browser that the page has.
fn accepted(headers: &HeaderMap) -> Locale {
    let value = headers.get(ACCEPT_LANGUAGE);
    let value = value.and_then(|value| value.to_str().ok());
    let mut tags = value.unwrap_or_default().split([',', ';']).map(str::trim);
    tags.find_map(Locale::known).unwrap_or_default()
}

/// The answer to a visitor.
pub(super) struct PageAnswer(Response);

impl PageAnswer {
    pub(super) fn retry_after(mut self, wait: Duration) -> Self {
        let seconds = HeaderValue::from(wait.as_secs().max(1));
        self.0.headers_mut().insert(RETRY_AFTER, seconds);
        self
    }
}

impl IntoResponse for PageAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Visitor {
    /// Leads to the address of a page in this state, unless the visitor is there.
    pub(super) fn another_address(
        &self,
        app: &App,
        handle: &str,
        state: &State,
    ) -> Option<PageAnswer> {
        let waits = watched(state);
        let parts = self.query.split('&');
        let named = parts.filter_map(|part| part.strip_prefix(WAITS)).next();
        if named == waits {
            return None;
        }
        // A lender may have added something for the element.
        let kept = named.is_none() && waits.is_some() && !self.query.is_empty();
        let query = kept.then(|| self.query.clone());
        Some(PageAnswer(self.see(app, handle, query, waits)))
    }

    /// The page of an order.
    pub(super) fn page(
        &self,
        app: &App,
        handle: &str,
        order: &OrderFacts,
        state: &State,
    ) -> PageAnswer {
        let money = Money {
            amount: Amount::from_cents(order.amount),
            currency: Currency::new(order.currency.clone()),
        };
        let store = app.config.stores.of_order(order);
        let url = app.orders.pay_links().url(handle);
        let path = app.orders.pay_links().path(handle);
        let base = app.orders.pay_links().base_path();
        let methods: Vec<_> = app.config.methods(true).cloned().collect();
        let element = app.config.pay_page_element.as_ref().map(|_| Element {
            base,
            handle,
            methods: &methods,
            refresh: watched(state).map(|_| REFRESH_INTERVAL.as_secs()),
        });
        draw(&Page {
            locale: self.locale,
            zone: &app.config.time_zone,
            merchant_name: store.map_or("", |store| store.merchant_name.as_str()),
            order_name: order.label.as_deref().unwrap_or(&order.order_id),
            money: Some(&money),
            path: &path,
            url: Some(&url),
            state,
            element,
        })
    }

    /// A page about no order.
    pub(super) fn message(&self, app: &App, message: Message) -> PageAnswer {
        let state = State::Message(message);
        let store = app.config.stores.first();
        draw(&Page {
            locale: self.locale,
            zone: &app.config.time_zone,
            merchant_name: &store.merchant_name,
            order_name: "",
            money: None,
            path: "",
            url: None,
            state: &state,
            element: None,
        })
    }

    /// Leads to the page after a form was sent, so that *Reload* sends no form.
    pub(super) fn see_page(&self, app: &App, handle: &str) -> Response {
        self.see(app, handle, None, None)
    }

    /// The same, where the page most likely shows a code by now.
    pub(super) fn see_code(&self, app: &App, handle: &str) -> Response {
        self.see(app, handle, None, Some(CODE))
    }

    fn see(&self, app: &App, handle: &str, query: Option<String>, waits: Option<&str>) -> Response {
        let path = app.orders.pay_links().path(handle);
        let query = query.unwrap_or_else(|| format!("lang={}", self.locale.tag()));
        let waits = waits.map(|waits| format!("&{WAITS}{waits}"));
        let address = format!("{path}?{query}{}", waits.unwrap_or_default());
        (StatusCode::SEE_OTHER, [(LOCATION, address)]).into_response()
    }
}

fn draw(page: &Page<'_>) -> PageAnswer {
    let mut response = (status(page.state), Html(page.html())).into_response();
    let headers = response.headers_mut();
    headers.insert(ROBOTS, HeaderValue::from_static("noindex, nofollow"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let policy = match page.has_element() {
        true => &ELEMENT_POLICY,
        false => &POLICY,
    };
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    // A header would draw the page again where the element runs, too.
    if watched(page.state).is_some() && !page.has_element() {
        headers.insert(REFRESH, HeaderValue::from(REFRESH_INTERVAL.as_secs()));
    }
    PageAnswer(response)
}

/// What the page shows while it changes by itself. A code with a deadline long past is not asked about for ever.
fn watched(state: &State) -> Option<&'static str> {
    match state {
        State::Waiting(waiting) => {
            let day = Duration::from_hours(24);
            let soon = |end: Timestamp| now() < end.saturating_add(day);
            waiting.expires_at.is_none_or(soon).then_some(CODE)
        }
        State::Confirming => Some("confirming"),
        State::Message(Message::TooOften) => Some("turn"),
        _ => None,
    }
}

fn status(state: &State) -> StatusCode {
    match state {
        State::Message(Message::NotFound) => StatusCode::NOT_FOUND,
        State::Message(Message::TooOften) => StatusCode::TOO_MANY_REQUESTS,
        State::Message(Message::OrderRefused) => StatusCode::FORBIDDEN,
        State::Message(Message::MayBePaid) => StatusCode::CONFLICT,
        State::Message(Message::TryAgain) => StatusCode::SERVICE_UNAVAILABLE,
        State::Message(
            Message::Refused(_)
            | Message::NotOffered(_)
            | Message::CodeRefused
            | Message::NotCancelled
            | Message::AmountMismatch,
        ) => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::OK,
    }
}

#[cfg(test)]
mod tests {
    use super::accepted;
    use axum::http::header::ACCEPT_LANGUAGE;
    use axum::http::{HeaderMap, HeaderValue};
    use checkout_texts::Locale;

    #[test]
    fn the_browsers_first_known_language_counts() {
        let read = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            accepted(&HeaderMap::from_iter([(ACCEPT_LANGUAGE, value)]))
        };
        assert_eq!(read("qu, pt-BR;q=0.9, en;q=0.8"), Locale::PtBr);
        assert_eq!(read("EN-gb"), Locale::En);
        assert_eq!(read("fr;q=1, en_US;q=0.9"), Locale::En);
        assert_eq!(read("fr"), Locale::EsPe);
        assert_eq!(accepted(&HeaderMap::new()), Locale::EsPe);
    }
}
