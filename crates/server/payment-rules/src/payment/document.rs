//! A payment as the store keeps it: one JSON document, which has all that the rules decide by.
//!
//! Two versions of the program may share a database, while its nodes are restarted one by one. So a version keeps the
//! members that it does not know, and refuses what it would misread: a word that it does not know, and a later form.

use super::{BlockReleaseRecord, Payment};
use crate::ledger::{Ledger, LedgerEntries, RefundPollPlan};
use crate::operation::OperationRecord;
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use staff_model::{AttemptState, ReturnState, ReversalState};

/// The form of the documents that this version writes. Another form is one that an earlier version would misread.
const FORM: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Document {
    form: u32,
    operation: OperationRecord,
    #[serde(flatten)]
    ledger: LedgerEntries,
    block_release: Option<BlockReleaseRecord>,
}

/// What narrow statements write beside the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// See [`OperationRecord::queried_at`].
    pub queried_at: Option<Timestamp>,
    /// See [`OperationRecord::hinted_at`].
    pub hinted_at: Option<Timestamp>,
    /// See [`OperationRecord::due_at`].
    pub due_at: Option<Timestamp>,
    /// See [`OperationRecord::failures`].
    pub failures: u32,
    /// See [`OperationRecord::version`].
    pub version: u64,
    /// When the service's list of refunds is polled.
    pub watch: RefundPollPlan,
}

/// Why a stored document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// It is no JSON.
    #[error("a payment's document is no JSON: {0}")]
    Damaged(serde_json::Error),
    /// A later version of the program wrote something that this one would misread.
    #[error("a later version of this program wrote a payment's document: {0}")]
    Later(String),
}

impl Payment {
    /// Reads a stored payment.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub fn from_document(text: &str, plan: Plan) -> Result<Self, DocumentError> {
        let value: Value = serde_json::from_str(text).map_err(DocumentError::Damaged)?;
        let form = value.get("form").and_then(Value::as_u64);
        if form != Some(u64::from(FORM)) {
            let form = form.map_or_else(|| "none".to_owned(), |form| form.to_string());
            let detail = format!("its form is {form}, and this version reads {FORM}");
            return Err(DocumentError::Later(detail));
        }
        // The error's own words may quote what is the payer's.
        let unreadable = |_| DocumentError::Later("a member or a word of it is unknown".to_owned());
        let document: Document = serde_json::from_value(value).map_err(unreadable)?;
        if let Some(member) = unknown_word(&document.ledger) {
            let detail = format!("a state in `{member}` is unknown");
            return Err(DocumentError::Later(detail));
        }
        let operation = OperationRecord {
            queried_at: plan.queried_at,
            hinted_at: plan.hinted_at,
            due_at: plan.due_at,
            failures: plan.failures,
            version: plan.version,
            ..document.operation
        };
        let entries = LedgerEntries {
            watch: plan.watch,
            ..document.ledger
        };
        let blocked_since = operation.blocked_since;
        let of_this_block =
            |release: &BlockReleaseRecord| Some(release.blocked_since) == blocked_since;
        Ok(Self {
            ledger: Ledger::new(&operation, entries),
            operation,
            block_release: document.block_release.filter(of_this_block),
            stored: Some(text.into()),
        })
    }

    /// The document to store. `earlier` is the payment as it was loaded, whose unknown members are kept.
    ///
    /// # Errors
    /// A value cannot be written as JSON.
    pub fn to_document(&self, earlier: Option<&Self>) -> Result<String, serde_json::Error> {
        let mut document = self.value()?;
        let stored = earlier.and_then(|earlier| earlier.stored.as_deref());
        if let (Some(earlier), Some(stored)) = (earlier, stored) {
            keep_unknown(
                &mut document,
                &serde_json::from_str(stored)?,
                &earlier.value()?,
            );
        }
        Ok(document.to_string())
    }

    fn value(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(Document {
            form: FORM,
            operation: self.operation.clone(),
            ledger: self.ledger.entries(),
            block_release: self.block_release.clone(),
        })
    }
}

/// The member with a state that is no word of this version, which `staff_model` reads as unknown.
fn unknown_word(ledger: &LedgerEntries) -> Option<&'static str> {
    let (mut attempts, mut returns) = (ledger.attempts.iter(), ledger.returns.iter());
    if attempts.any(|one| one.state == AttemptState::Unknown) {
        Some("attempts")
    } else if returns.any(|one| one.state == ReturnState::Unknown) {
        Some("returns")
    } else {
        let mut reversals = ledger.reversals.iter();
        let found = reversals.any(|one| one.state == ReversalState::Unknown);
        found.then_some("reversals")
    }
}

/// The lists whose entries are only ever appended and changed, so that each keeps its place.
const LISTS: [&str; 4] = ["attempts", "refunds", "returns", "reversals"];

/// Copies the members that this version does not know from the `stored` document into the `new` one. `known` is the stored
/// document as this version read it, so a member that it lacks is unknown. A changed value is merged only where it is the
/// document, its operation or an entry of a list; any other changed value replaces the stored one whole.
fn keep_unknown(new: &mut Value, stored: &Value, known: &Value) {
    keep_members(new, stored, known, |name, new, stored, known| {
        if name == "operation" {
            keep_members(new, stored, known, |_, _, _, _| {});
        } else if let (true, Some(new)) = (LISTS.contains(&name), new.as_array_mut()) {
            let entries = stored.as_array().into_iter().flatten();
            let entries = entries.zip(known.as_array().into_iter().flatten());
            for (new, (stored, known)) in new.iter_mut().zip(entries) {
                keep_members(new, stored, known, |_, _, _, _| {});
            }
        }
    });
}

/// Keeps the unknown members of an object, and of its members that did not change. `descend` gets those that did.
fn keep_members(
    new: &mut Value,
    stored: &Value,
    known: &Value,
    descend: impl Fn(&str, &mut Value, &Value, &Value),
) {
    let (Some(new), Some(stored)) = (new.as_object_mut(), stored.as_object()) else {
        return;
    };
    for (name, stored) in stored {
        match (new.get_mut(name), known.get(name)) {
            (Some(new), Some(known)) if new == known => new.clone_from(stored),
            (Some(new), Some(known)) => descend(name, new, stored, known),
            (None, None) => drop(new.insert(name.clone(), stored.clone())),
            (Some(_), None) | (None, Some(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentError, Payment, Plan};
    use crate::forget_payer::{forget, is_kept};
    use crate::ledger::fixture::{echo, refund, reserve, returned, reversal};
    use crate::ledger::{Ledger, LedgerEntries, Purpose};
    use crate::operation::fixture::{reading, record, with_state};
    use crate::payment::BlockReleaseRecord;
    use crate::service_answers::AmountUnits::Cents;
    use crate::timing::instant;
    use serde_json::{Value, json};

    /// A payment with an entry of each kind.
    fn payment() -> Payment {
        let mut operation = with_state("LIQUIDADO", instant(1));
        operation.blocked_since = Some(instant(3));
        let mut ledger = Ledger::new(&operation, LedgerEntries::default());
        reserve(&mut ledger, "a", 100, instant(1));
        ledger.merge_refunds(
            &[
                echo("r", "a", "RESOLVED", "100"),
                refund("s", "RESOLVED", "1"),
            ],
            Cents,
            instant(2),
        );
        ledger
            .give_back(returned("m", 7, true), instant(3))
            .unwrap();
        let mut cancelled = Ledger::new(&record(), LedgerEntries::default());
        let new = reversal("v", Purpose::SettleDoubt, instant(4));
        cancelled.reserve_reversal(new, reading(instant(4)));
        ledger.reversals = cancelled.reversals;
        Payment {
            block_release: Some(BlockReleaseRecord {
                blocked_since: instant(3),
                asked_by: "ana".to_owned(),
                asked_at: instant(4),
                reason: "the payer waits".to_owned(),
                released: Some(("eva".to_owned(), instant(5))),
            }),
            ..Payment::new(operation, ledger)
        }
    }

    fn plan(payment: &Payment) -> Plan {
        let operation = &payment.operation;
        Plan {
            queried_at: operation.queried_at,
            hinted_at: operation.hinted_at,
            due_at: operation.due_at,
            failures: operation.failures,
            version: operation.version,
            watch: payment.ledger.watch,
        }
    }

    fn read(document: &Value) -> Result<Payment, DocumentError> {
        Payment::from_document(&document.to_string(), Plan::default())
    }

    #[test]
    fn a_payment_is_the_same_after_it_was_stored() {
        let payment = payment();
        assert!(!payment.ledger.reversals.is_empty() && !payment.ledger.attempts.is_empty());
        let text = payment.to_document(None).unwrap();
        let read = Payment::from_document(&text, plan(&payment)).unwrap();
        assert_eq!(
            Payment {
                stored: None,
                ..read
            },
            payment
        );
    }

    #[test]
    fn members_that_this_version_does_not_know_stay_at_every_depth() {
        let mut later: Value = serde_json::from_str(&payment().to_document(None).unwrap()).unwrap();
        for place in [
            "",
            "/operation",
            "/attempts/0",
            "/attempts/0/requester",
            "/refunds/1",
            "/block_release",
        ] {
            let members = later.pointer_mut(place).unwrap().as_object_mut().unwrap();
            members.insert("later".to_owned(), json!({"of": place}));
        }
        let loaded = read(&later).unwrap();
        let mut changed = loaded.clone();
        changed.operation.failure_note = Some("changed".to_owned());
        changed.ledger.attempts[0].detail = "changed".to_owned();
        reserve(&mut changed.ledger, "b", 5, instant(9));
        let written = changed.to_document(Some(&loaded)).unwrap();
        let written: Value = serde_json::from_str(&written).unwrap();
        for place in [
            "",
            "/operation",
            "/attempts/0",
            "/attempts/0/requester",
            "/refunds/1",
            "/block_release",
        ] {
            let kept = written.pointer(&format!("{place}/later"));
            assert_eq!(kept, Some(&json!({"of": place})), "{place}");
        }
        assert_eq!(written["attempts"][0]["detail"], "changed");
        assert_eq!(written["attempts"][1]["id"], "b");
        // What was replaced as a whole has nothing of what it replaced.
        let transaction = "/operation/operation/transactions/0";
        assert!(later.pointer(transaction).is_some());
        let mut later = later.clone();
        later.pointer_mut(transaction).unwrap()["later"] = json!(1);
        let loaded = read(&later).unwrap();
        let told = |state: &str| with_state(state, instant(1)).operation;
        let mut again = loaded.clone();
        again.operation.failure_note = Some("changed".to_owned());
        let kept = |payment: &Payment| {
            let written = payment.to_document(Some(&loaded)).unwrap();
            let written: Value = serde_json::from_str(&written).unwrap();
            written.pointer(transaction).unwrap().get("later").cloned()
        };
        assert_eq!(kept(&again), Some(json!(1)));
        again.operation.operation = told("EXTORNADO");
        assert_eq!(kept(&again), None);
        // What this version knows and took away is gone.
        let mut ended = loaded.clone();
        ended.block_release = None;
        let written = ended.to_document(Some(&loaded)).unwrap();
        let written: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(written["block_release"], Value::Null);
    }

    #[test]
    fn words_and_forms_of_a_later_version_are_refused() {
        let document: Value = serde_json::from_str(&payment().to_document(None).unwrap()).unwrap();
        assert!(read(&document).is_ok());
        for (place, word) in [
            ("/operation/phase", json!("postponed")),
            ("/attempts/0/state", json!("postponed")),
            ("/returns/0/state", json!("postponed")),
            ("/reversals/0/state", json!("postponed")),
            ("/reversals/0/purpose", json!("postpone")),
            ("/form", json!(2)),
            ("/form", Value::Null),
        ] {
            let mut later = document.clone();
            *later.pointer_mut(place).unwrap() = word;
            assert!(
                matches!(read(&later), Err(DocumentError::Later(_))),
                "{place}"
            );
        }
        let damaged = Payment::from_document("{", Plan::default());
        assert!(matches!(damaged, Err(DocumentError::Damaged(_))));
    }

    /// Writes a mark into every text that may be the payer's, and into members that no version knows.
    fn mark(value: &mut Value, name: &str) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(|value| mark(value, name)),
            Value::Object(members) => {
                for (name, value) in &mut *members {
                    mark(value, name);
                }
                members.insert(
                    "later".to_owned(),
                    json!({"text": "mark", "list": ["mark"]}),
                );
            }
            // The name is that of a method.
            Value::String(text) if !is_kept(name) && name != "name" => "mark".clone_into(text),
            _ => {}
        }
    }

    #[test]
    fn a_payment_whose_payer_was_forgotten_is_read_and_has_no_text_of_theirs() {
        let mut document: Value =
            serde_json::from_str(&payment().to_document(None).unwrap()).unwrap();
        mark(&mut document, "");
        forget(&mut document);
        assert!(!document.to_string().contains("mark"), "{document}");
        let (left, before) = (read(&document).unwrap(), payment());
        assert_eq!(left.ledger.balance(), before.ledger.balance());
        assert_eq!(left.requests(), before.requests());
        assert_eq!(left.operation.state(), before.operation.state());
        assert_eq!(left.ledger.attempts[0].detail, "");
    }

    #[test]
    fn the_release_of_an_earlier_block_is_not_that_of_this_one() {
        let mut document: Value =
            serde_json::from_str(&payment().to_document(None).unwrap()).unwrap();
        *document.pointer_mut("/operation/blocked_since").unwrap() = json!(4);
        assert_eq!(read(&document).unwrap().block_release, None);
    }
}
