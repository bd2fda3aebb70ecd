//! The real program, started by a command of the test's choice.

use crate::stack::{MERCHANT, Stack, TOKEN};
use crate::waiting::until;
use std::process::{Child, Command, Stdio};

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
