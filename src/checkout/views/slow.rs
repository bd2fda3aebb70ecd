use super::PartEvent;
use super::view_context::ViewContext;
use browser_kit::timer;
use std::time::Duration;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

/// After this time without a code the payer is offered another way.
const SLOW: Duration = Duration::from_secs(4);

/// Draws `late` in place of `early` once it takes long to prepare a code, and reports that.
pub(super) fn when_slow(
    context: &ViewContext<'_>,
    early: Html,
    late: Html,
    on_slow: Callback<PartEvent>,
) -> Html {
    let (slow, waits) = (context.around.slow, context.around.at.is_some());
    html! { <WhenSlow {early} {late} {slow} {waits} {on_slow} /> }
}

#[derive(PartialEq, Properties)]
struct WhenSlowProps {
    early: Html,
    late: Html,
    slow: bool,
    waits: bool,
    on_slow: Callback<PartEvent>,
}

#[component]
fn WhenSlow(props: &WhenSlowProps) -> Html {
    let slow = use_state(|| false);
    use_effect_with((), {
        let (slow, waits, on_slow) = (slow.clone(), props.waits, props.on_slow.clone());
        move |()| {
            let patience = waits.then(|| {
                timer::after(SLOW, move || {
                    slow.set(true);
                    on_slow.emit(PartEvent::Slow);
                })
            });
            move || drop(patience)
        }
    });
    if *slow || props.slow {
        props.late.clone()
    } else {
        props.early.clone()
    }
}
