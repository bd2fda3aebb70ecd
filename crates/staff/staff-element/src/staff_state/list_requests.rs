//! The requests for the list: a search, the same again, and its next page.

use super::{Focus, Purpose, Request, StaffState};
use staff_model::SearchQuery;

impl StaffState {
    pub(super) fn start_search(&mut self) {
        match self.search.filter.query(self.zone(), self.offset) {
            Ok(query) => {
                self.search.wrong.clear();
                self.search.query = query;
                self.search.is_plain = self.search.filter.is_plain();
                self.abort(&Purpose::More);
                self.ask_again();
            }
            Err(wrong) => {
                // Only further filters can be wrong.
                self.search.unfolded = true;
                self.focus = wrong.first().map(|(field, _)| Focus::Field(*field));
                self.search.wrong = wrong;
            }
        }
    }

    /// Repeats the last search, from the beginning of the list.
    pub(super) fn ask_again(&mut self) {
        self.abort(&Purpose::Search);
        self.abort(&Purpose::Quiet);
        self.search.expect_nothing();
        self.search.running = true;
        self.search.failure = None;
        let request = Request::Search(self.search.query.clone());
        self.send(Purpose::Search, request);
    }

    pub(super) fn search_on(&mut self) {
        if self.search.running {
            return;
        }
        if let Some(cursor) = self.search.next.clone() {
            self.search.running = true;
            self.search.failure = None;
            let query = SearchQuery {
                cursor,
                ..self.search.query.clone()
            };
            self.send(Purpose::More, Request::Search(query));
        }
    }
}
