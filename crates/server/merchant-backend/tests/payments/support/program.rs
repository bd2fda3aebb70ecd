//! The shipped program, in a process of its own. It makes no orders: a test makes them with the
//! stack, stops that, and starts the program on the same database.

pub(crate) use test_postgres::free_port;

use crate::support::payer::Payer;
use crate::support::stack::{MERCHANT, Stack, TOKEN};
use crate::support::wait::until;
use std::fs::File;
use std::process::{Child, Command, Stdio};

/// A command for the program.
pub(crate) fn merchant_backend() -> Command {
    Command::new(env!("CARGO_BIN_EXE_merchant-backend"))
}

/// A command of the program with the settings of a stack, to run beside its server.
pub(crate) fn command_beside(stack: &Stack) -> Command {
    let mut command = merchant_backend();
    command
        .env("DATABASE", &stack.database)
        .env("PUBLIC_URL", stack.base())
        .env("PAYMENT_URL", &stack.sandbox)
        .env("PAYMENT_TOKEN", TOKEN)
        .env("MERCHANT_CODE", MERCHANT)
        .env("COOKIE_KEY", "0123456789abcdef0123456789abcdef");
    command
}

pub(crate) struct Program {
    pub(crate) child: Child,
    pub(crate) base: String,
}

impl Program {
    /// Stops the stack after a payer has ordered, and starts the program in its place.
    pub(crate) async fn after_an_order(stack: &mut Stack, port: u16) -> (Self, Payer) {
        let mut payer = stack.payer().await;
        stack.stop().await;
        let program = Self::start(stack, port).await;
        payer.base.clone_from(&program.base);
        (program, payer)
    }

    /// Starts it on the database of a stack that was stopped, and waits until it answers.
    pub(crate) async fn start(stack: &Stack, port: u16) -> Self {
        let mut command = merchant_backend();
        command.stdout(Stdio::from(log(stack)));
        Self::start_by(stack, port, command).await
    }

    /// Starts it by this command.
    pub(crate) async fn start_by(stack: &Stack, port: u16, command: Command) -> Self {
        let base = format!("http://127.0.0.1:{port}/api");
        Self::start_at(stack, port, &base, &stack.database, command).await
    }

    /// Starts it for a public address and a database of its own.
    pub(crate) async fn start_at(
        stack: &Stack,
        port: u16,
        public_url: &str,
        database: &str,
        mut command: Command,
    ) -> Self {
        let base = format!("http://127.0.0.1:{port}/api");
        let child = command
            .env("BACKEND_LISTEN", format!("127.0.0.1:{port}"))
            .env("PUBLIC_URL", public_url)
            .env("DATABASE", database)
            .env("STAFF_FILE", stack.directory.path().join("staff.toml"))
            .env("STAFF_SECOND_FACTOR", "optional")
            .env("PAYMENT_URL", &stack.sandbox)
            .env("PAYMENT_TOKEN", TOKEN)
            .env("MERCHANT_CODE", MERCHANT)
            .env("COOKIE_KEY", "0123456789abcdef0123456789abcdef")
            // Nothing listens there: a proxy would read the token, so the server must not use one
            // over http.
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .spawn()
            .unwrap();
        let ready = format!("{base}/readyz");
        until("the program answers", async || {
            stack.client.get(&ready).send().await.is_ok()
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

fn log(stack: &Stack) -> File {
    let path = stack.directory.path().join("log");
    File::options()
        .create(true)
        .append(true)
        .open(path)
        .unwrap()
}
