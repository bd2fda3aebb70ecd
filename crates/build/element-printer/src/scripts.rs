//! Lists of names for the scripts of the elements.

use crate::HEADER;
use checkout_texts::Locale;
use element_surface::options::CheckoutOptions;
use element_surface::{Attribute, CHECKOUT, Element, OPERATIONS, Values};
use payment_checkout::screens::{RETURN_PARAMETER, SAFE_SCHEMES, STORAGE_PREFIX};
use payment_model::{PaymentMethodName, TransactionState};
use serde_json::json;
use std::collections::BTreeMap;
use tsify::Tsify;

pub(super) fn checkout() -> String {
    let identity = CHECKOUT
        .attributes
        .iter()
        .filter(|attribute| attribute.is_identity);
    let slots = CHECKOUT
        .slots
        .iter()
        .map(|slot| slot.name)
        .filter(|name| !name.is_empty());
    let waits = |state: &&TransactionState| state.is_waiting();
    let states = || TransactionState::KNOWN.iter();
    let locales: BTreeMap<_, _> = Locale::ALL
        .iter()
        .copied()
        .map(|locale| {
            let tag = locale.tag();
            (tag.split('-').next().unwrap_or(tag), tag)
        })
        .collect();
    [
        attributes(&CHECKOUT),
        list("The attributes that distinguish one checkout from another; the property `request` does, too.", "IDENTITY", identity.map(|attribute| attribute.name)),
        words("The methods that the element can offer.", "METHODS", PaymentMethodName::KNOWN.iter().map(|method| method.as_str())),
        format!(
            "\n/** How a safe address of the help begins. */\nexport const HELP = /^({}|\\/(?!\\/))/;\n",
            SAFE_SCHEMES.join("|").replace('/', "\\/")
        ),
        words("The states of an operation that waits.", "WAITING", states().filter(waits).map(TransactionState::as_str)),
        words("The states of an operation that has ended.", "ENDED", states().filter(|state| !waits(state)).map(TransactionState::as_str)),
        words("The slots with a name.", "SLOTS", slots),
        words("The events.", "EVENTS", CHECKOUT.events.iter().map(|event| event.name)),
        text("How the keys of what a tab remembers begin.", "STORAGE_PREFIX", STORAGE_PREFIX),
        text("The parameter in the address of a payer who returns.", "RETURN_PARAMETER", RETURN_PARAMETER),
        format!(
            "\n/** The locales of the texts, by language. */\nexport const LOCALES: Record<string, string> = {};\n",
            json!(locales)
        ),
    ]
    .concat()
}

/// The type by which the script of the payer's element makes the options of its wasm.
pub(super) fn options() -> String {
    // A key that the script forgets must not pass for one without a value.
    let declared = CheckoutOptions::DECL.replace("?: ", ": ");
    format!("{HEADER}\n{declared}\n")
}

pub(super) fn operations() -> String {
    attributes(&OPERATIONS)
}

fn attributes(element: &Element) -> String {
    let names = |is_switch: bool| {
        let all = element.attributes.iter();
        all.filter(move |attribute| is_switch == is_a_switch(attribute))
            .map(|attribute| attribute.name)
    };
    [
        HEADER.to_owned(),
        list("The attributes with a value.", "ATTRIBUTES", names(false)),
        list(
            "The attributes that are there or not.",
            "SWITCHES",
            names(true),
        ),
    ]
    .concat()
}

fn is_a_switch(attribute: &Attribute) -> bool {
    matches!(attribute.values, Values::Switch)
}

fn text(about: &str, name: &str, text: &str) -> String {
    format!("\n/** {about} */\nexport const {name} = '{text}';\n")
}

fn list<'a>(about: &str, name: &str, words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.map(|word| format!("'{word}'")).collect();
    let words = words.join(", ");
    format!("\n/** {about} */\nexport const {name} = [{words}] as const;\n")
}

/// A list that is searched for any word.
fn words<'a>(about: &str, name: &str, words: impl Iterator<Item = &'a str>) -> String {
    let typed = format!("{name}: readonly string[]");
    list(about, &typed, words).replace(" as const", "")
}
