use super::PartEvent;
use super::check_button::check;
use super::time_left::TimeLeft;
use super::view_context::ViewContext;
use crate::texts::{Mark, Text, Texts, Words, countdown, whole};
use browser_kit::texts::Clock;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use yew::{Callback, Component, Context, Html, Properties, html};

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

/// That a payment is waited for, with this clock.
pub(super) fn status(context: &ViewContext<'_>, clock: Html) -> Html {
    html! {
        <div class="status" part="waiting">
            <p class="pulse">{ context.text(Text::QrWaiting) }</p>
            { clock }
            { check(context, "quiet") }
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
    html! {
        if let Some(left) = around.remaining {
            <Countdown
                texts={around.texts.clone()}
                time={context.since_drawn(left)}
                on_mark={around.on_part.clone()}
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

/// The time left, drawn anew each second. A screen reader finds minutes and seconds; the marks that it
/// announces, and the date above, belong to the whole screen, which is drawn anew when they change.
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
        if left >= A_DAY {
            return Html::default();
        }
        let spoken = texts.spoken_time(whole(left));
        let times = [("time", &*countdown(left), &*spoken)];
        html! {
            <>
                <span role="timer" part="countdown">
                    { texts.fill(Text::DeadlineLeft, &times) }
                </span>
                <progress
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

/// What the rest of the screen shows and announces of the time left.
fn above(left: Duration) -> (Mark, bool) {
    (Mark::of(Some(left)), left < HALF_A_DAY)
}
