//! A request that moves money: an authorization, a cancellation or a refund. All three follow one protocol.
//!
//! ```text
//! Reserved ── begins ──▶ Sent ── answered ──────────────▶ Done
//!    │                    ├───── refused, not sent ─────▶ NotDone
//!    └── not sent ──▶     └───── no answer ──▶ Unknown ── found ───────▶ Done
//!        NotDone                                 ├─────── disproved ───▶ NotDone
//!                                                └─────── released ────▶ Released
//! ```
//!
//! What holds for each of them:
//!
//! 1. It is stored, with what it reserves, before it leaves, and it leaves only within the send window of that commit.
//! 2. It leaves once. Only a cancellation of unknown outcome is sent again, since the service gives a payment back once, and
//!    within the send window a request that the service did not let in (401), with a renewed token.
//! 3. Every end is stored before anybody reads it. Where no answer comes, its outcome is unknown, never "failed".
//! 4. A request of unknown outcome stays reserved until an answer of the service proves its outcome, or two people release
//!    it; one person may release a cancellation that no person asked for, while the operation is unpaid.
//! 5. What the service reports later overrules every end: money that it names has moved.
//!
//! | | authorization | cancellation | refund |
//! |---|---|---|---|
//! | it is *reserved* before it is sent | never: storing it begins it | never | each of several of one request |
//! | an unknown outcome reserves | no order: its payer has no code, or waits for one | the whole amount | its amount |
//! | it is found by | its number: a cancellation settles it | the state of the transaction | its attempt id in the list |
//! | who releases it | the background, by a cancellation; staff | a second person | a second person |
//! | it may arrive for | [`crate::operation::REQUEST_MAY_ARRIVE_FOR`] | [`crate::ledger::NewReversal::may_run_for`] | [`crate::ledger::ListProof::may_run_for`] |
//! | 401 | final | final | unknown, until a complete list lacks it |
//! | 409 | the number is given up | final | unknown: it may be this refund |
//!
//! The records of the three have states of their own, which staff and documents know. Each of them asks this module what
//! an event makes of its state, and adds what only it knows: an answer that came too late shows no code, and a refusal does
//! not cover an earlier sending of the same cancellation.

use payment_model::LocalizedMessage;

/// The kind of a request that moves money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outgoing {
    /// Begins an operation that a payer can pay.
    Authorization,
    /// Ends an operation, and gives its payment back if there is one by then.
    Cancellation,
    /// Refunds a part or the whole of a settled payment.
    Refund,
}

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Stored, and not sent yet.
    Reserved,
    /// Its only sending has begun.
    Sent,
    /// The service may have carried it out.
    Unknown,
    /// The service carried it out.
    Done,
    /// The service did not carry it out.
    NotDone,
    /// Staff released what it reserved, although its outcome is unknown.
    Released,
}

/// How the sending of a request ended, other than with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendFailure {
    /// The service refused it.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The service's messages for people.
        messages: Vec<LocalizedMessage>,
    },
    /// The service did not accept the access token.
    TokenRejected,
    /// It never left.
    NotSent,
    /// No usable answer came.
    NoAnswer,
}

/// The failure of a sending, with its reason in a sentence in English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// How it failed.
    pub failure: SendFailure,
    /// Why, for staff.
    pub detail: String,
}

impl SendFailure {
    /// The failure with its reason.
    pub fn because(self, detail: impl Into<String>) -> Failed {
        let (failure, detail) = (self, detail.into());
        Failed { failure, detail }
    }

    /// The HTTP status with which the service refused the request.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::TokenRejected => Some(401),
            Self::NotSent | Self::NoAnswer => None,
        }
    }
}

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestEvent<'a> {
    /// Its sender is about to send it.
    Begins,
    /// Its sending ended like this.
    Failed(&'a SendFailure),
    /// The process that was sending it has stopped.
    SenderGone,
    /// The service reports it, in its answer or later.
    Found,
    /// An answer proves that the service has not carried it out and cannot any more.
    Disproved,
    /// Staff release what it reserves.
    Released,
    /// The payment that it seemed to give back is in force again, and it may still arrive.
    InForceAgain,
    /// The service says that its number was used before, maybe by another installation.
    NumberTaken,
}

impl Outgoing {
    /// The next state of a request after an event; `None` if the event changes nothing.
    pub fn next(self, now: Progress, event: RequestEvent<'_>) -> Option<Progress> {
        use Progress::{Done, NotDone, Released, Reserved, Sent, Unknown};
        match (event, now) {
            (RequestEvent::Begins, Reserved) => Some(Sent),
            (RequestEvent::Begins, Unknown) => (self == Self::Cancellation).then_some(Sent),
            (RequestEvent::Failed(failure), Reserved | Sent) => Some(self.after(failure)),
            (RequestEvent::SenderGone, Reserved) => Some(NotDone),
            (RequestEvent::SenderGone, Sent) => Some(Unknown),
            (RequestEvent::Found, Reserved | Sent | Unknown | NotDone | Released) => Some(Done),
            (RequestEvent::Disproved, Unknown) => Some(NotDone),
            (RequestEvent::Released, Unknown) => (self != Self::Authorization).then_some(Released),
            (RequestEvent::InForceAgain, Done) => (self == Self::Cancellation).then_some(Unknown),
            // A late answer ends a doubt, too, which a cancellation would settle: it could end another merchant's payment.
            (RequestEvent::NumberTaken, Sent | Unknown | NotDone) => {
                (self == Self::Authorization).then_some(NotDone)
            }
            _ => None,
        }
    }

    fn after(self, failure: &SendFailure) -> Progress {
        match (self, failure) {
            (_, SendFailure::NoAnswer) => Progress::Unknown,
            // Most likely the service did nothing, which only a complete list proves.
            (Self::Refund, SendFailure::TokenRejected) => Progress::Unknown,
            // The service reports that it has it already: it may be this refund.
            (Self::Refund, SendFailure::Refused { status: 409, .. }) => Progress::Unknown,
            (
                _,
                SendFailure::TokenRejected | SendFailure::Refused { .. } | SendFailure::NotSent,
            ) => Progress::NotDone,
        }
    }

    /// True while a request reserves its amount; an authorization reserves its order.
    pub fn reserves(self, now: Progress) -> bool {
        match now {
            Progress::Reserved | Progress::Sent => true,
            Progress::Unknown => self != Self::Authorization,
            Progress::Done | Progress::NotDone | Progress::Released => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Outgoing::{Authorization, Cancellation, Refund};
    use super::Progress::{Done, NotDone, Released, Reserved, Sent, Unknown};
    use super::{RequestEvent, SendFailure};

    const KINDS: [super::Outgoing; 3] = [Authorization, Cancellation, Refund];
    const STATES: [super::Progress; 6] = [Reserved, Sent, Unknown, Done, NotDone, Released];

    /// What each event makes of each state, as in [`STATES`]; `None` where nothing changes.
    type Row = [Option<super::Progress>; 6];

    const NOTHING: Row = [None; 6];

    fn row(changes: &[(super::Progress, super::Progress)]) -> Row {
        STATES.map(|from| {
            let found = changes.iter().find(|(state, _)| *state == from);
            found.map(|(_, to)| *to)
        })
    }

    #[test]
    fn each_event_makes_of_each_state_of_each_kind_what_the_table_says() {
        let refused = |status| SendFailure::Refused {
            status,
            messages: Vec::new(),
        };
        let (no, taken) = (refused(400), refused(409));
        let ended = |to| row(&[(Reserved, to), (Sent, to)]);
        let not_done = ended(NotDone);
        let unknown = ended(Unknown);
        let once = row(&[(Reserved, Sent)]);
        let again = row(&[(Reserved, Sent), (Unknown, Sent)]);
        let found = row(&[Reserved, Sent, Unknown, NotDone, Released].map(|from| (from, Done)));
        let gone = row(&[(Reserved, NotDone), (Sent, Unknown)]);
        let disproved = row(&[(Unknown, NotDone)]);
        let released = row(&[(Unknown, Released)]);
        let reopened = row(&[(Done, Unknown)]);
        let failed = RequestEvent::Failed;
        let token = SendFailure::TokenRejected;
        let (unsent, silent) = (SendFailure::NotSent, SendFailure::NoAnswer);
        // For an authorization, a cancellation and a refund.
        let taken_number = row(&[(Sent, NotDone), (Unknown, NotDone), (NotDone, NotDone)]);
        let table: [(RequestEvent<'_>, [Row; 3]); 12] = [
            (RequestEvent::Begins, [once, again, once]),
            (failed(&no), [not_done, not_done, not_done]),
            (failed(&taken), [not_done, not_done, unknown]),
            (failed(&token), [not_done, not_done, unknown]),
            (failed(&unsent), [not_done, not_done, not_done]),
            (failed(&silent), [unknown, unknown, unknown]),
            (RequestEvent::SenderGone, [gone, gone, gone]),
            (RequestEvent::Found, [found, found, found]),
            (RequestEvent::Disproved, [disproved, disproved, disproved]),
            (RequestEvent::Released, [NOTHING, released, released]),
            (RequestEvent::InForceAgain, [NOTHING, reopened, NOTHING]),
            (RequestEvent::NumberTaken, [taken_number, NOTHING, NOTHING]),
        ];
        for (event, rows) in table {
            for (kind, row) in KINDS.into_iter().zip(rows) {
                for (from, to) in STATES.into_iter().zip(row) {
                    assert_eq!(kind.next(from, event), to, "{kind:?} {from:?} {event:?}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_outcome_reserves_the_money_that_may_go_and_no_order() {
        for kind in KINDS {
            let reserving = STATES.map(|state| kind.reserves(state));
            let unknown = kind != Authorization;
            assert_eq!(
                reserving,
                [true, true, unknown, false, false, false],
                "{kind:?}"
            );
        }
    }
}
