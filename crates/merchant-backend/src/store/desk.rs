//! What must survive a restart about the staff: who is signed in, and who did what.

use super::{Deed, Sqlite, StoreError, audit, staff_sessions};
use crate::clock::Millis;
use crate::operation::OperationKey;
use async_trait::async_trait;
use staff_model::AuditEntry;

/// What must survive a restart about the staff.
#[async_trait]
pub(crate) trait Desk: Send + Sync {
    /// Signs an account in, and out of the sessions that its browser had before.
    async fn begin_session(
        &self,
        hash: &str,
        name: &str,
        before: &[String],
        now: Millis,
    ) -> Result<(), StoreError>;

    /// The name of the account of the first of these sessions that has not run out; counts as
    /// a use of it.
    async fn use_session(
        &self,
        hashes: &[String],
        now: Millis,
    ) -> Result<Option<String>, StoreError>;

    /// Ends sessions; answers with the names whose they were.
    async fn end_sessions(&self, hashes: &[String]) -> Result<Vec<String>, StoreError>;

    /// Writes down what somebody is about to do, or what came of it.
    async fn audit(&self, deed: &Deed) -> Result<(), StoreError>;

    /// What was done to an operation, the newest first.
    async fn deeds(&self, key: &OperationKey) -> Result<Vec<AuditEntry>, StoreError>;
}

#[async_trait]
impl Desk for Sqlite {
    async fn begin_session(
        &self,
        hash: &str,
        name: &str,
        before: &[String],
        now: Millis,
    ) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        staff_sessions::end(&mut transaction, before).await?;
        staff_sessions::begin(&mut transaction, hash, name, now).await?;
        transaction.commit().await
    }

    async fn use_session(
        &self,
        hashes: &[String],
        now: Millis,
    ) -> Result<Option<String>, StoreError> {
        let found = staff_sessions::find(&mut *self.reader().await?, hashes, now).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            let mut transaction = self.write().await?;
            staff_sessions::touch(&mut transaction, &found.hash, now).await?;
            transaction.commit().await?;
        }
        Ok(Some(found.name))
    }

    async fn end_sessions(&self, hashes: &[String]) -> Result<Vec<String>, StoreError> {
        let mut transaction = self.write().await?;
        let names = staff_sessions::end(&mut transaction, hashes).await?;
        transaction.commit().await?;
        Ok(names)
    }

    async fn audit(&self, deed: &Deed) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        audit::add(&mut transaction, deed).await?;
        transaction.commit().await
    }

    async fn deeds(&self, key: &OperationKey) -> Result<Vec<AuditEntry>, StoreError> {
        audit::of_operation(&mut *self.reader().await?, key).await
    }
}
