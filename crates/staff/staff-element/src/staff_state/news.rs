//! The desk follows what happens: it asks the server for news, and shows them where they belong.

use super::{
    Announcement, Answer, Failure, FailureKind, Focus, Page, Purpose, Reference, Request,
    StaffState,
};
use payment_model::{Outcome, Timestamp, TransactionState};
use staff_model::{News, OperationRow};
use std::time::Duration;

/// The shortest time from one request to the next, and within which an answer was not held.
const BETWEEN_REQUESTS: Duration = Duration::from_secs(1);
/// The rest after an answer without news that the server did not hold.
const NOT_HELD: Duration = Duration::from_secs(10);
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);
const BETWEEN_SEARCHES: Duration = Duration::from_secs(2);
const AFTER_FAILED_SEARCH: Duration = Duration::from_secs(30);
/// The rest between two requests for the links: the first may have failed.
const AFTER_FAILED_LIST: Duration = Duration::from_secs(2);
const BETWEEN_SENTENCES: Duration = Duration::from_secs(10);
/// So long a page that nobody sees follows, for its sound and its title.
const LONGEST_HIDDEN: Duration = Duration::from_secs(600);
/// From this age on the list says how old it is.
const OLD: Duration = Duration::from_secs(30);
/// How often the desk looks whether the reader came back to the top of the list.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// A rest: its begin, and how long it lasts.
type Rest = (Timestamp, Duration);

/// True when a rest is over, also by a clock that was set back.
fn is_over(rest: Rest, at: Timestamp) -> bool {
    let passed = at.checked_duration_since(rest.0);
    passed.is_none_or(|passed| passed >= rest.1)
}

/// How far the news were read, and what is to be told of them.
#[derive(Debug, Default)]
pub(crate) struct Following {
    /// `next` of the last answer; empty before the first.
    cursor: String,
    /// True when the server has no news, until somebody signs in.
    is_off: bool,
    /// How many requests failed in a row.
    failures: u32,
    asked: Timestamp,
    rest: Rest,
    /// True for a rest that the server asked for.
    is_told: bool,
    /// When the list was last known to be as it is.
    heard: Option<Timestamp>,
    /// When the last change happened that came, by the server's clock.
    latest: Timestamp,
    searched: Rest,
    said: Timestamp,
    /// What is still to be said: how many operations are new, and how many were paid.
    unsaid: (u32, u32),
    pub(crate) has_sound: bool,
    pub(crate) has_mark: bool,
    /// The number in the title of the page.
    pub(crate) marked: u32,
    /// True when the links on the screen have changed since they were read.
    pub(super) has_old_links: bool,
    relisted: Rest,
    /// True when the operation on the screen has changed since it was read.
    pub(super) has_old_page: bool,
    /// True when the sound is to be played.
    pub(crate) rings: bool,
}

impl Following {
    /// Takes that an answer came.
    pub(super) fn hear(&mut self, at: Timestamp, purpose: &Purpose) {
        if let Purpose::News | Purpose::Search | Purpose::Quiet = purpose {
            self.heard = Some(at);
        }
    }

    /// Asks again after a sign-in: it may be another server by now.
    pub(super) fn resume(&mut self) {
        self.is_off = false;
        self.rest = Rest::default();
    }

    /// Plays the sound also when it is switched on, as a proof.
    pub(super) fn switch_sound(&mut self) {
        self.has_sound = !self.has_sound;
        self.rings = self.has_sound;
    }

    pub(super) fn switch_mark(&mut self) {
        self.has_mark = !self.has_mark;
    }

    /// The age of the list, when it is old because requests fail.
    pub(crate) fn age(&self, at: Timestamp) -> Option<Duration> {
        let age = at.duration_since(self.heard?);
        (self.failures > 0 && age >= OLD).then_some(age)
    }
}

impl StaffState {
    /// True while news are asked for.
    fn listens(&self, at: Timestamp) -> bool {
        let is_wanted = self.hidden.is_none_or(|since| {
            (self.news.has_sound || self.news.has_mark) && at.duration_since(since) < LONGEST_HIDDEN
        });
        is_wanted && self.is_signed_in() && !self.sign_in.asks() && !self.news.is_off
    }

    /// True while a list is awaited that may be older than the news.
    fn awaits_list(&self) -> bool {
        self.search.running || self.is_running(&Purpose::Quiet)
    }

    /// True when a sentence would be heard, and not come between a person and a form.
    fn may_speak(&self) -> bool {
        self.hidden.is_none() && self.dialog.is_none() && self.news.unsaid != (0, 0)
    }

    /// Asks for news, and shows what came, each when it is due.
    pub(super) fn follow_news(&mut self, at: Timestamp) {
        if !self.listens(at) {
            self.abort(&Purpose::News);
            return;
        }
        if !self.is_running(&Purpose::News) && is_over(self.news.rest, at) {
            self.news.asked = at;
            // The first answer after a failure is not waited for: it tells that the connection is back.
            let request = Request::News(self.news.cursor.clone(), self.news.failures == 0);
            self.send(Purpose::News, request);
        }
        // What a person reads in a dialog stays as it is.
        if self.dialog.is_none() && self.news.has_old_page {
            self.load_details();
        }
        if self.page == Page::Links
            && self.news.has_old_links
            && self.news.failures == 0
            && !self.is_running(&Purpose::Links)
            && is_over(self.news.relisted, at)
        {
            self.news.has_old_links = false;
            self.news.relisted = (at, AFTER_FAILED_LIST);
            self.renew_links();
        }
        if !self.awaits_list() {
            if self.search.place.is_top && self.search.selected().is_empty() {
                self.search.show_coming();
            }
            if self.search.again && self.search.may_be_replaced() && is_over(self.news.searched, at)
            {
                self.search.again = false;
                self.news.searched = (at, BETWEEN_SEARCHES);
                let request = Request::Search(self.search.query.clone());
                self.send(Purpose::Quiet, request);
            }
        }
        if self.may_speak() && is_over((self.news.said, BETWEEN_SENTENCES), at) {
            self.news.said = at;
            let (new, paid) = std::mem::take(&mut self.news.unsaid);
            self.announce(Announcement::News(new, paid));
        }
    }

    /// When something is to be done about news.
    pub(super) fn news_due(&self, at: Timestamp) -> Option<Timestamp> {
        if !self.listens(at) {
            return None;
        }
        let news = &self.news;
        let mut due =
            (!self.is_running(&Purpose::News)).then(|| news.rest.0.saturating_add(news.rest.1));
        let mut sooner = |is_so, time| {
            if is_so {
                due = Some(due.map_or(time, |due| due.min(time)));
            }
        };
        sooner(news.failures > 0, at.saturating_add(OLD));
        // Only a list on the screen has a place.
        let is_seen = self.hidden.is_none() && self.page == Page::Search;
        let waits = is_seen && (self.search.again || !self.search.coming.is_empty());
        sooner(waits, at.saturating_add(BETWEEN_LOOKS));
        let awaits_links = self.page == Page::Links && news.has_old_links;
        let (begin, rest) = news.relisted;
        sooner(
            awaits_links && news.failures == 0,
            begin.saturating_add(rest),
        );
        sooner(
            self.may_speak(),
            news.said.saturating_add(BETWEEN_SENTENCES),
        );
        due
    }

    /// Asks at once: the connection or the reader may be back.
    pub(super) fn hurry(&mut self) {
        if !self.news.is_told {
            self.abort(&Purpose::News);
            self.news.rest = (self.news.asked, BETWEEN_REQUESTS);
        }
    }

    /// Shows what came, from the top of the list.
    pub(super) fn show_news(&mut self) {
        if self.search.again {
            self.abort(&Purpose::More);
            self.ask_again();
            self.focus = Some(Focus::Heading);
        } else {
            self.search.show_coming();
            self.focus = Some(Focus::Chunk(0));
        }
    }

    pub(super) fn news_answered(&mut self, at: Timestamp, answer: Result<Answer, Failure>) {
        let failures = std::mem::take(&mut self.news.failures);
        self.news.is_told = false;
        match answer {
            Ok(Answer::News(news)) => {
                let is_first = self.news.cursor.is_empty();
                let is_counted = news.exceptions.is_none_or(|it| it == self.exceptions.total);
                let is_empty = news.operations.is_empty() && !news.links && !news.missed;
                let nothing = is_empty && is_counted;
                let was_held = is_over((self.news.asked, BETWEEN_REQUESTS), at);
                self.news.rest = if nothing && !was_held && failures == 0 {
                    (at, NOT_HELD)
                } else {
                    (self.news.asked, BETWEEN_REQUESTS)
                };
                self.news.cursor.clone_from(&news.next);
                if failures > 0 {
                    self.news.relisted = Rest::default();
                    self.news.searched = Rest::default();
                }
                if !is_first {
                    self.take_news(&news);
                }
            }
            Err(failure) if failure.kind == FailureKind::NotFound => self.news.is_off = true,
            other => {
                self.news.failures = failures.saturating_add(1);
                let backoff = Duration::from_secs(1 << failures.min(5)).min(LONGEST_BACKOFF);
                let told = other.err().and_then(|failure| failure.retry_after);
                self.news.is_told = told.is_some();
                self.news.rest = (at, told.unwrap_or(backoff));
            }
        }
    }

    fn take_news(&mut self, news: &News) {
        self.news.has_old_links |= news.links || news.missed;
        let is_awaited = self.awaits_list();
        self.search.again |= news.missed;
        let is_plain = self.search.is_plain;
        let changed = |row: &OperationRow| row.changed_at;
        let top = self.search.chunks.first().map(|first| &first.rows[..]);
        let listed = top.unwrap_or_default().iter().map(changed);
        let latest = listed.fold(self.news.latest, Timestamp::max);
        let mut count = 0;
        let mut has_exceptions = news.missed;
        for row in &news.operations {
            let known = self.search.known(row);
            let begin = self.search.end_of_top().unwrap_or(latest);
            let is_new = known.is_none() && row.created_at > begin;
            let is_changed = is_new || row.changed_at > known.map_or(latest, |one| one.changed_at);
            // One that is not listed may have been paid long ago, and be settled now.
            let was_paid = known.map_or(
                !is_new && !matches!(row.state, Some(TransactionState::Authorized)),
                |known| known.outcome == Some(Outcome::Paid),
            );
            let is_paid = is_changed && !was_paid && row.outcome == Some(Outcome::Paid);
            let listed = known.map_or(&[][..], |known| &known.exceptions);
            let is_exception = row.exceptions.iter().any(|kind| !listed.contains(kind));
            // An exception of a row that is not listed may be an old one; the number tells a new one.
            let is_told = is_new || is_paid || (is_exception && known.is_some());
            self.news.latest = self.news.latest.max(latest).max(row.changed_at);
            self.search.meet(row, is_new, is_awaited);
            self.search.again |= is_changed && !is_plain;
            self.news.unsaid.0 += u32::from(is_new);
            self.news.unsaid.1 += u32::from(is_paid);
            has_exceptions |= is_exception;
            count += u32::from(is_told);
        }
        let total = self.exceptions.total;
        let is_more = news.exceptions > Some(total) && !self.exceptions.running;
        self.notice(count.max(u32::from(is_more)));
        let is_other = news
            .exceptions
            .is_some_and(|exceptions| exceptions != total);
        if (is_other || has_exceptions) && !self.exceptions.running {
            self.load_exceptions();
        }
        let is_shown = |shown: &Reference| {
            let mut rows = news.operations.iter();
            news.missed || rows.any(|row| Reference::of(row) == *shown)
        };
        self.news.has_old_page |= self.shown().is_some_and(is_shown);
    }

    /// Tells by sound and title, as far as a person switched them on.
    fn notice(&mut self, count: u32) {
        self.news.rings |= self.news.has_sound && count > 0;
        if self.news.has_mark && self.hidden.is_some() {
            self.news.marked += count;
        }
    }

    pub(super) fn quiet_answered(&mut self, at: Timestamp, answer: Result<Answer, Failure>) {
        match answer {
            Ok(Answer::Page(page)) if self.search.may_be_replaced() => self.search.take(page, true),
            Ok(_) => self.search.again = true,
            Err(_) => {
                self.search.again = true;
                self.news.searched = (at, AFTER_FAILED_SEARCH);
            }
        }
    }
}
