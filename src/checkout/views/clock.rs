use super::scene::Scene;
use crate::i18n::{Clock, Text, countdown};
use yew::{Html, html};

const HOUR: i64 = 3_600_000;
/// The bar begins to shrink when a quarter of an hour is left, so that its length means the
/// same for every payment.
const BAR: i64 = 900;

/// That a payment is waited for, with a way to ask at once, and for how long.
pub(super) fn waiting(scene: &Scene<'_>) -> Html {
    html! {
        <div class="status" part="waiting">
            <p class="pulse">{ scene.text(Text::QrWaiting) }</p>
            { scene.check("quiet small") }
            { clock(scene) }
        </div>
    }
}

/// Until when it can be paid, and how long that is. The seconds are for the eye: a screen
/// reader hears a few marks only.
pub(super) fn clock(scene: &Scene<'_>) -> Html {
    let (Some(deadline), Some(remaining)) = (scene.view.deadline, scene.around.remaining) else {
        return Html::default();
    };
    let said = if remaining < 12 * HOUR {
        Clock::Minutes
    } else {
        Clock::Dated
    };
    let at = scene.around.catalog.instant(deadline, said);
    html! {
        <div class="clock" part="deadline">
            if remaining < 24 * HOUR {
                <span role="timer" part="countdown">
                    { scene.fill(Text::DeadlineLeft, &[("time", &countdown(remaining))]) }
                </span>
            }
            if let Some(at) = at {
                <span class="muted">{ scene.fill(Text::DeadlineAt, &[("date", &at)]) }</span>
            }
            if remaining < 24 * HOUR {
                <progress
                    max={BAR.to_string()}
                    value={(remaining / 1_000).clamp(0, BAR).to_string()}
                    aria-hidden="true"
                />
            }
        </div>
    }
}
