//! Mistakes that a search plants in the server, to check that it finds each of them. What finds nothing proves
//! nothing, unless it finds a mistake that is there.
//!
//! Only tests of this crate and programs with the feature `planted` can plant one. The feature is for the simulated
//! worlds of `cargo xtask torture` alone: a server that serves payers does not start with it.

use std::fmt;

/// True if a mistake can be planted in this program at run time.
pub const EXIST: bool = cfg!(feature = "planted");

macro_rules! mistakes {
    ($($mistake:ident $name:literal $meaning:literal)+) => {
        /// A mistake in one rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mistake {
            $(#[doc = $meaning] $mistake,)+
        }

        impl Mistake {
            /// Every mistake that can be planted.
            pub const ALL: &'static [Self] = &[$(Self::$mistake),+];

            /// The name by which a report calls it, which does not change.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$mistake => $name,)+
                }
            }

            /// What the server does with it, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$mistake => $meaning,)+
                }
            }
        }
    };
}

mistakes! {
    UnacceptedAnswerProves "unaccepted-answer-proves"
        "An answer without success, or with another code, proves something."
    ReversalEndsItsOwnDoubt "reversal-ends-its-own-doubt"
        "The answer that reports a reversal ends it as not carried out."
    DisputedPaymentIsGivenBack "disputed-payment-is-given-back"
        "A return by hand is allowed while a reversal is reported and not confirmed."
    ContradictionIsSwallowed "contradiction-is-swallowed"
        "An answer that contradicts the stored state leaves no trace."
    ReleaseTrustsTheClock "release-trusts-the-clock"
        "A second person may release at once after the clock was set back."
    JumpCountsAsTime "jump-counts-as-time"
        "A jump of the clock counts as time in which a request may have arrived."
    ReversalIsOrderedByClock "reversal-is-ordered-by-clock"
        "A reversal is recognized by comparing clocks that may have been set back."
    AnnouncedWhileGivenBack "announced-while-given-back"
        "A payment is announced while a request is on its way that gives it back."
    RefusalCoversEarlierRequest "refusal-covers-earlier-request"
        "A refusal of the second request ends the first one, which may still arrive."
    ReturnBesideReversal "return-beside-reversal"
        "A return by hand is allowed while a reversal is in doubt."
    DoubtReservesNothing "doubt-reserves-nothing"
        "A refund of unknown outcome reserves nothing."
    AnyAnswerEndsDoubt "any-answer-ends-doubt"
        "An answer ends the doubt about a request that may still arrive, or that left after the question."
    FailedEventIsForgotten "failed-event-is-forgotten"
        "Nothing notes that an event still has to be told after its delivery failed."
    RefundIsWrittenTooLate "refund-is-written-too-late"
        "The row of a refund does not say that its request leaves, before it leaves."
    CommitErrorIsIgnored "commit-error-is-ignored"
        "A change whose commit failed counts as stored."
    ClockIsAlwaysEven "clock-is-always-even"
        "The clock counts as even for any time, so that every jump is time that passed."
    ReleaseNeedsNoTime "release-needs-no-time"
        "Staff may release a reversal in doubt while the service may still carry it out."
    ExpiredCodeStaysLive "expired-code-stays-live"
        "A code stays the live one of its order although it has expired."
    RefundIsReservedTwice "refund-is-reserved-twice"
        "A repeated request reserves its refund again, beside what its first run reserved."
    OldPriceIsCharged "old-price-is-charged"
        "An order keeps its stored price, whatever the shop said last."
    SearchSendsAgain "search-sends-again"
        "The search for a refund whose answer was lost sends the request again."
    SendWindowNeverCloses "send-window-never-closes"
        "A request that moves money leaves however late its connection is ready."
    ExceptionListIsCut "exception-list-is-cut"
        "The list of exceptions ends after the first one."
    CancelledUnreserved "cancelled-unreserved"
        "The request of a payer to cancel leaves without a reservation."
    ClosedOrderStaysOpen "closed-order-stays-open"
        "An attempt to pay begins after the shop closed its order."
    ApiKeysShareNothing "api-keys-share-nothing"
        "Idempotency keys belong to one API key instead of to all of its store."
    CursorSkipsEvent "cursor-skips-event"
        "A cursor leads past the next event."
    LookBeginsPayment "look-begins-payment"
        "A look at the page of an order begins a payment."
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// True when this mistake is planted.
#[cfg(not(any(test, feature = "planted")))]
pub const fn planted(_: Mistake) -> bool {
    false
}

#[cfg(any(test, feature = "planted"))]
pub use at_run_time::{plant, planted};

#[cfg(any(test, feature = "planted"))]
mod at_run_time {
    use super::Mistake;
    use std::cell::Cell;

    thread_local! {
        static PLANTED: Cell<Option<Mistake>> = const { Cell::new(None) };
    }

    /// True when this mistake is planted in this thread.
    pub fn planted(mistake: Mistake) -> bool {
        PLANTED.get() == Some(mistake)
    }

    /// Plants a mistake in this thread, or none.
    pub fn plant(mistake: Option<Mistake>) {
        PLANTED.set(mistake);
    }
}
