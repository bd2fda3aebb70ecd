use super::views::{PartEvent, Timer};
use crate::browser::Exchange;
use checkout_flow::Event;

/// The messages that the component receives.
#[derive(Debug)]
pub enum Message {
    /// An event for the flow.
    Event(Event),
    /// A request to the merchant's server is over, with this event for the payment.
    Answered(Box<Exchange>, Event),
    /// The page's answer before an attempt, which counts once the page has been drawn, and this many times more.
    Prepared { answer: Event, drawings: u8 },
    /// Draws what is not drawn yet: the effect of a press after its request has left, or the live region.
    Redraw,
    /// A timer of the announcer fired.
    Timer(Timer),
    /// The page wants the focus on the heading.
    Focus,
    /// Something happened in a part of the screen.
    Part(PartEvent),
}

impl From<Event> for Message {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}
