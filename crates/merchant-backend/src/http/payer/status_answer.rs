//! A status answer: what is known of an operation, as fresh as its payer needs it.

use super::entity_tag::{EntityTag, Known};
use super::prefer_header::PREFER;
use crate::clock::now;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::Problem;
use crate::shared_query::Freshness;
use axum::http::header::{AGE, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::{Outcome, Timestamp};
use payment_rules::operation::OperationRecord;

/// Beside a payment that was given back: whether its payer may pay the order again.
const ORDER_STATE: HeaderName = HeaderName::from_static("order-state");

/// Beside a cancelled operation: why it ended.
const OPERATION_END: HeaderName = HeaderName::from_static("operation-end");

/// An operation, and since when its state is known.
pub(super) struct Looked {
    pub(super) record: OperationRecord,
    /// True when the service answered just now, or the stored state was new enough.
    asked: bool,
    /// The time of the stored state: the last answered query.
    told_at: Option<Timestamp>,
}

/// The record after a query, or the stored one if that is new enough or no answer comes; the
/// service was the source of the stored one too.
pub(super) async fn look(app: &App, record: OperationRecord, caller: Caller) -> Looked {
    let told_at = record.queried_at.filter(|_| record.failures == 0);
    let looked = |record: OperationRecord, asked: bool| Looked {
        record,
        asked,
        told_at,
    };
    let timing = &app.config.timing;
    // A doubt is the background's to settle.
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
    let asked = app.payments.query(record.clone(), recent);
    // The query goes on in its own task, and a held request hears of it.
    match tokio::time::timeout(timing.look_patience, asked).await {
        Ok(Ok(queried)) => looked(queried.record, true),
        Ok(Err(_)) | Err(_) => looked(record, false),
    }
}

impl Looked {
    /// The answer to a browser that has these answers already.
    pub(super) async fn answer(self, app: &App, known: &Known) -> Result<Response, Failure> {
        let record = self.record;
        let body = record.payers_response().ok_or_else(Problem::not_found)?;
        let body = serde_json::to_string(&body).map_err(|_| Failure::Internal)?;
        let tag = EntityTag::of(&record, &body);
        let mut response = if known.has(&tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let json = HeaderValue::from_static("application/json");
            ([(CONTENT_TYPE, json)], body).into_response()
        };
        let told = response.headers_mut();
        told.append(VARY, HeaderValue::from(PREFER));
        if let Some(tag) = tag.header() {
            told.insert(ETAG, tag);
        }
        match record.outcome() {
            Some(Outcome::Reversed) => {
                if let Some(order) = app.db.order(&record.order_id).await? {
                    let state = HeaderValue::from_static(order.state.as_str());
                    told.insert(ORDER_STATE, state);
                }
            }
            Some(Outcome::Cancelled) => {
                let ledger = app.db.ledger(&record.key).await?;
                if let Some(cause) = ledger.and_then(|ledger| ledger.end_cause()) {
                    told.insert(OPERATION_END, HeaderValue::from_static(cause.as_str()));
                }
            }
            _ => {}
        }
        if !self.asked || record.failures > 0 {
            let told_at = self
                .told_at
                .map_or(record.changed_at, |at| at.max(record.changed_at));
            let age = now().duration_since(told_at).as_secs().max(1);
            told.insert(AGE, HeaderValue::from(age));
        }
        Ok(response)
    }
}
