use super::views::{Due, PartEvent};
use checkout_flow::Event;

/// The messages that the component receives.
#[derive(Debug)]
pub enum Message {
    /// Something happened to the payment.
    Event(Event),
    /// A press that was carried out is to be drawn.
    Redraw,
    /// A time has come that the frame waits for.
    Due(Due),
    /// Something happened in a part of the screen.
    Part(PartEvent),
}

impl From<Event> for Message {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}
