use super::PartEvent;
use super::view_context::ViewContext;
use browser_kit::timer;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use yew::{Callback, Component, Context, Html, Properties, html};

/// After this time without a code the payer is offered another way.
const SLOW: Duration = Duration::from_secs(4);

/// Draws `late` in place of `early` once it takes long to prepare a code, and reports that.
pub(super) fn when_slow(
    context: &ViewContext<'_>,
    early: Html,
    late: Html,
    on_slow: Callback<PartEvent>,
) -> Html {
    let (slow, waits) = (context.inputs.slow, context.inputs.at.is_some());
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

struct WhenSlow {
    slow: bool,
    _patience: Option<Timeout>,
}

impl Component for WhenSlow {
    type Message = ();
    type Properties = WhenSlowProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link().clone();
        let patience = || timer::after(SLOW, move || link.send_message(()));
        Self {
            slow: false,
            _patience: ctx.props().waits.then(patience),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, (): ()) -> bool {
        self.slow = true;
        ctx.props().on_slow.emit(PartEvent::Slow);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        if self.slow || props.slow {
            props.late.clone()
        } else {
            props.early.clone()
        }
    }
}
