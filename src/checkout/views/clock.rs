use super::scene::Scene;
use crate::texts::{Text, countdown};
use browser_kit::texts::Clock;
use yew::{AttrValue, Html, html};

const HOUR: i64 = 3_600_000;
/// The bar begins to shrink when a quarter of an hour is left, so that its length means the
/// same for every payment.
const BAR: i64 = 900;

/// That a payment is waited for, until when, and a way to ask at once.
pub(super) fn waiting(scene: &Scene<'_>) -> Html {
    status(scene, clock(scene))
}

/// The same with another clock.
pub(super) fn status(scene: &Scene<'_>, clock: Html) -> Html {
    html! {
        <div class="status" part="waiting">
            <p class="pulse">{ scene.text(Text::QrWaiting) }</p>
            { clock }
            { scene.check("quiet small") }
        </div>
    }
}

/// How long it can be paid, and until when.
pub(super) fn clock(scene: &Scene<'_>) -> Html {
    html! {
        <>
            { left(scene) }
            if let Some(until) = until(scene) {
                <span class="muted" part="deadline">{ until }</span>
            }
        </>
    }
}

/// Until when it can be paid.
pub(super) fn until(scene: &Scene<'_>) -> Option<AttrValue> {
    let soon = scene.around.remaining.is_some_and(|left| left < 12 * HOUR);
    let said = if soon { Clock::Minutes } else { Clock::Dated };
    let at = scene.around.texts.instant(scene.view.deadline?, said)?;
    Some(scene.fill(Text::DeadlineAt, &[("date", &at)]))
}

/// How long it can be paid, on its last day. The seconds are for the eye: a screen reader hears a
/// few marks only.
pub(super) fn left(scene: &Scene<'_>) -> Html {
    let Some(left) = scene.around.remaining.filter(|left| *left < 24 * HOUR) else {
        return Html::default();
    };
    html! {
        <>
            <span role="timer" part="countdown">
                { scene.fill(Text::DeadlineLeft, &[("time", &countdown(left))]) }
            </span>
            <progress
                max={BAR.to_string()}
                value={(left / 1_000).clamp(0, BAR).to_string()}
                aria-hidden="true"
            />
        </>
    }
}
