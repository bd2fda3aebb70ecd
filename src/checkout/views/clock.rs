use super::time_left::{HALF_A_DAY, TimeLeft};
use super::view_context::ViewContext;
use crate::texts::{Text, Words};
use browser_kit::texts::Clock;
use yew::{Html, html};

/// That a payment is waited for, until when, and a way to ask at once.
pub(super) fn waiting(context: &ViewContext<'_>) -> Html {
    status(context, clock(context))
}

/// The same with another clock.
pub(super) fn status(context: &ViewContext<'_>, clock: Html) -> Html {
    html! {
        <div class="status" part="waiting">
            <p class="pulse">{ context.text(Text::QrWaiting) }</p>
            { clock }
            { context.check("quiet") }
        </div>
    }
}

/// How long it can be paid, and until when.
pub(super) fn clock(context: &ViewContext<'_>) -> Html {
    html! {
        <>
            { left(context) }
            if let Some(until) = until(context) {
                <span id="until" class="muted" part="deadline">{ until }</span>
            }
        </>
    }
}

/// Until when it can be paid.
pub(super) fn until(context: &ViewContext<'_>) -> Option<Words> {
    let soon = context
        .around
        .remaining
        .is_some_and(|left| left < HALF_A_DAY);
    let said = if soon { Clock::Minutes } else { Clock::Dated };
    let at = context.around.texts.instant(context.view.deadline?, said)?;
    Some(context.fill(Text::DeadlineAt, &[("date", &at)]))
}

/// How long it can be paid, on its last day.
pub(super) fn left(context: &ViewContext<'_>) -> Html {
    let around = context.around;
    around.remaining.map_or_else(Html::default, |remaining| {
        html! {
            <TimeLeft
                {remaining}
                texts={around.texts.clone()}
                live={around.frame.is_some()}
                on_mark={around.on_mark}
            />
        }
    })
}
