use crate::fingerprint::fingerprint;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use staff_model::SearchQuery;

/// The end of a page of a search. Neither the time nor the amount of an
/// operation ever changes, so pages neither repeat nor
/// miss an operation when new ones come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// What the list is ordered by, of its last operation: milliseconds or cents.
    pub value: i64,
    /// The place of its last operation in the order in which operations were added; it decides
    /// between those of one value.
    pub place: i64,
}

impl Cursor {
    /// The text for the next request; valid for the same search only.
    pub fn write(self, query: &SearchQuery) -> String {
        let text = format!("{}.{}.{}", self.value, self.place, mark(query));
        URL_SAFE_NO_PAD.encode(text)
    }

    /// Reads the text back; `None` when it belongs to another search.
    pub fn read(text: &str, query: &SearchQuery) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let mut parts = text.split('.');
        let cursor = Self {
            value: parts.next()?.parse().ok()?,
            place: parts.next()?.parse().ok()?,
        };
        let same = parts.next()? == mark(query) && parts.next().is_none();
        same.then_some(cursor)
    }
}

/// A hash of a search's criteria.
fn mark(query: &SearchQuery) -> String {
    let parts = [
        &query.q,
        &query.state,
        &query.method,
        &query.merchant_code,
        &query.from,
        &query.to,
        &query.amount_min,
        &query.amount_max,
        &query.sort,
    ];
    let text = parts.map(|part| part.trim()).join("\n");
    fingerprint(&text).chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cursor, Engine, URL_SAFE_NO_PAD};
    use staff_model::SearchQuery;

    #[test]
    fn a_cursor_is_good_for_its_own_search() {
        let query = |state: &str, limit: &str| SearchQuery {
            state: state.to_owned(),
            limit: limit.to_owned(),
            ..SearchQuery::default()
        };
        let cursor = Cursor {
            value: 1_763_700_000_000,
            place: 42,
        };
        let text = cursor.write(&query("PENDIENTE", "10"));
        assert_eq!(Cursor::read(&text, &query("PENDIENTE", "50")), Some(cursor));
        assert_eq!(Cursor::read(&text, &query("AUTORIZADO", "10")), None);
        for odd in ["", "x", "MS4y", "MS4yLmEuYg", "💥"] {
            assert_eq!(Cursor::read(odd, &query("", "")), None, "{odd}");
        }
    }

    #[test]
    fn each_criterion_belongs_to_the_search_and_spaces_around_it_do_not() {
        type Set = fn(&mut SearchQuery, &str);
        let criteria: [Set; 9] = [
            |query, value| query.q = value.to_owned(),
            |query, value| query.state = value.to_owned(),
            |query, value| query.method = value.to_owned(),
            |query, value| query.merchant_code = value.to_owned(),
            |query, value| query.from = value.to_owned(),
            |query, value| query.to = value.to_owned(),
            |query, value| query.amount_min = value.to_owned(),
            |query, value| query.amount_max = value.to_owned(),
            |query, value| query.sort = value.to_owned(),
        ];
        let cursor = Cursor { value: 1, place: 2 };
        let text = cursor.write(&SearchQuery::default());
        for (place, set) in criteria.into_iter().enumerate() {
            let mut query = SearchQuery::default();
            set(&mut query, " ");
            assert_eq!(Cursor::read(&text, &query), Some(cursor), "{place}");
            set(&mut query, "1");
            assert_eq!(Cursor::read(&text, &query), None, "{place}");
        }
    }

    #[test]
    fn a_cursor_with_anything_behind_it_is_not_read() {
        let query = SearchQuery::default();
        let cursor = Cursor { value: 1, place: 2 };
        let plain = URL_SAFE_NO_PAD.decode(cursor.write(&query)).unwrap();
        let longer = [&plain, b".x".as_slice()].concat();
        assert_eq!(Cursor::read(&URL_SAFE_NO_PAD.encode(longer), &query), None);
    }
}
