use yew::{AttrValue, Html};

/// What a screen puts on the stage.
pub(super) struct Page {
    /// Tells this screen from the others: another name is another screen.
    pub(super) name: &'static str,
    pub(super) tone: Tone,
    pub(super) heading: Html,
    /// What a screen reader hears when the screen comes up.
    pub(super) said: AttrValue,
    pub(super) body: Html,
    /// Whether the time that is left matters here.
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
