//! The quick filters beside the search.

use super::StaffState;
use super::local_day::{self, Offset};
use super::search::Filter;
use payment_model::{PaymentMethodName, Timestamp, TransactionState};
use std::time::Duration;

/// A filter that one press sets, and another one takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chip {
    Today,
    /// Today and the six days before.
    Week,
    Paid,
    /// What the service can refund.
    Refundable,
}

impl Chip {
    pub(crate) const ALL: [Self; 4] = [Self::Today, Self::Week, Self::Paid, Self::Refundable];
}

/// The days of the quick filters, in the merchant's time zone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Days {
    pub(crate) today: String,
    week: String,
}

const SIX_DAYS: Duration = Duration::from_secs(6 * 86_400);

impl Days {
    /// The days at this instant; empty in a zone that the browser does not know.
    pub(crate) fn at(at: Timestamp, zone: &str, offset: Offset) -> Self {
        let day = |at| local_day::day_of(at, zone, offset).unwrap_or_default();
        Self {
            today: day(at),
            week: day(at.saturating_sub(SIX_DAYS)),
        }
    }
}

/// The states of a payment, as the search takes them.
pub(crate) fn paid_states() -> String {
    let paid = TransactionState::KNOWN.iter();
    let paid: Vec<&str> = paid
        .filter(|state| state.is_paid())
        .map(TransactionState::as_str)
        .collect();
    paid.join(" ")
}

/// The methods that the service refunds, as the search takes them.
pub(crate) fn refundable_methods() -> String {
    let methods = PaymentMethodName::KNOWN.iter();
    let refundable: Vec<&str> = methods
        .filter(|method| method.is_refundable())
        .map(PaymentMethodName::as_str)
        .collect();
    refundable.join(" ")
}

impl Filter {
    /// True while the filter is as this chip sets it.
    pub(crate) fn has(&self, chip: Chip, days: &Days) -> bool {
        match chip {
            Chip::Today => self.has_days(&days.today, days),
            Chip::Week => self.has_days(&days.week, days),
            Chip::Paid => self.state == paid_states() && self.method.is_empty(),
            Chip::Refundable => {
                self.state == TransactionState::Settled.as_str()
                    && self.method == refundable_methods()
            }
        }
    }

    fn has_days(&self, from: &str, days: &Days) -> bool {
        !from.is_empty() && self.from == from && self.to == days.today
    }

    /// Sets what the chip stands for, or takes it away.
    pub(super) fn toggle(&mut self, chip: Chip, days: &Days) {
        let on = !self.has(chip, days);
        let set = |field: &mut String, text: &str| {
            field.clear();
            if on {
                field.push_str(text);
            }
        };
        match chip {
            Chip::Today | Chip::Week => {
                let from = if chip == Chip::Today {
                    &days.today
                } else {
                    &days.week
                };
                set(&mut self.from, from);
                set(&mut self.to, &days.today);
            }
            Chip::Paid => {
                set(&mut self.state, &paid_states());
                self.method.clear();
            }
            Chip::Refundable => {
                set(&mut self.state, TransactionState::Settled.as_str());
                set(&mut self.method, &refundable_methods());
            }
        }
    }

    /// True for all operations, the newest first.
    pub(super) fn is_plain(&self) -> bool {
        self.set_count() == 0 && self.text.trim().is_empty() && self.sort.is_empty()
    }

    /// How many of the folded filters are set.
    pub(crate) fn set_count(&self) -> usize {
        let fields = [
            &self.state,
            &self.method,
            &self.merchant_code,
            &self.from,
            &self.to,
            &self.amount_min,
            &self.amount_max,
        ];
        fields.iter().filter(|text| !text.is_empty()).count()
    }
}

impl StaffState {
    /// The days of the quick filters.
    pub(crate) fn days(&self, at: Timestamp) -> Days {
        Days::at(at, self.zone(), self.offset)
    }

    /// When today begins and ends.
    pub(crate) fn today(&self, at: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let today = self.days(at).today;
        let start = local_day::start(&today, self.zone(), self.offset)?;
        Some((start, local_day::end(&today, self.zone(), self.offset)?))
    }
}

#[cfg(test)]
mod tests {
    use super::{Chip, Days, Filter};
    use crate::staff_state::local_day::ZoneOffset;
    use payment_model::Timestamp;

    #[test]
    fn a_chip_sets_its_filter_and_takes_it_away() {
        // 2026-11-22T04:00:00Z is still the 21st in Lima.
        let at = Timestamp::from_secs(1_795_320_000);
        let days = Days::at(at, "America/Lima", |_, _| Some(ZoneOffset::from_hours(-5)));
        let mut filter = Filter::default();
        filter.toggle(Chip::Today, &days);
        assert_eq!((&*filter.from, &*filter.to), ("2026-11-21", "2026-11-21"));
        filter.toggle(Chip::Week, &days);
        assert_eq!((&*filter.from, &*filter.to), ("2026-11-15", "2026-11-21"));
        assert!(filter.has(Chip::Week, &days) && !filter.has(Chip::Today, &days));
        filter.toggle(Chip::Refundable, &days);
        assert_eq!(filter.state, "LIQUIDADO");
        assert!(filter.method.contains("INSTALLMENT") && !filter.method.contains("QR"));
        filter.toggle(Chip::Paid, &days);
        assert_eq!(filter.state, "AUTORIZADO LIQUIDADO");
        assert!(filter.method.is_empty() && !filter.has(Chip::Refundable, &days));
        assert_eq!(filter.set_count(), 3);
        filter.toggle(Chip::Paid, &days);
        filter.toggle(Chip::Week, &days);
        assert_eq!(filter, Filter::default());
    }
}
