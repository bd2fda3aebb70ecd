//! The state and the actions of the staff's element, without a browser. Every event goes through
//! [`StaffState::handle`], which changes the state and returns the effects, and every answer through
//! [`StaffState::take_answer`]. Views draw the state. The
//! component carries out the effects.

pub(crate) mod amount;
mod answers;
pub(crate) mod chips;
mod details;
mod dialog;
mod events;
pub(crate) mod failure;
pub(crate) mod forms;
pub(crate) mod links;
mod list_requests;
pub(crate) mod listed;
pub(crate) mod local_day;
mod merging;
mod navigation;
mod news;
mod operation_page;
pub(crate) mod permitted_actions;
pub(crate) mod refund_form;
mod request;
pub(crate) mod search;
pub(crate) mod second_factor;
mod sign_in;
#[cfg(test)]
mod test_data;
#[cfg(test)]
mod tests;

pub(crate) use dialog::Dialog;
pub(crate) use events::{Announcement, Ask, Effect, Event, Field, Focus, Input, Page, Press};
pub(crate) use failure::{Failure, FailureKind};
pub(crate) use news::Following;
pub(crate) use operation_page::OperationPage;
pub(crate) use request::{Answer, Reference, Request, file_of};
pub(crate) use search::{Chunk, Place, Search};
pub(crate) use sign_in::SignInState;
pub(crate) use staff_model::Intent;

use local_day::Offset;
use payment_model::Timestamp;
use search::Filter;
use staff_model::{Exception, Permission, SecondFactor};
use std::rc::Rc;

/// The purpose of a request, to which its answer belongs.
#[derive(Debug, Clone, PartialEq)]
enum Purpose {
    Session,
    SignIn,
    SignOut,
    Search,
    More,
    Details,
    Exceptions,
    Links,
    Fresh,
    Poll,
    /// A question of the dialog, which ends with it.
    Line,
    Dialog,
    News,
    /// The search again, without a person.
    Quiet,
}

/// A request that is on its way.
#[derive(Debug)]
struct Running {
    call: u32,
    purpose: Purpose,
    request: Request,
    unattended: bool,
}

/// The exceptions, and a flag for a running request for them.
#[derive(Debug, Default)]
pub(crate) struct ExceptionList {
    pub(crate) list: Option<Vec<Rc<Exception>>>,
    /// How many there are, listed or not.
    pub(crate) total: u64,
    pub(crate) running: bool,
    pub(crate) failure: Option<Failure>,
}

/// The whole state of the staff's element.
#[derive(Debug)]
pub(crate) struct StaffState {
    pub(crate) sign_in: SignInState,
    pub(crate) page: Page,
    pub(crate) before: Vec<Page>,
    pub(crate) search: Search,
    pub(crate) exceptions: ExceptionList,
    pub(crate) links: links::Links,
    pub(crate) operation: Option<OperationPage>,
    pub(crate) dialog: Option<Dialog>,
    /// The text for a screen reader, and a count of all texts so far. The count makes a reader say
    /// the same text again.
    pub(crate) announcement: Option<(u32, Announcement)>,
    /// What is announced with the next answer: while a dialog closes, a screen reader does not hear the page.
    late: Option<Announcement>,
    pub(crate) focus: Option<Focus>,
    pub(crate) news: Following,
    /// The operation that the page asks for before anybody is signed in.
    wanted: Option<Reference>,
    /// The actions that the page offers to staff besides looking. The server decides in the end.
    offered: Vec<Permission>,
    offset: Offset,
    /// Since when nobody sees the page.
    hidden: Option<Timestamp>,
    /// True while the requests that are sent are no use of the session: no person asks.
    unattended: bool,
    calls: u32,
    running: Vec<Running>,
    /// Requests that failed because the session had ended.
    repeat: Vec<(Purpose, Request)>,
    effects: Vec<Effect>,
}

impl StaffState {
    pub(crate) fn new(offered: Vec<Permission>, offset: Offset) -> Self {
        Self {
            sign_in: SignInState::default(),
            page: Page::Search,
            before: Vec::new(),
            search: Search::default(),
            exceptions: ExceptionList::default(),
            links: links::Links::default(),
            operation: None,
            dialog: None,
            announcement: None,
            late: None,
            focus: None,
            news: Following::default(),
            wanted: None,
            offered,
            offset,
            hidden: None,
            unattended: false,
            calls: 0,
            running: Vec::new(),
            repeat: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// True when the account has this permission and the page offers it. Without a second factor that the server
    /// requires, an account has none.
    pub(crate) fn may(&self, permission: Permission) -> bool {
        let session = self.sign_in.session.as_ref();
        session.is_some_and(|session| session.permissions.contains(&permission))
            && self.second_factor() != SecondFactor::Missing
            && self.offered.contains(&permission)
    }

    /// Sets the actions that the page offers to staff.
    pub(crate) fn offer(&mut self, offered: Vec<Permission>) {
        self.offered = offered;
    }

    /// True when the server named the signed-in account.
    pub(crate) fn is_signed_in(&self) -> bool {
        self.sign_in.session.is_some()
    }

    /// The merchant's time zone.
    pub(crate) fn zone(&self) -> &str {
        let session = self.sign_in.session.as_ref();
        session.map_or("UTC", |session| session.time_zone.as_str())
    }

    /// Why the selected operations cannot be refunded together: they are too many, or belong to
    /// several merchant codes.
    pub(crate) fn selection_problem(&self) -> Option<SelectionProblem> {
        let selected = self.search.selected();
        let code = selected.first().map(|row| &row.merchant_code);
        if selected.len() > refund_form::MOST {
            Some(SelectionProblem::TooMany)
        } else if selected.iter().any(|row| Some(&row.merchant_code) != code) {
            Some(SelectionProblem::SeveralCodes)
        } else {
            None
        }
    }

    /// Takes one event and returns the commands to carry out.
    pub(crate) fn handle(&mut self, input: Input) -> Vec<Effect> {
        let Input { at, entropy, event } = input;
        self.unattended = false;
        match event {
            Event::Started => {
                self.sign_in.checking = true;
                self.send(Purpose::Session, Request::Session);
            }
            Event::Typed(field, text) => self.type_in(field, text),
            Event::SignInPressed => {
                if let Some(request) = self.sign_in.submit(at) {
                    self.send(Purpose::SignIn, request);
                }
            }
            Event::SignOutPressed => {
                if !self.is_running(&Purpose::SignOut) {
                    self.send(Purpose::SignOut, Request::SignOut);
                }
            }
            Event::Opened(page) => self.open(page),
            Event::Shown(wanted) => self.show(wanted),
            Event::BackPressed => self.go_back(),
            Event::SearchPressed => self.start_search(),
            Event::ClearPressed => {
                let sort = std::mem::take(&mut self.search.filter.sort);
                self.search.filter = Filter {
                    sort,
                    ..Filter::default()
                };
                self.search.wrong.clear();
                self.start_search();
            }
            Event::MorePressed => self.list_on(),
            Event::Selected(chunk, row) => self.search.select(chunk, row),
            Event::FiltersPressed => self.search.unfolded = !self.search.unfolded,
            Event::ChipPressed(chip) => {
                let days = self.days(at);
                self.search.filter.toggle(chip, &days);
                self.start_search();
            }
            Event::Sorted(column) => {
                self.search.filter.sort_by(column);
                self.start_search();
            }
            Event::SelectedAll => self.search.select_all(),
            Event::SelectedNone => self.search.select_none(),
            Event::ReloadPressed => {
                self.enter();
                if self.page == Page::Search {
                    self.load_exceptions();
                }
            }
            Event::QueryPressed => {
                let request = self.operation.as_mut().and_then(|page| page.query(at));
                if let Some(request) = request {
                    self.send(Purpose::Fresh, request);
                }
            }
            Event::Asked(ask) => self.ask(ask),
            Event::Closed => self.close(),
            Event::DialogPressed(press) => self.press_in_dialog(at, press, entropy),
            Event::Woke => {}
            Event::Hidden => {
                self.hidden.get_or_insert(at);
                self.hurry();
            }
            Event::Appeared => {
                self.hidden = None;
                self.news.marked = 0;
                self.hurry();
            }
            Event::NewsPressed => self.show_news(),
            Event::SoundPressed => self.news.switch_sound(),
            Event::MarkPressed => self.news.switch_mark(),
        }
        self.follow(at)
    }

    /// Takes the answer to a request. It is no [`Event`], which buttons clone.
    pub(crate) fn take_answer(
        &mut self,
        at: Timestamp,
        call: u32,
        answer: Result<Answer, Failure>,
    ) -> Vec<Effect> {
        let late = self.late.take();
        self.answered(at, call, answer);
        if let Some(announcement) = late {
            self.announce(announcement);
        }
        self.follow(at)
    }

    fn follow(&mut self, at: Timestamp) -> Vec<Effect> {
        self.unattended = true;
        self.poll(at);
        self.follow_news(at);
        self.plan_waking(at);
        std::mem::take(&mut self.effects)
    }

    fn type_in(&mut self, field: Field, text: String) {
        if let Some(place) = self.search.filter.field(field) {
            *place = text;
            self.search.wrong.retain(|(wrong, _)| *wrong != field);
        } else if let Some(place) = self.sign_in.field(field) {
            *place = text;
        } else if let Some(dialog) = &mut self.dialog {
            dialog.type_in(field, text);
        }
    }

    fn announce(&mut self, announcement: Announcement) {
        let count = self.announcement.as_ref().map_or(0, |(count, _)| *count);
        self.announcement = Some((count.wrapping_add(1), announcement));
    }

    fn send(&mut self, purpose: Purpose, request: Request) {
        self.calls = self.calls.wrapping_add(1);
        let (call, unattended) = (self.calls, self.unattended);
        self.effects
            .push(Effect::Send(call, Box::new(request.clone()), unattended));
        self.running.push(Running {
            call,
            purpose,
            request,
            unattended,
        });
    }

    fn is_running(&self, purpose: &Purpose) -> bool {
        self.running.iter().any(|one| one.purpose == *purpose)
    }

    fn abort(&mut self, purpose: &Purpose) {
        self.abort_where(&|one, _| one == purpose);
    }

    fn abort_where(&mut self, unwanted: &dyn Fn(&Purpose, &Request) -> bool) {
        self.repeat
            .retain(|(purpose, request)| !unwanted(purpose, request));
        let Self {
            running, effects, ..
        } = self;
        running.retain(|one| {
            let keep = !unwanted(&one.purpose, &one.request);
            if !keep {
                effects.push(Effect::Abort(one.call));
            }
            keep
        });
    }

    /// Forgets everything that the last signed-in person saw.
    fn forget(&mut self) {
        let effects = self.running.drain(..).map(|one| Effect::Abort(one.call));
        self.effects.extend(effects);
        self.repeat.clear();
        self.page = Page::Search;
        self.before.clear();
        self.search = Search::default();
        self.exceptions = ExceptionList::default();
        self.links = links::Links::default();
        self.news = Following::default();
        self.operation = None;
        self.dialog = None;
    }
}

/// Why a selection cannot be refunded together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SelectionProblem {
    TooMany,
    SeveralCodes,
}
