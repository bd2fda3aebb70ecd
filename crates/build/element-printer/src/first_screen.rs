//! The choice of methods as data, for a page that shows it before the wasm is there. Yew's server renderer draws the
//! views themselves, with names of places instead of values.

use crate::HEADER;
use crate::drawn::{Drawn, FOREIGN};
use crate::render::render;
use anyhow::{Context, Result, bail};
use checkout_flow::{Choice, Connection, Money, Screen, View};
use checkout_texts::{Locale, Text};
use payment_checkout::screens::{ScreenInputs, Texts, draw};
use payment_checkout::{CheckoutProps, Overrides};
use payment_model::{Amount, Currency, PaymentMethodName, ProblemMoney};
use roxmltree::Document;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use yew::{AttrValue, Callback};

const TYPES: &str = "
/**
 * A node: a text, or a tag with its attributes and children. `when` names the value without which there is no such
 * node. In texts and attributes `{…}` is the place of a value, or of a text by its key.
 */
export type Drawn = string | [tag: string, attributes: Record<string, string>, children: Drawn[], when?: string];
";

/// A page, whose names are the places where they will be.
#[derive(Clone)]
struct Page {
    props: CheckoutProps,
    has_amount: bool,
    language: Option<&'static str>,
}

impl Page {
    /// A page that leaves nothing out.
    fn whole() -> Self {
        Self {
            props: yew::props!(CheckoutProps {
                base_url: "/",
                methods: PaymentMethodName::KNOWN.to_vec(),
                merchant_name: AttrValue::Static("{merchant}"),
                order_label: AttrValue::Static("{order}"),
                wallets: AttrValue::Static("{wallets}"),
            }),
            has_amount: true,
            language: None,
        }
    }

    /// The page after a change of its properties.
    fn but(mut self, change: impl FnOnce(&mut CheckoutProps)) -> Self {
        change(&mut self.props);
        self
    }

    fn choices(&self) -> Vec<Choice<'_>> {
        let methods = self.props.methods.iter();
        let refusal = None;
        methods.map(|method| Choice { method, refusal }).collect()
    }

    /// The first screen of this page.
    fn drawn(&self) -> Result<Drawn> {
        let keys = Text::ALL
            .iter()
            .map(|text| Some(format!("{{{}}}", text.key())));
        let language = self.language.map(AttrValue::Static);
        let texts = Texts::new(Locale::EsPe, Overrides::in_order(keys.collect(), vec![]))
            .on_page(language.as_ref());
        // An amount that is no number stays as it came.
        let money = self.has_amount.then(|| Money {
            amount: Amount::new("{amount}"),
            currency: Currency::new("{currency}"),
        });
        let view = View {
            screen: Screen::Choosing,
            money,
            operation: None,
            method: None,
            deadline: None,
            payee: None,
            connection: Connection::Good,
            asks_to_cancel: None,
            cancel_failed: false,
            problem_money: ProblemMoney::Unknown,
            choices: self.choices(),
            has_another_way: false,
            refusal: None,
            page_refusal: None,
            read_only: false,
            checked: None,
            last: None,
        };
        let inputs = ScreenInputs {
            texts: &texts,
            props: &self.props,
            remaining: None,
            check_opens_after: Duration::ZERO,
            at: None,
            slow: false,
            saved: false,
            on_part: Callback::noop(),
        };
        let html = render(draw(&view, &inputs, &Callback::noop()))?;
        let document = Document::parse(&html).context("the first screen is no XML")?;
        let mut screen = Drawn::of(document.root_element());
        screen.silence();
        Ok(screen)
    }
}

pub(super) fn print() -> Result<String> {
    let whole = Page::whole();
    let mut screen = whole.drawn()?;
    let mut keys = keys(&screen);
    let no_amount = Page {
        has_amount: false,
        ..whole.clone()
    };
    for (value, page) in [
        ("amount", no_amount),
        (
            "merchant",
            whole.clone().but(|props| props.merchant_name = None),
        ),
        ("order", whole.clone().but(|props| props.order_label = None)),
    ] {
        screen.compare(&page.drawn()?, value);
    }
    let foreign = Page {
        language: Some(FOREIGN),
        ..whole.clone()
    };
    screen.note_language(&foreign.drawn()?);
    // Without the names of apps there is another text in the place of theirs, and one method has another heading.
    for other in [
        whole.clone().but(|props| props.wallets = None),
        whole.clone().but(|props| props.methods.truncate(1)),
    ] {
        keys.extend(self::keys(&other.drawn()?));
    }
    let mut is_seen = false;
    screen.replace(&mut |word| match word {
        // The amount is seen, and then heard.
        "{amount} {currency}" => Some(
            if std::mem::replace(&mut is_seen, true) {
                "{spoken}"
            } else {
                "{amount}"
            }
            .to_owned(),
        ),
        "es-PE" => Some("{lang}".to_owned()),
        "h2" => Some("{heading}".to_owned()),
        _ => None,
    });
    let buttons = screen
        .children_of("choices")
        .context("the choice of methods has no list")?;
    if buttons.len() != whole.props.methods.len() {
        bail!("the choice of methods has no button for each of them");
    }
    let buttons = std::mem::replace(buttons, vec![Drawn::Text("{methods}".to_owned())]);
    let names = whole
        .props
        .methods
        .iter()
        .map(|method| method.as_str().to_owned());
    let buttons: Map<String, Value> = names.zip(buttons.iter().map(Drawn::data)).collect();
    let indexes: Map<String, Value> = keys
        .iter()
        .map(|(key, at)| (key.clone(), json!(at)))
        .collect();
    Ok([
        HEADER,
        TYPES,
        &constant(
            "The place of each text of the screen in the list of all texts.",
            "TEXT_INDEX",
            "Record<string, number>",
            &indexes.into(),
        ),
        &constant(
            "The button of each method.",
            "METHOD_BUTTONS",
            "Record<string, Drawn>",
            &buttons.into(),
        ),
        &constant("The screen.", "SCREEN", "Drawn", &screen.data()),
        &constant(
            "The currencies of the payment service, by number and by code. Each has two digits.",
            "CURRENCIES",
            "Record<string, string>",
            &currencies(),
        ),
        &constant(
            "1234.56 of each currency, by language.",
            "AMOUNT_SAMPLES",
            "Record<string, Record<string, string>>",
            &samples(),
        ),
        &constant(
            "The texts of the screen, by language.",
            "TEXTS",
            "Record<string, Record<string, string>>",
            &texts(&keys),
        ),
    ]
    .concat())
}

/// The keys of the texts on a screen, with their places in the list of all.
fn keys(screen: &Drawn) -> BTreeMap<String, usize> {
    let texts = screen.texts();
    let all = Text::ALL
        .iter()
        .enumerate()
        .filter(|(_, text)| texts.contains(&format!("{{{}}}", text.key()).as_str()));
    all.map(|(at, text)| (text.key().to_owned(), at)).collect()
}

fn texts(keys: &BTreeMap<String, usize>) -> Value {
    let of = |locale: Locale| {
        let texts: Map<String, Value> = Text::ALL
            .iter()
            .filter(|text| keys.contains_key(text.key()))
            .map(|text| (text.key().to_owned(), json!(locale.text(*text))))
            .collect();
        (locale.language().to_owned(), texts.into())
    };
    Locale::ALL
        .iter()
        .copied()
        .map(of)
        .collect::<Map<_, _>>()
        .into()
}

/// The currencies of the payment service.
const CURRENCIES: [&str; 2] = ["PEN", "USD"];

/// Their codes by their numbers and codes.
fn currencies() -> Value {
    let known = CURRENCIES.map(|code| Currency::new(code).iso());
    let both = known.iter().flatten().flat_map(|iso| {
        let code = iso.alpha().to_owned();
        [
            (iso.numeric.to_string(), json!(code)),
            (code.clone(), json!(code)),
        ]
    });
    both.collect::<Map<_, _>>().into()
}

fn samples() -> Value {
    let of = |locale: Locale| {
        let money = |code: &str| {
            let money = Money {
                amount: Amount::new("123456"),
                currency: Currency::new(code),
            };
            (code.to_owned(), json!(pay_page::money(locale, &money)))
        };
        let all: Map<_, _> = CURRENCIES.into_iter().map(money).collect();
        (locale.language().to_owned(), all.into())
    };
    Locale::ALL
        .iter()
        .copied()
        .map(of)
        .collect::<Map<_, _>>()
        .into()
}

fn constant(about: &str, name: &str, kind: &str, value: &Value) -> String {
    format!("\n/** {about} */\nexport const {name}: {kind} = {value};\n")
}
