//! What the server keeps of its staff: how long a session lasts, and what each member of staff did.

use crate::operation::OperationKey;
use staff_model::{AuditAction, AuditFacts};
use std::time::Duration;

/// An act of a member of staff, as the audit log has it. It has no data of a payer and no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// The name of the account.
    pub staff: String,
    /// What the member of staff did.
    pub action: AuditAction,
    /// The operation of the act, if it has one.
    pub key: Option<OperationKey>,
    /// A sentence that ends with the reason, or [`AuditFacts`] as JSON.
    pub detail: String,
}

impl AuditRecord {
    /// An act that is about no operation.
    pub fn without_operation(staff: &str, action: AuditAction, detail: &str) -> Self {
        Self {
            staff: staff.to_owned(),
            action,
            key: None,
            detail: detail.to_owned(),
        }
    }

    /// An act whose detail is [`AuditFacts`].
    pub fn of_facts(
        staff: &str,
        action: AuditAction,
        key: &OperationKey,
        facts: &AuditFacts,
    ) -> Self {
        Self {
            staff: staff.to_owned(),
            action,
            key: Some(key.clone()),
            // Facts are texts and numbers, which serde_json always writes.
            detail: serde_json::to_string(facts).unwrap_or_else(|_| facts.to_string()),
        }
    }
}

/// After this time a session ends, whether it is used or not.
pub const MAX_SESSION_LIFETIME: Duration = Duration::from_hours(8);
/// After this time without a request a session ends.
pub const MAX_SESSION_IDLE_TIME: Duration = Duration::from_mins(30);
