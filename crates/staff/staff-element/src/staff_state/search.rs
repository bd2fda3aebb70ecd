use super::amount::{self, AmountProblem};
use super::local_day::{self, Offset};
use super::{Failure, Field, Reference};
use payment_model::{Cents, Timestamp};
use staff_model::{OperationRow, SearchPage, SearchQuery};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many operations a page of the list has. Large enough for 10,000 to come in 50 requests,
/// small enough to be drawn within a frame or two.
const PAGE: &str = "200";

/// The decimals of a typed amount: a search may find several currencies, and the server counts
/// in cents.
const DECIMALS: u8 = 2;

/// The search terms as they are typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Filter {
    pub(crate) text: String,
    pub(crate) state: String,
    pub(crate) method: String,
    pub(crate) merchant_code: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount_min: String,
    pub(crate) amount_max: String,
    /// The order of the list, as the server takes it; empty for the newest first.
    pub(crate) sort: String,
}

/// A column by which the list can be ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Amount,
    Created,
}

/// The text as the server knows it: a number that was typed in groups, as it is shown, is one word.
fn searched(text: &str) -> String {
    let text = text.trim();
    if text
        .chars()
        .all(|c| c.is_ascii_digit() || c.is_whitespace())
    {
        return text.split_whitespace().collect();
    }
    text.to_owned()
}

/// The mistake in a field of the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// No such day.
    Day,
    /// The last day comes before the first.
    Days,
    Amount(AmountProblem),
    /// The largest amount is less than the smallest.
    Amounts,
}

impl Filter {
    /// How the list is ordered by this column: `true` is the smallest first.
    pub(crate) fn ascends_by(&self, column: Column) -> Option<bool> {
        match (column, self.sort.as_str()) {
            (Column::Created, "" | "-created") | (Column::Amount, "-amount") => Some(false),
            (Column::Created, "created") | (Column::Amount, "amount") => Some(true),
            _ => None,
        }
    }

    /// Orders by this column, the largest first; turns the order when it is so already.
    pub(super) fn sort_by(&mut self, column: Column) {
        let sort = match (column, self.ascends_by(column)) {
            (Column::Created, Some(false)) => "created",
            (Column::Created, _) => "",
            (Column::Amount, Some(false)) => "amount",
            (Column::Amount, _) => "-amount",
        };
        sort.clone_into(&mut self.sort);
    }

    /// The field that is typed into.
    pub(crate) fn field(&mut self, field: Field) -> Option<&mut String> {
        Some(match field {
            Field::Text => &mut self.text,
            Field::State => &mut self.state,
            Field::Method => &mut self.method,
            Field::MerchantCode => &mut self.merchant_code,
            Field::From => &mut self.from,
            Field::To => &mut self.to,
            Field::AmountMin => &mut self.amount_min,
            Field::AmountMax => &mut self.amount_max,
            _ => return None,
        })
    }

    /// The query; or the fields that are wrong.
    pub(crate) fn query(
        &self,
        zone: &str,
        offset: Offset,
    ) -> Result<SearchQuery, Vec<(Field, Wrong)>> {
        let mut wrong = Vec::new();
        let mut instant = |field, text: &str, at: fn(&str, &str, Offset) -> Option<Timestamp>| {
            if text.is_empty() {
                return None;
            }
            let instant = at(text, zone, offset);
            if instant.is_none() {
                wrong.push((field, Wrong::Day));
            }
            instant
        };
        let from = instant(Field::From, &self.from, local_day::start);
        let to = instant(Field::To, &self.to, local_day::end);
        if from.zip(to).is_some_and(|(from, to)| from >= to) {
            wrong.push((Field::To, Wrong::Days));
        }
        let mut cents = |field, text: &str| match amount::read(text, DECIMALS) {
            Ok(cents) => Some(cents),
            Err(AmountProblem::Empty) => None,
            Err(AmountProblem::Zero) => Some(Cents::ZERO),
            Err(problem) => {
                wrong.push((field, Wrong::Amount(problem)));
                None
            }
        };
        let min = cents(Field::AmountMin, &self.amount_min);
        let max = cents(Field::AmountMax, &self.amount_max);
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            wrong.push((Field::AmountMax, Wrong::Amounts));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let number = |cents: Option<Cents>| cents.map(|c| c.to_string()).unwrap_or_default();
        Ok(SearchQuery {
            q: searched(&self.text),
            state: self.state.clone(),
            method: self.method.clone(),
            merchant_code: self.merchant_code.clone(),
            from: from.map(local_day::instant).unwrap_or_default(),
            to: to.map(local_day::instant).unwrap_or_default(),
            amount_min: number(min),
            amount_max: number(max),
            sort: self.sort.clone(),
            limit: PAGE.to_owned(),
            cursor: String::new(),
        })
    }
}

/// A page of the list. It changes only when a row gets new data or the selection changes, so that
/// it is drawn once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chunk {
    pub(crate) rows: Rc<Vec<OperationRow>>,
    pub(crate) selected: Rc<BTreeSet<usize>>,
}

/// The search and its results.
#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) filter: Filter,
    pub(crate) wrong: Vec<(Field, Wrong)>,
    /// True while the further filters are shown.
    pub(crate) unfolded: bool,
    /// The last query. The list, its file and its further pages belong to it.
    pub(crate) query: SearchQuery,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) next: Option<String>,
    /// True when an answer came since the last query.
    pub(crate) answered: bool,
    pub(crate) running: bool,
    pub(crate) failure: Option<Failure>,
}

impl Search {
    /// How many operations are in the list.
    pub(crate) fn count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.rows.len()).sum()
    }

    /// Appends a page, or begins anew with it.
    pub(crate) fn take(&mut self, page: SearchPage, anew: bool) {
        if anew {
            self.chunks.clear();
        }
        // An operation that came up during the reading of the list must not be in it twice. The set
        // of keys is made of the page, which is the shorter of the two.
        let coming: BTreeSet<(&str, &str)> = page.operations.iter().map(name).collect();
        let known: BTreeSet<Reference> = self
            .rows()
            .filter(|row| coming.contains(&name(row)))
            .map(Reference::of)
            .collect();
        let rows: Vec<OperationRow> = page
            .operations
            .into_iter()
            .filter(|row| !known.contains(&Reference::of(row)))
            .collect();
        if !rows.is_empty() {
            self.chunks.push(Chunk {
                rows: Rc::new(rows),
                selected: Rc::default(),
            });
        }
        self.next = page.next_cursor;
        self.running = false;
        self.answered = true;
        self.failure = None;
    }

    /// Replaces the row of its operation, if the list has one.
    pub(crate) fn renew(&mut self, row: &OperationRow) {
        for chunk in &mut self.chunks {
            let known = chunk.rows.iter().position(|old| name(old) == name(row));
            if let Some(at) = known
                && chunk.rows[at] != *row
            {
                // Another list of rows, so that it is drawn anew.
                let mut rows = chunk.rows.to_vec();
                rows[at] = row.clone();
                chunk.rows = Rc::new(rows);
            }
        }
    }

    /// True when the list has this operation.
    pub(crate) fn lists(&self, reference: &Reference) -> bool {
        self.rows().any(|row| Reference::of(row) == *reference)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &OperationRow> {
        self.chunks.iter().flat_map(|chunk| chunk.rows.iter())
    }

    /// Selects a row, or no longer.
    pub(crate) fn select(&mut self, chunk: usize, row: usize) {
        if let Some(chunk) = self.chunks.get_mut(chunk)
            && row < chunk.rows.len()
        {
            let selected = Rc::make_mut(&mut chunk.selected);
            if !selected.remove(&row) {
                selected.insert(row);
            }
        }
    }

    pub(crate) fn select_none(&mut self) {
        for chunk in &mut self.chunks {
            if !chunk.selected.is_empty() {
                chunk.selected = Rc::default();
            }
        }
    }

    /// The selected operations, in the order of the list.
    pub(crate) fn selected(&self) -> Vec<&OperationRow> {
        self.chunks
            .iter()
            .flat_map(|chunk| chunk.selected.iter().filter_map(|at| chunk.rows.get(*at)))
            .collect()
    }
}

fn name(row: &OperationRow) -> (&str, &str) {
    (&row.merchant_code, &row.merchant_operation_number)
}

#[cfg(test)]
mod tests {
    use super::{AmountProblem, Field, Filter, Search, Timestamp, Wrong};
    use crate::staff_state::local_day::ZoneOffset;
    use crate::staff_state::test_data::row;
    use staff_model::SearchPage;

    fn lima(zone: &str, _: Timestamp) -> Option<ZoneOffset> {
        (zone == "America/Lima").then_some(ZoneOffset::from_hours(-5))
    }

    #[test]
    fn a_filter_becomes_a_query_of_instants_and_cents() {
        let filter = Filter {
            text: "  ORD-1 ".to_owned(),
            state: "LIQUIDADO".to_owned(),
            from: "2026-11-20".to_owned(),
            to: "2026-11-21".to_owned(),
            amount_min: "1,000.50".to_owned(),
            amount_max: "2.000,5".to_owned(),
            ..Filter::default()
        };
        let query = filter.query("America/Lima", lima).unwrap();
        assert_eq!(query.q, "ORD-1");
        assert_eq!(query.from, "2026-11-20T05:00:00Z");
        // The last day belongs to the search.
        assert_eq!(query.to, "2026-11-22T05:00:00Z");
        assert_eq!(
            (query.amount_min.as_str(), query.amount_max.as_str()),
            ("100050", "200050")
        );
        let empty = Filter::default().query("America/Lima", lima).unwrap();
        assert!(empty.from.is_empty() && empty.to.is_empty() && empty.amount_min.is_empty());
    }

    #[test]
    fn a_number_is_found_as_it_is_shown() {
        let check = |typed: &str, expected: &str| {
            let text = typed.to_owned();
            let filter = Filter {
                text,
                ..Filter::default()
            };
            assert_eq!(filter.query("America/Lima", lima).unwrap().q, expected);
        };
        check(" 4821 9301 7756 ", "482193017756");
        check("482193017756", "482193017756");
        check("mesa 5", "mesa 5");
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let filter = Filter {
            from: "2026-11-31".to_owned(),
            to: "yesterday".to_owned(),
            amount_min: "ten".to_owned(),
            amount_max: "1,234".to_owned(),
            ..Filter::default()
        };
        let no_number = Wrong::Amount(AmountProblem::NoNumber);
        assert_eq!(
            filter.query("America/Lima", lima).unwrap_err(),
            [
                (Field::From, Wrong::Day),
                (Field::To, Wrong::Day),
                (Field::AmountMin, no_number),
                (Field::AmountMax, no_number)
            ]
        );
        let filter = Filter {
            from: "2026-11-21".to_owned(),
            to: "2026-11-20".to_owned(),
            amount_min: "2".to_owned(),
            amount_max: "1".to_owned(),
            ..Filter::default()
        };
        assert_eq!(
            filter.query("America/Lima", lima).unwrap_err(),
            [(Field::To, Wrong::Days), (Field::AmountMax, Wrong::Amounts)]
        );
    }

    #[test]
    fn pages_are_appended_and_earlier_ones_stay_as_they_are() {
        let page = |numbers: std::ops::Range<u32>, next: Option<&str>| SearchPage {
            operations: numbers.map(|n| row(&n.to_string())).collect(),
            next_cursor: next.map(str::to_owned),
        };
        let mut search = Search::default();
        search.take(page(0..200, Some("a")), true);
        let first = search.chunks[0].clone();
        for at in 1..50 {
            // One of them was on the page before already.
            search.take(page(at * 200 - 1..(at + 1) * 200, Some("a")), false);
        }
        assert_eq!(search.count(), 10_000);
        assert!(std::rc::Rc::ptr_eq(&first.rows, &search.chunks[0].rows));
        search.select(3, 7);
        search.select(0, 199);
        search.select(0, 200);
        let numbers = |search: &Search| -> Vec<String> {
            let selected = search.selected();
            selected
                .iter()
                .map(|row| row.merchant_operation_number.clone())
                .collect()
        };
        assert_eq!(numbers(&search), ["199", "607"]);
        search.select(0, 199);
        assert_eq!(numbers(&search), ["607"]);
        search.take(page(0..1, None), true);
        assert_eq!((search.count(), search.next.as_ref()), (1, None));
        assert!(search.selected().is_empty());
    }
}
