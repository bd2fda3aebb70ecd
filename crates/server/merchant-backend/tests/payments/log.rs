//! A log that cannot be written: payers are answered all the same.

use crate::support::program::{Program, free_port, merchant_backend};
use crate::support::stack::Stack;
use crate::support::wait::until_some;
use reqwest::Method;
use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn with_a_full_disk_below_log_and_database_every_payer_gets_an_answer() {
    let mut stack = Stack::start().await;
    let mut payer = stack.payer().await;
    stack.stop().await;
    // A database that cannot grow fails as on a full disk, without ending the program.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    command.arg(merchant_backend().get_program());
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    command.stdout(full()).stderr(full());
    let program = Program::start_by(&stack, free_port(), command).await;
    payer.base.clone_from(&program.base);
    let id = program.id().to_string();
    let limited = Command::new("prlimit")
        .args(["--pid", &id, "--fsize=4096:"])
        .status();
    assert!(limited.unwrap().success());
    // A connection that breaks would end the test here.
    assert_eq!(payer.pay_by_qr("k").await.problem(), "not-ready");
    let limited = Command::new("prlimit")
        .args(["--pid", &id, "--fsize=unlimited:"])
        .status();
    assert!(limited.unwrap().success());
    payer.pay_by_qr("k").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halted_reader_of_the_log_delays_no_payer() {
    let mut stack = Stack::start().await;
    let mut payer = stack.payer().await;
    stack.stop().await;
    let mut command = merchant_backend();
    command.stdout(Stdio::piped());
    let mut program = Program::start_by(&stack, free_port(), command).await;
    payer.base.clone_from(&program.base);
    // Each answer writes a line of more than a hundred bytes, and a pipe holds 64 KiB.
    for _ in 0..1000 {
        let asked = payer.send(Method::GET, "/healthz", &[], "");
        let answer = tokio::time::timeout(Duration::from_secs(10), asked).await;
        assert_eq!(answer.unwrap().status, 200);
    }
    payer.pay_by_qr("k").await.number();
    // And it ends as it should.
    is_stopped_by(&mut program, "-TERM").await;
}

/// A terminal that closes sends `HUP`.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_whose_terminal_closes_stops_as_at_any_time_and_logs_no_method_of_a_clients_own()
{
    let mut stack = Stack::start().await;
    let (mut program, payer) = Program::after_an_order(&mut stack, free_port()).await;
    let method = Method::from_bytes(b"MADE-UP").unwrap();
    assert_eq!(payer.send(method, "/healthz", &[], "").await.status, 405);
    is_stopped_by(&mut program, "-HUP").await;
    let log = std::fs::read_to_string(stack.directory.path().join("log")).unwrap();
    assert!(log.contains("(other)") && log.contains("stopping"), "{log}");
    assert!(!log.contains("MADE-UP"), "{log}");
}

async fn is_stopped_by(program: &mut Program, signal: &str) {
    let id = program.id().to_string();
    let told = Command::new("kill").args([signal, &id]).status();
    assert!(told.unwrap().success());
    let status = until_some("the end", async || program.child.try_wait().unwrap()).await;
    assert!(status.success(), "{status}");
}
