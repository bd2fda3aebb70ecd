use super::PartEvent;
use super::view_context::{TimeLeft, ViewContext};
use crate::texts::{self, Mark, SpokenText, Text, Texts, whole};
use browser_kit::texts::Clock;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use yew::{Callback, Component, Context, Html, Properties, html};

/// With more time left, the deadline is shown with its date.
const HALF_A_DAY: Duration = Duration::from_secs(12 * 3_600);
/// With more time left, only the deadline is shown, and no countdown runs.
const TWO_HOURS: Duration = Duration::from_secs(2 * 3_600);
/// With less time left, the countdown looks urgent.
const SHORT: Duration = Duration::from_secs(120);
/// With less time left, the bar is in its last quarter.
const LAST_QUARTER: Duration = Duration::from_secs(225);
/// With less time left, the payer is advised not to begin a payment.
const TOO_LATE: Duration = Duration::from_secs(60);
/// The time of a full bar. It is fixed, so that the length means the same time for every payment.
const BAR: Duration = Duration::from_secs(900);

/// The countdown and the deadline.
pub(super) fn clock(context: &ViewContext<'_>) -> Html {
    let runs = context
        .inputs
        .remaining
        .is_some_and(|left| left < TWO_HOURS);
    html! {
        <div class="time">
            { left(context) }
            if let Some((at, until)) = deadline(context) {
                <span id="until" class="muted" part="deadline">
                    if runs {
                        // "Expires in 14:58 (1:59 p.m.)": the eye need not read the sentence twice.
                        { SpokenText::new(format!("({})", &*at).into(), Some(until.heard().to_string()), until.lang()) }
                    } else {
                        { until }
                    }
                </span>
            }
        </div>
    }
}

/// A sentence with the deadline.
pub(super) fn until(context: &ViewContext<'_>) -> Option<SpokenText> {
    deadline(context).map(|(_, until)| until)
}

/// The deadline, and a sentence with the deadline.
fn deadline(context: &ViewContext<'_>) -> Option<(SpokenText, SpokenText)> {
    let soon = context
        .inputs
        .remaining
        .is_some_and(|left| left < HALF_A_DAY);
    let said = if soon { Clock::Minutes } else { Clock::Dated };
    let at = context.inputs.texts.instant(context.view.deadline?, said)?;
    let until = context.fill(Text::DeadlineAt, &[("date", &at)]);
    Some((at.into(), until))
}

/// Only the countdown, for a screen that shows the deadline elsewhere. It runs in the last two hours.
pub(super) fn countdown(context: &ViewContext<'_>) -> Html {
    html! { <div class="time">{ left(context) }</div> }
}

fn left(context: &ViewContext<'_>) -> Html {
    let inputs = context.inputs;
    html! {
        if let Some(left) = inputs.remaining {
            <Countdown
                texts={inputs.texts.clone()}
                time={context.since_drawn(left)}
                on_mark={inputs.on_part.clone()}
            />
        }
    }
}

#[derive(PartialEq, Properties)]
struct CountdownProps {
    texts: Texts,
    time: TimeLeft,
    on_mark: Callback<PartEvent>,
}

/// The time left, drawn again each second. The marks that are announced and the deadline belong to the whole
/// screen, which is drawn again when they change.
#[derive(Default)]
struct Countdown {
    second: Option<Timeout>,
}

impl Component for Countdown {
    type Message = ();
    type Properties = CountdownProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn update(&mut self, _: &Context<Self>, (): ()) -> bool {
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let CountdownProps { texts, time, .. } = ctx.props();
        let left = time.now();
        if left >= TWO_HOURS {
            return Html::default();
        }
        let look = match left {
            left if left <= SHORT => "short",
            left if left <= LAST_QUARTER => "last",
            _ => "long",
        };
        let spoken = texts.spoken_time(whole(left));
        let times = [("time", &*texts::countdown(left), &*spoken)];
        html! {
            <>
                <span role="timer" data-left={look} part="countdown">
                    // A new node each second: a translator may have replaced the text in the one before.
                    <span key={left.as_secs()}>{ texts.fill(Text::DeadlineLeft, &times) }</span>
                </span>
                if left <= TOO_LATE && !left.is_zero() {
                    <p class="too-late">{ texts.text(Text::DeadlineTooLate) }</p>
                }
                <progress
                    data-left={look}
                    part="progress"
                    max="900"
                    value={left.min(BAR).as_secs().to_string()}
                    aria-hidden="true"
                />
            </>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        let CountdownProps { time, on_mark, .. } = ctx.props();
        self.second = time.wake(ctx, part_of_second);
        if above(time.now()) != above(time.left) {
            on_mark.emit(PartEvent::MarkPassed);
        }
    }
}

/// The time until the countdown shows the next second: the fraction of a second in the time left.
fn part_of_second(left: Duration) -> Duration {
    Duration::from_millis(u64::from(left.subsec_millis()) + 1)
}

/// What the rest of the screen shows and announces about the time left.
fn above(left: Duration) -> (Mark, bool, bool) {
    (Mark::of(Some(left)), left < TWO_HOURS, left < HALF_A_DAY)
}
