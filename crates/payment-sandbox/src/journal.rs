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
    method: String,
    /// The path of the request, percent-encoded.
    path: String,
    #[serde(flatten)]
    pub(crate) effect: Effect,
    answered: Answered,
    /// The fault that changed the answer.
    fault: Option<&'static str>,
    /// The status of the answer; null if there was no answer.
    status: Option<u16>,
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
            answered: Answered::Full,
            fault: None,
            status: Some(status),
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

    /// Removes the entries. The sequence numbers continue, so that each stays unique.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}
