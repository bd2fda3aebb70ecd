//! Receivers that answered 410 (gone): each is stopped until somebody resumes it. Its events are kept.

use super::admin_connection::AdminDb;
use super::connections::Db;
use super::deliveries;
use super::error::DbError;
use super::event_receivers;
use super::lock::Lock;
use payment_model::Timestamp;

/// What became of the command to resume a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResumeOutcome {
    Resumed,
    /// It was not stopped.
    NotStopped,
    /// No server has it; these are there.
    Unknown(Vec<String>),
}

impl Db {
    /// True while a receiver is stopped.
    pub(crate) async fn receiver_is_stopped(&self, receiver: &str) -> Result<bool, DbError> {
        let stopped =
            sqlx::query("SELECT 1 FROM event_receivers WHERE name = $1 AND stopped_at IS NOT NULL");
        let stopped = stopped.bind(receiver);
        let stopped = stopped.fetch_optional(&mut self.reader().await?).await?;
        Ok(stopped.is_some())
    }

    /// Stops a receiver, which answered 410 to an event, and plans the event like one whose delivery failed.
    /// `false` if it was stopped before.
    pub(crate) async fn stop_receiver(
        &self,
        seq: i64,
        receiver: &str,
        due_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Lock::Event(seq)).await?;
        // A resumption takes these rows in the same order.
        let stopped = sqlx::query(
            "UPDATE event_receivers SET stopped_at = $1, stopped_seq = $2
             WHERE name = $3 AND stopped_at IS NULL",
        )
        .bind(now.as_millis())
        .bind(seq)
        .bind(receiver)
        .execute(&mut *transaction)
        .await?;
        deliveries::fail(&mut transaction, seq, receiver, due_at).await?;
        transaction.commit().await?;
        Ok(stopped.rows_affected() > 0)
    }
}

impl AdminDb {
    /// Resumes a receiver. Its events are due at once, and count as never sent, since what failed before the
    /// stop says nothing about the receiver that is back.
    pub(crate) async fn resume_receiver(
        &self,
        receiver: &str,
        now: Timestamp,
    ) -> Result<ResumeOutcome, DbError> {
        let mut transaction = self.write().await?;
        if !event_receivers::is_known(&mut transaction, receiver).await? {
            let names = event_receivers::names(&mut transaction).await?;
            return Ok(ResumeOutcome::Unknown(names));
        }
        let resumed = sqlx::query(
            "UPDATE event_receivers SET stopped_at = NULL, stopped_seq = NULL
             WHERE name = $1 AND stopped_at IS NOT NULL",
        );
        let resumed = resumed.bind(receiver).execute(&mut *transaction).await?;
        if resumed.rows_affected() == 0 {
            return Ok(ResumeOutcome::NotStopped);
        }
        // An earlier plan keeps its place, so that the events come nearly in their order.
        sqlx::query(
            "UPDATE deliveries SET failures = 0,
                 planned_at = CASE WHEN due_at > $1 THEN $1 ELSE planned_at END,
                 due_at = CASE WHEN due_at > $1 THEN $1 ELSE due_at END
             WHERE receiver = $2 AND due_at IS NOT NULL AND leased_until IS NULL",
        )
        .bind(now.as_millis())
        .bind(receiver)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(ResumeOutcome::Resumed)
    }
}

#[cfg(test)]
mod tests;
