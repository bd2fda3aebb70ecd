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
    FailedEventIsForgotten "failed-event-is-forgotten"
        "Nothing notes that an event still has to be told after its delivery failed."
    CommitErrorIsIgnored "commit-error-is-ignored"
        "A change whose commit failed counts as stored."
    ClockIsAlwaysEven "clock-is-always-even"
        "The clock counts as even for any time, so that every jump is time that passed."
    SearchSendsAgain "search-sends-again"
        "The search for a refund whose answer was lost sends the request again."
    SendWindowNeverCloses "send-window-never-closes"
        "A request that moves money leaves however late its connection is ready."
    ExceptionListIsCut "exception-list-is-cut"
        "The list of exceptions ends after the first one."
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
