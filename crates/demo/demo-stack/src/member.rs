//! One server process of the stack: its log file, the last lines of the log, and its health check over HTTP.

use crate::child::Group;
use anyhow::{Result, bail};
use fs_err as fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// How many lines of a log are shown when its server ended.
const LAST_LINES: usize = 20;

/// A running server.
pub(crate) struct Member {
    pub(crate) name: String,
    group: Group,
    port: u16,
    path: &'static str,
    log: PathBuf,
}

impl Member {
    /// Starts `command`, whose output goes to `log`. It is ready when `path` answers.
    pub(crate) fn start(
        name: &str,
        port: u16,
        path: &'static str,
        mut command: Command,
        log: PathBuf,
    ) -> Result<Self> {
        let group = Group::start_with_log(&mut command, &log)?;
        Ok(Self {
            name: name.to_owned(),
            group,
            port,
            path,
            log,
        })
    }

    /// True when it answers with a success.
    pub(crate) fn answers(&self) -> bool {
        http_status(self.port, self.path).is_some_and(|status| (200..300).contains(&status))
    }

    /// Fails with the last lines of the log when it has ended.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.group.ended()? {
            None => Ok(()),
            Some(status) => bail!(
                "{} ended by itself ({status}); {}",
                self.name,
                self.last_words()
            ),
        }
    }

    /// The end of its log, for an error message.
    pub(crate) fn last_words(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.len().saturating_sub(LAST_LINES);
        format!(
            "the end of {}:\n{}",
            self.log.display(),
            lines[last..].join("\n")
        )
    }

    /// The id of its process.
    pub(crate) fn process(&self) -> u32 {
        self.group.process()
    }

    /// Asks it to stop without waiting; a drop waits.
    pub(crate) fn ask_to_stop(&self) {
        self.group.ask_to_stop();
    }
}

const ANSWER_PATIENCE: Duration = Duration::from_secs(2);

/// The status of the answer to `GET path` on a local port, if there is an answer. It is just enough HTTP for that: a client
/// would bring addresses, redirects and proxies, of which nothing is needed.
pub fn http_status(port: u16, path: &str) -> Option<u16> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, ANSWER_PATIENCE).ok()?;
    stream.set_read_timeout(Some(ANSWER_PATIENCE)).ok()?;
    stream.set_write_timeout(Some(ANSWER_PATIENCE)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut start = *b"HTTP/1.1 200";
    stream.read_exact(&mut start).ok()?;
    str::from_utf8(&start).ok()?.split_once(' ')?.1.parse().ok()
}
