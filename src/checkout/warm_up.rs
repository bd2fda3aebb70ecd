use crate::texts::{Formatter, Texts};
use gloo_timers::callback::Timeout;

/// Makes the browser's formatters while the payer reads the choice: the first use of each is slow, and would delay
/// the code. Each has its own timer, so that a press waits for at most one of them.
pub(super) fn warm_up(texts: &Texts) -> [Timeout; 3] {
    // The page may have work to do first. Between two timers the browser can paint a frame.
    let plan = [
        (500, Formatter::Time),
        (516, Formatter::Date),
        (532, Formatter::SpokenTime),
    ];
    plan.map(|(millis, formatter)| {
        let texts = texts.clone();
        Timeout::new(millis, move || texts.warm(formatter))
    })
}
