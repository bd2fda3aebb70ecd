use crate::operation::OperationKey;
use staff_model::{AuditAction, AuditFacts};

/// An act of a member of staff, as it is kept. It holds no payer's data and no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// The name of the account.
    pub staff: String,
    pub action: AuditAction,
    /// The operation of the act, if it has one.
    pub key: Option<OperationKey>,
    /// A sentence that ends with the reason, or [`AuditFacts`] as JSON.
    pub detail: String,
}

impl AuditRecord {
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
