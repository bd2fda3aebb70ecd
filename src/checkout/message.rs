use super::views::Due;
use checkout_flow::Event;

/// The messages that the component receives.
#[derive(Debug)]
pub enum Message {
    /// Something happened to the payment.
    Event(Event),
    /// Time alone changed something that the payer sees, or a press that was carried out is to be drawn.
    Passed,
    /// A time has come that the frame waits for.
    Due(Due),
    /// The payer asked to save the code.
    Saved,
    /// It takes long to prepare a code.
    Slow,
}

impl From<Event> for Message {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}
