use crate::word::{kept_words, words};
use payment_model::{Cents, Currency, RefundType, Timestamp, TransactionState};
use serde::{Deserialize, Serialize};
use std::fmt;

kept_words! {
    /// The kind of an act of staff, in the audit record.
    pub enum AuditAction {
        /// A request to cancel an operation, with its result.
        Cancel = "cancel",
        /// A request to reverse a payment before it is settled, with its result.
        Reverse = "reverse",
        /// A refund was requested from the service.
        Refund = "refund",
        /// The reserved amount of a refund attempt was released.
        ReleaseAttempt = "release",
        /// The reserved amount of a reversal was released.
        ReleaseReversal = "release_reversal",
        /// The first person asked to release a blocked order.
        AskReleaseOrder = "ask-release-order",
        /// The second person released a blocked order.
        ReleaseOrder = "release-order",
        /// A manual return was recorded.
        Return = "return",
        /// A manual return was confirmed as made.
        ReturnDone = "return_done",
        /// The first person asked to give up a manual return that needs a second person.
        AskReturnGivenUp = "ask_return_given_up",
        /// A manual return was given up.
        ReturnGivenUp = "return_given_up",
        /// An exception was resolved.
        Resolve = "resolve",
        /// The service was queried again.
        Query = "query",
        /// A CSV file of operations was downloaded.
        Export = "export",
        /// An account signed in.
        SignIn = "sign-in",
        /// An account signed out.
        SignOut = "sign-out",
        /// A request without a code that it needs: the right password of an account with a second factor, or an act
        /// with money in a session whose last code is too old.
        CodeAsked = "code-asked",
        /// A code that is wrong, used or expired.
        CodeRefused = "code-refused",
        /// A right code confirmed a session again before an act with money.
        StepUp = "step-up",
        /// A recovery code was used.
        RecoveryCode = "recovery-code",
        /// The command `second-factor` made an enrolment code, or an account gave one.
        EnrolmentCode = "enrolment-code",
        /// An enrolment showed its key.
        BeginEnrolment = "begin-enrolment",
        /// An account enrolled its second factor, which replaces an earlier one.
        Enrol = "enrol",
        /// The command `restored` or `purge` ended a second factor.
        EndSecondFactor = "end-second-factor",
        /// A program of the shop renewed or revoked the address of an order's page.
        PayLink = "pay-link",
        /// An account made a payment link.
        MakeLink = "make-link",
        /// An account ended a payment link.
        EndLink = "end-link",
        /// The command `purge` removed the payer's personal data.
        Purge = "purge",
        /// The command `restored` set or removed the fence after a restore.
        Restore = "restore",
        /// The command `key` made a key of a program of the shop.
        MakeKey = "make-key",
        /// The command `key` ended such a key, or `restored` ended all of them.
        EndKey = "end-key",
    }
}

/// An act of staff, from the audit record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// The time of the act.
    pub at: Timestamp,
    /// The name of the account.
    pub staff: String,
    /// The kind of the act.
    pub action: AuditAction,
    /// The details as a sentence in English, without personal data and secrets.
    pub detail: String,
    /// The details as facts, for a sentence in any language. `null` for acts whose details are a text that
    /// staff entered, and for entries of older versions.
    #[serde(default)]
    pub facts: Option<AuditFacts>,
}

words! {
    /// The stage of an act.
    pub enum AuditStep {
        /// The act was requested.
        Asked = "asked",
        /// The act was carried out.
        Done = "done",
        /// The act was not carried out.
        NotDone = "not_done",
    }
}

/// The facts of an act. Facts that do not apply to the act are absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFacts {
    /// The stage of the act.
    pub step: AuditStep,
    /// Whether the whole payment or a part was refunded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<RefundType>,
    /// The amount in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Cents>,
    /// The currency of the amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The id of the refund attempt or of the manual return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The state of the operation at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TransactionState>,
    /// The reason for which the act was not carried out: the last part of the problem's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The text that staff entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl AuditFacts {
    /// Creates facts that have only the stage.
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
    /// Formats the facts in English, for clients without texts of their own.
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
