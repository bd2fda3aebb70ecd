//! Handles the answers of the merchant's server.

use super::forms::Submission;
use super::{
    Announcement, Answer, Dialog, Failure, FailureKind, Focus, Page, Purpose, Reference, Request,
    Running, StaffState,
};
use payment_model::Timestamp;
use staff_model::OrderRelease;
use std::rc::Rc;

/// An answer of another kind than the request asks for cannot be: the border reads by request.
fn other<T>() -> Result<T, Failure> {
    Err(FailureKind::Unreadable.into())
}

impl StaffState {
    pub(super) fn answered(&mut self, at: Timestamp, call: u32, answer: Result<Answer, Failure>) {
        let Some(place) = self.running.iter().position(|one| one.call == call) else {
            return;
        };
        let Running {
            purpose,
            request,
            unattended,
            ..
        } = self.running.remove(place);
        self.unattended = unattended;
        if answer.is_ok() {
            self.news.hear(at, &purpose);
        }
        let is_about_session = matches!(
            purpose,
            Purpose::Session | Purpose::SignIn | Purpose::SignOut
        );
        let signed_out =
            matches!(&answer, Err(failure) if failure.kind == FailureKind::SignInRequired);
        if signed_out && !is_about_session {
            self.sign_in.expire();
            // A question is asked again by itself; what does something waits for a person.
            if purpose != Purpose::Dialog {
                self.repeat.push((purpose, request));
                return;
            }
        }
        match purpose {
            Purpose::Session => self.session_answered(answer),
            Purpose::SignIn => self.sign_in_answered(at, request, answer),
            Purpose::SignOut => self.sign_out_answered(answer),
            Purpose::Search => self.search_answered(answer, true),
            Purpose::More => self.search_answered(answer, false),
            Purpose::Details => self.details_answered(at, &request, answer),
            Purpose::Exceptions => self.exceptions_answered(answer),
            Purpose::Fresh => {
                let answer = answer.and_then(|answer| match answer {
                    Answer::Query(response) => Ok(response),
                    _ => other(),
                });
                if let Some(page) = &mut self.operation {
                    page.take_query(answer);
                }
                self.announce(Announcement::Queried);
                self.load_details();
            }
            Purpose::Poll => {
                if let Some(page) = &mut self.operation {
                    page.take_poll(at, answer.as_ref().err());
                }
                if answer.is_ok() {
                    self.load_details();
                }
            }
            Purpose::Links => self.links_answered(&request, answer),
            Purpose::Line => self.line_answered(&request, answer),
            Purpose::Dialog => self.dialog_answered(at, request, answer),
            Purpose::News => self.news_answered(at, answer),
            Purpose::Quiet => self.quiet_answered(at, answer),
        }
    }

    fn session_answered(&mut self, answer: Result<Answer, Failure>) {
        self.sign_in.checking = false;
        match answer {
            Ok(Answer::Session(session)) => {
                self.sign_in.open(session);
                self.arrive();
            }
            Err(failure) if failure.kind != FailureKind::SignInRequired => {
                self.sign_in.form.submission = Submission::Open(Some(failure));
            }
            _ => {}
        }
    }

    fn sign_in_answered(
        &mut self,
        at: Timestamp,
        request: Request,
        answer: Result<Answer, Failure>,
    ) {
        let session = match answer {
            Ok(Answer::Session(session)) => session,
            Ok(_) => {
                self.sign_in.refuse(at, FailureKind::Unreadable.into());
                return;
            }
            Err(failure) => {
                self.announce(Announcement::of(&failure));
                self.focus = self.sign_in.refuse(at, failure);
                return;
            }
        };
        let again = self.sign_in.expired;
        self.news.resume();
        if self.sign_in.open(session) {
            self.forget();
        }
        self.announce(Announcement::SignedIn);
        if again && !self.repeat.is_empty() {
            for (purpose, request) in std::mem::take(&mut self.repeat) {
                self.send(purpose, request);
            }
        } else if !again || !self.search.answered {
            self.focus = Some(Focus::Heading);
            self.arrive();
        }
        // The sign-in took a code: the act waits for none, and is pressed again.
        self.leave_step_up(FailureKind::SignInRequired);
        if let Request::SignIn(typed) = request {
            self.enrol_by(at, typed);
        }
    }

    fn sign_out_answered(&mut self, answer: Result<Answer, Failure>) {
        match answer {
            Ok(_) => self.leave(),
            Err(failure) if failure.kind == FailureKind::SignInRequired => self.leave(),
            // A person who wants to sign out must know that they are still signed in.
            Err(failure) => {
                self.sign_in.form.submission = Submission::Open(Some(failure));
                self.announce(Announcement::Failed);
            }
        }
    }

    fn leave(&mut self) {
        self.forget();
        self.sign_in = super::SignInState::default();
        self.announce(Announcement::SignedOut);
        self.focus = Some(Focus::Heading);
    }

    fn search_answered(&mut self, answer: Result<Answer, Failure>, anew: bool) {
        let page = answer.and_then(|answer| match answer {
            Answer::Page(page) => Ok(page),
            _ => other(),
        });
        match page {
            Ok(page) => {
                let before = self.search.chunks.len();
                self.search.take(page, anew);
                // The button that was pressed may be gone; the new rows are where to go on.
                if !anew && self.search.chunks.len() > before && self.search.next.is_none() {
                    self.focus = Some(Focus::Chunk(before));
                }
                self.announce(Announcement::Found);
            }
            Err(failure) => {
                self.search.running = false;
                self.search.failure = Some(failure);
                self.announce(Announcement::Failed);
            }
        }
    }

    fn exceptions_answered(&mut self, answer: Result<Answer, Failure>) {
        self.exceptions.running = false;
        match answer {
            Ok(Answer::Exceptions(found)) => {
                let counts = found.counts.iter().map(|counted| counted.count);
                // A server from before counts lists all.
                let listed = u64::try_from(found.exceptions.len()).unwrap_or(u64::MAX);
                self.exceptions.total = counts.fold(0, u64::saturating_add).max(listed);
                let list = found.exceptions.into_iter().map(Rc::new).collect();
                self.exceptions.list = Some(list);
                self.exceptions.failure = None;
                if self.page == Page::Exceptions && !self.unattended {
                    self.announce(Announcement::Exceptions);
                }
            }
            // What nobody asked for is asked for again by the next news.
            Err(_) if self.unattended => {}
            Ok(_) => self.exceptions.failure = Some(FailureKind::Unreadable.into()),
            Err(failure) => {
                self.exceptions.failure = Some(failure);
                if self.page == Page::Exceptions {
                    self.announce(Announcement::Failed);
                }
            }
        }
    }

    /// Takes what became of the form over the page.
    pub(super) fn act_answered(&mut self, answer: Result<Answer, Failure>) {
        let Some(dialog) = &mut self.dialog else {
            return;
        };
        let failed = answer.is_err();
        let may_have_happened = match &answer {
            Ok(_) => true,
            Err(failure) => failure.is_uncertain(),
        };
        let mut changed = None;
        let mut close = false;
        let done = match dialog {
            Dialog::Cancel(form) => {
                form.submission = match answer {
                    Ok(Answer::Cancel(response)) => Submission::Done(response),
                    Ok(_) => Submission::Open(Some(FailureKind::Unreadable.into())),
                    Err(failure) => Submission::Open(Some(failure)),
                };
                Announcement::Cancelled
            }
            Dialog::Refund(form) => {
                form.settle(answer.and_then(|answer| match answer {
                    Answer::Refund(response) => Ok(response),
                    _ => other(),
                }));
                if let Some(page) = &mut self.operation {
                    page.restart_polling();
                }
                Announcement::Refunded
            }
            Dialog::Reason(form) => {
                form.submission = match answer {
                    Ok(Answer::Order(release)) => Submission::Done(Some(release)),
                    Ok(_) => Submission::Done(None),
                    Err(failure) => Submission::Open(Some(failure)),
                };
                // The dialog for an order stays open to show if the order is free.
                close = matches!(form.submission, Submission::Done(None));
                let exception = form.subject.exception().filter(|_| may_have_happened);
                changed = exception.map(Reference::of);
                match form.subject {
                    super::forms::Subject::Release(_)
                    | super::forms::Subject::ReleaseReversal(_) => Announcement::Released,
                    super::forms::Subject::ReleaseOrder(_) => match form.submission {
                        Submission::Done(Some(OrderRelease { released: true })) => {
                            Announcement::OrderReleased
                        }
                        _ => Announcement::OrderAsked,
                    },
                    super::forms::Subject::MadeReturn(_)
                    | super::forms::Subject::GiveUpReturn(_) => Announcement::Recorded,
                    super::forms::Subject::Resolve(_) => Announcement::Resolved,
                }
            }
            Dialog::Return(form) => {
                close = !failed;
                form.settle(answer.map(|_| ()));
                Announcement::Recorded
            }
            Dialog::MakeLink(_) | Dialog::Link(_) => return self.link_answered(answer),
            Dialog::StepUp(_) | Dialog::Enrolment(_) => return,
        };
        let said = if failed { Announcement::Failed } else { done };
        if close {
            self.late = Some(said);
            self.close();
        } else {
            self.announce(said);
            // The page behind shows the current state after every result.
            if matches!(self.page, Page::Operation(_)) && !self.sign_in.asks() {
                self.load_details();
            }
        }
        // The search behind the list of exceptions shows the operation as it is now, too.
        if let Some(reference) = changed.filter(|_| self.page == Page::Exceptions) {
            self.load_row(reference);
        }
    }
}
