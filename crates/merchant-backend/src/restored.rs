//! `merchant-backend restored`: what is older than a restore waits until staff have compared it with
//! the payment service.

use crate::clock::now;
use crate::database_address::DatabaseAddress;
use crate::db::{DatabaseError, Db, DbError};

/// Why the fence was not changed; the message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RestoreError {
    #[error("{0}")]
    Database(#[from] DatabaseError),
    #[error("{0}; run it again")]
    Failed(#[from] DbError),
}

/// Sets the fence, or takes it away when everything was `compared`; returns what to tell.
///
/// # Errors
/// The remedy is in its message.
pub(crate) async fn restored(
    database: &DatabaseAddress,
    compared: bool,
) -> Result<String, RestoreError> {
    let db = Db::open(database).await?;
    let told = if compared {
        compare(&db, database).await
    } else {
        set(&db, database).await
    };
    db.close().await;
    Ok(told?)
}

async fn set(db: &Db, database: &DatabaseAddress) -> Result<String, DbError> {
    db.set_fence(now()).await?;
    Ok(format!(
        "{database}: everything in it waits for staff. Start the server, compare it with the payment service, and run `restored --compared`."
    ))
}

async fn compare(db: &Db, database: &DatabaseAddress) -> Result<String, DbError> {
    Ok(if db.end_fence().await? {
        format!("{database}: what is older than the restore is like everything else again.")
    } else {
        format!("{database} waits for nobody: nothing was changed.")
    })
}
