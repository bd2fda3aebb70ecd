//! Names of what a status answer says, so that a request can say what its payer knows.
//!
//! The crate `headers` compares whole tags only; here the first part of one counts by itself.

use axum::http::header::IF_NONE_MATCH;
use axum::http::{HeaderMap, HeaderValue};
use payment_model::Outcome;
use payment_rules::fingerprint::fingerprint;
use payment_rules::operation::OperationRecord;

/// How many characters of each hash tell two answers about one operation apart.
const LENGTH: usize = 16;

/// The tag of an answer in two parts: the facts that a payer must see at once, and the whole body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) struct EntityTag {
    told: String,
    body: String,
}

impl EntityTag {
    pub(in crate::http) fn of(record: &OperationRecord, body: &str) -> Self {
        Self {
            told: told(record),
            body: short(body),
        }
    }

    fn read(text: &str) -> Option<Self> {
        // A proxy that compresses an answer makes its tag weak.
        let text = text.trim().trim_start_matches("W/");
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        let (told, body) = text.split_once('.')?;
        Some(Self {
            told: told.to_owned(),
            body: body.to_owned(),
        })
    }

    /// The value of the header `ETag`.
    pub(in crate::http) fn header(&self) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("\"{}.{}\"", self.told, self.body)).ok()
    }
}

/// A short text with state and outcome of an operation.
fn told(record: &OperationRecord) -> String {
    let state = record.state().map_or("", |state| state.as_str());
    let outcome = record.outcome().map_or("", Outcome::as_str);
    let held = if record.is_held() { " held" } else { "" };
    short(&format!("{state} {outcome}{held}"))
}

fn short(text: &str) -> String {
    let mut hash = fingerprint(text);
    hash.truncate(LENGTH);
    hash
}

/// The tags of earlier answers in a request (`If-None-Match`).
pub(in crate::http) struct Known {
    tags: Vec<Option<EntityTag>>,
}

impl Known {
    pub(in crate::http) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(IF_NONE_MATCH).iter();
        let values = values.filter_map(|value| value.to_str().ok());
        let tags = values
            .flat_map(|value| value.split(','))
            .map(EntityTag::read);
        Self {
            tags: tags.collect(),
        }
    }

    /// True when all tags of the client belong to other states. A client without tags is not
    /// behind.
    pub(in crate::http) fn is_behind(&self, record: &OperationRecord) -> bool {
        let now = told(record);
        let same = |tag: &EntityTag| tag.told == now;
        !self.tags.is_empty() && !self.tags.iter().flatten().any(same)
    }

    /// True when the client has this very answer.
    pub(in crate::http) fn has(&self, tag: &EntityTag) -> bool {
        self.tags.iter().flatten().any(|known| known == tag)
    }
}

#[cfg(test)]
mod tests {
    use super::{EntityTag, IF_NONE_MATCH, Known};
    use axum::http::{HeaderMap, HeaderValue};
    use payment_rules::operation::fixture::record;

    #[test]
    fn a_tag_is_known_weak_or_in_a_list_and_nothing_else_is() {
        let record = record();
        let tag = EntityTag::of(&record, "body");
        let text = tag.header().unwrap().to_str().unwrap().to_owned();
        let another = EntityTag::of(&record, "another").header().unwrap();
        let another = another.to_str().unwrap();
        // Each entry: the client's tag, the result of `has`, the result of `is_behind`.
        for (sent, has, behind) in [
            (text.clone(), true, false),
            (format!("W/{text}"), true, false),
            (format!("\"x.y\", {text}"), true, false),
            (another.to_owned(), false, false),
            ("\"x.y\"".to_owned(), false, true),
            (text.replace('.', "-"), false, true),
            (text.trim_matches('"').to_owned(), false, true),
            ("*".to_owned(), false, true),
            ("".to_owned(), false, true),
        ] {
            let value = HeaderValue::try_from(&sent).unwrap();
            let known = Known::of(&HeaderMap::from_iter([(IF_NONE_MATCH, value)]));
            assert_eq!(
                (known.has(&tag), known.is_behind(&record)),
                (has, behind),
                "{sent}"
            );
        }
        let none = Known::of(&HeaderMap::new());
        assert!(!none.has(&tag) && !none.is_behind(&record));
    }
}
