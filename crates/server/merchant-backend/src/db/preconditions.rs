//! What must hold before a process uses a database: it has the lock of the file, no copy has moved the rows
//! elsewhere, and the schema is the one of this version.
//!
//! `copy` writes the mark in `moved` before the rows are durable in the new database, so that no server ever
//! runs on both. `sqlx::migrate!` compiles the migrations in, and compares each one that a database has with
//! its text here.

use super::engine::{Connection, Engine};
use super::error::{DatabaseError, DbError};
use sqlx::migrate::Migrator;
use std::cmp::Ordering;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Creates a file that only its owner can read, since it has names and addresses of people. An
/// existing file keeps its permissions.
fn owner_only() -> OpenOptions {
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600);
    options
}

/// Creates the file if there is none, and locks it for this process; the system releases the lock
/// when the process ends.
pub(super) fn lock_file(path: &Path, name: &str) -> Result<File, DatabaseError> {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    let unreadable = |cause: std::io::Error| DatabaseError::Unreadable {
        path: name.to_owned(),
        cause: cause.to_string(),
    };
    let file = owner_only().open(lock_path).map_err(unreadable)?;
    match file.try_lock() {
        Ok(()) => {
            // SQLite would create a file that every user of the machine can read. The other files of
            // SQLite get the permissions of this one.
            owner_only().open(path).map_err(unreadable)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => Err(DatabaseError::InUse(name.to_owned())),
        Err(TryLockError::Error(cause)) => Err(unreadable(cause)),
    }
}

/// True while another process has locked the file. It takes no lock and creates no file.
pub(super) fn is_locked(path: &Path) -> bool {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    // A lock that this call gets is released when the file is closed here.
    let lock = File::open(lock_path).map(|file| file.try_lock());
    matches!(lock, Ok(Err(TryLockError::WouldBlock)))
}

/// The new database that the mark of a copy names, if the file is marked.
pub(super) async fn moved_to(connection: &mut Connection) -> Result<Option<String>, DbError> {
    let target = sqlx::query_scalar("SELECT target FROM moved");
    Ok(target.fetch_optional(connection).await?)
}

pub(super) async fn mark_as_moved(
    connection: &mut Connection,
    target: &str,
) -> Result<(), DbError> {
    let mark = sqlx::query(
        "INSERT INTO moved (one, target) VALUES (1, $1)
         ON CONFLICT (one) DO UPDATE SET target = excluded.target",
    );
    mark.bind(target).execute(connection).await?;
    Ok(())
}

pub(super) async fn unmark(connection: &mut Connection) -> Result<(), DbError> {
    let unmark = sqlx::query("DELETE FROM moved").execute(connection);
    unmark.await?;
    Ok(())
}

/// Refuses a file whose rows a copy has moved, or is about to move.
pub(super) async fn refuse_moved(
    connection: &mut Connection,
    name: &str,
) -> Result<(), DatabaseError> {
    if Engine::of(connection) == Engine::Postgres {
        return Ok(());
    }
    let target = moved_to(connection).await;
    let target = target.map_err(|error| DatabaseError::Schema(name.to_owned(), error.to_string()));
    target?.map_or(Ok(()), |to| {
        let name = name.to_owned();
        Err(DatabaseError::Moved { name, to })
    })
}

/// The migrator's own table of the migrations that ran.
const MIGRATIONS_TABLE: &str = "_sqlx_migrations";

/// The schema that a database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// There is no table at all.
    Missing,
    /// The tables are of another program.
    Foreign,
    /// Another build of this program made them, with another first migration.
    OtherBuild,
    Older,
    Newest,
    /// A later version of this program made it.
    Newer,
}

pub(super) fn migrations(engine: Engine) -> Migrator {
    match engine {
        Engine::Sqlite => sqlx::migrate!("migrations/sqlite"),
        Engine::Postgres => sqlx::migrate!("migrations/postgres"),
    }
}

pub(super) async fn find_schema(connection: &mut Connection) -> Result<Schema, sqlx::Error> {
    let engine = Engine::of(connection);
    let tables = sqlx::query_scalar::<_, String>(engine.tables());
    let tables = tables.fetch_all(&mut *connection).await?;
    if tables.is_empty() {
        return Ok(Schema::Missing);
    }
    if !tables.iter().any(|table| table == MIGRATIONS_TABLE) {
        return Ok(Schema::Foreign);
    }
    let found = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success");
    let found: Option<i64> = found.fetch_one(&mut *connection).await?;
    let first =
        sqlx::query_scalar("SELECT checksum FROM _sqlx_migrations ORDER BY version LIMIT 1");
    let first: Option<Vec<u8>> = first.fetch_optional(connection).await?;
    let is_ours = |first: Vec<u8>| {
        let own = migrations(engine);
        own.iter().next().is_some_and(|own| *own.checksum == first)
    };
    if !first.is_none_or(is_ours) {
        // Other programs have migrations of their own.
        let has_ours = tables.iter().any(|table| table == "order_sessions");
        return Ok(if has_ours {
            Schema::OtherBuild
        } else {
            Schema::Foreign
        });
    }
    let newest = migrations(engine).iter().map(|one| one.version).max();
    Ok(match found.cmp(&newest) {
        Ordering::Less => Schema::Older,
        Ordering::Equal => Schema::Newest,
        Ordering::Greater => Schema::Newer,
    })
}

#[cfg(test)]
mod tests {
    use super::migrations;
    use crate::database_address::DatabaseAddress;
    use crate::db::connections::Db;
    use crate::db::engine::{Commits, Engine, sqlite};
    use crate::db::{DatabaseError, inspect};
    use sqlx::AssertSqlSafe;
    use std::path::Path;

    async fn run(path: &Path, sql: &str) {
        let pool = sqlite::connect(path, Commits::Synced, 1).await.unwrap();
        let mut connection = pool.acquire().await.unwrap();
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection);
        done.await.unwrap();
        drop(connection);
        pool.close().await;
    }

    #[test]
    fn a_change_of_the_schema_has_one_version_on_both_engines() {
        let versions = |engine| {
            let migrations = migrations(engine);
            let versions = migrations
                .iter()
                .map(|one| (one.version, one.description.clone()));
            versions.collect::<Vec<_>>()
        };
        assert_eq!(versions(Engine::Sqlite), versions(Engine::Postgres));
    }

    #[tokio::test]
    async fn a_file_of_another_program_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merchant.db");
        let address = DatabaseAddress::File(path.clone());
        let refused = async || {
            let looked = inspect(&address).await;
            let opened = Db::open_file(&path).await.err();
            (looked.err(), opened)
        };
        std::fs::write(&path, "").unwrap();
        // The name of no table of ours.
        run(&path, "CREATE TABLE theirs (x)").await;
        let foreign = Some(DatabaseError::Foreign(path.display().to_string()).to_string());
        let (looked, opened) = refused().await;
        assert_eq!(looked.map(|error| error.to_string()), foreign);
        assert_eq!(opened.map(|error| error.to_string()), foreign);
        run(&path, "DROP TABLE theirs").await;
        Db::open_file(&path).await.unwrap().close().await;
        // Another program that has migrations of its own.
        run(
            &path,
            "UPDATE _sqlx_migrations SET checksum = x'00'; DROP TABLE order_sessions",
        )
        .await;
        let (looked, opened) = refused().await;
        assert_eq!(looked.map(|error| error.to_string()), foreign);
        assert_eq!(opened.map(|error| error.to_string()), foreign);
    }

    #[tokio::test]
    async fn tables_of_another_build_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merchant.db");
        Db::open_file(&path).await.unwrap().close().await;
        run(&path, "UPDATE _sqlx_migrations SET checksum = x'00'").await;
        let named = Some(DatabaseError::OtherBuild(path.display().to_string()).to_string());
        let opened = Db::open_file(&path).await.err();
        assert_eq!(opened.map(|error| error.to_string()), named);
        let looked = inspect(&DatabaseAddress::File(path)).await.err();
        assert_eq!(looked.map(|error| error.to_string()), named);
    }
}
