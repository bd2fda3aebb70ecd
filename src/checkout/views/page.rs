use super::clock::until;
use super::view_context::ViewContext;
use crate::texts::SpokenText;
use checkout_flow::ErrorCode;
use yew::{Html, html};

/// The name of a screen: another name is another screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Choosing,
    AskingToReplace,
    Preparing,
    Authorizing,
    Checking,
    Waiting,
    Qr,
    CashCode,
    Continue,
    Leaving,
    Confirming,
    LastCheck,
    Overdue,
    Unconfirmed,
    Cancelling,
    Paid,
    PaidTwice,
    Declined,
    Invalid,
    Cancelled,
    Expired,
    Reversed,
    Failed(ErrorCode),
}

impl Name {
    /// The key of its nodes; at an end the name of its slot, too.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Choosing => "choosing",
            Self::AskingToReplace => "asking-to-replace",
            Self::Preparing => "preparing",
            Self::Authorizing => "authorizing",
            Self::Checking => "checking",
            Self::Waiting => "waiting",
            Self::Qr => "qr",
            Self::CashCode => "cash-code",
            Self::Continue => "continue",
            Self::Leaving => "leaving",
            Self::Confirming => "confirming",
            Self::LastCheck => "last-check",
            Self::Overdue => "overdue",
            Self::Unconfirmed => "unconfirmed",
            Self::Cancelling => "cancelling",
            Self::Paid => "paid",
            Self::PaidTwice => "paid-twice",
            Self::Declined => "declined",
            Self::Invalid => "invalid",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Reversed => "reversed",
            Self::Failed(code) => code.as_str(),
        }
    }
}

/// The parts of one screen.
pub(super) struct Page {
    pub(super) name: Name,
    pub(super) tone: Tone,
    pub(super) heading: Html,
    /// The sentences that a screen reader says when the screen appears.
    pub(super) said: Vec<SpokenText>,
    pub(super) body: Html,
    /// Screens with the same outline share their nodes, so that only the differences are drawn.
    pub(super) outline: Name,
    /// True when the remaining time matters on this screen.
    pub(super) counts: bool,
    /// True when the screen has a status line, which also shows problems with the connection.
    pub(super) waits: bool,
}

impl Page {
    /// A screen whose heading and explanation are plain sentences.
    pub(super) fn plain(
        name: Name,
        tone: Tone,
        heading: &SpokenText,
        lead: &SpokenText,
        body: Html,
    ) -> Self {
        Self {
            name,
            tone,
            heading: heading.into(),
            said: vec![heading.clone(), lead.clone()],
            body,
            outline: name,
            counts: false,
            waits: false,
        }
    }

    /// Adds the time limit. A screen reader says it with the screen, not only at the first reminder.
    pub(super) fn until_deadline(mut self, context: &ViewContext<'_>) -> Self {
        self.said.extend(until(context));
        self.counts = true;
        self
    }
}

/// Joins sentences for a screen reader.
pub(super) fn aloud(sentences: &[SpokenText]) -> Html {
    let sentence = |words: &SpokenText| {
        let end = words.ends_with(['!', '?', '.']);
        words.aloud(if end { " " } else { ". " })
    };
    html! { <>{ for sentences.iter().map(sentence) }</> }
}

/// The mood of a screen, which decides its icon and its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// The payer is asked for something.
    Plain,
    /// Something is under way.
    Busy,
    /// It is paid.
    Good,
    /// It ended without a payment, or the payment was undone.
    Bad,
    /// Something is wrong.
    Alarm,
}

impl Tone {
    /// The name in the style sheet.
    pub(super) fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Plain => return None,
            Self::Busy => "busy",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Alarm => "alarm",
        })
    }
}

/// The icon beside a heading. It is decoration, since the heading says it in words.
pub(super) fn icon(tone: Tone) -> Html {
    let path = match tone {
        Tone::Plain => return Html::default(),
        Tone::Busy => "M12 3a9 9 0 1 0 9 9",
        Tone::Good => "M5 12.5l4.5 4.5L19 7.5",
        Tone::Bad => "M7 7l10 10M17 7L7 17",
        Tone::Alarm => "M12 6v7M12 17.5v.1",
    };
    html! {
        <svg class="icon" part="icon" width="40" height="40" viewBox="0 0 24 24" aria-hidden="true">
            <path d={path} />
        </svg>
    }
}

/// The tag of a heading of a level; `h2` for a level that does not exist.
pub(super) fn heading(level: u8) -> &'static str {
    match level {
        1 => "h1",
        3 => "h3",
        4 => "h4",
        5 => "h5",
        6 => "h6",
        _ => "h2",
    }
}

/// The tag of the next lower heading.
pub(super) fn heading_below(level: u8) -> &'static str {
    match level {
        1..=5 => heading(level + 1),
        6 => heading(6),
        _ => heading(3),
    }
}

#[cfg(test)]
mod tests {
    use super::{heading, heading_below};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn an_impossible_level_is_the_second_one() {
        let check =
            |level, tags| assert_eq!((heading(level), heading_below(level)), tags, "{level}");
        check(1, ("h1", "h2"));
        check(2, ("h2", "h3"));
        check(5, ("h5", "h6"));
        check(6, ("h6", "h6"));
        check(0, ("h2", "h3"));
        check(7, ("h2", "h3"));
    }
}
