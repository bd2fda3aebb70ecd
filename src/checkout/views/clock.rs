use super::view_context::ViewContext;
use crate::texts::{Text, Words, countdown, whole};
use browser_kit::texts::Clock;
use payment_model::digits;
use std::time::Duration;
use yew::{Html, html};

/// Above this time left the deadline has a date.
const HALF_A_DAY: Duration = Duration::from_secs(12 * 3_600);
const A_DAY: Duration = Duration::from_secs(24 * 3_600);
/// The bar begins to shrink when a quarter of an hour is left, so that its length means the
/// same for every payment.
const BAR: Duration = Duration::from_secs(900);

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

/// How long it can be paid, on its last day. A screen reader finds minutes and seconds, and hears a few
/// marks only.
pub(super) fn left(context: &ViewContext<'_>) -> Html {
    let Some(left) = context.around.remaining.filter(|left| *left < A_DAY) else {
        return Html::default();
    };
    let texts = context.around.texts;
    let times = [("time", &*countdown(left), &*texts.spoken_time(whole(left)))];
    html! {
        <>
            <span role="timer" part="countdown">
                { texts.fill(Text::DeadlineLeft, &times) }
            </span>
            <progress
                part="progress"
                max="900"
                value={digits(left.min(BAR).as_secs())}
                aria-hidden="true"
            />
        </>
    }
}
