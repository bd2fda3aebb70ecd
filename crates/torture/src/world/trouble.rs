//! The points of a world at which something can go wrong, and what does.

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

/// What goes wrong at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Trouble {
    /// The statement, the commit or the connection fails, and nothing was done.
    Fails,
    /// It is carried out, and there is no answer.
    AnswerLost,
    /// It is carried out, and the answer breaks off.
    AnswerCut,
    /// It is carried out, and the answer comes when nobody waits for it any more.
    AnswerLate,
    /// It arrives when nobody waits for an answer any more.
    ArrivesLate,
    /// It arrives twice.
    Doubled,
    /// The other side refuses it with 503.
    Refused,
    /// The other side refuses it with 429, and names a time.
    Limited,
    /// It is carried out, and what lies between answers 400.
    AnswerDenied,
    /// It is carried out, and its answer is half of one.
    AnswerUnreadable,
    /// It is carried out, and what lies between answers with a page of its own.
    AnswerByAnother,
    /// The connection takes long.
    SlowConnection,
    /// The server stops before it.
    KilledBefore,
    /// The server stops after it.
    KilledAfter,
    /// The wall clock of the server jumps ahead by an hour.
    ClockAhead,
    /// The wall clock of the server jumps back by an hour.
    ClockBack,
    /// The server stops after it, and the operator restores a backup of the database.
    Restored,
}

impl Trouble {
    /// Every trouble.
    pub(super) const ALL: [Self; 17] = [
        Self::Fails,
        Self::AnswerLost,
        Self::AnswerCut,
        Self::AnswerLate,
        Self::ArrivesLate,
        Self::Doubled,
        Self::Refused,
        Self::Limited,
        Self::AnswerDenied,
        Self::AnswerUnreadable,
        Self::AnswerByAnother,
        Self::SlowConnection,
        Self::KilledBefore,
        Self::KilledAfter,
        Self::ClockAhead,
        Self::ClockBack,
        Self::Restored,
    ];

    /// The troubles that can happen at a point of this kind.
    pub(super) const fn at(kind: PointKind) -> &'static [Self] {
        use Trouble::{
            AnswerByAnother, AnswerCut, AnswerDenied, AnswerLate, AnswerLost, AnswerUnreadable,
            ArrivesLate, ClockAhead, ClockBack, Doubled, Fails, KilledAfter, KilledBefore, Limited,
            Refused, Restored, SlowConnection,
        };
        match kind {
            PointKind::Statement => &[Fails],
            PointKind::Commit => &[
                Fails,
                AnswerLost,
                KilledBefore,
                KilledAfter,
                ClockAhead,
                ClockBack,
                Restored,
            ],
            PointKind::ToService => &[
                Fails,
                AnswerLost,
                AnswerCut,
                AnswerLate,
                ArrivesLate,
                Refused,
                Limited,
                AnswerDenied,
                AnswerUnreadable,
                AnswerByAnother,
                SlowConnection,
                KilledBefore,
                KilledAfter,
                Restored,
            ],
            PointKind::ToShop => &[
                Fails,
                AnswerLost,
                AnswerLate,
                Doubled,
                Refused,
                SlowConnection,
                KilledAfter,
            ],
            PointKind::Notification => &[Fails, ArrivesLate, Doubled],
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fails => "fails",
            Self::AnswerLost => "is carried out without an answer",
            Self::AnswerCut => "is carried out, and its answer breaks off",
            Self::AnswerLate => "is carried out, and its answer comes late",
            Self::ArrivesLate => "arrives late",
            Self::Doubled => "arrives twice",
            Self::Refused => "is refused with 503",
            Self::Limited => "is refused with 429",
            Self::AnswerDenied => "is carried out, and answered with 400",
            Self::AnswerUnreadable => "is carried out, and answered with half an answer",
            Self::AnswerByAnother => "is carried out, and answered with another server's page",
            Self::SlowConnection => "waits for its connection",
            Self::KilledBefore => "is not reached, since the server is killed",
            Self::KilledAfter => "is carried out, and the server is killed",
            Self::ClockAhead => "happens when the clock of the server jumps an hour ahead",
            Self::ClockBack => "happens when the clock of the server jumps an hour back",
            Self::Restored => "is carried out, and the server is killed and a backup restored",
        })
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
