//! The demo shop's program in a process of its own, started by a command of the test's choice.

use crate::stack::{MERCHANT, Stack, TOKEN};
use crate::waiting::until;
use clap::Parser;
use merchant_backend::{Settings, run};
use std::process::{Child, Command, ExitCode, Stdio};

/// The lines that the test harness prints before it runs a single test.
pub(crate) const HEADING: [&str; 2] = ["", "running 1 test"];

/// A command that becomes the program. No package is given the program of another, so it is this
/// very file, told to run the one test that is the program.
pub(crate) fn demo_shop() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["program::serves_until_it_is_stopped", "--exact"]);
    // With a second thread the harness does not write into the first line of the log.
    command.args(["--ignored", "--nocapture", "--test-threads", "2"]);
    command
}

#[test]
#[ignore = "it is the program that other tests start"]
fn serves_until_it_is_stopped() {
    let settings = Settings::parse_from(["demo-shop"]);
    assert_eq!(run(&settings, demo_shop::routes), ExitCode::SUCCESS);
}

pub(crate) struct Program {
    child: Child,
    pub(crate) base: String,
}

impl Program {
    /// Starts a command that becomes the program, and waits until it answers.
    pub(crate) async fn start(stack: &Stack, mut command: Command) -> Self {
        let port = free_port();
        let base = format!("http://127.0.0.1:{port}/api");
        let child = command
            .env("BACKEND_LISTEN", format!("127.0.0.1:{port}"))
            .env("PUBLIC_URL", &base)
            .env("DATABASE", stack.directory.path().join("program.db"))
            .env("STAFF_FILE", stack.directory.path().join("staff.toml"))
            .env("PAYMENT_URL", &stack.sandbox)
            .env("PAYMENT_TOKEN", TOKEN)
            .env("MERCHANT_CODE", MERCHANT)
            .env("COOKIE_KEY", "0123456789abcdef0123456789abcdef")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let alive = format!("{base}/healthz");
        until("the program answers", async || {
            stack.client.get(&alive).send().await.ok().map(|_| ())
        })
        .await;
        Self { child, base }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
