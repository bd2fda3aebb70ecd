use super::clock::clock;
use super::view_context::{Kind, Look, TimeLeft, ViewContext, paragraph};
use crate::texts::{SpokenText, Text};
use browser_kit::texts::Clock;
use checkout_flow::{Checked, Connection, Event, View};
use gloo_timers::callback::Timeout;
use std::convert;
use yew::{Callback, Component, Context, Html, MouseEvent, Properties, html};

/// The status line: the screen waits for a payment, until when, and a button that asks the server now.
pub(super) fn waiting(context: &ViewContext<'_>) -> Html {
    status(context, clock(context))
}

/// The status line with a given clock.
pub(super) fn status(context: &ViewContext<'_>, clock: Html) -> Html {
    html! {
        <div class="status" part="waiting">
            { pulse(context) }
            { check(context, Look::Quiet) }
            { clock }
        </div>
    }
}

/// Says that the screen waits for a payment, or why it cannot see one now: on a phone the payer looks here, and
/// would not see a note above the heading.
fn pulse(context: &ViewContext<'_>) -> Html {
    match connection_trouble(context.view) {
        Some(trouble) => html! { <p class="pulse" data-trouble="">{ context.text(trouble) }</p> },
        None => html! { <p class="pulse">{ context.text(Text::QrWaiting) }</p> },
    }
}

/// The text about a problem with the connection. The advice for payers who may have paid is only for those who
/// have an operation.
pub(super) fn connection_trouble(view: &View<'_>) -> Option<Text> {
    match (view.connection, view.operation) {
        (Connection::Good, _) => None,
        (_, None) => Some(Text::NoticeBefore),
        (Connection::Offline, Some(_)) => Some(Text::NoticeOffline),
        (Connection::Troubled, Some(_)) => Some(Text::NoticeTroubled),
    }
}

/// That text as a note above the screen, unless the screen has a status line, which shows it instead.
pub(super) fn connection_notice(context: &ViewContext<'_>, has_status_line: bool) -> Html {
    html! {
        if let Some(text) = connection_trouble(context.view).filter(|_| !has_status_line) {
            <p class="note" part="notice">{ context.text(text) }</p>
        }
    }
}

/// "Check now", with the answer to the last press if nothing was new.
pub(super) fn check(context: &ViewContext<'_>, look: Look) -> Html {
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

/// The answer to the payer's own question: nothing is new, or the server did not answer, with the time of its
/// last answer. `None` while the browser is offline, which the connection notice says.
pub(super) fn checked(context: &ViewContext<'_>) -> Option<SpokenText> {
    let Checked { at, answered, .. } = context.view.checked?;
    let text = match at {
        _ if answered => Text::Checked,
        _ if context.view.connection == Connection::Offline => return None,
        Some(_) => Text::CheckedInVain,
        None => return Some(context.text(Text::NoticeTroubled)),
    };
    let time = context.inputs.texts.instant(at?, Clock::Minutes)?;
    Some(context.fill(text, &[("time", &time)]))
}

#[derive(PartialEq, Properties)]
struct CheckButtonProps {
    look: Look,
    words: SpokenText,
    /// The time until a press sends a request.
    opens: TimeLeft,
    onclick: Callback<MouseEvent>,
}

/// "Check now". While a press would send no request, screen readers announce the button as disabled; it keeps
/// the focus.
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
                data-look={props.look.name()}
                part={props.look.part()}
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
