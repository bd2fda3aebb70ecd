//! One server of the stack, with its log and the last lines of it.

use crate::child::Group;
use crate::http;
use anyhow::{Result, bail};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

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
        http::status(self.port, self.path).is_some_and(|status| (200..300).contains(&status))
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
