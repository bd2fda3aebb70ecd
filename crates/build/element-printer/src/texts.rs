//! The payer's texts as files that the element loads beside its wasm: one for each language that the wasm does
//! not have, and one with the keys, which only pages with texts of their own need.

use crate::HEADER;
use checkout_texts::{Text, english as in_english, places, portuguese as in_portuguese, spanish};
use serde_json::json;

/// Each key, and after it the places for values in its text.
pub(super) fn keys() -> String {
    let entries = Text::ALL.iter().map(|text| {
        let values = places(spanish(*text)).map(|place| format!(" {place}"));
        text.key().to_owned() + &values.collect::<String>()
    });
    list(entries)
}

pub(super) fn english() -> String {
    wordings(in_english)
}

pub(super) fn portuguese() -> String {
    wordings(in_portuguese)
}

/// The texts for pages in TypeScript. An editor shows the comment of a key where it completes one.
pub(super) fn declaration() -> String {
    let fields = Text::ALL.iter().map(|text| {
        let (english, spanish) = (in_english(*text), spanish(*text));
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

/// What a payer presses. The driver of a page's tests finds it by its words.
const PRESSED: [Text; 21] = [
    Text::MethodQr,
    Text::MethodInstallment,
    Text::MethodCashCode,
    Text::MethodBankTransfer,
    Text::MethodCard,
    Text::MethodWallet,
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

/// The words of [`PRESSED`] in each language, by their keys.
pub(super) fn pressed() -> String {
    let words = PRESSED.iter().map(|text| {
        let all = [spanish, in_english, in_portuguese].map(|of| of(*text));
        format!("  {}: {},\n", json!(text.key()), json!(all))
    });
    let words: String = words.collect();
    format!(
        "{HEADER}
/**
 * What a payer presses, by the keys of the element's texts: in Spanish, English and Portuguese.
 * @satisfies {{Record<string, readonly [string, string, string]>}}
 */
export const WORDS = Object.freeze({{
{words}}});
"
    )
}

/// In the order of all texts.
fn wordings(of: fn(Text) -> &'static str) -> String {
    list(Text::ALL.iter().map(|text| of(*text).to_owned()))
}

fn list(entries: impl Iterator<Item = String>) -> String {
    let lines: String = entries
        .map(|entry| format!("  {},\n", json!(entry)))
        .collect();
    format!("{HEADER}\nconst texts: string[] = [\n{lines}];\n\nexport default texts;\n")
}
