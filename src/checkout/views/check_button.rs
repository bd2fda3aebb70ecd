use super::time_left::TimeLeft;
use super::view_context::{Kind, ViewContext, paragraph, part};
use crate::texts::{SpokenText, Text};
use browser_kit::texts::Clock;
use checkout_flow::{Checked, Connection, Event};
use gloo_timers::callback::Timeout;
use std::convert;
use yew::{Callback, Component, Context, Html, MouseEvent, Properties, html};

/// "Check now", with the time of the last question without news.
pub(super) fn check(context: &ViewContext<'_>, look: &'static str) -> Html {
    html! {
        <>
            <CheckButton
                {look}
                words={context.text(Text::ActionCheck)}
                opens={context.since_drawn(context.inputs.check_opens_after)}
                onclick={context.press(|| Event::CheckPressed)}
            />
            if let Some(checked) = checked(context) {
                { paragraph(Kind::Checked, &checked) }
            }
        </>
    }
}

/// The answer to the payer's own question: there is nothing new, or the server gave no answer,
/// with the time of the last one. A browser that is offline says so above.
pub(super) fn checked(context: &ViewContext<'_>) -> Option<SpokenText> {
    let Checked { at, answered, .. } = context.view.checked?;
    let text = match at {
        _ if answered => Text::Checked,
        _ if context.view.connection == Connection::Offline => return None,
        Some(_) => Text::CheckedInVain,
        None => return Some(context.text(Text::NoticeTroubled)),
    };
    let time = context.inputs.texts.instant(at?, Clock::Seconds)?;
    Some(context.fill(text, &[("time", &time)]))
}

#[derive(PartialEq, Properties)]
struct CheckButtonProps {
    look: &'static str,
    words: SpokenText,
    /// The time until a press sends a request.
    opens: TimeLeft,
    onclick: Callback<MouseEvent>,
}

/// "Check now". While it would send no request it is announced as disabled, and keeps the focus.
#[derive(Default)]
struct CheckButton {
    opens: Option<Timeout>,
}

impl Component for CheckButton {
    type Message = ();
    type Properties = CheckButtonProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn update(&mut self, _: &Context<Self>, (): ()) -> bool {
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let closed = !props.opens.now().is_zero();
        html! {
            <button
                type="button"
                id="action.check"
                data-look={props.look}
                part={part(props.look)}
                aria-disabled={closed.then_some("true")}
                onclick={props.onclick.clone()}
            >
                { &props.words }
            </button>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        self.opens = ctx.props().opens.wake(ctx, convert::identity);
    }
}
