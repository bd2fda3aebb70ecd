//! The ways from one page of the element to another.

use super::{Focus, OperationPage, Page, Purpose, Reference, Request, StaffState};
use staff_model::SearchQuery;

impl StaffState {
    /// The operation on the screen.
    pub(crate) fn shown(&self) -> Option<&Reference> {
        match &self.page {
            Page::Operation(reference) => Some(reference),
            Page::Search | Page::Exceptions | Page::Links => None,
        }
    }

    pub(super) fn open(&mut self, page: Page) {
        if page != self.page {
            let before = std::mem::replace(&mut self.page, page);
            self.before.push(before);
            self.enter();
            self.focus = Some(Focus::Heading);
        }
    }

    /// Shows what the page around the element asks for: an operation, or where its reader came from.
    pub(super) fn show(&mut self, wanted: Option<Reference>) {
        if self.sign_in.session.is_none() {
            self.wanted = wanted;
            return;
        }
        match wanted {
            Some(reference) => {
                let page = Page::Operation(reference);
                if self.before.last() == Some(&page) {
                    self.go_back();
                } else {
                    self.open(page);
                }
            }
            None if self.shown().is_some() => {
                // Past the other operations of the order, to the list.
                while matches!(self.before.last(), Some(Page::Operation(_))) {
                    self.before.pop();
                }
                self.go_back();
            }
            None => {}
        }
    }

    /// The first page after a sign-in: the operation that was asked for, or the list.
    pub(super) fn arrive(&mut self) {
        if let Some(reference) = self.wanted.take() {
            self.before = vec![Page::Search];
            self.page = Page::Operation(reference);
        }
        self.enter();
        if self.page != Page::Exceptions {
            self.load_exceptions();
        }
    }

    /// Asks for the data of the page.
    pub(super) fn enter(&mut self) {
        match self.page.clone() {
            Page::Search => {
                if !self.search.answered || self.search.query == SearchQuery::default() {
                    self.start_search();
                } else {
                    self.abort(&Purpose::More);
                    self.ask_again();
                }
            }
            Page::Exceptions => self.load_exceptions(),
            Page::Links => self.load_links(String::new()),
            Page::Operation(reference) => {
                let same = |page: &OperationPage| page.reference == reference;
                if !self.operation.as_ref().is_some_and(same) {
                    self.operation = Some(OperationPage::new(reference));
                    self.abort(&Purpose::Fresh);
                    self.abort(&Purpose::Poll);
                }
                self.load_details();
            }
        }
    }

    /// The exceptions, and how many there are.
    pub(super) fn load_exceptions(&mut self) {
        self.abort(&Purpose::Exceptions);
        self.exceptions.running = true;
        self.send(Purpose::Exceptions, Request::Exceptions);
    }

    pub(super) fn go_back(&mut self) {
        let page = self.before.pop().unwrap_or(Page::Search);
        if page == self.page {
            return;
        }
        let left = std::mem::replace(&mut self.page, page);
        self.focus = Some(match (&self.page, left) {
            // The list is as it was left: a search is not asked anew, and keeps its place.
            (Page::Search, Page::Operation(reference)) => Focus::Row(reference),
            _ => Focus::Heading,
        });
        if self.page != Page::Search || !self.search.answered {
            self.enter();
        }
    }
}
