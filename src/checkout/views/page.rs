use super::clock::until;
use super::view_context::ViewContext;
use crate::texts::SpokenText;
use yew::{Html, html};

/// The parts of one screen, which the frame shows.
pub(super) struct Page {
    /// Tells this screen from the others: another name is another screen.
    pub(super) name: &'static str,
    pub(super) tone: Tone,
    pub(super) heading: Html,
    /// The sentences that a screen reader says when the screen appears.
    pub(super) said: Vec<SpokenText>,
    pub(super) body: Html,
    /// Screens with the same outline draw only what differs between them.
    pub(super) outline: &'static str,
    /// True when the remaining time matters on this screen.
    pub(super) counts: bool,
    /// True when the screen says by itself that it waits, and what keeps it from seeing the payment.
    pub(super) waits: bool,
}

impl Page {
    /// A screen whose heading and explanation are plain sentences.
    pub(super) fn plain(
        name: &'static str,
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

    /// The same where the remaining time matters. A payer with a screen reader learns the time
    /// limit at once, not at the first reminder.
    pub(super) fn until_deadline(mut self, context: &ViewContext<'_>) -> Self {
        self.said.extend(until(context));
        self.counts = true;
        self
    }
}

/// Sentences one after another, as they are heard.
pub(super) fn aloud(sentences: &[SpokenText]) -> Html {
    let sentence = |words: &SpokenText| {
        let end = words.ends_with(['!', '?', '.']);
        words.aloud(if end { " " } else { ". " })
    };
    html! { <>{ for sentences.iter().map(sentence) }</> }
}

/// How a screen feels.
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
    /// The name that the style sheet has for it.
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
