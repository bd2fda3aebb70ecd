//! What the list shows of all its rows at once: their sums, and which of them can be selected.

use super::permitted_actions;
use super::search::Search;
use payment_model::{Cents, Currency, Outcome};
use staff_model::{Money, OperationRow};

/// The sums of one currency.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sum {
    /// Of every operation that is shown.
    pub(crate) all: Money,
    /// Of those that are paid.
    pub(crate) paid: Money,
}

/// True when the row can be selected: the service can refund it, as far as the list knows.
pub(crate) fn is_selectable(row: &OperationRow) -> bool {
    permitted_actions::refund(row, None, true).is_ok()
}

impl Search {
    /// The sums of the rows, one for each currency.
    pub(crate) fn sums(&self) -> Vec<Sum> {
        let mut sums: Vec<Sum> = Vec::new();
        for row in self.rows() {
            let known = sums
                .iter()
                .position(|sum| sum.all.currency.same_as(&row.currency));
            let at = known.unwrap_or_else(|| {
                sums.push(Sum {
                    all: nothing(&row.currency),
                    paid: nothing(&row.currency),
                });
                sums.len() - 1
            });
            if let Some(sum) = sums.get_mut(at) {
                add(&mut sum.all, row.amount);
                if row.outcome == Some(Outcome::Paid) {
                    add(&mut sum.paid, row.amount);
                }
            }
        }
        sums
    }

    /// True when every row that can be selected is.
    pub(crate) fn has_all(&self) -> bool {
        let mut any = false;
        let all = self.chunks.iter().all(|chunk| {
            let mut rows = chunk.rows.iter().enumerate();
            rows.all(|(at, row)| {
                let selectable = is_selectable(row);
                any |= selectable;
                !selectable || chunk.selected.binary_search(&at).is_ok()
            })
        });
        any && all
    }

    /// True when there is a row that can be selected.
    pub(crate) fn has_selectable(&self) -> bool {
        self.rows().any(is_selectable)
    }

    /// Selects every row that can be, or none if all are.
    pub(crate) fn select_all(&mut self) {
        if self.has_all() {
            self.select_none();
            return;
        }
        for chunk in &mut self.chunks {
            let rows = chunk.rows.iter().enumerate();
            let able = rows.filter(|(_, row)| is_selectable(row));
            chunk.selected = std::rc::Rc::new(able.map(|(at, _)| at).collect());
        }
    }
}

fn nothing(currency: &Currency) -> Money {
    Money {
        amount: Cents::ZERO,
        currency: currency.clone(),
    }
}

fn add(sum: &mut Money, amount: Cents) {
    sum.amount = Cents::new(sum.amount.get().saturating_add(amount.get()));
}

#[cfg(test)]
mod tests {
    use crate::staff_state::Search;
    use crate::staff_state::test_data::row;
    use payment_model::{Currency, PaymentMethodName, TransactionState};
    use staff_model::SearchPage;

    #[test]
    fn sums_are_by_currency_and_only_what_can_be_refunded_is_selected() {
        let mut rows = vec![row("1"), row("2"), row("3"), row("4")];
        rows[1].currency = Currency::new("PEN");
        (rows[1].state, rows[1].outcome) = (Some(TransactionState::Pending), None);
        rows[2].currency = Currency::new("USD");
        rows[3].method_name = PaymentMethodName::Qr;
        let mut search = Search::default();
        let page = SearchPage {
            operations: rows,
            next_cursor: None,
        };
        search.take(page, true);
        let sums: Vec<_> = search
            .sums()
            .iter()
            .map(|sum| (sum.all.amount.get(), sum.paid.amount.get()))
            .collect();
        assert_eq!(sums, [(30_000, 20_000), (10_000, 10_000)]);
        search.select_all();
        let selected: Vec<_> = search
            .selected()
            .iter()
            .map(|row| row.merchant_operation_number.clone())
            .collect();
        assert_eq!(selected, ["1", "3"]);
        assert!(search.has_all());
        search.select_all();
        assert!(search.selected().is_empty() && search.has_selectable());
    }
}
