use crate::browser::clock;
use crate::texts::{Mark, Text, Texts, countdown, whole};
use checkout_flow::Moment;
use gloo_timers::callback::Interval;
use std::time::Duration;
use yew::{Callback, Component, Context, Html, Properties, html};

/// Above this time left the deadline has a date.
pub(super) const HALF_A_DAY: Duration = Duration::from_secs(12 * 3_600);
const A_DAY: Duration = Duration::from_secs(24 * 3_600);
/// The bar begins to shrink when a quarter of an hour is left, so that its length means the
/// same for every payment.
const BAR: Duration = Duration::from_secs(900);

/// The time left to pay, on its last day. It draws itself anew each second, and the rest of the
/// screen only when a mark is passed. A screen reader finds minutes and seconds, and hears a few marks
/// only.
pub(super) struct TimeLeft {
    /// When the time left was as the properties say.
    since: Moment,
    left: Duration,
    /// Draws it each second.
    _second: Option<Interval>,
}

#[derive(Properties, PartialEq)]
pub(super) struct TimeLeftProps {
    /// The time left at the moment of the drawing.
    pub(super) remaining: Duration,
    pub(super) texts: Texts,
    /// False on show, where nothing happens.
    pub(super) live: bool,
    /// Is called when a mark is passed.
    pub(super) on_mark: Callback<()>,
}

impl Component for TimeLeft {
    type Message = ();
    type Properties = TimeLeftProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let link = ctx.link().clone();
        let second = move || Interval::new(1_000, move || link.send_message(()));
        Self {
            since: clock::now(),
            left: props.remaining,
            _second: props.live.then(second),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, (): ()) -> bool {
        let before = section(self.left);
        let passed = clock::now().duration_since(self.since);
        self.left = ctx.props().remaining.saturating_sub(passed);
        if section(self.left) != before {
            ctx.props().on_mark.emit(());
        }
        true
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &TimeLeftProps) -> bool {
        (self.since, self.left) = (clock::now(), ctx.props().remaining);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let left = self.left;
        if left >= A_DAY {
            return Html::default();
        }
        let texts = &ctx.props().texts;
        let times = [("time", &*countdown(left), &*texts.spoken_time(whole(left)))];
        html! {
            <>
                <span role="timer" part="countdown">
                    { texts.fill(Text::DeadlineLeft, &times) }
                </span>
                <progress
                    part="progress"
                    max={BAR.as_secs().to_string()}
                    value={left.min(BAR).as_secs().to_string()}
                    aria-hidden="true"
                />
            </>
        }
    }
}

/// Between two marks, that are heard or change how the deadline is written, nothing but the countdown
/// changes.
fn section(left: Duration) -> (Mark, bool) {
    (Mark::of(Some(left)), left < HALF_A_DAY)
}
