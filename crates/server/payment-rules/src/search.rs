//! Reads the searches of staff, and writes where the next page begins.
//!
//! The SQL statements of a search are in `db/search` of the server.

use crate::fingerprint;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payment_model::{PaymentMethodName, Timestamp, TransactionState};
use staff_model::SearchQuery;

/// The number of operations on a page by default.
const DEFAULT_PAGE_ROWS: u32 = 50;
const MAX_PAGE_ROWS: u32 = 200;
/// The most states or methods of a search.
const MAX_FILTER_WORDS: usize = 20;
const MAX_TEXT_BYTES: usize = 200;

/// A search with all fields read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// A complete operation number, order id, order label, transaction id, `qr_id` or `cip`.
    pub q: Option<String>,
    /// The states; an empty list means all of them, and `None` in it means "no state yet".
    pub states: Vec<Option<String>>,
    /// The payment methods; an empty list means all of them.
    pub methods: Vec<String>,
    /// Only operations under this merchant code.
    pub merchant_code: Option<String>,
    /// The merchant codes that the searching account may see. Other codes are not found.
    pub among: Vec<String>,
    /// Only operations that were made at this instant or later.
    pub from: Option<Timestamp>,
    /// Only operations that were made before this instant.
    pub to: Option<Timestamp>,
    /// The smallest amount, in cents.
    pub amount_min: Option<u64>,
    /// The largest amount, in cents.
    pub amount_max: Option<u64>,
    /// The order of the list.
    pub sort: Sort,
    /// The end of the page before; `None` for the first page.
    pub after: Option<Cursor>,
    /// The largest number of operations on the page.
    pub limit: u32,
}

/// The field by which a list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    /// The instant at which the operation was made.
    #[default]
    Created,
    /// The amount of the operation.
    Amount,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sort {
    /// The compared field.
    pub by: SortBy,
    /// True for the smallest value first. By default the largest is first, as the newest operation
    /// is.
    pub ascending: bool,
}

/// An unreadable field: its name and its required form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` must be {expected}")]
pub struct SearchError {
    /// The name of the field in the query.
    pub field: &'static str,
    expected: &'static str,
}

impl Search {
    /// Reads a query.
    ///
    /// # Errors
    /// The first wrong field.
    pub fn read(query: &SearchQuery) -> Result<Self, SearchError> {
        let states = words("state", &query.state, |word| {
            let known = TransactionState::KNOWN.iter();
            (word == "none" || known.into_iter().any(|state| state.as_str() == word))
                || is_new(word)
        })?;
        let methods = words("method", &query.method, |word| {
            let known = PaymentMethodName::KNOWN.iter();
            known.into_iter().any(|method| method.as_str() == word) || is_new(word)
        })?;
        let limit = match query.limit.trim() {
            "" => DEFAULT_PAGE_ROWS,
            text => match text.parse() {
                Ok(limit @ 1..=MAX_PAGE_ROWS) => limit,
                _ => return Err(fault("limit", "a number from 1 to 200")),
            },
        };
        let after = match query.cursor.trim() {
            "" => None,
            text => Some(Cursor::read(text, query).ok_or_else(|| {
                fault(
                    "cursor",
                    "the `next_cursor` of the same search, with nothing else changed",
                )
            })?),
        };
        Ok(Self {
            q: text("q", &query.q)?,
            states: states
                .into_iter()
                .map(|word| (word != "none").then_some(word))
                .collect(),
            methods,
            merchant_code: text("merchant_code", &query.merchant_code)?,
            among: Vec::new(),
            from: instant("from", &query.from)?,
            to: instant("to", &query.to)?,
            amount_min: cents("amount_min", &query.amount_min)?,
            amount_max: cents("amount_max", &query.amount_max)?,
            sort: sort(&query.sort)?,
            after,
            limit,
        })
    }
}

fn fault(field: &'static str, expected: &'static str) -> SearchError {
    SearchError { field, expected }
}

/// True for an unknown word of the right form, which may be a new word of the service.
fn is_new(word: &str) -> bool {
    word.len() <= 40
        && word
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn words(
    field: &'static str,
    text: &str,
    is_word: impl Fn(&str) -> bool,
) -> Result<Vec<String>, SearchError> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.len() <= MAX_FILTER_WORDS && words.iter().all(|word| is_word(word)) {
        Ok(words)
    } else {
        Err(fault(
            field,
            "words of the payment service, separated by spaces",
        ))
    }
}

fn text(field: &'static str, text: &str) -> Result<Option<String>, SearchError> {
    let text = text.trim();
    if text.len() > MAX_TEXT_BYTES || text.contains(char::is_control) {
        return Err(fault(field, "at most 200 plain characters"));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn instant(field: &'static str, text: &str) -> Result<Option<Timestamp>, SearchError> {
    match text.trim() {
        "" => Ok(None),
        text => match text.parse::<jiff::Timestamp>() {
            Ok(instant) => Ok(Some(Timestamp::from_millis(instant.as_millisecond()))),
            Err(_) => Err(fault(field, "an instant such as 2026-11-21T05:00:00Z")),
        },
    }
}

fn sort(text: &str) -> Result<Sort, SearchError> {
    let (by, ascending) = match text.trim() {
        "" | "-created" => (SortBy::Created, false),
        "created" => (SortBy::Created, true),
        "-amount" => (SortBy::Amount, false),
        "amount" => (SortBy::Amount, true),
        _ => {
            return Err(fault(
                "sort",
                "`created`, `-created`, `amount` or `-amount`",
            ));
        }
    };
    Ok(Sort { by, ascending })
}

fn cents(field: &'static str, text: &str) -> Result<Option<u64>, SearchError> {
    let amount = payment_model::Amount::new(text.trim());
    match text.trim() {
        "" => Ok(None),
        _ => amount
            .cents()
            .map(Some)
            .ok_or_else(|| fault(field, "a whole number of cents")),
    }
}

/// The end of a page of a search. The instant and the amount of an operation never change, so pages
/// neither repeat nor miss an operation when new ones come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The value by which the list is sorted, of the last operation: milliseconds or cents.
    pub value: i64,
    /// The row id of the last operation, which decides between operations of one value.
    pub place: i64,
}

impl Cursor {
    /// The text for the next request. It is valid for the same search only.
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
mod tests;
