use crate::texts::{Formatter, Texts};
use gloo_timers::callback::Timeout;

/// Makes the browser's formatters while the payer reads the choice: the first use of each takes long, and
/// would delay the code. One at a time, so a press waits for one of them at most.
pub(super) fn warm_up(texts: &Texts) -> [Timeout; 3] {
    // The page itself may have work to do before. Between two of them the browser paints a frame.
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
