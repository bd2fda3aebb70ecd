//! Notifications between the nodes that share a database of PostgreSQL. A node notifies within the
//! transaction of the change, so that no notification comes before its change or without it.

use super::columns::key;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use payment_model::{IdempotencyKey, Timestamp};
use payment_rules::idempotency::{IdempotentRequest, Sender};
use payment_rules::operation::OperationKey;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;

const NOTIFY_CHANNEL: &str = "payment_checkout";

/// The row that a process changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Change {
    Operation(OperationKey),
    /// A request under this key has ended.
    Key(Sender, IdempotencyKey),
    /// A payment link.
    Link,
}

impl Change {
    pub(super) fn key_of(request: &IdempotentRequest) -> Self {
        Self::Key(request.sender.clone(), request.key.clone())
    }
}

/// A change, and the process that made it.
#[derive(Serialize, Deserialize)]
struct Notification<C> {
    by: String,
    changed: C,
}

/// Receives the changes of other nodes.
pub(crate) struct Listener {
    listener: PgListener,
    own_name: String,
}

impl Listener {
    /// The next change; `None` when some may have been missed, since the connection was lost.
    pub(crate) async fn next(&mut self) -> Result<Option<Change>, DbError> {
        loop {
            let Some(notification) = self.listener.try_recv().await? else {
                return Ok(None);
            };
            match serde_json::from_str::<Notification<Change>>(notification.payload()) {
                Ok(notification) if notification.by == self.own_name => {}
                Ok(notification) => return Ok(Some(notification.changed)),
                // A node of another version may use another format.
                Err(_) => return Ok(None),
            }
        }
    }
}

impl Db {
    /// True when other processes may use the database.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared().is_some()
    }

    /// Listens for changes of other nodes; `None` for a file, which only one process uses.
    pub(crate) async fn listen(&self) -> Result<Option<Listener>, DbError> {
        let Some((server, own_name)) = self.shared() else {
            return Ok(None);
        };
        let mut listener = PgListener::connect(server.address.expose_secret()).await?;
        listener.listen(NOTIFY_CHANNEL).await?;
        Ok(Some(Listener {
            listener,
            own_name: own_name.to_owned(),
        }))
    }

    /// The operations whose state changed since an instant.
    pub(crate) async fn changed_since(
        &self,
        instant: Timestamp,
    ) -> Result<Vec<OperationKey>, DbError> {
        let rows = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM operations
             WHERE changed_at >= $1",
        )
        .bind(instant.as_millis())
        .fetch_all(&mut self.reader().await?)
        .await?;
        rows.iter().map(key).collect()
    }

    /// Notifies the other nodes of a change when this transaction commits.
    pub(super) async fn notify_nodes(
        &self,
        connection: &mut Connection,
        changed: &Change,
    ) -> Result<(), DbError> {
        if let Some((_, own_name)) = self.shared() {
            let notification = Notification {
                by: own_name.to_owned(),
                changed,
            };
            sqlx::query("SELECT pg_notify($1, $2)")
                .bind(NOTIFY_CHANNEL)
                .bind(serde_json::to_string(&notification)?)
                .execute(connection)
                .await?;
        }
        Ok(())
    }
}
