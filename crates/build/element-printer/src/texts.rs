//! The payer's texts as files that the element loads beside its wasm: one for each language that the wasm does
//! not have, and one with the keys, which only pages with texts of their own need.

use crate::HEADER;
use checkout_texts::Locale::{self, En, EsPe};
use checkout_texts::{MethodTexts, Text, places};
use payment_model::PaymentMethodName;
use serde_json::json;

/// Each key, and after it the places for values in its text.
pub(super) fn keys() -> String {
    let entries = Text::ALL.iter().map(|text| {
        let values = places(EsPe.text(*text)).map(|place| format!(" {place}"));
        text.key().to_owned() + &values.collect::<String>()
    });
    list(entries)
}

/// The languages that are files: the wasm has Spanish.
pub(super) fn files() -> impl Iterator<Item = Locale> {
    let all = Locale::ALL.iter().copied();
    all.filter(|locale| *locale != EsPe)
}

/// The texts of a language, in the order of all texts.
pub(super) fn wordings(locale: Locale) -> String {
    list(Text::ALL.iter().map(|text| locale.text(*text).to_owned()))
}

/// How each of these files is loaded.
pub(super) fn loaders() -> String {
    let loads = files().map(|locale| {
        let language = locale.language();
        format!("  {language}: () => import('./texts-{language}.ts'),\n")
    });
    let loads: String = loads.collect();
    format!(
        "{HEADER}
/** Loads the texts of each language that is a file. */
export const TEXT_FILES: Record<string, () => Promise<{{ default: string[] }}>> = {{
{loads}}};
"
    )
}

/// The failure messages of the element, shown when its wasm does not run. The script has them in all languages.
pub(super) fn failures() -> String {
    let all = Locale::ALL.iter().map(|locale| {
        let failures = locale.failures();
        let lists = [
            ("load", failures.load),
            ("unable", failures.unable),
            ("outdated", failures.outdated),
            ("crash", failures.crash),
            ("again", failures.again),
        ];
        let lists = lists.map(|(kind, (heading, explanation, action))| {
            let words: Vec<_> = [heading, explanation].into_iter().chain(action).collect();
            format!("    {kind}: {},\n", json!(words))
        });
        let (number, elsewhere) = (json!(failures.number), json!(failures.elsewhere));
        format!(
            "  {}: {{\n{}    number: {number},\n    elsewhere: {elsewhere},\n  }},\n",
            locale.language(),
            lists.concat()
        )
    });
    let all: String = all.collect();
    format!(
        "{HEADER}
import type {{ FailureTexts }} from '../../shared/failure-message.ts';

/** The failure messages of the element, shown when its wasm does not run, by language. */
export const FAILURES: FailureTexts = {{
{all}}};
"
    )
}

/// The texts for pages in TypeScript. An editor shows the comment of a key where it completes one.
pub(super) fn declaration() -> String {
    let fields = Text::ALL.iter().map(|text| {
        let (english, spanish) = (En.text(*text), EsPe.text(*text));
        format!(
            "  /** {english} · {spanish} */\n  '{}': string;\n",
            text.key()
        )
    });
    let fields: String = fields.collect();
    format!(
        "{HEADER}
/** The texts that a page can override, each with its wording in English and in Spanish. */
export interface MessageTexts {{
{fields}}}

/** The key of a text. */
export type MessageKey = keyof MessageTexts;
"
    )
}

/// What a payer presses besides the methods. The driver of a page's tests finds it by its words.
const PRESSED: [Text; 15] = [
    Text::ActionCheck,
    Text::ActionRetry,
    Text::ActionNewQr,
    Text::ActionAnother,
    Text::ActionCancelLabel,
    Text::AskKeep,
    Text::AskCancel,
    Text::AskAnother,
    Text::LiveQrShow,
    Text::LiveCodeShow,
    Text::LiveShow,
    Text::LiveReplace,
    Text::LenderLink,
    Text::BankLink,
    Text::ContinueLink,
];

/// What a payer presses in each language, by its key, and the keys of the methods.
pub(super) fn pressed() -> String {
    let methods = || {
        let words = PaymentMethodName::WORDS.iter();
        words.map(|word| (*word, MethodTexts::of(word).name))
    };
    let named = methods().map(|(_, name)| name).chain(PRESSED);
    let words = named.map(|text| {
        let all = Locale::ALL.iter().map(|locale| locale.text(text));
        let all: Vec<_> = all.collect();
        format!("  {}: {},\n", json!(text.key()), json!(all))
    });
    let words: String = words.collect();
    let keys = methods().map(|(word, name)| format!("  {word}: '{}',\n", name.key()));
    let keys: String = keys.collect();
    format!(
        "{HEADER}
/** The methods, each with the key of the text on its button. */
export const METHODS = Object.freeze({{
{keys}}});

/**
 * What a payer presses, by the keys of the element's texts, in each language.
 * @satisfies {{Record<string, readonly string[]>}}
 */
export const WORDS = Object.freeze({{
{words}}});
"
    )
}

fn list(entries: impl Iterator<Item = String>) -> String {
    let lines: String = entries
        .map(|entry| format!("  {},\n", json!(entry)))
        .collect();
    format!("{HEADER}\nconst texts: string[] = [\n{lines}];\n\nexport default texts;\n")
}
