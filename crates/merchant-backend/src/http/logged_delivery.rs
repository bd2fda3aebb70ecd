//! A delivery attempt of an event in an answer, for the shop's programs and for staff.

use crate::db::LoggedDelivery;
use payment_model::Timestamp;
use serde::Serialize;

/// The delivery attempts of an answer. `At` is how the addresses write an instant.
#[derive(Serialize)]
pub(super) struct Deliveries<At> {
    /// The newest first.
    deliveries: Vec<Delivery<At>>,
}

#[derive(Serialize)]
struct Delivery<At> {
    receiver: String,
    event_id: String,
    #[serde(rename = "type")]
    kind: String,
    order_id: String,
    sent_at: At,
    /// The status of the answer; `None` without an answer.
    status: Option<i64>,
    /// Why it failed, in a word; `None` if the receiver took the event.
    failure: Option<String>,
    duration_ms: i64,
}

impl<At> Deliveries<At> {
    pub(super) fn of(logged: Vec<LoggedDelivery>, write: impl Fn(Timestamp) -> At) -> Self {
        let delivery = |logged: LoggedDelivery| Delivery {
            receiver: logged.receiver,
            event_id: logged.event_id,
            kind: logged.kind,
            order_id: logged.order_id,
            sent_at: write(logged.sent_at),
            status: logged.status,
            failure: logged.failure,
            duration_ms: logged.duration_ms,
        };
        Self {
            deliveries: logged.into_iter().map(delivery).collect(),
        }
    }
}
