use crate::word::{kept_words, words};
use payment_model::{Cents, Currency, RefundType, Timestamp, TransactionState};
use serde::{Deserialize, Serialize};
use std::fmt;

kept_words! {
    /// The kind of an act of staff.
    pub enum AuditAction {
        /// Asked to cancel an operation, and the result.
        Cancel = "cancel",
        /// Asked to give a payment back before it is settled, and the result.
        Reverse = "reverse",
        /// Asked the service for a refund.
        Refund = "refund",
        /// Released the amount of an attempt to refund.
        ReleaseAttempt = "release",
        /// Released the amount of a reversal.
        ReleaseReversal = "release_reversal",
        /// Asked to release a blocked order.
        AskReleaseOrder = "ask-release-order",
        /// Released a blocked order as the second person.
        ReleaseOrder = "release-order",
        /// Recorded a return by hand.
        Return = "return",
        /// Said that a return was made.
        ReturnDone = "return_done",
        /// Asked to give up a return of another person, or one that counts as made.
        AskReturnGivenUp = "ask_return_given_up",
        /// Gave a return up.
        ReturnGivenUp = "return_given_up",
        /// Resolved an exception.
        Resolve = "resolve",
        /// Asked the service anew.
        Query = "query",
        /// Took a file of operations.
        Export = "export",
        /// Signed in.
        SignIn = "sign-in",
        /// Signed out.
        SignOut = "sign-out",
        /// The server's program forgot the payer.
        Purge = "purge",
        /// The server's program was told of a restore, or of its end.
        Restore = "restore",
    }
}

/// An act of a member of staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// The name of the account.
    pub staff: String,
    /// The act.
    pub action: AuditAction,
    /// The details in a sentence in English; no person and no secret.
    pub detail: String,
    /// The same as facts, for a sentence in any language; `null` for acts whose details are what a
    /// member of staff typed, and for entries of older versions.
    #[serde(default)]
    pub facts: Option<AuditFacts>,
}

words! {
    /// How far an act is.
    pub enum AuditStep {
        /// It was asked for.
        Asked = "asked",
        /// It was done.
        Done = "done",
        /// It was not done.
        NotDone = "not_done",
    }
}

/// The facts of an act; each is absent where the act has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFacts {
    /// How far it is.
    pub step: AuditStep,
    /// The whole payment or a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<RefundType>,
    /// The amount, in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Cents>,
    /// Its currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The id of the attempt or of the return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The state of the operation at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TransactionState>,
    /// Why it was not done: the last word of the problem's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What a member of staff typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl AuditFacts {
    /// Facts of an act that is this far, and nothing more.
    #[must_use]
    pub fn new(step: AuditStep) -> Self {
        Self {
            step,
            kind: None,
            amount: None,
            currency: None,
            id: None,
            state: None,
            problem: None,
            reason: None,
        }
    }
}

impl fmt::Display for AuditFacts {
    /// In English, for readers without texts of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.step {
            AuditStep::Asked => "asked for it",
            AuditStep::Done => "done",
            AuditStep::NotDone => "not done",
            AuditStep::Unknown => "unknown",
        })?;
        let texts = [
            ("", self.kind.as_ref().map(ToString::to_string)),
            ("", self.amount.map(|amount| format!("{amount} cents"))),
            ("currency ", self.currency.as_ref().map(ToString::to_string)),
            ("id ", self.id.clone()),
            ("state ", self.state.as_ref().map(ToString::to_string)),
            ("", self.problem.clone()),
            ("", self.reason.clone()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                write!(f, ", {name}{text}")?;
            }
        }
        Ok(())
    }
}
