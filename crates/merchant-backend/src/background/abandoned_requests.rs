//! Gives up requests that were sent so long ago that the process that sent them must have stopped:
//! their outcome is unknown.

use crate::clock::believed_now;
use crate::config::Timing;
use crate::db::{Db, DbError};
use std::time::Duration;

/// Gives up old requests, unless the clock jumped within that time: a request that was just sent may look old.
pub(super) async fn give_up(db: &Db, timing: &Timing) -> Result<(), DbError> {
    // The clock of the database's server is read first, so that its jump is seen here.
    db.follow_clock().await?;
    let (sending, asking) = (timing.sending(), timing.lease());
    if let Some(now) = believed_now(sending, Duration::ZERO) {
        db.doubt_abandoned(now.saturating_sub(sending), now).await?;
    }
    if let Some(now) = believed_now(sending.max(asking), Duration::ZERO) {
        let (sent, asked) = (now.saturating_sub(sending), now.saturating_sub(asking));
        db.abandon_attempts(sent, asked, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::give_up;
    use crate::ambient::{Node, TestMachine};
    use crate::clock::now;
    use crate::config::Timing;
    use crate::database_address::DatabaseAddress;
    use crate::db::Db;
    use payment_model::{PaymentMethodName, Timestamp};
    use payment_rules::ledger::Ledger;
    use payment_rules::ledger::fixture::reserve;
    use payment_rules::operation::fixture::{record, with_state};
    use payment_rules::operation::{OperationKey, OperationRecord, Phase};
    use payment_rules::order::fixture::order;
    use payment_rules::timing::instant;
    use staff_model::AttemptState;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);
    const HOUR: Duration = Duration::from_hours(1);

    async fn send_authorization(db: &Db, at: Timestamp) -> OperationKey {
        db.add_order(&order("order")).await.unwrap();
        let sent = OperationRecord {
            created_at: at,
            ..record()
        };
        db.put(&sent).await.unwrap();
        sent.key
    }

    async fn send_refund(db: &Db, at: Timestamp) -> OperationKey {
        db.add_order(&order("settled")).await.unwrap();
        let settled = OperationRecord {
            key: OperationKey::new("shop", "2"),
            order_id: "settled".to_owned(),
            callback_hash: "2".to_owned(),
            method: PaymentMethodName::Installment,
            ..with_state("LIQUIDADO", instant(0))
        };
        db.put(&settled).await.unwrap();
        let begin = |ledger: &mut Ledger| {
            reserve(ledger, "attempt", 100, at);
            assert!(ledger.begin("attempt", at));
        };
        db.change_ledger(&settled.key, begin).await.unwrap();
        settled.key
    }

    async fn are_in_doubt(db: &Db, keys: &[OperationKey; 2]) -> (bool, bool) {
        let operation = db.operation(&keys[0]).await.unwrap().unwrap();
        let ledger = db.ledger(&keys[1]).await.unwrap().unwrap();
        let attempt = ledger.attempts[0].state;
        (
            operation.phase == Phase::InDoubt,
            attempt == AttemptState::InDoubt,
        )
    }

    #[tokio::test]
    async fn a_jump_of_the_clock_gives_up_no_request_that_was_just_sent() {
        let machine = TestMachine::new();
        let test = async {
            let directory = tempfile::tempdir().unwrap();
            // A file has no clock of its own.
            let file = DatabaseAddress::File(directory.path().join("db"));
            let db = Db::open(&file).await.unwrap();
            let timing = Timing::default();
            give_up(&db, &timing).await.unwrap();
            let sent = now();
            let keys = [
                send_authorization(&db, sent).await,
                send_refund(&db, sent).await,
            ];
            for (passes, jumps, in_doubt) in [
                (SECOND, Duration::ZERO, false),
                (SECOND, HOUR, false),
                (10 * SECOND, Duration::ZERO, false),
                (HOUR, Duration::ZERO, true),
            ] {
                machine.passes(passes + jumps, passes);
                give_up(&db, &timing).await.unwrap();
                let found = are_in_doubt(&db, &keys).await;
                assert_eq!(found, (in_doubt, in_doubt), "{passes:?} {jumps:?}");
            }
        };
        Node::start_on(machine.clone()).run(test).await;
    }
}
