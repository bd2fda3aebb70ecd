//! Finds the exceptions anew that an earlier version of the rules found.

use crate::db::Db;
use crate::tasks::Tasks;
use payment_rules::operation::OperationKey;
use std::time::Duration;

/// The payments of one step. Between two steps the writes of payers are done.
const BATCH_PAYMENTS: u32 = 50;
const BATCH_PAUSE: Duration = Duration::from_millis(100);
/// A node of an earlier version may write payments as long as it runs.
const POLL_INTERVAL: Duration = Duration::from_mins(10);

/// Runs until the server stops.
pub(crate) async fn renew_old_exceptions(db: Db, tasks: Tasks) {
    let first = OperationKey::new("", "");
    let mut after = first.clone();
    while !tasks.is_stopping() {
        let renewed = db.renew_exceptions(&after, BATCH_PAYMENTS).await;
        let pause = match renewed {
            Ok(Some(renewed)) => {
                after = renewed.last;
                BATCH_PAUSE
            }
            ended => {
                if let Err(error) = ended {
                    tracing::error!(%error, "exceptions of an earlier version cannot be found anew");
                }
                after.clone_from(&first);
                POLL_INTERVAL
            }
        };
        tasks.pause(pause).await;
    }
}
