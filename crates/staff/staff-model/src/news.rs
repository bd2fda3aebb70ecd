//! What changed since a desk looked last, for a desk that follows the changes.

use crate::OperationRow;
use serde::{Deserialize, Serialize};

/// The query of `GET /staff/news`, which is held with `Prefer: wait=SECONDS` until something changes. It is no use of the
/// session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewsQuery {
    /// `next` of the last answer; empty at the beginning, which is answered at once.
    pub after: String,
}

/// The answer of `GET /staff/news`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct News {
    /// Where to read on.
    pub next: String,
    /// True when changes may be missing here, so that lists have to be loaded again: at the beginning, and after a longer
    /// pause.
    #[serde(default)]
    pub missed: bool,
    /// The operations that are new or whose state changed, each as it is now, the oldest change first. One may come again unchanged.
    #[serde(default)]
    pub operations: Vec<OperationRow>,
    /// Links were made, opened, ended or given another address, or the state of an operation of one changed.
    #[serde(default)]
    pub links: bool,
    /// How many unresolved exceptions there are; `null` when that was not counted.
    #[serde(default)]
    pub exceptions: Option<u64>,
}

/// The request header that says that the element asked without a person, so that the request is no use of the session.
pub const UNATTENDED: &str = "unattended";
