//! `merchant-backend check`: checks everything that a server needs, before the first start or while the
//! server runs, and prints a report.
//!
//! ```text
//! finding     a line of the report
//! database    the database
//! neighbors   the payment service, the public address, the shop and the receiver of events
//! ```
//!
//! A check changes nothing: it creates no database, order or operation, and sends no event.

mod database;
mod neighbors;

use crate::config::Config;
use crate::server::open_files::raise_limit;
use std::fmt;
use std::io::ErrorKind;
use std::net::TcpListener;

/// The report of a check.
#[derive(Debug)]
pub(crate) struct Report(Vec<Finding>);

impl Report {
    /// True when nothing prevents the server from working.
    pub(crate) fn is_good(&self) -> bool {
        !self.0.iter().any(Finding::is_wrong)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|finding| writeln!(f, "{finding}"))
    }
}

/// Checks everything that these settings name.
pub(crate) async fn check(config: &Config) -> Report {
    let mut findings = vec![Finding::good(
        "settings",
        "every setting can be read".to_owned(),
    )];
    let warnings = config.warnings().into_iter();
    findings.extend(warnings.map(|warning| Finding::note("settings", warning.to_owned())));
    let warning = raise_limit(config.most_connections);
    findings.extend(warning.map(|warning| Finding::note("settings", warning)));
    findings.push(listen(config));
    findings.push(database::database(&config.database).await);
    findings.extend(database::standbys(&config.database, config.standbys_may_lack_commits).await);
    findings.extend(neighbors::payment_service(config).await);
    findings.push(neighbors::public_url(config).await);
    findings.extend(neighbors::shop(config).await);
    findings.extend(neighbors::receivers(config).await);
    Report(findings)
}

fn listen(config: &Config) -> Finding {
    const NAME: &str = "BACKEND_LISTEN";
    let address = config.listen;
    match TcpListener::bind(address) {
        Ok(_) => Finding::good(NAME, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Finding::note(
            NAME,
            format!(
                "{address} is in use, as it is while the server runs; another program there must stop"
            ),
        ),
        Err(error) => Finding::wrong(
            NAME,
            format!("{address} cannot be listened on ({error}); choose another address"),
        ),
    }
}

/// The result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    /// It may be intended.
    Note,
    Wrong,
}

/// A line of the report. It contains no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    verdict: Verdict,
    name: &'static str,
    text: String,
}

impl Finding {
    pub(super) fn good(name: &'static str, text: String) -> Self {
        let verdict = Verdict::Good;
        Self {
            verdict,
            name,
            text,
        }
    }

    pub(super) fn note(name: &'static str, text: String) -> Self {
        let verdict = Verdict::Note;
        Self {
            verdict,
            name,
            text,
        }
    }

    pub(super) fn wrong(name: &'static str, text: String) -> Self {
        let verdict = Verdict::Wrong;
        Self {
            verdict,
            name,
            text,
        }
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Good => "good",
            Verdict::Note => "note",
            Verdict::Wrong => "WRONG",
        };
        write!(f, "{verdict:<6}{}: {}", self.name, self.text)
    }
}
