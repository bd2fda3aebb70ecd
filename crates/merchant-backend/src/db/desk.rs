//! What staff have and look for: who is signed in, who did what, lists of operations.

use super::{
    AuditRecord, BlockRelease, Db, DbError, FoundException, FoundPage, Holder, audit, blocks,
    exceptions, operations, search, staff_sessions,
};
use crate::clock::Millis;
use crate::domain::operation::OperationKey;
use crate::domain::search::Search;
use staff_model::{AuditEntry, OperationRow, ResolveException};
use std::collections::HashMap;

/// An operation in its order, as lists show them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OperationSummary {
    pub(crate) row: OperationRow,
    pub(crate) exceptions: Vec<FoundException>,
    /// Every operation of the order, the oldest first.
    pub(crate) of_order: Vec<OperationRow>,
}

impl Db {
    /// Signs an account in, and out of the sessions that its browser had before.
    pub(crate) async fn begin_session(
        &self,
        hash: &str,
        holder: &Holder,
        before: &[String],
        now: Millis,
    ) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        staff_sessions::end(&mut transaction, before).await?;
        staff_sessions::begin(&mut transaction, hash, holder, now).await?;
        transaction.commit().await
    }

    /// Whose is the first of these sessions that has not run out; counts as
    /// a use of it.
    pub(crate) async fn use_session(
        &self,
        hashes: &[String],
        now: Millis,
    ) -> Result<Option<Holder>, DbError> {
        let found = staff_sessions::find(&mut *self.reader().await?, hashes, now).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            let mut transaction = self.write().await?;
            staff_sessions::touch(&mut transaction, &found.hash, now).await?;
            transaction.commit().await?;
        }
        Ok(Some(found.holder))
    }

    /// Ends sessions; answers with the names whose they were.
    pub(crate) async fn end_sessions(&self, hashes: &[String]) -> Result<Vec<String>, DbError> {
        let mut transaction = self.write().await?;
        let names = staff_sessions::end(&mut transaction, hashes).await?;
        transaction.commit().await?;
        Ok(names)
    }

    /// Writes down what somebody is about to do, or what came of it.
    pub(crate) async fn audit(&self, record: &AuditRecord) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        audit::add(&mut transaction, record).await?;
        transaction.commit().await
    }

    /// A page of a search, the newest first. `unsettled_since` is since when a payment has to
    /// be settled by now.
    pub(crate) async fn search(
        &self,
        search: &Search,
        unsettled_since: Millis,
    ) -> Result<FoundPage, DbError> {
        search::page(&mut *self.read().await?, search, unsettled_since).await
    }

    /// Every exception under these merchant codes that nobody has dealt with, the oldest
    /// first, with its operation.
    pub(crate) async fn exceptions(
        &self,
        among: &[String],
        unsettled_since: Millis,
    ) -> Result<Vec<(FoundException, OperationRow)>, DbError> {
        let mut transaction = self.read().await?;
        let found = exceptions::all(&mut transaction, among, unsettled_since).await?;
        let ids: Vec<i64> = found.iter().map(|exception| exception.rowid).collect();
        let rows = search::by_rowid(&mut transaction, &ids, unsettled_since).await?;
        let rows: HashMap<i64, OperationRow> = rows.into_iter().collect();
        let with_row = |exception: FoundException| {
            let row = rows.get(&exception.rowid)?.clone();
            Some((exception, row))
        };
        Ok(found.into_iter().filter_map(with_row).collect())
    }

    /// An operation in its order, as lists show them.
    pub(crate) async fn summary(
        &self,
        key: &OperationKey,
        unsettled_since: Millis,
    ) -> Result<Option<OperationSummary>, DbError> {
        let mut transaction = self.read().await?;
        let Some(record) = operations::find(&mut transaction, key).await? else {
            return Ok(None);
        };
        let rows = search::of_order(&mut transaction, &record.order_id, unsettled_since).await?;
        let is_it = |row: &OperationRow| {
            row.merchant_code == key.merchant_code.as_str()
                && row.merchant_operation_number == key.number.as_str()
        };
        let Some((rowid, row)) = rows.iter().find(|(_, row)| is_it(row)).cloned() else {
            return Ok(None);
        };
        let exceptions = exceptions::of(&mut transaction, &[rowid], unsettled_since).await?;
        let of_order = rows.into_iter().map(|(_, row)| row).collect();
        Ok(Some(OperationSummary {
            row,
            exceptions,
            of_order,
        }))
    }

    /// Gives the order of an operation free that has blocked it for long, if somebody else asked
    /// for it before; writes down who did.
    pub(crate) async fn release_block(
        &self,
        key: &OperationKey,
        staff: &str,
        reason: &str,
        now: Millis,
    ) -> Result<BlockRelease, DbError> {
        let mut transaction = self.write().await?;
        let release = blocks::release(&mut transaction, key, staff, reason, now).await?;
        transaction.commit().await?;
        Ok(release)
    }

    /// Takes an exception that began then off the list, and writes down who did, at once.
    pub(crate) async fn resolve(
        &self,
        key: &OperationKey,
        wanted: &ResolveException,
        since: Millis,
        record: &AuditRecord,
        now: Millis,
    ) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        exceptions::resolve(&mut transaction, key, wanted, since, &record.staff, now).await?;
        audit::add(&mut transaction, record).await?;
        transaction.commit().await
    }

    /// What was done to an operation, the newest first.
    pub(crate) async fn audit_entries(
        &self,
        key: &OperationKey,
    ) -> Result<Vec<AuditEntry>, DbError> {
        audit::of_operation(&mut *self.reader().await?, key).await
    }
}
