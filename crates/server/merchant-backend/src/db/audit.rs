//! `audit`: the acts of staff; rows are added and never changed.

use super::columns::instant;
use super::connections::Db;
use super::engine::{Connection, Row};
use super::error::DbError;
use super::lock::Lock;
use crate::clock::now;
use payment_rules::operation::OperationKey;
use payment_rules::staff::AuditRecord;
use sqlx::Row as _;
use staff_model::{AuditAction, AuditEntry, AuditFacts};

/// The most audit entries of one operation in an answer.
const MAX_ENTRIES_PER_OPERATION: i64 = 500;

impl Db {
    /// Stores an act before it is done, or its result.
    pub(crate) async fn audit(&self, record: &AuditRecord) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        add(&mut transaction, record).await?;
        transaction.commit().await
    }
}

/// The acts on an operation, the newest first.
pub(super) async fn of_operation(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Vec<AuditEntry>, DbError> {
    let rows = sqlx::query(
        "SELECT at, staff, action, detail FROM audit
         WHERE merchant_code = $1 AND merchant_operation_number = $2
         ORDER BY id DESC LIMIT $3",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(MAX_ENTRIES_PER_OPERATION)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The facts of a stored act; `None` for a sentence of an older version. The details of other acts are
/// text that staff typed, which is never parsed.
fn facts(action: &AuditAction, detail: &str) -> Option<AuditFacts> {
    use AuditAction as Act;
    matches!(
        action,
        Act::Cancel | Act::Reverse | Act::Refund | Act::Return
    )
    .then(|| serde_json::from_str(detail).ok())?
}

fn read(row: &Row) -> Result<AuditEntry, DbError> {
    let action = row.try_get::<&str, _>("action")?.into();
    let detail: String = row.try_get("detail")?;
    let facts = facts(&action, &detail);
    Ok(AuditEntry {
        at: instant(row, "at")?,
        staff: row.try_get("staff")?,
        action,
        detail: facts.as_ref().map_or(detail, ToString::to_string),
        facts,
    })
}

pub(super) async fn add(connection: &mut Connection, record: &AuditRecord) -> Result<(), DbError> {
    let key = record.key.as_ref();
    sqlx::query(
        "INSERT INTO audit (at, staff, action, merchant_code, merchant_operation_number, detail)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(now().as_millis())
    .bind(&record.staff)
    .bind(record.action.as_str())
    .bind(key.map(|key| key.merchant_code.as_str()))
    .bind(key.map(|key| key.number.as_str()))
    .bind(&record.detail)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{AuditRecord, facts};
    use payment_model::Cents;
    use payment_rules::operation::OperationKey;
    use staff_model::{AuditAction, AuditFacts, AuditStep};

    #[test]
    fn facts_are_read_back_and_sentences_of_older_versions_stay_sentences() {
        let told = AuditFacts {
            amount: Some(Cents::new(9_900)),
            id: Some("attempt".to_owned()),
            ..AuditFacts::new(AuditStep::Asked)
        };
        let key = OperationKey::new("shop".to_owned(), "7".to_owned());
        let record = AuditRecord::of_facts("ana", AuditAction::Refund, &key, &told);
        assert_eq!(facts(&record.action, &record.detail), Some(told));
        // Text that a person typed is not parsed as facts.
        assert_eq!(facts(&AuditAction::ReleaseOrder, &record.detail), None);
        let before = "asked for a PARTIAL refund of 9900 cents, attempt Dk3b";
        assert_eq!(facts(&AuditAction::Refund, before), None);
    }
}
