//! `fence`: the instant of the last restore, or of a takeover by a standby that may lack commits. What is
//! older may have changed at the payment service without this database knowing. Until staff confirm an older
//! operation, the server does not remove it, does not give its money back, and cancels it only after a query.
//! Staff confirm one operation by resolving its exception, and all of them by the command `restored --compared`.

use super::columns::key;
use super::connections::Db;
use super::due::unreadable;
use super::engine::Connection;
use super::error::DbError;
use super::lock::Lock;
use super::{api_keys, audit, list_positions, payments, second_factors};
use payment_model::Timestamp;
use payment_rules::staff::AuditRecord;
use staff_model::AuditAction;

/// Who sets the fence after a restore, in the audit record.
const RESTORED_COMMAND: &str = "restored (command)";

/// True for a row of `orders` or `events` that may be removed; with a fence, only what is newer.
pub(super) const REMOVABLE: &str = "created_at >= coalesce((SELECT at FROM fence), created_at)";

/// What a restore ended.
pub(crate) struct EndedByRestore {
    /// The names of the API keys.
    pub(crate) api_keys: Vec<String>,
    /// The accounts of staff whose second factors ended.
    pub(crate) second_factors: Vec<String>,
}

impl Db {
    /// Sets the fence after every known order and operation, and ends the sessions of staff, some of whom
    /// may have signed out since the backup, and all second factors and API keys, one of which may have been replaced
    /// because somebody stole it.
    pub(crate) async fn set_fence(&self, now: Timestamp) -> Result<EndedByRestore, DbError> {
        let mut transaction = self.write(Lock::None).await?;
        let detail = "the database was restored from a backup";
        set(&mut transaction, now, &record(RESTORED_COMMAND, detail)).await?;
        let ended = EndedByRestore {
            api_keys: api_keys::end_all(&mut transaction, RESTORED_COMMAND, now).await?,
            second_factors: second_factors::end_all(&mut transaction, RESTORED_COMMAND).await?,
        };
        transaction.commit().await?;
        Ok(ended)
    }

    /// Takes the fence away; `false` when there was none.
    pub(crate) async fn end_fence(&self) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::None).await?;
        let ended = sqlx::query("DELETE FROM fence").execute(&mut *transaction);
        let ended = ended.await?.rows_affected() > 0;
        if ended {
            let detail = "all that is older than the restore was compared with the service";
            audit::add(&mut transaction, &record(RESTORED_COMMAND, detail)).await?;
        }
        transaction.commit().await?;
        Ok(ended)
    }

    /// The fence, while there is one.
    pub(crate) async fn fence(&self) -> Result<Option<Timestamp>, DbError> {
        find(&mut self.reader().await?).await
    }
}

/// Sets the fence as [`Db::set_fence`] does, and leaves the keys: a takeover lacks seconds, and must not
/// stop the programs of the shop. The record says who sets it, and why.
pub(super) async fn set(
    connection: &mut Connection,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<(), DbError> {
    let newest = sqlx::query_scalar::<_, i64>(
        "SELECT max(at) FROM (SELECT coalesce(max(created_at), 0) AS at FROM orders
            UNION ALL SELECT coalesce(max(created_at), 0) FROM operations) AS known",
    );
    let newest = newest.fetch_one(&mut *connection).await?;
    let at = now.max(Timestamp::from_millis(newest.saturating_add(1)));
    sqlx::query(
        "INSERT INTO fence (one, at) VALUES (1, $1)
         ON CONFLICT (one) DO UPDATE SET at = excluded.at",
    )
    .bind(at.as_millis())
    .execute(&mut *connection)
    .await?;
    note_in_payments(connection).await?;
    // Programs of the shop have read on to positions that this database does not have.
    list_positions::begin_anew(connection, at).await?;
    sqlx::query("DELETE FROM staff_sessions")
        .execute(&mut *connection)
        .await?;
    audit::add(connection, record).await
}

/// See [`payment_rules::operation::OperationRecord::was_restored`]. A damaged one stays as it is.
///
/// # Errors
/// A payment of a later version: that version has to note it.
async fn note_in_payments(connection: &mut Connection) -> Result<(), DbError> {
    let open = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM operations
         WHERE unsent = 1 OR phase IN ('sending', 'in_doubt')",
    );
    let rows = open.fetch_all(&mut *connection).await?;
    let keys = rows.iter().map(key).collect::<Result<Vec<_>, _>>()?;
    Lock::Operations(&keys).take(connection).await?;
    for key in keys {
        let earlier = match payments::find(connection, &key).await {
            Err(error @ DbError::Failed(_)) => {
                unreadable(&error);
                continue;
            }
            found => found?,
        };
        let Some(earlier) = earlier else { continue };
        let mut payment = earlier.clone();
        payment.operation.was_restored();
        payments::save(connection, Some(&earlier), &payment).await?;
    }
    Ok(())
}

pub(super) async fn find(connection: &mut Connection) -> Result<Option<Timestamp>, DbError> {
    let at = sqlx::query_scalar::<_, i64>("SELECT at FROM fence");
    let at = at.fetch_optional(connection).await?;
    Ok(at.map(Timestamp::from_millis))
}

fn record(who: &str, detail: &str) -> AuditRecord {
    AuditRecord {
        staff: who.to_owned(),
        action: AuditAction::Restore,
        key: None,
        detail: detail.to_owned(),
    }
}
