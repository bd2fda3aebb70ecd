//! The tests of the database, and of payments, on PostgreSQL.

use super::Selection;
use super::command::{cargo, count};
use super::tally::Tally;
use crate::postgres::Postgres;
use crate::tools;
use anyhow::Result;

/// How many tests of one program run at once.
const THREADS: &str = "6";

/// Tests that are about a file of SQLite, and say nothing of another database.
const ABOUT_FILES: [&str; 4] = [
    "startup::a_database_that_cannot_be_used_is_said_clearly",
    "startup::nobody_else_on_the_machine_reads_the_database",
    "log::with_a_full_disk_below_log_and_database_every_payer_gets_an_answer",
    "readiness::without_room_on_the_disk_the_server_is_not_ready",
];

/// Starts servers in a folder of their own, runs the tests against them, and stops them. Payments, and
/// whole nodes that are lost, take four minutes, and are left to `--all` and `--only`.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    let mut servers = Postgres::start()?;
    servers.copy("standby", "-c hot_standby=on")?;
    servers.copy("careless", "-c fsync=off")?;
    let tests = |words: &str| {
        let mut command = cargo(words);
        command
            .env("RUST_TEST_THREADS", THREADS)
            .env("TEST_POSTGRES", servers.address())
            .env("TEST_POSTGRES_STANDBY", servers.address_of("standby"))
            .env("TEST_POSTGRES_CARELESS", servers.address_of("careless"));
        command
    };
    let mut tally = count(&mut tests(
        "test --package merchant-backend --lib -- --include-ignored db::",
    ))?;
    if !selection.is_long("postgres") {
        return Ok(tally);
    }
    let mut payments =
        tests("test --package merchant-backend --test payments -- --include-ignored");
    payments.env("TEST_FAKETIME", tools::faketime()?);
    for name in ABOUT_FILES {
        payments.args(["--skip", name]);
    }
    tally += count(&mut payments)?;
    Ok(tally)
}
