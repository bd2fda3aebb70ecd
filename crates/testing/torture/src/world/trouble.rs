//! The points of a world at which something can go wrong, and what does.

use PointKind::{Commit, Notification, Statement, ToService, ToShop};
use std::fmt;

/// What happens at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PointKind {
    /// A statement of the database that is no commit.
    Statement,
    /// A commit.
    Commit,
    /// A request to the payment service.
    ToService,
    /// A request to the shop.
    ToShop,
    /// A notification of the payment service.
    Notification,
}

/// What goes wrong at a point; [`TROUBLES`] says it in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Trouble {
    Fails,
    AnswerLost,
    AnswerCut,
    AnswerLate,
    ArrivesLate,
    Doubled,
    Refused,
    Limited,
    AnswerDenied,
    AnswerUnreadable,
    AnswerByAnother,
    SlowConnection,
    KilledBefore,
    KilledAfter,
    ClockAhead,
    ClockBack,
    Restored,
}

/// Every trouble, the points at which it can happen, and what happens there.
#[rustfmt::skip]
pub(super) const TROUBLES: [(Trouble, &[PointKind], &str); 17] = [
    (Trouble::Fails, &[Statement, Commit, ToService, ToShop, Notification], "fails"),
    (Trouble::AnswerLost, &[Commit, ToService, ToShop], "is carried out without an answer"),
    (Trouble::AnswerCut, &[ToService], "is carried out, and its answer breaks off"),
    (Trouble::AnswerLate, &[ToService, ToShop], "is carried out, and its answer comes late"),
    (Trouble::ArrivesLate, &[ToService, Notification], "arrives late"),
    (Trouble::Doubled, &[ToShop, Notification], "arrives twice"),
    (Trouble::Refused, &[ToService, ToShop], "is refused with 503"),
    (Trouble::Limited, &[ToService], "is refused with 429"),
    (Trouble::AnswerDenied, &[ToService], "is carried out, and answered with 400"),
    (Trouble::AnswerUnreadable, &[ToService], "is carried out, and answered with half an answer"),
    (Trouble::AnswerByAnother, &[ToService], "is carried out, and answered with another server's page"),
    (Trouble::SlowConnection, &[ToService, ToShop], "waits for its connection"),
    (Trouble::KilledBefore, &[Commit, ToService], "is not reached, since the server is killed"),
    (Trouble::KilledAfter, &[Commit, ToService, ToShop], "is carried out, and the server is killed"),
    (Trouble::ClockAhead, &[Commit], "happens when the clock of the server jumps an hour ahead"),
    (Trouble::ClockBack, &[Commit], "happens when the clock of the server jumps an hour back"),
    (Trouble::Restored, &[Commit, ToService], "is carried out, and the server is killed and a backup restored"),
];

impl Trouble {
    /// The troubles that can happen at a point of this kind.
    pub(super) fn at(kind: PointKind) -> impl Iterator<Item = Self> {
        let possible = TROUBLES
            .into_iter()
            .filter(move |(_, at, _)| at.contains(&kind));
        possible.map(|(trouble, ..)| trouble)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = TROUBLES.iter().find(|(trouble, ..)| trouble == self);
        f.write_str(own.map_or("", |(.., what)| what))
    }
}

/// A trouble at the point of this number.
pub(super) type Plan = Vec<(usize, Trouble)>;

/// A point that was reached.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) kind: PointKind,
    /// What was to be done there.
    pub(super) what: String,
}
