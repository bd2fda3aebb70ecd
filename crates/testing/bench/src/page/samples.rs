use std::collections::BTreeMap;

/// The measured values of each figure of each page, one a visit.
#[derive(Default)]
pub(super) struct Samples {
    values: BTreeMap<(String, String), Vec<f64>>,
}

/// The middle of some values, and how far they lie apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) least: f64,
    pub(super) median: f64,
    pub(super) most: f64,
}

impl Samples {
    /// Reads `page<TAB>figure<TAB>value`. False for any other line.
    pub(super) fn read(&mut self, line: &str) -> bool {
        let mut words = line.split('\t');
        let (Some(page), Some(figure), Some(value), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return false;
        };
        let Ok(value) = value.parse() else {
            return false;
        };
        let place = (page.to_owned(), figure.to_owned());
        self.values.entry(place).or_default().push(value);
        true
    }

    /// The values of one figure of one page, if it has that figure.
    pub(super) fn spread(&self, page: &str, figure: &str) -> Option<Spread> {
        let place = (page.to_owned(), figure.to_owned());
        let mut values = self.values.get(&place)?.clone();
        values.sort_by(f64::total_cmp);
        let half = values.len() / 2;
        let upper = *values.get(half)?;
        let median = if values.len() % 2 == 1 {
            upper
        } else {
            f64::midpoint(*values.get(half.checked_sub(1)?)?, upper)
        };
        Some(Spread {
            least: *values.first()?,
            median,
            most: *values.last()?,
        })
    }

    pub(super) fn median(&self, page: &str, figure: &str) -> Option<f64> {
        Some(self.spread(page, figure)?.median)
    }
}

#[cfg(test)]
mod tests {
    use super::{Samples, Spread};

    #[test]
    fn lines_of_three_words_are_values_and_others_are_not() {
        let mut samples = Samples::default();
        assert!(samples.read("now\tqr\t12.5"));
        for other in ["a warning", "now\tqr", "now\tqr\tsoon", "now\tqr\t1\t2"] {
            assert!(!samples.read(other), "{other}");
        }
        assert_eq!(samples.median("now", "qr"), Some(12.5));
        assert_eq!(samples.median("plain", "qr"), None);
    }

    #[test]
    fn the_median_is_in_the_middle_of_odd_and_even_counts() {
        let mut samples = Samples::default();
        for value in [9, 1, 5] {
            samples.read(&format!("now\tqr\t{value}"));
        }
        let spread = |least, median, most| {
            Some(Spread {
                least,
                median,
                most,
            })
        };
        assert_eq!(samples.spread("now", "qr"), spread(1.0, 5.0, 9.0));
        samples.read("now\tqr\t7");
        assert_eq!(samples.spread("now", "qr"), spread(1.0, 6.0, 9.0));
    }
}
