use super::ScreenInputs;
use crate::browser::clock;
use crate::texts::{SpokenText, Text};
use browser_kit::timer;
use browser_kit::written_number::{exact, label};
use checkout_flow::{Event, Moment, View};
use gloo_timers::callback::Timeout;
use payment_model::PaymentMethodName;
use std::time::Duration;
use yew::{AttrValue, Callback, Component, Context, Html, MouseEvent, html};

/// A placeholder for a quoted text. No text has this control character.
const MARK: &str = "\u{1}";
const MARK_CHAR: char = '\u{1}';

/// What every screen is drawn from, with the texts and controls that the screens share.
pub(super) struct ViewContext<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) inputs: &'a ScreenInputs<'a>,
    pub(super) send: &'a Callback<Event>,
    /// The amount to pay; empty while it is unknown.
    pub(super) amount: SpokenText,
}

impl<'a> ViewContext<'a> {
    pub(super) fn new(
        view: &'a View<'a>,
        inputs: &'a ScreenInputs<'a>,
        send: &'a Callback<Event>,
    ) -> Self {
        let money = view.money.as_ref();
        Self {
            view,
            inputs,
            send,
            amount: money.map_or_else(SpokenText::default, |money| inputs.texts.money(money)),
        }
    }

    pub(super) fn text(&self, text: Text) -> SpokenText {
        self.inputs.texts.text(text)
    }

    /// A text with these values in its placeholders, and with the amount in `{amount}`.
    pub(super) fn fill(&self, text: Text, values: &[(&str, &str)]) -> SpokenText {
        let heard = self.amount.heard();
        let mut all = vec![("amount", &*self.amount, heard.as_str())];
        all.extend(values.iter().map(|(name, value)| (*name, *value, *value)));
        self.inputs.texts.fill(text, &all)
    }

    /// A sentence that quotes a text in another language. An empty `lang` says that the language is unknown.
    pub(super) fn quote(&self, text: Text, place: &str, quoted: &str, lang: String) -> Html {
        let quoted = html! { <span {lang}>{ quoted }</span> };
        let (lang, words) = self.with_node(text, place, quoted);
        html! { <p class="reason" {lang}>{ words }</p> }
    }

    /// The sentence with a node in a placeholder, and the language of the sentence if it is not the element's.
    fn with_node(&self, text: Text, place: &str, node: Html) -> (Option<AttrValue>, Html) {
        let words = self.fill(text, &[(place, MARK)]);
        let (before, after) = words.split_once(MARK_CHAR).unwrap_or((&words, ""));
        (words.lang(), html! { <>{ before }{ node }{ after }</> })
    }

    /// A text with values that a payer compares with those of an app.
    pub(super) fn compared(&self, text: Text, values: &[(&str, &str)]) -> Html {
        let marked = |value: &str| [MARK, value, MARK].concat();
        let (seen, heard) = (marked(&self.amount), self.amount.heard());
        let values = values
            .iter()
            .map(|(name, value)| (*name, marked(value), *value));
        let values: Vec<_> = values.collect();
        let mut all = vec![("amount", &*seen, heard.as_str())];
        all.extend(
            values
                .iter()
                .map(|(name, seen, heard)| (*name, &**seen, *heard)),
        );
        let words = self.inputs.texts.fill(text, &all);
        let piece = |(at, piece): (usize, &str)| match at % 2 {
            0 => Html::from(piece.to_owned()),
            _ => exact(piece.to_owned()),
        };
        html! {
            <>
                <span aria-hidden="true" lang={words.lang()}>{ for words.split(MARK_CHAR).enumerate().map(piece) }</span>
                <span class="unseen" lang={words.lang()}>{ words.heard_node() }</span>
            </>
        }
    }

    /// The name that the payer's app shows as the payee.
    pub(super) fn payee(&self) -> Option<&str> {
        let props = self.inputs.props;
        let merchant = props.merchant_name.as_deref();
        let payee = props.payee_name.as_deref().or(self.view.payee);
        payee.or(merchant)
    }

    /// The text `named` with the apps that scan the code, or `nameless` if the page names no apps.
    pub(super) fn with_wallets(&self, named: Text, nameless: Text) -> SpokenText {
        match &self.inputs.props.wallets {
            Some(wallets) => self.fill(named, &[("wallets", wallets)]),
            None => self.text(nameless),
        }
    }

    /// The name of the merchant.
    pub(super) fn merchant(&self) -> Option<&AttrValue> {
        let props = self.inputs.props;
        props.merchant_name.as_ref().or(props.payee_name.as_ref())
    }

    /// The merchant's name for the order.
    pub(super) fn order(&self) -> Option<SpokenText> {
        let label = self.inputs.props.order_label.as_ref()?;
        Some(self.fill(Text::BillOrder, &[("order", label)]))
    }

    /// [`Self::order`] as a node. The eye sees a name with separators in pieces, so that a line ends only after a
    /// separator; a screen reader gets one text.
    pub(super) fn order_line(&self) -> Option<Html> {
        let words = self.order()?;
        let Some(pieces) = label(self.inputs.props.order_label.as_ref()?) else {
            return Some(words.into());
        };
        let (lang, seen) = self.with_node(Text::BillOrder, "order", pieces);
        Some(html! {
            <>
                <span aria-hidden="true" lang={lang.clone()}>{ seen }</span>
                <span class="unseen" {lang}>{ words.seen() }</span>
            </>
        })
    }

    pub(super) fn is_qr(&self) -> bool {
        self.view.method == Some(&PaymentMethodName::Qr)
    }

    /// The label of the button for a new attempt by the same method.
    pub(super) fn again(&self) -> Text {
        if self.is_qr() {
            Text::ActionNewQr
        } else {
            Text::ActionRetry
        }
    }

    /// The operation's number, if there is one.
    pub(super) fn number(&self) -> Option<&str> {
        let operation = self.view.operation?;
        Some(operation.merchant_operation_number.as_str()).filter(|number| !number.is_empty())
    }

    pub(super) fn press(&self, event: impl Fn() -> Event + 'static) -> Callback<MouseEvent> {
        let send = self.send.clone();
        Callback::from(move |_| send.emit(event()))
    }

    pub(super) fn button(&self, look: Look, text: Text, event: fn() -> Event) -> Html {
        let words = self.text(text);
        // In a screen reader's list of all buttons of the page, a bare verb says too little.
        let label = (text == Text::ActionCancel).then(|| self.text(Text::ActionCancelLabel).seen());
        html! {
            <button
                type="button"
                id={Opener::of(text).map(Opener::id)}
                data-look={look.name()}
                part={look.part()}
                lang={words.lang()}
                aria-label={label}
                onclick={self.press(event)}
            >
                { words.seen() }
            </button>
        }
    }

    /// A time that is left when the screen is drawn.
    pub(super) fn since_drawn(&self, left: Duration) -> TimeLeft {
        let at = self.inputs.at;
        TimeLeft { left, at }
    }
}

/// A button that opens a question, and to which the focus returns afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    Cancel,
    AnotherWay,
}

impl Opener {
    fn of(text: Text) -> Option<Self> {
        match text {
            Text::ActionCancel => Some(Self::Cancel),
            Text::ActionAnother => Some(Self::AnotherWay),
            _ => None,
        }
    }

    /// The id of the button.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Cancel => "action.cancel",
            Self::AnotherWay => "action.another",
        }
    }
}

/// The purpose of a paragraph, which decides its look.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Explains the heading, and is read out with it.
    Lead,
    /// Matters now, and is read out with the heading.
    Note,
    /// Stands in the place of a button, and is read out with the heading.
    Refused,
    /// Matters less.
    Muted,
    /// Answers a press.
    Checked,
    /// Repeats a fact of the payment.
    Reason,
    /// A promise of the shop. A page that does not make it overrides the text with an empty one.
    Promise,
}

/// A paragraph with a text.
pub(super) fn paragraph(kind: Kind, text: &SpokenText) -> Html {
    match kind {
        Kind::Lead => html! { <p id="lead">{ text }</p> },
        Kind::Note => html! { <p id="note" class="note">{ text }</p> },
        Kind::Refused => html! { <p id="note" class="muted">{ text }</p> },
        Kind::Muted => html! { <p class="muted">{ text }</p> },
        Kind::Checked => html! { <p class="muted checked">{ text }</p> },
        Kind::Reason => html! { <p class="reason">{ text }</p> },
        // No child elements, so that the style sheet hides an empty promise by `:empty`.
        Kind::Promise => {
            html! { <p class="muted promise" lang={text.lang()}>{ text.seen() }</p> }
        }
    }
}

/// How a button looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Primary,
    Plain,
    Quiet,
    Danger,
    /// It takes up its space, and is invisible.
    PlainUnsaid,
    QuietUnsaid,
}

impl Look {
    /// The name in the style sheet.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Plain => "plain",
            Self::Quiet => "quiet",
            Self::Danger => "danger",
            Self::PlainUnsaid => "plain unsaid",
            Self::QuietUnsaid => "quiet unsaid",
        }
    }

    /// The names for `::part()`.
    pub(super) fn part(self) -> &'static str {
        match self {
            Self::Primary => "button primary-button",
            Self::Danger => "button danger-button",
            Self::Quiet | Self::QuietUnsaid => "button quiet-button",
            Self::Plain | Self::PlainUnsaid => "button",
        }
    }
}

/// The time that was left at an earlier moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeLeft {
    pub(super) left: Duration,
    /// The moment; `None` in the gallery, where no time passes.
    pub(super) at: Option<Moment>,
}

impl TimeLeft {
    /// The time left at this moment.
    pub(super) fn now(self) -> Duration {
        let passed = self.at.map(|at| clock::now().duration_since(at));
        self.left.saturating_sub(passed.unwrap_or_default())
    }

    /// Updates the component after `next` of the time that is left now.
    pub(super) fn wake<C: Component<Message = ()>>(
        self,
        ctx: &Context<C>,
        next: fn(Duration) -> Duration,
    ) -> Option<Timeout> {
        let left = self.now();
        (self.at.is_some() && !left.is_zero()).then(|| {
            let link = ctx.link().clone();
            timer::after(next(left), move || link.send_message(()))
        })
    }
}
