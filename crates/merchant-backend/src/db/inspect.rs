//! Looks at a database without a change, also beside the server that owns it.

use super::database_file::{DatabaseError, is_taken};
use super::engine::connect_beside;
use super::schema;
use std::fs::File;
use std::path::Path;

/// The state of a database, as a look at its file shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inspected {
    /// No file yet, and its directory may be written.
    None,
    /// A file with the newest schema.
    Current,
    /// A file that the next start will change.
    Older,
    /// A server has it now.
    InUse,
}

/// Looks at the file of a database.
///
/// # Errors
/// It cannot be used; the error names the remedy.
pub(crate) async fn inspect(path: &Path) -> Result<Inspected, DatabaseError> {
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
    let version = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success");
    let version: Result<Option<i64>, _> = version.fetch_one(&pool).await;
    pool.close().await;
    let version = version.map_err(|error| unreadable(error.to_string()))?;
    match version.cmp(&schema::newest()) {
        std::cmp::Ordering::Less => Ok(Inspected::Older),
        std::cmp::Ordering::Equal => Ok(Inspected::Current),
        std::cmp::Ordering::Greater => Err(DatabaseError::Newer(name)),
    }
}
