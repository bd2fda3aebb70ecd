//! Requests as bytes on a socket, so that a client library neither refuses nor mends what is wrong with them.

use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The server ends every request within this time.
const LONGEST: Duration = Duration::from_secs(30);
/// More of an answer is not read.
const LARGEST_ANSWER: u64 = 8 * 1024 * 1024;

/// A request, right or wrong.
#[derive(Debug, Clone)]
pub(super) struct RawRequest {
    pub(super) method: String,
    /// The path with its query, as it is sent.
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// What the part reads of an answer.
#[derive(Debug)]
pub(super) struct RawAnswer {
    pub(super) status: u16,
    pub(super) content_type: String,
}

impl RawRequest {
    /// The head and the beginning of the body, for a person.
    pub(super) fn lines(&self) -> Vec<String> {
        let cut = |text: &str| text.chars().take(300).collect::<String>();
        let mut lines = vec![cut(&format!("{} {}", self.method, self.path))];
        let headers = self.headers.iter();
        // A session is a secret, also in a report.
        let shown = headers.filter(|(name, _)| name != "cookie");
        lines.extend(shown.map(|(name, value)| cut(&format!("{name}: {value}"))));
        lines.push(cut(&String::from_utf8_lossy(&self.body)));
        lines
    }

    /// Sends it on a connection of its own. `None` if the server closed the connection without an
    /// answer, which it may do when the head is no HTTP.
    pub(super) async fn send(&self, authority: &str) -> Result<Option<RawAnswer>> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nhost: {authority}\r\n",
            self.method, self.path
        );
        for (name, value) in &self.headers {
            // Writing to a text cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let length = self.body.len();
        let _ = write!(
            head,
            "content-length: {length}\r\nconnection: close\r\n\r\n"
        );
        let mut socket = TcpStream::connect(authority).await?;
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        // The server may answer and close before it has read everything.
        let _ = socket.write_all(&bytes).await;
        let mut answer = Vec::new();
        let mut socket = socket.take(LARGEST_ANSWER);
        let read = socket.read_to_end(&mut answer);
        // The end of a connection counts as the end of an answer.
        let _ = timeout(LONGEST, read).await.context("no answer in time")?;
        Ok(parse(&answer))
    }
}

fn parse(answer: &[u8]) -> Option<RawAnswer> {
    let text = String::from_utf8_lossy(answer);
    let head = text.split("\r\n\r\n").next()?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let content_type = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-type")
            .then(|| value.trim().to_owned())
    });
    Some(RawAnswer {
        status,
        content_type: content_type.unwrap_or_default(),
    })
}
