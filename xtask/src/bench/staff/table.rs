use crate::say;

/// A figure with its name.
type Figure = (String, f64);

/// Figures of several sizes, side by side.
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

    /// Prints a line for each figure, with the ratio of the last column to the first.
    pub(super) fn print(&self, sizes: [u32; 2]) {
        let [one, other] = sizes.map(|size| say::bytes(size as usize));
        say::heading("the staff's search, by how many operations there are");
        say!("{:<46} {one:>12} {other:>12} {:>8}", "", "ratio");
        for (name, figure) in self.columns.first().into_iter().flatten() {
            let Some(last) = self.find(name) else {
                continue;
            };
            say!(
                "{name:<46} {figure:>12.2} {last:>12.2} {:>8.2}",
                last / figure
            );
        }
    }

    fn find(&self, wanted: &str) -> Option<f64> {
        let last = self.columns.last()?;
        let found = last.iter().find(|(name, _)| name == wanted);
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
        assert_eq!(table.find("a"), Some(2.0));
        assert_eq!(table.find("c"), None);
    }
}
