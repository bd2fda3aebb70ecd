//! The answer about an operation: its state as fresh as its payer needs it, with a tag by which a later
//! request says what the payer has seen.
//!
//! The tag has two parts, of which each counts separately; the crate `headers` compares whole tags only.

use crate::clock::now;
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::prefer::PREFER;
use crate::http::problem::{Failure, Problem};
use crate::single_flight::Freshness;
use axum::http::header::{AGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::{Outcome, Timestamp};
use payment_rules::fingerprint;
use payment_rules::operation::OperationRecord;

/// The response header of a reversed payment: can the order be paid again?
const ORDER_STATE: HeaderName = HeaderName::from_static("order-state");

/// With a cancelled operation: why it ended.
const OPERATION_END: HeaderName = HeaderName::from_static("operation-end");

/// An operation, and how fresh its state is.
pub(in crate::http) struct Looked {
    pub(in crate::http) record: OperationRecord,
    /// True when the service answered just now, or the stored state was fresh enough.
    is_fresh: bool,
    /// When the stored state was queried, if no query failed since.
    queried_at: Option<Timestamp>,
}

/// The operation after a query, or the stored one if that is fresh enough or the service does not
/// answer.
pub(in crate::http) async fn look(app: &App, record: OperationRecord, caller: Caller) -> Looked {
    let queried_at = record.queried_at.filter(|_| record.failures == 0);
    let looked = |record: OperationRecord, is_fresh: bool| Looked {
        record,
        is_fresh,
        queried_at,
    };
    let timing = &app.config.timing;
    // An unknown outcome is settled in the background.
    if record.transaction().is_none() {
        return looked(record, false);
    }
    let age = match record.outcome() {
        _ if record.is_held() => timing.query_interval,
        Some(Outcome::Paid | Outcome::Reversed) => timing.result_interval,
        _ => timing.query_interval,
    };
    let recent = Freshness::Recent {
        most: age,
        client: Some(caller.0),
    };
    let query = app.payments.query(record.clone(), recent);
    // After the timeout the query continues in its own task, and its answer wakes held requests.
    match tokio::time::timeout(timing.look_patience, query).await {
        Ok(Ok(queried)) => looked(queried.record, true),
        Ok(Err(_)) | Err(_) => looked(record, false),
    }
}

impl Looked {
    /// True when the service does not answer, so that the state may be older than it seems.
    pub(in crate::http) fn is_stale(&self) -> bool {
        self.record.failures > 0
    }

    /// The answer to a browser that has answers with these tags already.
    pub(super) async fn answer(self, app: &App, known: &Known) -> Result<Response, Failure> {
        let record = self.record;
        let body = record.payers_response().ok_or_else(Problem::not_known)?;
        let body = serde_json::to_string(&body).map_err(|_| Failure::Internal)?;
        let tag = EntityTag::of(&record, &body);
        let mut response = if known.has(&tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let json = HeaderValue::from_static("application/json");
            ([(CONTENT_TYPE, json)], body).into_response()
        };
        let headers = response.headers_mut();
        headers.append(VARY, HeaderValue::from(PREFER));
        if let Some(tag) = tag.header() {
            headers.insert(ETAG, tag);
        }
        match record.outcome() {
            Some(Outcome::Reversed) => {
                if let Some(order) = app.db.order(&record.full_order_id()).await? {
                    let state = HeaderValue::from_static(order.state.as_str());
                    headers.insert(ORDER_STATE, state);
                }
            }
            Some(Outcome::Cancelled) => {
                let ledger = app.db.ledger(&record.key).await?;
                if let Some(cause) = ledger.and_then(|ledger| ledger.end_cause()) {
                    headers.insert(OPERATION_END, HeaderValue::from_static(cause.as_str()));
                }
            }
            _ => {}
        }
        if !self.is_fresh || record.failures > 0 {
            let queried_at = self.queried_at;
            let known_at = queried_at.map_or(record.changed_at, |at| at.max(record.changed_at));
            let age = now().duration_since(known_at).as_secs().max(1);
            headers.insert(AGE, HeaderValue::from(age));
        }
        Ok(response)
    }
}

/// Long enough for two answers about one operation to differ.
const HASH_CHARACTERS: usize = 16;

/// The tag of an answer: a hash of the facts that a payer must see at once, and one of the whole body.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EntityTag {
    facts: String,
    body: String,
}

impl EntityTag {
    fn of(record: &OperationRecord, body: &str) -> Self {
        Self {
            facts: hash_of_facts(record),
            body: short(body),
        }
    }

    fn read(text: &str) -> Option<Self> {
        // A proxy that compresses an answer makes its tag weak.
        let text = text.trim().trim_start_matches("W/");
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        let (facts, body) = text.split_once('.')?;
        Some(Self {
            facts: facts.to_owned(),
            body: body.to_owned(),
        })
    }

    /// The value of the header `ETag`.
    fn header(&self) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("\"{}.{}\"", self.facts, self.body)).ok()
    }
}

fn hash_of_facts(record: &OperationRecord) -> String {
    let state = record.state().map_or("", |state| state.as_str());
    let outcome = record.outcome().map_or("", Outcome::as_str);
    let held = if record.is_held() { " held" } else { "" };
    short(&format!("{state} {outcome}{held}"))
}

fn short(text: &str) -> String {
    let mut hash = fingerprint(text);
    hash.truncate(HASH_CHARACTERS);
    hash
}

/// The tags of earlier answers in a request (`If-None-Match`).
pub(super) struct Known {
    tags: Vec<Option<EntityTag>>,
}

impl Known {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(IF_NONE_MATCH).iter();
        let values = values.filter_map(|value| value.to_str().ok());
        let tags = values
            .flat_map(|value| value.split(','))
            .map(EntityTag::read);
        Self {
            tags: tags.collect(),
        }
    }

    /// True when all tags of the client are of other facts. A client without tags is not behind.
    pub(super) fn is_behind(&self, record: &OperationRecord) -> bool {
        let facts = hash_of_facts(record);
        let same = |tag: &EntityTag| tag.facts == facts;
        !self.tags.is_empty() && !self.tags.iter().flatten().any(same)
    }

    /// True when the client has the answer with this tag.
    fn has(&self, tag: &EntityTag) -> bool {
        self.tags.iter().flatten().any(|known| known == tag)
    }
}

#[cfg(test)]
mod tests {
    use super::{EntityTag, IF_NONE_MATCH, Known};
    use axum::http::{HeaderMap, HeaderValue};
    use payment_rules::operation::fixture::record;

    #[test]
    fn a_tag_is_known_weak_or_in_a_list_and_nothing_else_is() {
        let record = record();
        let tag = EntityTag::of(&record, "body");
        let text = tag.header().unwrap().to_str().unwrap().to_owned();
        let another = EntityTag::of(&record, "another").header().unwrap();
        let another = another.to_str().unwrap();
        // Each entry: the client's tag, the result of `has`, the result of `is_behind`.
        for (sent, has, behind) in [
            (text.clone(), true, false),
            (format!("W/{text}"), true, false),
            (format!("\"x.y\", {text}"), true, false),
            (another.to_owned(), false, false),
            ("\"x.y\"".to_owned(), false, true),
            (text.replace('.', "-"), false, true),
            (text.trim_matches('"').to_owned(), false, true),
            ("*".to_owned(), false, true),
            ("".to_owned(), false, true),
        ] {
            let value = HeaderValue::try_from(&sent).unwrap();
            let known = Known::of(&HeaderMap::from_iter([(IF_NONE_MATCH, value)]));
            assert_eq!(
                (known.has(&tag), known.is_behind(&record)),
                (has, behind),
                "{sent}"
            );
        }
        let none = Known::of(&HeaderMap::new());
        assert!(!none.has(&tag) && !none.is_behind(&record));
    }
}
