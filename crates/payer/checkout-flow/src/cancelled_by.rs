/// Who cancelled an operation, or why it was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CancelledBy {
    /// The payer, on this page.
    ThisPage,
    /// The payer, on some page of the order (`Operation-End: payer`).
    Payer,
    /// Another operation of the order took its place (`Operation-End: replaced`).
    Replacement,
    /// The merchant's staff (`Operation-End: staff`).
    Staff,
    /// Not this page; the server does not say who.
    #[default]
    Unknown,
}

impl CancelledBy {
    /// Adds what the server said. The server cannot say which page of the payer it was.
    pub(crate) fn updated(self, named: Option<Self>) -> Self {
        match named {
            Some(Self::Payer) if self == Self::ThisPage => self,
            named => named.unwrap_or(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CancelledBy as By;

    #[test]
    fn the_server_knows_more_than_this_page_except_which_page_it_was() {
        for (known, named, expected) in [
            (By::Unknown, None, By::Unknown),
            (By::Unknown, Some(By::Payer), By::Payer),
            (By::ThisPage, None, By::ThisPage),
            (By::ThisPage, Some(By::Payer), By::ThisPage),
            (By::ThisPage, Some(By::Staff), By::Staff),
            (By::ThisPage, Some(By::Replacement), By::Replacement),
        ] {
            assert_eq!(known.updated(named), expected, "{known:?} {named:?}");
        }
    }
}
