use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::borrow::Cow;

/// The changes of the schema, oldest first; one that was published is never edited.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (
        1,
        "payments",
        include_str!("../../migrations/0001_payments.sql"),
    ),
    (2, "staff", include_str!("../../migrations/0002_staff.sql")),
    (
        3,
        "refunds",
        include_str!("../../migrations/0003_refunds.sql"),
    ),
    (
        4,
        "events",
        include_str!("../../migrations/0004_events.sql"),
    ),
    (
        5,
        "stores",
        include_str!("../../migrations/0005_stores.sql"),
    ),
    (6, "purge", include_str!("../../migrations/0006_purge.sql")),
    (
        7,
        "staff passwords",
        include_str!("../../migrations/0007_staff_passwords.sql"),
    ),
    (
        8,
        "plans and leases",
        include_str!("../../migrations/0008_plans_and_leases.sql"),
    ),
    (
        9,
        "reversals",
        include_str!("../../migrations/0009_reversals.sql"),
    ),
    (10, "edge", include_str!("../../migrations/0010_edge.sql")),
    (
        11,
        "blocks",
        include_str!("../../migrations/0011_blocks.sql"),
    ),
    (
        12,
        "idempotency keys",
        include_str!("../../migrations/0012_idempotency_keys.sql"),
    ),
];

/// The version of the newest schema.
pub(super) fn newest() -> Option<i64> {
    MIGRATIONS.last().map(|&(version, ..)| version)
}

/// The migrations, built in: without the macro that reads them, no proc macro is compiled.
pub(super) fn migrator() -> Migrator {
    let migrations = MIGRATIONS.iter().map(|&(version, description, sql)| {
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
mod tests {
    use super::{MIGRATIONS, migrator};
    use crate::clock::now;
    use crate::db::Db;
    use sqlx::migrate::Migrator;
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{AssertSqlSafe, Row, SqlitePool};

    /// Runs the changes with these numbers.
    async fn change(pool: &SqlitePool, numbers: std::ops::RangeInclusive<i64>) {
        for (_, name, sql) in MIGRATIONS.iter().filter(|one| numbers.contains(&one.0)) {
            let done = sqlx::raw_sql(AssertSqlSafe((*sql).to_owned()));
            done.execute(pool)
                .await
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[tokio::test]
    async fn returns_from_before_were_made_and_what_was_given_back_twice_is_found() {
        let pool = SqlitePool::connect("sqlite::memory:").await.unwrap();
        change(&pool, 1..=7).await;
        let rows = "
            INSERT INTO orders VALUES ('o', 'h', 0, 500, 'PEN', '[]', '{}', 'open', 0, 'shop', NULL);
            INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase, live,
                    method_name, amount, currency, callback_hash, created_at, changed_at, failures,
                    outcome)
                VALUES ('shop', '1', 'o', 'known', 0, 'QR', 500, 'PEN', 'a', 0, 0, 0, 'paid'),
                    ('shop', '2', 'o', 'known', 0, 'QR', 500, 'PEN', 'b', 0, 0, 0, 'reversed');
            INSERT INTO manual_returns
                VALUES ('shop', '1', 500, 'slip', 'ana', 'k1', 7), ('shop', '2', 300, 'slip', 'ana', 'k2', 8);";
        sqlx::raw_sql(rows).execute(&pool).await.unwrap();
        change(&pool, 8..=i64::MAX).await;
        let returns = sqlx::query("SELECT * FROM manual_returns").fetch_all(&pool);
        for row in returns.await.unwrap() {
            assert_eq!(row.get::<String, _>("state"), "done");
            assert_eq!(row.get::<String, _>("return_id").len(), 32);
        }
        let excesses = sqlx::query("SELECT * FROM excesses").fetch_all(&pool);
        let excesses = excesses.await.unwrap();
        assert_eq!(excesses.len(), 1);
        let detail: String = excesses[0].get("detail");
        assert_eq!(
            excesses[0].get::<String, _>("merchant_operation_number"),
            "2"
        );
        assert!(
            detail.contains("500 that were reversed, 300 cents"),
            "{detail}"
        );
    }

    #[tokio::test]
    async fn what_an_older_version_planned_is_due_after_the_update() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merchant.db");
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true);
        let pool = SqlitePool::connect_with(options).await.unwrap();
        let all = migrator();
        let older = all.iter().filter(|m| m.version < 8).cloned();
        let older = Migrator::with_migrations(older.collect());
        older.run(&pool).await.unwrap();
        sqlx::raw_sql(
            "INSERT INTO orders (order_id, session_hash, created_at, amount, currency,
                 merchant_code, items, customer, state)
             VALUES ('o', 's', 1, 1, 'PEN', 'shop', '[]', '{}', 'open');
             INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase,
                 live, method_name, amount, currency, callback_hash, created_at, changed_at,
                 failures, due_at)
             VALUES ('shop', '1', 'o', 'known', 0, 'QR', 1, 'PEN', 'a', 1, 1, 0, 4000000000000),
                 ('shop', '2', 'o', 'known', 0, 'QR', 1, 'PEN', 'b', 2, 2, 0, 9),
                 ('shop', '3', 'o', 'known', 0, 'QR', 1, 'PEN', 'c', 3, 3, 0, NULL)",
        )
        .execute(&pool)
        .await
        .unwrap();
        pool.close().await;
        let store = Db::open(&path).await.unwrap();
        let soon = crate::clock::Moment {
            wall: now() + 1_000,
            steady: 0,
        };
        let due = store.take_due(soon, 1_000, 10).await.unwrap();
        let mut numbers: Vec<&str> = due.iter().map(|r| r.key.number.as_str()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, ["1", "2"]);
    }
}
