use crate::texts::{Formatter, Texts};
use gloo_timers::callback::Timeout;
use std::iter;
use yew::{Html, Properties, component, use_effect_with};

#[derive(PartialEq, Properties)]
pub(super) struct WarmUpProps {
    pub(super) texts: Texts,
}

/// Makes the browser's formatters while the payer reads the choice: the first use of each takes long, and
/// would delay the code. One at a time, so a press waits for one of them at most.
#[component]
pub(super) fn WarmUp(WarmUpProps { texts }: &WarmUpProps) -> Html {
    use_effect_with(texts.clone(), |texts| {
        // The page itself may have work to do before. Between two of them the browser paints a frame.
        let timers: Vec<_> = iter::zip(Formatter::ALL, [500, 516, 532])
            .map(|(formatter, at)| {
                let texts = texts.clone();
                Timeout::new(at, move || texts.warm(formatter))
            })
            .collect();
        move || drop(timers)
    });
    Html::default()
}
