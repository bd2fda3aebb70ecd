//! The real acceptor on a socket, as a client sees it byte by byte.

use crate::support::payer::Payer;
use crate::support::stack::{Change, Stack, router};
use merchant_backend::serve;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// The server on a socket of its own.
pub(crate) struct Socket {
    pub(crate) stack: Stack,
    pub(crate) address: String,
    pub(crate) server: JoinHandle<std::io::Result<()>>,
}

impl Socket {
    pub(crate) async fn start(change: Change) -> Self {
        let stack = Stack::start_with(change).await;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let backend = stack.backend().clone();
        let server = tokio::spawn(async move { serve(&backend, router(&backend), listener).await });
        Self {
            stack,
            address,
            server,
        }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).await.unwrap()
    }

    /// Another payer orders and pays without a noticeable delay.
    pub(crate) async fn serves_payers(&self) {
        let start = Instant::now();
        let base = format!("http://{}/api", self.address);
        let payer = Payer::order(&self.stack.client, &base).await;
        let number = payer.pay_by_qr("k").await.number();
        payer.status(&number).await.state();
        let took = start.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?}");
    }

    /// Sends these bytes and returns all that comes back until the server closes the connection.
    pub(crate) async fn answer(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        // The server may have closed before all bytes were sent.
        let _ = stream.write_all(bytes).await;
        until_closed(&mut stream).await
    }
}

pub(crate) async fn until_closed(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = async {
        let mut part = [0; 4096];
        // A reset is an end too.
        while let Ok(count @ 1..) = stream.read(&mut part).await {
            text.extend_from_slice(&part[..count]);
        }
    };
    let patience = Duration::from_secs(20);
    tokio::time::timeout(patience, read)
        .await
        .expect("it stays open");
    String::from_utf8_lossy(&text).into_owned()
}

pub(crate) fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}
