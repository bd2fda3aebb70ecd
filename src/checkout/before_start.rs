use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// What your page does before an attempt to pay.
#[non_exhaustive]
pub enum BeforeStart {
    /// The attempt begins at once, with the order that the card has.
    Begin,
    /// It does not begin. Your page takes care of the payer.
    Stay,
    /// It begins when this is done, within 15 seconds, and the page has drawn what it set. Meanwhile the payer sees that
    /// the order is being prepared, and may leave. After that the payer reads that your store could not begin the payment; the future goes on, and an order that it
    /// makes is for the next attempt.
    Wait(Pin<Box<dyn Future<Output = Result<(), StartError>>>>),
}

impl BeforeStart {
    /// Waits for a future, such as the one that makes the order.
    pub fn wait(future: impl Future<Output = Result<(), StartError>> + 'static) -> Self {
        Self::Wait(Box::pin(future))
    }
}

impl fmt::Debug for BeforeStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Begin => "Begin",
            Self::Stay => "Stay",
            Self::Wait(_) => "Wait",
        })
    }
}

/// Why your page did not begin an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartError {
    /// For this reason, which the payer reads as plain text.
    Refused(String),
    /// For a reason that says nothing to a payer, who reads that the store could not begin the payment.
    Failed,
}
