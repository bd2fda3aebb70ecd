use super::Cursor;
use payment_model::{PaymentMethodName, Timestamp, TransactionState};
use staff_model::SearchQuery;

/// The number of operations on a page by default.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 200;
/// A longer list of states or methods would be a mistake.
const MOST_WORDS: usize = 20;
const LONGEST_TEXT: usize = 200;

/// A search with all fields read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// A number of any kind, compared exactly.
    pub q: Option<String>,
    /// The states; an empty list means all of them, and `None` in it means "no state yet".
    pub states: Vec<Option<String>>,
    pub methods: Vec<String>,
    pub merchant_code: Option<String>,
    /// The merchant codes that the searching account may see; the search finds nothing under
    /// others.
    pub among: Vec<String>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
    pub amount_min: Option<u64>,
    pub amount_max: Option<u64>,
    pub sort: Sort,
    pub after: Option<Cursor>,
    pub limit: u32,
}

/// What a list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    #[default]
    Created,
    Amount,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sort {
    pub by: SortBy,
    /// The smallest first. By default the largest is first: the newest operation.
    pub ascending: bool,
}

/// An unreadable field: its name and its required form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` must be {expected}")]
pub struct SearchFault {
    pub field: &'static str,
    expected: &'static str,
}

impl Search {
    /// Reads a query.
    ///
    /// # Errors
    /// The first wrong field.
    pub fn read(query: &SearchQuery) -> Result<Self, SearchFault> {
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
            "" => PAGE,
            text => match text.parse() {
                Ok(limit @ 1..=LARGEST_PAGE) => limit,
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

fn fault(field: &'static str, expected: &'static str) -> SearchFault {
    SearchFault { field, expected }
}

/// An unknown word of the right form may be a new one of the service's.
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
) -> Result<Vec<String>, SearchFault> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.len() <= MOST_WORDS && words.iter().all(|word| is_word(word)) {
        Ok(words)
    } else {
        Err(fault(
            field,
            "words of the payment service, separated by spaces",
        ))
    }
}

fn text(field: &'static str, text: &str) -> Result<Option<String>, SearchFault> {
    let text = text.trim();
    if text.len() > LONGEST_TEXT || text.contains(char::is_control) {
        return Err(fault(field, "at most 200 plain characters"));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn instant(field: &'static str, text: &str) -> Result<Option<Timestamp>, SearchFault> {
    match text.trim() {
        "" => Ok(None),
        text => match text.parse::<jiff::Timestamp>() {
            Ok(instant) => Ok(Some(Timestamp::from_millis(instant.as_millisecond()))),
            Err(_) => Err(fault(field, "an instant such as 2026-11-21T05:00:00Z")),
        },
    }
}

fn sort(text: &str) -> Result<Sort, SearchFault> {
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

fn cents(field: &'static str, text: &str) -> Result<Option<u64>, SearchFault> {
    let amount = payment_model::Amount::new(text.trim());
    match text.trim() {
        "" => Ok(None),
        _ => amount
            .cents()
            .map(Some)
            .ok_or_else(|| fault(field, "a whole number of cents")),
    }
}

#[cfg(test)]
mod tests;
