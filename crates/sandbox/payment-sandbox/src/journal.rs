use crate::charge::{Charge, Key};
use payment_model::{DateObject, Refund, Timestamp};
use serde::Serialize;

/// Longer paths are cut, to bound the memory.
const PATH_LIMIT: usize = 512;

/// A request that the sandbox received. An entry has numbers, amounts and states, but no token, personal data
/// or body.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Entry {
    seq: u64,
    /// By the clock without the tests' offset.
    time: String,
    pub(crate) method: String,
    /// The path of the request, percent-encoded.
    pub(crate) path: String,
    /// True for a notification, which the sandbox sent.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) sent: bool,
    #[serde(flatten)]
    pub(crate) effect: Effect,
    answered: Answered,
    /// The fault that changed the answer.
    pub(crate) fault: Option<&'static str>,
    /// The status of the answer; null if there was no answer.
    pub(crate) status: Option<u16>,
}

impl Entry {
    /// The time without its date.
    pub(crate) fn time_of_day(&self) -> &str {
        self.time
            .split_once('T')
            .map_or(self.time.as_str(), |(_, time)| time)
    }

    /// True if the request was answered with success.
    pub(crate) fn is_good(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }
}

/// The effect of a request on the service.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Effect {
    pub(crate) merchant_code: Option<String>,
    pub(crate) merchant_operation_number: Option<String>,
    pub(crate) transaction_id: Option<String>,
    pub(crate) amount: Option<String>,
    pub(crate) currency: Option<String>,
    /// True when the request changed the service's state.
    pub(crate) accepted: bool,
    /// The state of the operation or of the refund after the request.
    pub(crate) state_after: Option<String>,
    /// The refunds that were registered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) refunds: Vec<RefundNote>,
}

/// A refund in the journal.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RefundNote {
    refund_id: String,
    merchant_operation_number: String,
    amount: String,
}

impl RefundNote {
    pub(crate) fn of(refund: &Refund) -> Self {
        Self {
            refund_id: refund.refund_id.to_string(),
            merchant_operation_number: refund.merchant_operation_number.to_string(),
            amount: refund.refund_amount.to_string(),
        }
    }
}

impl Effect {
    /// Sets the operation of the request.
    pub(crate) fn note_key(&mut self, key: &Key) {
        self.merchant_code = Some(key.merchant_code.to_string());
        self.merchant_operation_number = Some(key.number.to_string());
    }

    /// Sets the state of the operation.
    pub(crate) fn note_charge(&mut self, charge: &Charge) {
        self.note_key(&charge.asked.key);
        self.transaction_id = Some(charge.transaction_id.to_string());
        self.amount = Some(charge.asked.amount.to_string());
        self.currency = Some(charge.asked.currency.to_string());
        self.state_after = Some(charge.state.to_string());
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// How a request is answered. It is decided before the answer is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answered {
    Full,
    Cut,
    Dropped,
    Delayed,
}

/// A request with its planned answer.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) sent: bool,
    pub(crate) answered: Answered,
    pub(crate) fault: Option<&'static str>,
    pub(crate) status: Option<u16>,
}

impl Exchange {
    /// Creates an exchange with a normal answer.
    pub(crate) fn full(method: &str, path: &str, status: u16) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            sent: false,
            answered: Answered::Full,
            fault: None,
            status: Some(status),
        }
    }

    /// Creates an exchange in which the sandbox asked.
    pub(crate) fn of_notification(path: &str, status: Option<u16>) -> Self {
        Self {
            method: "POST".to_owned(),
            path: path.to_owned(),
            sent: true,
            answered: if status.is_some() {
                Answered::Full
            } else {
                Answered::Dropped
            },
            fault: None,
            status,
        }
    }
}

/// All requests, in the sequence in which the service processed them.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
    seq: u64,
}

impl Journal {
    pub(crate) fn write(&mut self, exchange: Exchange, effect: Effect, now: Timestamp) {
        self.seq += 1;
        self.entries.push(Entry {
            seq: self.seq,
            time: DateObject::from_timestamp(now).utc_time.unwrap_or_default(),
            method: exchange.method,
            path: exchange.path.chars().take(PATH_LIMIT).collect(),
            sent: exchange.sent,
            effect,
            answered: exchange.answered,
            fault: exchange.fault,
            status: exchange.status,
        });
    }

    /// The entries after this sequence number, the oldest first.
    pub(crate) fn after(&self, seq: u64) -> Vec<Entry> {
        let start = self.entries.partition_point(|entry| entry.seq <= seq);
        self.entries[start..].to_vec()
    }

    /// The latest entries, the newest first.
    pub(crate) fn newest(&self, count: usize) -> Vec<Entry> {
        self.entries.iter().rev().take(count).cloned().collect()
    }

    /// Removes the entries. The sequence numbers continue, so that each stays unique.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}
