//! A declaration of an interface, as the generator of TypeScript makes it.

use element_surface::events::{ResultDetail, StatusDetail};
use tsify::Tsify;

/// An interface in parts.
pub(super) struct Declaration<'a> {
    /// What it is.
    pub(super) about: String,
    /// Its name, and what it extends.
    pub(super) head: &'a str,
    pub(super) fields: Vec<Field<'a>>,
}

pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) typescript: &'a str,
    pub(super) about: String,
}

impl<'a> Declaration<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut declaration = Self {
            about: String::new(),
            head: "",
            fields: vec![],
        };
        let mut about = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(comment) = line.strip_prefix("* ") {
                about.push_str(if about.is_empty() { "" } else { " " });
                about.push_str(comment);
            } else if let Some(head) = line.strip_prefix("export interface ") {
                declaration.head = head.trim_end_matches(" {");
                declaration.about = std::mem::take(&mut about);
            } else if let Some((name, kind)) = line.split_once(": ") {
                declaration.fields.push(Field {
                    name,
                    typescript: kind.trim_end_matches(';'),
                    about: std::mem::take(&mut about),
                });
            }
        }
        declaration
    }

    /// The fields that another declaration does not have.
    pub(super) fn beyond(mut self, other: &Declaration<'_>) -> Self {
        let is_new = |field: &Field<'_>| other.fields.iter().all(|known| known.name != field.name);
        self.fields.retain(is_new);
        self
    }
}

/// The detail of `checkout-result`, beyond that of an operation.
pub(super) fn result_detail() -> Declaration<'static> {
    Declaration {
        head: "ResultDetail extends StatusDetail",
        ..Declaration::of(ResultDetail::DECL).beyond(&Declaration::of(StatusDetail::DECL))
    }
}

/// A text of a table as a sentence, for readers who have no links.
pub(super) fn sentence(text: &str) -> String {
    let text = without_links(text.trim());
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), letters.as_str())
}

/// A sentence as a text of a table.
pub(super) fn cell(sentence: &str) -> String {
    let text = sentence.trim().trim_end_matches('.');
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    let rest = letters.as_str();
    // "ISO 4217" keeps its capital letters.
    if rest.starts_with(char::is_uppercase) {
        return text.to_owned();
    }
    first.unwrap_or_default() + rest
}

/// `[text](address)` as `text`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, after)) = link.split_once("](") else {
            break;
        };
        let Some((_, after)) = after.split_once(')') else {
            break;
        };
        plain.push_str(before);
        plain.push_str(label);
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::{Declaration, cell, sentence};

    #[test]
    fn a_text_of_a_table_becomes_a_sentence_without_links() {
        assert_eq!(sentence(" the card"), "The card.");
        assert_eq!(
            sentence("by key: see [Texts](#texts)"),
            "By key: see Texts."
        );
        assert_eq!(
            sentence("`QR` is one. So is `CARD`"),
            "`QR` is one. So is `CARD`."
        );
    }

    #[test]
    fn a_sentence_becomes_a_text_of_a_table() {
        assert_eq!(cell("Chose a method."), "chose a method");
        assert_eq!(
            cell("ISO 4217, letters or digits"),
            "ISO 4217, letters or digits"
        );
        assert_eq!(cell("`null`"), "`null`");
    }

    #[test]
    fn a_declaration_is_taken_apart() {
        let text = "/**\n * Any.\n */\nexport interface X extends Y {\n    /**\n     * one\n     * line\n     */\n    a: string;\n    b: number | null;\n}";
        let declaration = Declaration::of(text);
        assert_eq!(
            (declaration.head, declaration.about.as_str()),
            ("X extends Y", "Any.")
        );
        let fields = declaration
            .fields
            .iter()
            .map(|field| (field.name, field.typescript, field.about.as_str()));
        assert!(fields.eq([("a", "string", "one line"), ("b", "number | null", "")]));
    }
}
