//! `merchant-backend copy`, as far as it needs no server of PostgreSQL; `db/copy/tests` has the
//! rest.

use crate::support::program::merchant_backend;

#[test]
fn what_cannot_be_moved_is_said_without_a_password() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("merchant.db");
    std::fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    let nobody = "postgres://canary@127.0.0.1:1/shop";
    for (from, to, wanted) in [
        (nobody, nobody, "--from: only a file of SQLite can be moved"),
        (file, file, "--to: name a database of PostgreSQL"),
        (
            file,
            "postgres://canary@127.0.0.1/",
            "--to: names no database",
        ),
        // A command line is visible to other programs.
        (
            file,
            "postgres://shop:canary@127.0.0.1:1/shop",
            "--to: holds a password",
        ),
        (
            file,
            "postgres://shop@127.0.0.1:1/shop?password=canary",
            "--to: holds a password",
        ),
        (
            "/nowhere/merchant.db",
            nobody,
            "--from: /nowhere/merchant.db is not there",
        ),
        (
            file,
            nobody,
            "--to: postgres://127.0.0.1:1/shop cannot be used",
        ),
    ] {
        for more in [&[][..], &["--abandon"]] {
            let output = merchant_backend()
                .args(["copy", "--from", from, "--to", to])
                .args(more)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2));
            assert!(
                text.starts_with(wanted) && !text.contains("canary"),
                "{text}"
            );
        }
    }
}
