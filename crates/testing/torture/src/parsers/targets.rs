//! Functions that read bytes from outside. Each panics when a parser breaks its promise.
//!
//! The crate `fuzz` includes this file too, for cargo-fuzz.

use checkout_flow::{
    ContinueUrl, Event, Flow, Input, Moment, MonotonicTime, QrImage, Settings, Snapshot, Start,
};
use payment_model::{
    Amount, AuthorizeResponse, CancelResponse, Currency, DateObject, IdempotencyKey, QueryResponse,
    RefundQueryResponse, RefundRequest, RefundResponse, Timestamp, filled_url,
};
use payment_rules::search::{Cursor, Search};
use serde::Serialize;
use serde::de::DeserializeOwned;
use staff_model::SearchQuery;
use std::fmt::Debug;
use std::time::Duration;
use url::{Host, Url};

/// A parser under test.
pub(super) type Target = fn(&[u8]);

/// Each target with the folder of its corpus.
pub(super) const TARGETS: &[(&str, Target)] = &[
    ("service_answers", service_answers),
    ("scalars", scalars),
    ("qr_image", qr_image),
    ("continue_url", continue_url),
    ("snapshot", snapshot),
    ("path_value", path_value),
    ("staff_search", staff_search),
];

/// The answers of the payment service, which the browser reads too: what was read is written and read again
/// without a difference.
pub(super) fn service_answers(bytes: &[u8]) {
    reads_again::<AuthorizeResponse>(bytes);
    reads_again::<CancelResponse>(bytes);
    reads_again::<RefundResponse>(bytes);
    reads_again::<RefundQueryResponse>(bytes);
    reads_again::<RefundRequest>(bytes);
    let Some(answer) = reads_again::<QueryResponse>(bytes) else {
        return;
    };
    for transaction in &answer.operation.transactions {
        let outcome = transaction.outcome();
        assert!(
            !transaction.is_refundable() || outcome.is_some(),
            "an unknown outcome cannot be refunded: {transaction:?}"
        );
    }
}

fn reads_again<T: Serialize + DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) -> Option<T> {
    let read: T = serde_json::from_slice(bytes).ok()?;
    let written = serde_json::to_vec(&read);
    let again = written
        .ok()
        .and_then(|written| serde_json::from_slice::<T>(&written).ok());
    assert_eq!(again.as_ref(), Some(&read), "it is written and read again");
    again
}

/// Amounts, currencies, dates and idempotency keys, by themselves.
pub(super) fn scalars(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    if let Some(cents) = Amount::new(text).cents() {
        assert_eq!(Amount::from_cents(cents).cents(), Some(cents), "{text}");
    }
    let currency = Currency::new(text);
    assert!(
        currency.same_as(&currency) || text.is_empty() || currency.iso().is_none(),
        "{text}"
    );
    if let Ok(date) = serde_json::from_str::<DateObject>(text)
        && let Some(instant) = date.timestamp()
    {
        let again = DateObject::from_timestamp(instant).timestamp();
        let apart = again.map(|again| again.as_millis().abs_diff(instant.as_millis()));
        assert!(
            apart.is_some_and(|apart| apart < 1000),
            "{text}: {instant:?} {again:?}"
        );
    }
    if let Ok(key) = IdempotencyKey::from_header(text) {
        let quoted = format!("\"{}\"", key.as_str());
        let bare = !key.as_str().contains(['"', '\\']);
        assert!(
            !bare || IdempotencyKey::from_header(&quoted) == Ok(key),
            "{text}"
        );
    }
}

/// The picture of a QR code, which goes to the page unchanged.
pub(super) fn qr_image(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(image) = QrImage::parse(&text) {
        assert_eq!(image.as_str(), text, "the picture is unchanged");
        assert!(
            image.as_str().bytes().all(|byte| byte.is_ascii_graphic()),
            "{text}"
        );
    }
}

/// The address at which a payer continues: browsers read the same host in it.
pub(super) fn continue_url(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let hosts = ["lender.example".to_owned(), "127.0.0.1:8080".to_owned()];
    for hosts in [&hosts[..], &[]] {
        let Some(safe) = ContinueUrl::parse(&text, hosts) else {
            continue;
        };
        // An address that no browser reads leads nowhere.
        let Ok(seen) = Url::parse(safe.as_str()) else {
            continue;
        };
        assert!(
            seen.username().is_empty() && seen.password().is_none(),
            "{text}"
        );
        let host = seen.host_str().unwrap_or_default().to_owned();
        let shown = safe.host().to_ascii_lowercase();
        let plain = shown
            .rsplit_once(':')
            .filter(|(_, port)| !port.contains(']'));
        assert_eq!(
            plain.map_or(shown.as_str(), |(host, _)| host),
            host,
            "{text}"
        );
        let is_local = match seen.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => false,
        };
        assert!(
            seen.scheme() == "https" || (seen.scheme() == "http" && is_local),
            "{text}"
        );
        let is_listed =
            host == "lender.example" || (host == "127.0.0.1" && seen.port() == Some(8080));
        assert!(hosts.is_empty() || is_listed, "{text}");
    }
}

/// The tab's storage, into which every script of the page can write: the flow takes it without a panic, whatever
/// the time is.
pub(super) fn snapshot(bytes: &[u8]) {
    let Some(snapshot) = reads_again::<Snapshot>(bytes) else {
        return;
    };
    let mut flow = Flow::new(Settings::default());
    let at = |seconds: u64| Moment {
        wall: Timestamp::from_secs(1_700_000_000),
        monotonic: MonotonicTime::after_start(Duration::from_secs(seconds)),
    };
    let start = Start {
        snapshot: Some(snapshot),
        ..Start::default()
    };
    let events = [
        Event::Started(Box::new(start)),
        Event::CheckPressed,
        Event::CancelPressed,
        Event::RetryPressed,
    ];
    for (second, event) in (1..).zip(events) {
        flow.handle(Input {
            at: at(second),
            entropy: u128::from(second),
            event,
        });
        let _ = flow.view();
    }
}

/// A value in the path of an address stays one segment, also as browsers read the address.
pub(super) fn path_value(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let path = filled_url("/charges/{a}/{b}", &[("a", &text), ("b", "end")]);
    let url = Url::parse(&format!("https://shop.example{path}"));
    let segments = url
        .as_ref()
        .ok()
        .and_then(Url::path_segments)
        .map(|parts| parts.count());
    assert_eq!(segments, Some(3), "{path}");
    assert!(path.ends_with("/end"), "{path}");
}

/// A search of staff, with the cursor that a browser sends back: a cursor leads to one place of its own search only.
pub(super) fn staff_search(bytes: &[u8]) {
    let Ok(query) = serde_json::from_slice::<SearchQuery>(bytes) else {
        return;
    };
    if let Ok(search) = Search::read(&query)
        && let Some(cursor) = search.after
    {
        let again = Cursor::read(&cursor.write(&query), &query);
        assert_eq!(again, Some(cursor), "{query:?}");
        let other = SearchQuery {
            q: format!("{}x", query.q.trim()),
            ..query
        };
        assert_eq!(Cursor::read(&other.cursor, &other), None, "{other:?}");
    }
}
