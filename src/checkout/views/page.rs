use yew::{AttrValue, Html};

/// The parts of one screen, which the frame shows.
pub(super) struct Page {
    /// Tells this screen from the others: another name is another screen.
    pub(super) name: &'static str,
    pub(super) tone: Tone,
    pub(super) heading: Html,
    /// The text that a screen reader says when the screen appears.
    pub(super) said: AttrValue,
    pub(super) body: Html,
    /// True when the remaining time matters on this screen.
    pub(super) counts: bool,
}

impl Page {
    /// A screen whose heading and explanation are plain sentences.
    pub(super) fn plain(
        name: &'static str,
        tone: Tone,
        heading: &AttrValue,
        lead: &AttrValue,
        body: Html,
    ) -> Self {
        let stop = if heading.ends_with(['!', '?', '.']) {
            " "
        } else {
            ". "
        };
        Self {
            name,
            tone,
            heading: Html::from(heading),
            said: AttrValue::from([heading.as_str(), stop, lead].concat()),
            body,
            counts: false,
        }
    }
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
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Plain => "top",
            Self::Busy => "top busy",
            Self::Good => "top good",
            Self::Bad => "top bad",
            Self::Alarm => "top alarm",
        }
    }
}
