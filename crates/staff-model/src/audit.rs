use crate::word::kept_words;
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

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
}
