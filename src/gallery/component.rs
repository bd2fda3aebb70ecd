use super::exhibit::Exhibit;
use super::specimens::Specimen;
use super::surprise::Surprise;
use crate::checkout::{Around, draw};
use crate::i18n::{Catalog, Locale, Overrides, Text, Wording};
use yew::{Callback, Component, Context, Html, Properties};

/// In which words a screen is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// A language.
    In(Locale),
    /// Every text between marks, so that a word without them was never given to a translator.
    Pseudo,
}

impl Words {
    /// The name of the pseudo-locale.
    pub(super) const PSEUDO: &'static str = "pseudo";

    pub(super) fn named(name: &str) -> Option<Self> {
        if name == Self::PSEUDO {
            return Some(Self::Pseudo);
        }
        let mut locales = Locale::ALL.into_iter();
        locales.find(|locale| locale.tag() == name).map(Self::In)
    }

    fn catalog(self) -> Catalog {
        match self {
            Self::In(locale) => Catalog::new(locale, Overrides::default()),
            Self::Pseudo => {
                let locale = Locale::default();
                let marked = |text: &Text| {
                    let words = ["⟦", text.own(locale), "⟧"].concat();
                    (text.key().to_owned(), words)
                };
                Catalog::new(locale, Overrides(Text::ALL.iter().map(marked).collect()))
            }
        }
    }
}

/// Draws a screen as it stands; nothing that is pressed on it does anything.
pub(super) struct Drawing {
    exhibit: Exhibit,
    catalog: Catalog,
}

#[derive(Properties)]
pub(super) struct DrawingProps {
    pub(super) specimen: &'static Specimen,
    pub(super) surprise: Surprise,
    pub(super) words: Words,
}

impl PartialEq for DrawingProps {
    fn eq(&self, other: &Self) -> bool {
        self.specimen.name == other.specimen.name
            && self.surprise == other.surprise
            && self.words == other.words
    }
}

impl Component for Drawing {
    type Message = ();
    type Properties = DrawingProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let mut exhibit = props.specimen.exhibit();
        props.surprise.befall(&mut exhibit);
        let catalog = props.words.catalog();
        Self { exhibit, catalog }
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &DrawingProps) -> bool {
        *self = Self::create(ctx);
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        let around = Around {
            catalog: &self.catalog,
            merchant_name: self.exhibit.merchant_name.as_ref(),
            payee_name: self.exhibit.payee_name.as_ref(),
            remaining: self.exhibit.remaining,
            order_label: self.exhibit.order_label.as_ref(),
            may_check: self.exhibit.checked.is_none(),
            shares: self.exhibit.shares,
            saved: self.exhibit.saved,
            on_save: &Callback::noop(),
        };
        draw(&self.exhibit.view(), &around, &Callback::noop())
    }
}
