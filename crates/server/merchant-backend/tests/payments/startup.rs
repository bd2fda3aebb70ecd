use crate::support::database::{is_server, tamper};
use crate::support::stack::Stack;
use crate::support::wait::until;
use merchant_backend::{Backend, Config};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

async fn refusal(stack: &Stack) -> String {
    let config = Config::read(&stack.settings()).unwrap();
    match Backend::start(config).await {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_cannot_be_used_is_said_clearly() {
    let mut stack = Stack::start().await;
    let wrong = refusal(&stack).await;
    assert!(
        wrong.starts_with("DATABASE: ") && wrong.contains("in use by another"),
        "{wrong}"
    );
    stack.stop().await;

    std::fs::write(stack.file(), "this is no database, however long it may be").unwrap();
    let _ = std::fs::remove_file(stack.file().with_extension("db-wal"));
    let wrong = refusal(&stack).await;
    assert!(wrong.starts_with("DATABASE: "), "{wrong}");

    let config = Config::read(&stack.settings_in("/nowhere/at/all.db")).unwrap();
    let wrong = Backend::start(config).await.err().unwrap().to_string();
    assert!(
        wrong.starts_with("DATABASE: /nowhere/at/all.db cannot be opened"),
        "{wrong}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_is_said_without_its_password() {
    let mut stack = Stack::start().await;
    stack.stop().await;
    let unreachable = "postgres://canary:canary@127.0.0.1:1/shop";
    let config = Config::read(&stack.settings_in(unreachable)).unwrap();
    assert!(!format!("{config:?}").contains("canary:"), "{config:?}");
    let wrong = Backend::start(config).await.err().unwrap().to_string();
    let said = "DATABASE: postgres://127.0.0.1:1/shop cannot be used (";
    assert!(
        wrong.starts_with(said) && !wrong.contains("canary"),
        "{wrong}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_that_may_lack_commits_is_refused_unless_a_setting_accepts_it() {
    let Some(server) = test_postgres::own() else {
        return;
    };
    let mut stack = Stack::start().await;
    stack.stop().await;
    let settings = stack.settings_in(&server.address());
    let start = async |accepts: bool| {
        let mut config = Config::read(&settings).unwrap();
        config.standbys_may_lack_commits = accepts;
        Backend::start(config).await
    };
    assert!(start(false).await.is_ok());
    let _standby = server.standby().unwrap();
    until("refused", async || {
        let refused = start(false).await.err().map(|error| error.to_string());
        refused.is_some_and(|wrong| {
            wrong.starts_with("DATABASE: a standby follows")
                && wrong.contains("synchronous_standby_names")
                && wrong.contains("STANDBYS_MAY_LACK_COMMITS=true")
        })
    })
    .await;
    assert!(start(true).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn other_users_of_the_machine_cannot_read_the_database() {
    let stack = Stack::start().await;
    stack.payer().await.pay_by_qr("k").await.number();
    let files = std::fs::read_dir(stack.directory.path()).unwrap();
    let mut seen = 0;
    for file in files.map(Result::unwrap) {
        let name = file.file_name().into_string().unwrap();
        if name.starts_with("merchant.db") {
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
            seen += 1;
        }
    }
    // The file, its lock, its log and the log's index.
    assert_eq!(seen, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_a_newer_version_is_left_alone() {
    let mut stack = Stack::start().await;
    stack.stop().await;
    let nothing = if is_server() { "''" } else { "x''" };
    let sql = format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (999, 'later', true, {nothing}, 0)"
    );
    tamper(&stack, &sql).await;
    let wrong = refusal(&stack).await;
    assert!(wrong.contains("written by a newer version"), "{wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_says_what_is_wrong_and_ends_with_2() {
    let stack = Stack::start().await;
    let run = |set: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_merchant-backend"))
            .env_clear()
            .envs(set.iter().copied())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, text) = run(&[("API_VERSION", ""), ("COOKIE_KEY", "canary")]);
    assert_eq!(code, Some(2));
    for name in [
        "PUBLIC_URL",
        "DATABASE",
        "PAYMENT_URL",
        "PAYMENT_TOKEN",
        "MERCHANT_CODE",
        "COOKIE_KEY",
        "API_VERSION",
    ] {
        assert!(
            text.lines().any(|line| line.starts_with(name)),
            "{name}: {text}"
        );
    }
    assert!(!text.contains("canary"));

    let database = stack
        .directory
        .path()
        .join("other.db")
        .display()
        .to_string();
    let base = stack.base();
    let listen = base.trim_start_matches("http://").trim_end_matches("/api");
    let (code, text) = run(&[
        ("BACKEND_LISTEN", listen),
        ("PUBLIC_URL", &base),
        ("DATABASE", &database),
        ("PAYMENT_URL", &stack.sandbox),
        ("PAYMENT_TOKEN", "token"),
        ("MERCHANT_CODE", "shop"),
        ("COOKIE_KEY", "0123456789abcdef0123456789abcdef"),
    ]);
    assert_eq!(code, Some(2));
    assert!(
        text.starts_with(&format!("BACKEND_LISTEN: {listen} is in use")),
        "{text}"
    );
}
