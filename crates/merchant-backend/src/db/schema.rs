//! The migrations.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::borrow::Cow;

/// The changes of the schema, oldest first; a published one is never edited.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (
        1,
        "payments",
        include_str!("../../migrations/sqlite/0001_payments.sql"),
    ),
    (
        2,
        "staff",
        include_str!("../../migrations/sqlite/0002_staff.sql"),
    ),
    (
        3,
        "refunds",
        include_str!("../../migrations/sqlite/0003_refunds.sql"),
    ),
    (
        4,
        "events",
        include_str!("../../migrations/sqlite/0004_events.sql"),
    ),
    (
        5,
        "stores",
        include_str!("../../migrations/sqlite/0005_stores.sql"),
    ),
    (
        6,
        "purge",
        include_str!("../../migrations/sqlite/0006_purge.sql"),
    ),
    (
        7,
        "staff passwords",
        include_str!("../../migrations/sqlite/0007_staff_passwords.sql"),
    ),
    (
        8,
        "plans and leases",
        include_str!("../../migrations/sqlite/0008_plans_and_leases.sql"),
    ),
    (
        9,
        "reversals",
        include_str!("../../migrations/sqlite/0009_reversals.sql"),
    ),
    (
        10,
        "edge",
        include_str!("../../migrations/sqlite/0010_edge.sql"),
    ),
    (
        11,
        "blocks",
        include_str!("../../migrations/sqlite/0011_blocks.sql"),
    ),
    (
        12,
        "idempotency keys",
        include_str!("../../migrations/sqlite/0012_idempotency_keys.sql"),
    ),
    (
        13,
        "orders of shops",
        include_str!("../../migrations/sqlite/0013_orders_of_shops.sql"),
    ),
    (
        14,
        "moves",
        include_str!("../../migrations/sqlite/0014_moves.sql"),
    ),
    (
        15,
        "fence",
        include_str!("../../migrations/sqlite/0015_fence.sql"),
    ),
    (
        16,
        "differences",
        include_str!("../../migrations/sqlite/0016_differences.sql"),
    ),
    (
        17,
        "changes",
        include_str!("../../migrations/sqlite/0017_changes.sql"),
    ),
    (
        18,
        "hints",
        include_str!("../../migrations/sqlite/0018_hints.sql"),
    ),
    (
        19,
        "what is unknown",
        include_str!("../../migrations/sqlite/0019_unknown.sql"),
    ),
    (
        20,
        "returns by two",
        include_str!("../../migrations/sqlite/0020_returns_by_two.sql"),
    ),
    (
        21,
        "listed",
        include_str!("../../migrations/sqlite/0021_listed.sql"),
    ),
    (
        22,
        "node commits",
        include_str!("../../migrations/sqlite/0022_node_commits.sql"),
    ),
    (
        23,
        "end cause",
        include_str!("../../migrations/sqlite/0023_end_cause.sql"),
    ),
    (
        24,
        "order labels",
        include_str!("../../migrations/sqlite/0024_order_labels.sql"),
    ),
];

/// PostgreSQL came with the thirteenth change, so that its first one makes everything at once. A
/// later change of the schema has the same number on both.
const OF_POSTGRES: &[(i64, &str, &str)] = &[
    (
        13,
        "baseline",
        include_str!("../../migrations/postgres/0013_baseline.sql"),
    ),
    (
        14,
        "moves",
        include_str!("../../migrations/postgres/0014_moves.sql"),
    ),
    (
        15,
        "fence",
        include_str!("../../migrations/postgres/0015_fence.sql"),
    ),
    (
        16,
        "differences",
        include_str!("../../migrations/postgres/0016_differences.sql"),
    ),
    (
        17,
        "changes",
        include_str!("../../migrations/postgres/0017_changes.sql"),
    ),
    (
        18,
        "hints",
        include_str!("../../migrations/postgres/0018_hints.sql"),
    ),
    (
        19,
        "what is unknown",
        include_str!("../../migrations/postgres/0019_unknown.sql"),
    ),
    (
        20,
        "returns by two",
        include_str!("../../migrations/postgres/0020_returns_by_two.sql"),
    ),
    (
        21,
        "listed",
        include_str!("../../migrations/postgres/0021_listed.sql"),
    ),
    (
        22,
        "node commits",
        include_str!("../../migrations/postgres/0022_node_commits.sql"),
    ),
    (
        23,
        "end cause",
        include_str!("../../migrations/postgres/0023_end_cause.sql"),
    ),
    (
        24,
        "order labels",
        include_str!("../../migrations/postgres/0024_order_labels.sql"),
    ),
];

/// The version of the newest schema.
pub(super) fn newest() -> Option<i64> {
    MIGRATIONS.last().map(|&(version, ..)| version)
}

/// The migrations of a file.
pub(super) fn sqlite() -> Migrator {
    migrator(MIGRATIONS)
}

/// The migrations of a server.
pub(super) fn postgres() -> Migrator {
    migrator(OF_POSTGRES)
}

/// They are compiled in by hand: the macro for that would add a proc macro to the build.
fn migrator(migrations: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migrations = migrations.iter().map(|&(version, description, sql)| {
        Migration::new(
            version,
            Cow::Borrowed(description),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}

#[cfg(test)]
mod tests;
