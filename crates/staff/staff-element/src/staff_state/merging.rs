//! How the list takes what came after it was read, without moving under its reader.

use super::search::{Chunk, Search, name};
use payment_model::Timestamp;
use staff_model::OperationRow;
use std::rc::Rc;

/// The most rows that are put on top of a list before it is read again.
const MOST_ADDED: usize = 200;

impl Search {
    /// What is known of the operation of a row.
    pub(super) fn known(&self, row: &OperationRow) -> Option<&OperationRow> {
        let mut coming = self.coming.iter();
        let coming = coming.find(|one| name(one) == name(row));
        coming.or_else(|| self.listed(row))
    }

    /// From when on an operation is new that is not known: the plain list has all until its first piece ends.
    pub(super) fn end_of_top(&self) -> Option<Timestamp> {
        let first = self.chunks.first().and_then(|chunk| chunk.rows.last());
        let end = first.map_or(Timestamp::MIN, |row| row.created_at);
        (self.is_plain && self.answered && !self.again).then_some(end)
    }

    /// Takes a row that came. A listed one is replaced in its place. A new one of the plain list waits for its reader, and
    /// each one for a list that is awaited, which may be older.
    pub(super) fn meet(&mut self, row: &OperationRow, is_new: bool, is_awaited: bool) {
        self.renew(row);
        let waits = is_awaited || (is_new && self.end_of_top().is_some());
        let mut coming = self.coming.iter_mut();
        match coming.find(|one| name(one) == name(row)) {
            Some(old) if old.changed_at > row.changed_at => {}
            Some(old) => *old = row.clone(),
            None if waits => self.coming.push(row.clone()),
            None => {}
        }
        if self.added + self.coming.len() > MOST_ADDED {
            self.coming.clear();
            self.again = true;
        }
    }

    /// Puts what came into the top of the list.
    pub(super) fn show_coming(&mut self) {
        let end = self.end_of_top();
        for row in std::mem::take(&mut self.coming) {
            if self.listed(&row).is_some() {
                self.renew(&row);
            } else if end.is_some_and(|end| row.created_at > end) {
                self.insert(row);
            }
        }
    }

    /// Puts a row into the first piece, at its place. The other pieces keep theirs, and are not drawn anew.
    fn insert(&mut self, row: OperationRow) {
        if self.chunks.is_empty() {
            self.chunks.push(Chunk {
                rows: Rc::default(),
                selected: Rc::default(),
            });
        }
        let Chunk { rows, selected } = &mut self.chunks[0];
        let rows = Rc::make_mut(rows);
        let older = |one: &OperationRow| one.created_at <= row.created_at;
        let at = rows.iter().position(older).unwrap_or(rows.len());
        rows.insert(at, row);
        for place in Rc::make_mut(selected) {
            *place += usize::from(*place >= at);
        }
        self.added += 1;
    }

    /// True when another list may take the place of this one: nothing of it is selected, and nobody is within it.
    pub(super) fn may_be_replaced(&self) -> bool {
        let free = self.place.is_top && !self.place.has_focus && !self.running;
        free && self.selected().is_empty()
    }

    /// Forgets what came: the list is read again.
    pub(super) fn expect_nothing(&mut self) {
        self.coming.clear();
        self.again = false;
    }

    /// How many operations came that the list does not show; 0 when that is not known.
    pub(crate) fn hidden_news(&self) -> Option<usize> {
        if self.again && !self.may_be_replaced() {
            Some(0)
        } else {
            let count = self.coming.len();
            (count > 0).then_some(count)
        }
        .filter(|_| !self.running)
    }
}
