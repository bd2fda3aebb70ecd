use super::views::{Due, PartEvent};
use crate::browser::Exchange;
use checkout_flow::Event;

/// The messages that the component receives.
#[derive(Debug)]
pub enum Message {
    /// Something happened to the payment.
    Event(Event),
    /// A request to the merchant's server is over, with this event for the payment.
    Answered(Box<Exchange>, Event),
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
