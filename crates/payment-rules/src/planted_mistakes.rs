//! Mistakes that a test plants in the rules, to check that the random stories find each of them.
//! Without tests, none can be planted.

/// A mistake in one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// An answer without success, or with another code, proves something.
    UnacceptedAnswerProves,
    /// The answer that reports a reversal ends it as not carried out.
    ReversalEndsItsOwnDoubt,
    /// A return by hand is allowed while a reversal is reported and not confirmed.
    DisputedPaymentIsGivenBack,
    /// An answer that contradicts the stored state leaves no trace.
    ContradictionIsSwallowed,
    /// A second person may release at once after the clock was set back.
    ReleaseTrustsTheClock,
    /// A jump of the clock counts as time that passed.
    JumpCountsAsTime,
    /// A reversal is recognized by comparing clocks that may have been set back.
    ReversalIsOrderedByClock,
    /// A payment is announced while a request is on its way that gives it back.
    AnnouncedWhileGivenBack,
    /// A refusal of the second request ends the first one, which may still arrive.
    RefusalCoversEarlierRequest,
    /// A return by hand is allowed while a reversal is in doubt.
    ReturnBesideReversal,
    /// A refund of unknown outcome reserves nothing.
    DoubtReservesNothing,
}

/// True when this mistake is planted.
#[cfg(not(test))]
pub const fn planted(_: Mistake) -> bool {
    false
}

#[cfg(test)]
pub use of_tests::{plant, planted};

#[cfg(test)]
mod of_tests {
    use super::Mistake;
    use std::cell::Cell;

    thread_local! {
        static PLANTED: Cell<Option<Mistake>> = const { Cell::new(None) };
    }

    /// True when this mistake is planted in this thread.
    pub fn planted(mistake: Mistake) -> bool {
        PLANTED.get() == Some(mistake)
    }

    /// Plants a mistake in the rules of this thread, or none.
    pub fn plant(mistake: Option<Mistake>) {
        PLANTED.set(mistake);
    }
}
