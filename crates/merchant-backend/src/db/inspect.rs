//! Looks at a database without a change, also beside the server that owns it.

use super::database_error::DatabaseError;
use super::database_file::is_taken;
use super::engine::sqlite::connect_beside;
use super::engine::{Connection, postgres};
use super::schema::{self, Schema};
use super::{acknowledged_commits, fence, moved};
use crate::database_address::{DatabaseAddress, ServerAddress};
use secrecy::ExposeSecret;
use sqlx::Connection as _;
use std::fs::File;
use std::path::Path;

/// The state of a database, as a look at its file shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inspected {
    /// No file yet, and its directory may be written; or an empty database.
    None,
    /// A database with the newest schema.
    Current,
    /// A database that the next start will change.
    Older,
    /// A database with the newest schema that was restored from a backup, with what is older
    /// waiting for staff.
    Restored,
    /// A server has it now.
    InUse,
}

/// Looks at a database.
///
/// # Errors
/// It cannot be used; the error names the remedy.
pub(crate) async fn inspect(address: &DatabaseAddress) -> Result<Inspected, DatabaseError> {
    match address {
        DatabaseAddress::File(path) => file(path).await,
        DatabaseAddress::Server(address) => server(address).await,
    }
}

async fn server(address: &ServerAddress) -> Result<Inspected, DatabaseError> {
    let name = address.to_string();
    let unreachable = |cause: sqlx::Error| DatabaseError::Unreachable {
        name: name.clone(),
        cause: cause.to_string(),
    };
    let connection = postgres::connect_once(address.address.expose_secret());
    let mut connection = connection.await.map_err(unreachable)?;
    let refused = postgres::refused(&mut connection).await;
    if let Some(refused) = refused.map_err(unreachable)? {
        return Err(refused.error(&name));
    }
    let schema = schema::look(&mut connection).await.map_err(unreachable)?;
    let inspected = compared(&mut connection, schema, &name).await;
    // Nothing depends on how it ends.
    let _ = connection.close().await;
    inspected
}

async fn compared(
    connection: &mut Connection,
    schema: Schema,
    name: &str,
) -> Result<Inspected, DatabaseError> {
    match schema {
        Schema::Missing => return Ok(Inspected::None),
        Schema::Foreign => return Err(DatabaseError::Foreign(name.to_owned())),
        Schema::Older => return Ok(Inspected::Older),
        Schema::Newer => return Err(DatabaseError::Newer(name.to_owned())),
        Schema::Newest => moved::usable(connection, name).await?,
    }
    let fence = fence::find(connection).await;
    let fence = fence.map_err(|error| DatabaseError::Schema(name.to_owned(), error.to_string()))?;
    Ok(fence.map_or(Inspected::Current, |_| Inspected::Restored))
}

/// True when a standby that takes over may lack commits; `false` also for a file, and where nothing
/// can be asked.
pub(crate) async fn standbys_may_lack_commits(address: &DatabaseAddress) -> bool {
    let DatabaseAddress::Server(server) = address else {
        return false;
    };
    let connection = postgres::connect_once(server.address.expose_secret());
    let Ok(mut connection) = connection.await else {
        return false;
    };
    let found = acknowledged_commits::standbys_may_lack(&mut connection).await;
    // Nothing depends on how it ends.
    let _ = connection.close().await;
    found.unwrap_or(false)
}

async fn file(path: &Path) -> Result<Inspected, DatabaseError> {
    let name = path.display().to_string();
    let unreadable = |cause: String| DatabaseError::Unreadable {
        path: name.clone(),
        cause,
    };
    if !path.exists() {
        let mut probe = path.as_os_str().to_owned();
        probe.push(".check");
        File::create_new(&probe)
            .and_then(|_| std::fs::remove_file(&probe))
            .map_err(|error| unreadable(error.to_string()))?;
        return Ok(Inspected::None);
    }
    if is_taken(path) {
        return Ok(Inspected::InUse);
    }
    let pool = connect_beside(path)
        .await
        .map_err(|error| unreadable(error.to_string()))?;
    let connection = pool.acquire().await;
    let mut connection = connection.map_err(|error| unreadable(error.to_string()))?;
    let schema = schema::look(&mut connection).await;
    let schema = schema.map_err(|error| unreadable(error.to_string()))?;
    let inspected = compared(&mut connection, schema, &name).await;
    drop(connection);
    pool.close().await;
    inspected
}
