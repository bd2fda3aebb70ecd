use super::connections::Db;
use super::engine::Engine;
use super::error::DbError;
use super::lock::Lock;
use super::{exceptions, orders, payments};
use payment_rules::ledger::{Ledger, LedgerEntries};
use payment_rules::operation::OperationRecord;
use payment_rules::order::OrderFacts;
use payment_rules::payment::Payment;

impl Db {
    /// Writes made-up orders and operations in one transaction.
    pub(crate) async fn fill(&self, rows: &[(OrderFacts, OperationRecord)]) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        for (order, record) in rows {
            orders::add(&mut transaction, order).await?;
            let ledger = Ledger::new(record, LedgerEntries::default());
            let payment = Payment::new(record.clone(), ledger);
            payments::add(&mut transaction, &payment).await?;
            exceptions::replace(&mut transaction, &record.key, &payment.exceptions()).await?;
        }
        transaction.commit().await
    }

    /// Lets a server know at once how many rows there are, as it finds out by itself after a while.
    pub(crate) async fn count_rows(&self) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        if self.engine() == Engine::Postgres {
            sqlx::raw_sql("ANALYZE").execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}
