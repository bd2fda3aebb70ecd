//! The faults that tests inject: which requests they match (`pattern`), how often (`list`), and how they
//! change an answer or close its connection (`spoil`, `severed`). The module knows no operations.

mod list;
mod pattern;
mod severed;
mod spoil;

pub(crate) use list::Faults;
pub(crate) use severed::{cut, drop_connection};
pub(crate) use spoil::spoil;

use crate::qr_content::QrMistake;
use pattern::Pattern;
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// Longer than any timeout that a test may wait for.
const MAX_MS: u64 = 600_000;

/// A fault in the body of `PUT /sandbox/faults`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FaultRequest {
    method: Option<String>,
    path: Option<String>,
    times: Option<u32>,
    when: Option<When>,
    kind: Kind,
    ms: Option<u64>,
    status: Option<u16>,
    retry_after: Option<u32>,
    location: Option<String>,
    bytes: Option<usize>,
    html: Option<bool>,
    state: Option<String>,
    pointer: Option<String>,
    value: Option<Value>,
    wrong: Option<QrMistake>,
    #[serde(default)]
    then: Vec<Self>,
}

/// Whether a fault happens before or after the service processes the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum When {
    Before,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Delay,
    Status,
    Drop,
    Cut,
    Malformed,
    UnknownState,
    Replace,
    Qr,
    DuplicateNotification,
    LoseNotification,
}

/// A valid fault.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pattern: Pattern,
    left: u32,
    pub(crate) when: When,
    pub(crate) wait: Duration,
    pub(crate) happening: Happening,
    /// The faults that are added when this one happens.
    then: Vec<Fault>,
}

/// The effect of a fault, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Happening {
    Delay,
    Status {
        status: u16,
        retry_after: Option<u32>,
        location: Option<String>,
    },
    Drop,
    Cut {
        bytes: usize,
    },
    Malformed {
        html: bool,
    },
    UnknownState {
        state: String,
    },
    Replace {
        pointer: String,
        value: Value,
    },
    Qr {
        wrong: QrMistake,
    },
    DuplicateNotification,
    LoseNotification,
}

impl Happening {
    /// The name of the kind, for the journal.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Delay => "delay",
            Self::Status { .. } => "status",
            Self::Drop => "drop",
            Self::Cut { .. } => "cut",
            Self::Malformed { .. } => "malformed",
            Self::UnknownState { .. } => "unknown_state",
            Self::Replace { .. } => "replace",
            Self::Qr { .. } => "qr",
            Self::DuplicateNotification => "duplicate_notification",
            Self::LoseNotification => "lose_notification",
        }
    }
}

impl Happening {
    /// What is wrong with the QR of the answer.
    pub(crate) fn qr_mistake(&self) -> Option<QrMistake> {
        match self {
            Self::Qr { wrong } => Some(*wrong),
            _ => None,
        }
    }
}

/// Faults of one request, which no pattern chooses.
impl Fault {
    /// The service processes the request and answers after this time.
    pub(crate) fn slow_answer(wait: Duration) -> Self {
        Self::of_one_request(When::After, wait, Happening::Delay)
    }

    /// The service processes the request and closes the connection without an answer.
    pub(crate) fn lost_answer() -> Self {
        Self::of_one_request(When::After, Duration::ZERO, Happening::Drop)
    }

    /// The service processes nothing and answers 503.
    pub(crate) fn outage() -> Self {
        let happening = Happening::Status {
            status: 503,
            retry_after: Some(5),
            location: None,
        };
        Self::of_one_request(When::Before, Duration::ZERO, happening)
    }

    fn of_one_request(when: When, wait: Duration, happening: Happening) -> Self {
        Self {
            pattern: Pattern::new(None, None),
            left: 1,
            when,
            wait,
            happening,
            then: Vec::new(),
        }
    }
}

impl FaultRequest {
    /// Checks a list of faults.
    ///
    /// # Errors
    /// A sentence that names the position and the invalid field.
    pub(crate) fn check_all(requests: Vec<Self>) -> Result<Vec<Fault>, String> {
        let numbered = requests.into_iter().enumerate();
        numbered
            .map(|(at, request)| request.check().map_err(|reason| format!("[{at}].{reason}")))
            .collect()
    }

    /// Checks that the fields required by the kind are present and valid.
    fn check(self) -> Result<Fault, String> {
        let kind = self.kind;
        let late = matches!(
            kind,
            Kind::Cut | Kind::Malformed | Kind::UnknownState | Kind::Replace | Kind::Qr
        );
        let when = self
            .when
            .unwrap_or(if late { When::After } else { When::Before });
        if when == When::Before && matches!(kind, Kind::UnknownState | Kind::Replace | Kind::Qr) {
            return Err("when must be \"after\": only a real answer can be changed".to_owned());
        }
        if self.times == Some(0) {
            return Err("times must be at least 1".to_owned());
        }
        let ms = self.ms.unwrap_or(0);
        if ms > MAX_MS || (kind == Kind::Delay && ms == 0) {
            return Err(format!(
                "ms must be a number of milliseconds from 1 to {MAX_MS}"
            ));
        }
        let happening = match kind {
            Kind::Delay => Happening::Delay,
            Kind::Status => Happening::Status {
                status: self
                    .status
                    .filter(|status| (200..=599).contains(status))
                    .ok_or("status must be a number from 200 to 599")?,
                retry_after: self.retry_after,
                location: self.location,
            },
            Kind::Drop => Happening::Drop,
            Kind::Cut => Happening::Cut {
                bytes: self.bytes.unwrap_or(0),
            },
            Kind::Malformed => Happening::Malformed {
                html: self.html.unwrap_or(false),
            },
            Kind::UnknownState => Happening::UnknownState {
                state: self.state.unwrap_or_else(|| "DESCONOCIDO".to_owned()),
            },
            Kind::Replace => Happening::Replace {
                pointer: self
                    .pointer
                    .filter(|pointer| pointer.starts_with('/'))
                    .ok_or("pointer must be a JSON pointer such as \"/transaction/amount\"")?,
                value: self.value.unwrap_or(Value::Null),
            },
            Kind::Qr => Happening::Qr {
                wrong: self
                    .wrong
                    .ok_or("wrong must be checksum, currency, amount, no_name or other_form")?,
            },
            Kind::DuplicateNotification => Happening::DuplicateNotification,
            Kind::LoseNotification => Happening::LoseNotification,
        };
        let is_path = |path: &String| path.starts_with(['/', '*']);
        if !self.path.as_ref().is_none_or(is_path) {
            return Err("path must begin with / or *, such as \"/charges\"".to_owned());
        }
        // Only the answer to an authorization has a picture.
        let authorize = (kind == Kind::Qr).then(|| ("POST".to_owned(), "/charges".to_owned()));
        let (method, path) = authorize.unzip();
        Ok(Fault {
            pattern: Pattern::new(self.method.or(method), self.path.or(path)),
            left: self.times.unwrap_or(1),
            when,
            wait: Duration::from_millis(ms),
            happening,
            then: Self::check_all(self.then).map_err(|reason| format!("then{reason}"))?,
        })
    }
}
