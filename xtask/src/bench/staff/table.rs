use crate::say;

/// A figure with its name.
type Figure = (String, f64);

/// Figures of a small file, a large one and a server, side by side.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<Vec<Figure>>,
}

/// Reads `name<TAB>figure`; other lines are shown.
pub(super) fn figure(line: &str) -> Option<Figure> {
    let read = line
        .split_once('\t')
        .and_then(|(name, figure)| Some((name.to_owned(), figure.parse().ok()?)));
    if read.is_none() {
        say!("{line}");
    }
    read
}

impl Table {
    pub(super) fn add(&mut self, figures: Vec<Figure>) {
        self.columns.push(figures);
    }

    /// Prints a line for each figure. The first ratio is that of the sizes, the second one that of the
    /// engines.
    pub(super) fn print(&self) {
        say::heading("the staff's search, by how many operations there are, and where");
        say!(
            "{:<40} {:>10} {:>10} {:>7} {:>12} {:>7}",
            "",
            "10,000",
            "100,000",
            "ratio",
            "PostgreSQL",
            "ratio"
        );
        for (name, few) in self.columns.first().into_iter().flatten() {
            let (Some(many), Some(server)) = (self.find(1, name), self.find(2, name)) else {
                continue;
            };
            let (of_sizes, of_engines) = (many / few, server / many);
            say!(
                "{name:<40} {few:>10.2} {many:>10.2} {of_sizes:>7.2} {server:>12.2} {of_engines:>7.2}"
            );
        }
    }

    fn find(&self, column: usize, wanted: &str) -> Option<f64> {
        let found = self
            .columns
            .get(column)?
            .iter()
            .find(|(name, _)| name == wanted);
        found.map(|(_, figure)| *figure)
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, figure};

    #[test]
    fn figures_are_read_and_found_by_name() {
        assert_eq!(
            figure("first page, ms\t1.50"),
            Some(("first page, ms".to_owned(), 1.5))
        );
        assert_eq!(figure("a warning"), None);
        let mut table = Table::default();
        table.add(vec![("a".to_owned(), 1.0)]);
        table.add(vec![("b".to_owned(), 3.0), ("a".to_owned(), 2.0)]);
        assert_eq!(table.find(1, "a"), Some(2.0));
        assert_eq!(table.find(0, "b"), None);
        assert_eq!(table.find(2, "a"), None);
    }
}
