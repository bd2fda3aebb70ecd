use super::made_up_state::MadeUpState;
use super::screens::{ALL, GalleryScreen};
use super::unusual_data::UnusualData;
use payment_checkout::screens::{ScreenInputs, Texts, draw};
use payment_checkout::{Locale, Overrides};
use std::time::Duration;
use yew::{Callback, Component, Context, Html, Properties};

/// After a check the payer cannot ask again at once.
const JUST_CHECKED: Duration = Duration::from_secs(5);

/// The language in which a screen is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// A language.
    In(Locale),
    /// Every text between marks, so that a text without them was never given to a translator.
    Pseudo,
}

impl Language {
    /// The name of the pseudo-locale.
    pub(super) const PSEUDO: &'static str = "pseudo";

    pub(super) fn named(name: &str) -> Option<Self> {
        if name == Self::PSEUDO {
            return Some(Self::Pseudo);
        }
        let mut locales = Locale::ALL.iter().copied();
        locales.find(|locale| locale.tag() == name).map(Self::In)
    }

    fn texts(self) -> Texts {
        match self {
            Self::In(locale) => Texts::new(locale, Overrides::default()),
            Self::Pseudo => Texts::marked(),
        }
    }
}

/// Draws a screen; no press on it reaches a flow.
pub(super) struct Drawing {
    state: MadeUpState,
    texts: Texts,
}

#[derive(Properties)]
pub(super) struct DrawingProps {
    pub(super) screen: &'static GalleryScreen,
    pub(super) unusual: UnusualData,
    pub(super) language: Language,
}

impl PartialEq for DrawingProps {
    fn eq(&self, other: &Self) -> bool {
        self.screen.name == other.screen.name
            && self.unusual == other.unusual
            && self.language == other.language
    }
}

impl Component for Drawing {
    type Message = ();
    type Properties = DrawingProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let mut state = props.screen.state();
        props.unusual.put_into(&mut state);
        let texts = props.language.texts();
        Self { state, texts }
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &DrawingProps) -> bool {
        *self = Self::create(ctx);
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        drawn(&self.state, &self.texts)
    }
}

fn drawn(state: &MadeUpState, texts: &Texts) -> Html {
    let inputs = ScreenInputs {
        texts,
        props: &state.props,
        remaining: state.remaining,
        check_opens_after: state.checked.map_or(Duration::ZERO, |_| JUST_CHECKED),
        at: None,
        slow: state.slow,
        saved: state.saved,
        on_part: Callback::noop(),
    };
    draw(&state.view(), &inputs, &Callback::noop())
}

/// Every screen by its name, in Spanish.
#[must_use]
pub fn all() -> Vec<(&'static str, Html)> {
    let texts = Texts::new(Locale::EsPe, Overrides::default());
    let screens = ALL.iter();
    screens
        .map(|screen| (screen.name, drawn(&screen.state(), &texts)))
        .collect()
}
