//! `merchant-backend check`: checks everything that a server needs, before the first start or while the
//! server runs, and prints a report.
//!
//! ```text
//! neighbors   the payment service, the public address, the shop and the receiver of events
//! ```
//!
//! A check changes nothing: it creates no database, order or operation, and sends no event.

use crate::config::Config;
use crate::database_address::DatabaseAddress;
use crate::db::{Inspected, inspect, standbys_may_lack_commits};
use crate::server::connection_slots::raise_limit;
use std::fmt;
use std::io::ErrorKind;
use std::net::TcpListener;

mod neighbors;

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
    findings.push(database(&config.database).await);
    findings.extend(standbys(&config.database, config.standbys_may_lack_commits).await);
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

const NAME: &str = "DATABASE";

/// Says that a start is refused because of asynchronous standbys, or what becomes of accepted ones.
pub(super) async fn standbys(address: &DatabaseAddress, are_accepted: bool) -> Option<Finding> {
    if !standbys_may_lack_commits(address).await {
        return None;
    }
    Some(if are_accepted {
        Finding::note(
            NAME,
            "its standbys are asynchronous: after one has taken over run `merchant-backend restored` before a server starts, since it may lack payments and refunds".to_owned(),
        )
    } else {
        let text = crate::StartError::Standbys.to_string();
        let text = text.strip_prefix("DATABASE: ").unwrap_or(&text);
        Finding::wrong(NAME, text.to_owned())
    })
}

pub(super) async fn database(address: &DatabaseAddress) -> Finding {
    let name = address;
    match inspect(address).await {
        Ok(Inspected::None) => {
            let made = match address {
                DatabaseAddress::File(_) => "will be made at the first start",
                DatabaseAddress::Server(_) => "is empty; the first start makes its tables",
            };
            Finding::good(NAME, format!("{name} {made}"))
        }
        Ok(Inspected::Current) => {
            Finding::good(NAME, format!("{name} has the schema of this version"))
        }
        Ok(Inspected::Restored) => Finding::note(
            NAME,
            format!(
                "{name} was restored from a backup; what is older waits for staff, until `restored --compared`"
            ),
        ),
        Ok(Inspected::OldExceptions(old)) => Finding::note(
            NAME,
            format!(
                "{name} has {old} payments whose exceptions an earlier version found; a running server finds them anew, in steps"
            ),
        ),
        Ok(Inspected::Older) => Finding::note(
            NAME,
            format!(
                "{name} was written by an older version; the start brings it up to date, so keep a backup"
            ),
        ),
        Ok(Inspected::InUse) => Finding::good(NAME, format!("{name} is in use by a server")),
        Err(error) => {
            // The report has the name of the setting already.
            let text = error.to_string();
            let text = text.strip_prefix("DATABASE: ").unwrap_or(&text);
            Finding::wrong(NAME, text.to_owned())
        }
    }
}
