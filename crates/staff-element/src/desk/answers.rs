//! Handles the answers of the merchant's server.

use super::forms::Stage;
use super::{Answer, Desk, Dialog, Focus, Page, Purpose, Running, Told, Trouble, TroubleKind};
use staff_model::OrderRelease;
use std::rc::Rc;

/// An answer of another kind than the request asks for cannot be: the border reads by request.
fn other<T>() -> Result<T, Trouble> {
    Err(TroubleKind::Unreadable.into())
}

impl Desk {
    pub(super) fn answered(&mut self, at: i64, call: u32, answer: Result<Answer, Trouble>) {
        let Some(place) = self.running.iter().position(|one| one.call == call) else {
            return;
        };
        let Running {
            purpose, request, ..
        } = self.running.remove(place);
        let door = matches!(
            purpose,
            Purpose::Session | Purpose::SignIn | Purpose::SignOut
        );
        let signed_out =
            matches!(&answer, Err(trouble) if trouble.kind == TroubleKind::SignInRequired);
        if signed_out && !door {
            self.door.expire();
            // A question is asked again by itself; what does something waits for a person.
            if purpose != Purpose::Dialog {
                self.repeat.push((purpose, request));
                return;
            }
        }
        match purpose {
            Purpose::Session => self.session_answered(answer),
            Purpose::SignIn => self.sign_in_answered(at, answer),
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
                self.tell(Told::Queried);
                self.load_details();
            }
            Purpose::Watch => {
                if let Some(page) = &mut self.operation {
                    page.take_watch(at, answer.as_ref().err());
                }
                if answer.is_ok() {
                    self.load_details();
                }
            }
            Purpose::Line => self.line_answered(&request, answer),
            Purpose::Dialog => self.dialog_answered(answer),
        }
    }

    fn session_answered(&mut self, answer: Result<Answer, Trouble>) {
        self.door.checking = false;
        match answer {
            Ok(Answer::Session(session)) => {
                self.door.open(session);
                self.enter();
            }
            Err(trouble) if trouble.kind != TroubleKind::SignInRequired => {
                self.door.stage = Stage::Open(Some(trouble));
            }
            _ => {}
        }
    }

    fn sign_in_answered(&mut self, at: i64, answer: Result<Answer, Trouble>) {
        let session = match answer {
            Ok(Answer::Session(session)) => session,
            Ok(_) => {
                self.door.refuse(at, TroubleKind::Unreadable.into());
                return;
            }
            Err(trouble) => {
                self.door.refuse(at, trouble);
                self.tell(Told::Failed);
                return;
            }
        };
        let again = self.door.expired;
        if self.door.open(session) {
            self.forget();
        }
        self.tell(Told::SignedIn);
        if again && !self.repeat.is_empty() {
            for (purpose, request) in std::mem::take(&mut self.repeat) {
                self.send(purpose, request);
            }
        } else if !again || !self.search.answered {
            self.focus = Some(Focus::Heading);
            self.enter();
        }
    }

    fn sign_out_answered(&mut self, answer: Result<Answer, Trouble>) {
        match answer {
            Ok(_) => self.leave(),
            Err(trouble) if trouble.kind == TroubleKind::SignInRequired => self.leave(),
            // A person who wants to sign out must know that they are still signed in.
            Err(trouble) => {
                self.door.stage = Stage::Open(Some(trouble));
                self.tell(Told::Failed);
            }
        }
    }

    fn leave(&mut self) {
        self.forget();
        self.door = super::Door::default();
        self.tell(Told::SignedOut);
        self.focus = Some(Focus::Heading);
    }

    fn search_answered(&mut self, answer: Result<Answer, Trouble>, anew: bool) {
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
                self.tell(Told::Found);
            }
            Err(trouble) => {
                self.search.running = false;
                self.search.trouble = Some(trouble);
                self.tell(Told::Failed);
            }
        }
    }

    fn exceptions_answered(&mut self, answer: Result<Answer, Trouble>) {
        self.exceptions.running = false;
        match answer {
            Ok(Answer::Exceptions(found)) => {
                let list = found.exceptions.into_iter().map(Rc::new).collect();
                self.exceptions.list = Some(list);
                self.exceptions.trouble = None;
                self.tell(Told::Exceptions);
            }
            Ok(_) => self.exceptions.trouble = Some(TroubleKind::Unreadable.into()),
            Err(trouble) => {
                self.exceptions.trouble = Some(trouble);
                self.tell(Told::Failed);
            }
        }
    }

    fn dialog_answered(&mut self, answer: Result<Answer, Trouble>) {
        let Some(dialog) = &mut self.dialog else {
            return;
        };
        let failed = answer.is_err();
        let mut close = false;
        let told = match dialog {
            Dialog::Cancel(form) => {
                form.stage = match answer {
                    Ok(Answer::Cancel(response)) => Stage::Done(response),
                    Ok(_) => Stage::Open(Some(TroubleKind::Unreadable.into())),
                    Err(trouble) => Stage::Open(Some(trouble)),
                };
                Told::Cancelled
            }
            Dialog::Refund(form) => {
                form.settle(answer.and_then(|answer| match answer {
                    Answer::Refund(response) => Ok(response),
                    _ => other(),
                }));
                if let Some(page) = &mut self.operation {
                    page.restart_watch();
                }
                Told::Refunded
            }
            Dialog::Reason(form) => {
                form.stage = match answer {
                    Ok(Answer::Order(release)) => Stage::Done(Some(release)),
                    Ok(_) => Stage::Done(None),
                    Err(trouble) => Stage::Open(Some(trouble)),
                };
                // The dialog for an order stays open to show if the order is free.
                close = form.stage == Stage::Done(None);
                match form.subject {
                    super::forms::Subject::Release(_)
                    | super::forms::Subject::ReleaseReversal(_) => Told::Released,
                    super::forms::Subject::ReleaseOrder(_) => match form.stage {
                        Stage::Done(Some(OrderRelease { released: true })) => Told::OrderReleased,
                        _ => Told::OrderAsked,
                    },
                    super::forms::Subject::MadeReturn(_)
                    | super::forms::Subject::GiveUpReturn(_) => Told::Recorded,
                    super::forms::Subject::Resolve(_) => Told::Resolved,
                }
            }
            Dialog::Return(form) => {
                close = !failed;
                form.settle(answer.map(|_| ()));
                Told::Recorded
            }
        };
        self.tell(if failed { Told::Failed } else { told });
        if close {
            self.close();
        } else if let Page::Operation(_) = self.page {
            // The page behind shows the current state after every result.
            if !self.door.asks() {
                self.load_details();
            }
        }
    }
}
