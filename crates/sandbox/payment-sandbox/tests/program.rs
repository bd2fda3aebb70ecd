//! The program, started as its users start it.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, also in its helpers"
)]

use std::net::TcpListener;
use std::process::{Command, Output};

/// Runs the program, which has nothing to do but to complain.
fn run(settings: &[(&str, &str)]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_payment-sandbox"));
    for name in [
        "SANDBOX_LISTEN",
        "SANDBOX_TOKEN",
        "SANDBOX_PUBLIC_URL",
        "SANDBOX_QR_EXPIRES_S",
        "SANDBOX_QR_FORM",
        "SANDBOX_LIMITS",
    ] {
        program.env_remove(name);
    }
    program.envs(settings.iter().copied()).output().unwrap()
}

#[test]
fn a_wrong_setting_ends_it_with_one_clear_sentence() {
    let token = ("SANDBOX_TOKEN", "kept-secret");
    for (settings, named) in [
        (vec![("SANDBOX_TOKEN", "")], "SANDBOX_TOKEN"),
        (vec![("SANDBOX_TOKEN", "kept secret")], "SANDBOX_TOKEN"),
        (vec![token, ("SANDBOX_LISTEN", "8082")], "--listen"),
        (
            vec![token, ("SANDBOX_LISTEN", "192.0.2.1:1")],
            "SANDBOX_LISTEN",
        ),
        (vec![token, ("SANDBOX_PUBLIC_URL", "phone")], "--public-url"),
        (vec![token, ("SANDBOX_QR_EXPIRES_S", "0")], "--qr-expires-s"),
        (vec![token, ("SANDBOX_QR_FORM", "svg")], "--qr-form"),
        (vec![token, ("SANDBOX_LIMITS", "{\"QR\": 1}")], "--limits"),
    ] {
        let output = run(&settings);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{settings:?} gave {complaint}"
        );
        assert!(complaint.contains(named), "{settings:?} gave {complaint}");
        assert!(
            !complaint.contains("secret"),
            "{settings:?} gave {complaint}"
        );
    }
}

#[test]
fn a_port_in_use_ends_it_with_one_clear_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&[
        ("SANDBOX_TOKEN", "kept-secret"),
        ("SANDBOX_LISTEN", &address),
    ]);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        complaint.contains(&address) && complaint.contains("in use"),
        "{complaint}"
    );
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
}
