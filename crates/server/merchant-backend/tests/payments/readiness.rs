use crate::support::database::{connect, is_server, values};
use crate::support::fault::Fault;
use crate::support::payer::{Answer, Payer};
use crate::support::program::{Program, free_port, merchant_backend};
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use reqwest::Method;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

async fn ready(payer: &Payer) -> Answer {
    payer.send(Method::GET, "/readyz", &[], "").await
}

/// Limits the size of every file of the program, as a full disk would.
fn limit(program: &Program, bytes: &str) {
    let done = Command::new("prlimit")
        .args(["--pid", &program.id().to_string()])
        .arg(format!("--fsize={bytes}:"))
        .status();
    assert!(done.unwrap().success());
}

/// The program in the place of the stack. A write beyond a limit fails there, as on a full disk,
/// without ending the program.
async fn limitable(stack: &mut Stack) -> (Program, Payer) {
    let mut payer = stack.payer().await;
    stack.stop().await;
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    command.arg(merchant_backend().get_program());
    command.stdout(Stdio::null());
    let program = Program::start_by(stack, free_port(), command).await;
    payer.base.clone_from(&program.base);
    (program, payer)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_answer_waits_for_a_disk_that_is_full_for_a_moment() {
    let mut stack = Stack::start().await;
    let (program, payer) = limitable(&mut stack).await;
    stack
        .with_fault(Fault::delay(1000).on("POST", "/charges").after())
        .await;
    let paying = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("k").await }
    });
    until("accepted", async || !stack.seen("POST").await.is_empty()).await;
    limit(&program, "4096");
    // The answer comes meanwhile.
    tokio::time::sleep(Duration::from_secs(3)).await;
    limit(&program, "unlimited");
    let number = paying.await.unwrap().number();
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_room_on_the_disk_the_server_is_not_ready() {
    let mut stack = Stack::start().await;
    let (program, payer) = limitable(&mut stack).await;
    assert_eq!(ready(&payer).await.status, 200);

    limit(&program, "4096");
    let refused = until_some("not ready", async || {
        let answer = ready(&payer).await;
        (answer.status != 200).then_some(answer)
    })
    .await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (503, "not-ready")
    );
    assert_eq!(refused.header("retry-after"), "5");
    let passing = payer.pay_by_qr("k").await;
    assert_eq!(
        (passing.status, passing.problem().as_str()),
        (503, "not-ready")
    );
    // The process itself still works.
    let alive = payer.send(Method::GET, "/healthz", &[], "").await;
    assert_eq!(alive.status, 200);

    limit(&program, "unlimited");
    until("ready again", async || ready(&payer).await.status == 200).await;
    payer.pay_by_qr("k").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_takes_no_writes_is_not_ready() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let mut other = connect(&stack).await;
    let lock = sqlx::raw_sql(if is_server() {
        "BEGIN; LOCK TABLE readiness"
    } else {
        "BEGIN IMMEDIATE"
    });
    lock.execute(&mut other).await.unwrap();
    let refused = ready(&payer).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (503, "not-ready")
    );
    // Reads go on.
    payer.shown().await;
    let end = sqlx::query("ROLLBACK");
    end.execute(&mut other).await.unwrap();
    until("ready again", async || ready(&payer).await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_probes_once_in_five_seconds_however_many_ask() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let start = Instant::now();
    let asks = (0..60).map(|_| {
        let payer = payer.clone();
        tokio::spawn(async move { ready(&payer).await.status })
    });
    for ask in asks.collect::<Vec<_>>() {
        assert_eq!(ask.await.unwrap(), 200);
    }
    let allowed = 1 + start.elapsed().as_secs() / 5;
    let written = async || {
        let written: Vec<i64> = values(&stack, "SELECT written FROM readiness").await;
        written[0].unsigned_abs()
    };
    let first = written().await;
    assert!((1..=allowed).contains(&first), "{first} of {allowed}");
    // The next probe writes anew.
    until("probed again", async || {
        assert_eq!(ready(&payer).await.status, 200);
        written().await > first
    })
    .await;
    assert!(start.elapsed() >= Duration::from_secs(5));
}
