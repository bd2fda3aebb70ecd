//! Sends a signed sample to a receiver that is being written.

use super::delivery::{EventSender, LeaseExpired, in_words};
use crate::clock::now;
use crate::config::{Config, EventReceiver};
use crate::db::DueEvent;
use crate::random::{NoRandomness, token};
use crate::send_window::SendWindow;
use crate::trace;
use payment_model::{MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName};
use payment_rules::event::{Event, EventDetails, EventKind, Refunded};
use payment_rules::order::OrderState;
use std::time::Duration;
use url::Url;

/// Until when the code of a sample can be paid.
const SAMPLE_TIME_TO_PAY: Duration = Duration::from_mins(15);
/// A sample of 129.90.
const SAMPLE_AMOUNT_CENTS: u64 = 12_990;

/// Why no sample arrived. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SampleError {
    #[error(
        "--to: is the address of a receiver in the settings, which would take the sample for a payment; name another one"
    )]
    IsReceiver,
    #[error("EVENTS_SECRET is missing or unusable: give the secret that the receiver checks")]
    NoSecret,
    #[error("--to: {0}")]
    NotDelivered(String),
    #[error("{0}; run it again")]
    Random(#[from] NoRandomness),
}

/// Signs an event of this kind and sends it once; returns its body.
///
/// # Errors
/// The address or the secret cannot be used, or the receiver did not answer with 2xx.
pub(crate) async fn send_sample(
    config: &Config,
    to: &Url,
    kind: EventKind,
) -> Result<String, SampleError> {
    let is_at = |receiver: &EventReceiver| {
        receiver.url.origin() == to.origin() && receiver.url.path() == to.path()
    };
    if config.events.receivers.iter().any(is_at) {
        return Err(SampleError::IsReceiver);
    }
    let key = config.events.key.clone().ok_or(SampleError::NoSecret)?;
    let id = format!("evt_{}", token()?);
    let body = sample(config, kind, &token()?).body(&id, now()).to_string();
    let event = DueEvent {
        seq: 0,
        id,
        kind: kind.as_str().to_owned(),
        body: body.clone(),
        trace: None,
        failures: 0,
    };
    let sender = EventSender::to(to.clone(), key, config.timing.event_timeout);
    let sender = sender.map_err(SampleError::NotDelivered)?;
    match trace::in_background(None, sender.deliver(&event, SendWindow::open())).await {
        Ok(sent) if sent.is_accepted() => Ok(body),
        Ok(sent) => Err(SampleError::NotDelivered(in_words(sent))),
        Err(LeaseExpired) => Err(SampleError::NotDelivered("no answer in time".to_owned())),
    }
}

fn sample(config: &Config, kind: EventKind, random: &str) -> Event {
    let store = config.stores.first();
    let is_paid = matches!(
        kind,
        EventKind::OrderPaid | EventKind::OrderPaidLate | EventKind::OrderPaidTwice
    );
    let is_refund = matches!(kind, EventKind::RefundResolved | EventKind::RefundRejected);
    Event {
        kind,
        order_id: format!("sample-{random}"),
        order_state: if is_paid || is_refund {
            OrderState::Paid
        } else {
            OrderState::Open
        },
        merchant_code: MerchantCode::new(&*store.merchant_code),
        number: Some(MerchantOperationNumber::new("sample")),
        transaction_id: Some("sample".to_owned()),
        amount: SAMPLE_AMOUNT_CENTS,
        currency: store.currency.clone(),
        details: match kind {
            EventKind::RefundResolved | EventKind::RefundRejected => {
                EventDetails::Refund(Refunded {
                    refund_id: "sample".to_owned(),
                    cents: Some(SAMPLE_AMOUNT_CENTS),
                    request_id: None,
                })
            }
            EventKind::OrderWaiting => EventDetails::Waiting {
                method: PaymentMethodName::Qr,
                expires_at: Some(now().saturating_add(SAMPLE_TIME_TO_PAY)),
            },
            EventKind::OrderDeclined => EventDetails::Ended(Outcome::Declined),
            EventKind::OrderCanceled => EventDetails::Ended(Outcome::Expired),
            EventKind::OrderUnpaid => EventDetails::Unpaid {
                may_be_paid_late: false,
            },
            EventKind::OrderPaid
            | EventKind::OrderPaidLate
            | EventKind::OrderPaidTwice
            | EventKind::OrderPaidAgain => EventDetails::None,
            EventKind::OrderReversed => EventDetails::Reversed(None),
        },
    }
}
