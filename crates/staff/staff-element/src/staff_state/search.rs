use super::amount::{self, AmountProblem};
use super::local_day::{self, Offset};
use super::{Failure, Field, Reference, permitted_actions};
use payment_model::{Cents, Timestamp};
use staff_model::{OperationRow, SearchPage, SearchQuery};
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
    /// The places of the selected rows, in their order.
    pub(crate) selected: Rc<Vec<usize>>,
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
    /// True for the list of all operations, the newest first, to which a new one can be added.
    pub(super) is_plain: bool,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) next: Option<String>,
    /// True when an answer came since the last query.
    pub(crate) answered: bool,
    pub(crate) running: bool,
    pub(crate) failure: Option<Failure>,
    /// Rows that came while the list was being read, or its top was out of sight.
    pub(super) coming: Vec<OperationRow>,
    /// How many of them were put on top since the list was read.
    pub(super) added: usize,
    /// True when only a repeated search can show what came.
    pub(super) again: bool,
    pub(crate) place: Place,
}

/// Where the reader of the list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    /// The top of the list is not scrolled out of sight.
    pub(crate) is_top: bool,
    /// The focus is in the list.
    pub(crate) has_focus: bool,
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
            self.added = 0;
        }
        // An operation that came up during the reading of the list must not be in it twice. What is sorted is the page,
        // which is the shorter of the two.
        let mut coming: Vec<_> = page.operations.iter().map(name).collect();
        coming.sort_unstable();
        let is_coming = |row: &&OperationRow| coming.binary_search(&name(row)).is_ok();
        let known: Vec<Reference> = self.rows().filter(is_coming).map(Reference::of).collect();
        let mut rows = page.operations;
        rows.retain(|row| !known.contains(&Reference::of(row)));
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

    /// Replaces the row of its operation, if the list has one that is not newer.
    pub(crate) fn renew(&mut self, row: &OperationRow) {
        for chunk in &mut self.chunks {
            let known = chunk.rows.iter().position(|old| name(old) == name(row));
            if let Some(at) = known
                && chunk.rows[at] != *row
                && chunk.rows[at].changed_at <= row.changed_at
            {
                // Another list of rows, so that it is drawn anew.
                let mut rows = chunk.rows.to_vec();
                rows[at] = row.clone();
                chunk.rows = Rc::new(rows);
                if permitted_actions::refund(row, None, true).is_err() {
                    Rc::make_mut(&mut chunk.selected).retain(|selected| *selected != at);
                }
            }
        }
    }

    /// The row of this operation, if the list has one.
    pub(super) fn listed(&self, row: &OperationRow) -> Option<&OperationRow> {
        self.rows().find(|one| name(one) == name(row))
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
            match selected.binary_search(&row) {
                Ok(known) => {
                    selected.remove(known);
                }
                Err(place) => selected.insert(place, row),
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

pub(super) fn name(row: &OperationRow) -> (&str, &str) {
    (&row.merchant_operation_number, &row.merchant_code)
}

#[cfg(test)]
mod tests;
