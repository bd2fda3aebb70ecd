//! The forms over the page.

use super::forms::{CancelForm, ReasonForm, ReturnForm, Subject};
use super::links::{LinkForm, OneLink};
use super::permitted_actions::Way;
use super::refund_form::RefundForm;
use super::second_factor::{CodeForm, Enrolment, StepUpForm};
use super::{
    Ask, FailureKind, Field, Focus, Intent, Page, Press, Purpose, Reference, Request, StaffState,
    permitted_actions,
};
use payment_model::{Cents, Timestamp};
use staff_model::Permission;

/// The form over the page; one at a time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Dialog {
    Cancel(Box<CancelForm>),
    Refund(Box<RefundForm>),
    Reason(Box<ReasonForm>),
    Return(Box<ReturnForm>),
    MakeLink(Box<LinkForm>),
    Link(Box<OneLink>),
    /// The code that one of the forms above waits for.
    StepUp(Box<StepUpForm>),
    Enrolment(Box<Enrolment>),
}

impl Dialog {
    pub(super) fn type_in(&mut self, field: Field, text: String) {
        match (self, field) {
            (Self::Cancel(form), Field::Confirmation) => form.typed = text,
            (Self::Refund(form), Field::Amount(at)) => form.type_amount(at, text),
            (Self::Reason(form), Field::Reason) => {
                form.reason = text;
                form.empty = false;
            }
            (Self::Return(form), Field::Reason) if form.is_open() => {
                form.reason = text;
                form.empty = false;
            }
            (Self::Return(form), Field::AlreadyMade) if form.is_open() => {
                form.already_made = !text.is_empty();
            }
            (Self::Return(form), Field::Amount(_)) if form.is_open() => {
                form.typed = text;
                form.wrong = None;
            }
            (Self::MakeLink(form), field) => form.type_in(field, text),
            (Self::Link(one), Field::Language) => one.language = text,
            (Self::StepUp(step), Field::DialogCode) => step.form.code.0 = text,
            (Self::Enrolment(enrolment), Field::DialogCode) => enrolment.form.code.0 = text,
            _ => {}
        }
    }

    pub(super) fn press(
        &mut self,
        at: Timestamp,
        press: Press,
        limit: Option<Cents>,
        entropy: u128,
    ) -> Option<Request> {
        match (self, press) {
            (Self::Cancel(form), Press::On) => form.send(),
            (Self::Reason(form), Press::On) => form.send(),
            (Self::Return(form), Press::On) => form.send(entropy),
            (Self::StepUp(step), Press::On) => step.send(at),
            (Self::Enrolment(enrolment), Press::On) => enrolment.send(at),
            (Self::Refund(form), press) => match press {
                Press::On if form.review(limit) => None,
                Press::On => form.send(entropy),
                Press::Edit => {
                    form.edit();
                    None
                }
                Press::All(at) => {
                    form.take(at, true);
                    None
                }
                Press::Part(at) => {
                    form.take(at, false);
                    None
                }
                Press::Drop(at) => {
                    form.drop_line(at);
                    None
                }
                Press::Correct => {
                    form.correct();
                    None
                }
            },
            _ => None,
        }
    }

    /// The form for a code, where the dialog has one.
    pub(super) fn code_form(&self) -> Option<&CodeForm> {
        match self {
            Self::StepUp(step) => Some(&step.form),
            Self::Enrolment(enrolment) => Some(&enrolment.form),
            _ => None,
        }
    }

    /// True while the dialog must stay: until the answer to its request arrives, or its recovery codes are stored.
    fn holds(&self) -> bool {
        match self {
            Self::Cancel(form) => form.submission.is_sending(),
            Self::Refund(form) => form.is_sending(),
            Self::Reason(form) => form.submission.is_sending(),
            Self::Return(form) => form.submission.is_sending(),
            Self::MakeLink(form) => form.submission.is_sending(),
            // To look at a link changes nothing.
            Self::Link(one) => one.ends && one.submission.is_sending(),
            Self::StepUp(step) => step.form.is_sending(),
            Self::Enrolment(enrolment) => enrolment.holds(),
        }
    }
}

fn why(subject: Subject) -> Dialog {
    Dialog::Reason(Box::new(ReasonForm::new(subject)))
}

impl StaffState {
    pub(super) fn ask(&mut self, ask: Ask) {
        if self.dialog.is_some() {
            return;
        }
        let (cancels, refunds) = (self.may(Permission::Cancel), self.may(Permission::Refund));
        let details = self
            .operation
            .as_ref()
            .and_then(|page| page.details.clone());
        let row = details.as_ref().map(|details| details.row.clone());
        self.dialog = match ask {
            Ask::Cancel => row.and_then(|row| {
                let intent = permitted_actions::cancel(&row, cancels).ok()?;
                (intent == Intent::Cancel)
                    .then(|| Dialog::Cancel(Box::new(CancelForm::new(row, intent))))
            }),
            Ask::GiveBack(way) => details.and_then(|details| {
                let possible = permitted_actions::ways(&details.row, details.refundable);
                if !possible.contains(&way) || !self.may(way.permission()) {
                    return None;
                }
                let row = details.row.clone();
                Some(match way {
                    Way::Reverse => Dialog::Cancel(Box::new(CancelForm::new(row, Intent::Reverse))),
                    Way::Refund => Dialog::Refund(Box::new(RefundForm::of(&details))),
                    Way::ByHand => Dialog::Return(Box::new(ReturnForm::new(row))),
                })
            }),
            Ask::RefundSelected => {
                let rows: Vec<_> = self.search.selected().into_iter().cloned().collect();
                if rows.is_empty() || !refunds || self.selection_problem().is_some() {
                    return;
                }
                for row in &rows {
                    self.send(Purpose::Line, Request::Details(Reference::of(row)));
                }
                Some(Dialog::Refund(Box::new(RefundForm::new(rows))))
            }
            Ask::Release(attempt) => row
                .filter(|_| refunds)
                .map(|row| why(Subject::Release(Box::new((*attempt, row))))),
            Ask::ReleaseReversal(reversal) => row
                .filter(|_| cancels)
                .map(|row| why(Subject::ReleaseReversal(Box::new((*reversal, row))))),
            Ask::ReleaseOrder(exception) => {
                cancels.then(|| why(Subject::ReleaseOrder(Box::new(exception.operation.clone()))))
            }
            Ask::MadeReturn(returned) => row
                .filter(|_| refunds)
                .map(|row| why(Subject::MadeReturn(Box::new((*returned, row))))),
            Ask::GiveUpReturn(returned) => row
                .filter(|_| refunds)
                .map(|row| why(Subject::GiveUpReturn(Box::new((*returned, row))))),
            Ask::Resolve(exception, reason) => {
                let mut form = ReasonForm::new(Subject::Resolve(Box::new((*exception).clone())));
                form.reason = reason;
                Some(Dialog::Reason(Box::new(form)))
            }
            Ask::MakeLink | Ask::ShowLink(_) | Ask::EndLink(_) => self.ask_about_link(ask),
            Ask::Enrolment => Some(Dialog::Enrolment(Box::default())),
        };
        // A screen reader would read it as a part of the dialog.
        self.announcement = None;
    }

    pub(super) fn press_in_dialog(&mut self, at: Timestamp, press: Press, entropy: u128) {
        let limit = self.sign_in.session.as_ref().and_then(|s| s.refund_limit);
        match &mut self.dialog {
            // The recovery codes are stored, and forgotten here.
            Some(Dialog::Enrolment(enrolment)) if enrolment.is_done() => self.dialog = None,
            Some(Dialog::MakeLink(_) | Dialog::Link(_)) => self.press_about_link(at, entropy),
            Some(dialog) => {
                if let Some(request) = dialog.press(at, press, limit, entropy) {
                    self.send(Purpose::Dialog, request);
                } else if dialog
                    .code_form()
                    .is_some_and(|form| form.code.0.is_empty())
                {
                    self.focus = Some(Focus::Field(Field::DialogCode));
                }
            }
            None => {}
        }
    }

    pub(super) fn close(&mut self) {
        match &self.dialog {
            Some(dialog) if dialog.holds() => return,
            Some(Dialog::StepUp(_)) => {
                return self.leave_step_up(FailureKind::SecondFactorRequired);
            }
            _ => {}
        }
        self.abort(&Purpose::Line);
        let closed = self.dialog.take();
        // The page behind the dialog shows the actions that were done, or may have been done.
        match closed {
            Some(Dialog::Refund(form)) if form.lines.len() > 1 || self.page == Page::Search => {
                self.search.select_none();
                self.enter();
            }
            Some(Dialog::Enrolment(_)) | None => {}
            Some(Dialog::Link(one)) if one.has_ended() => {
                // The button that was pressed is gone.
                self.focus = Some(Focus::Heading);
                self.enter();
            }
            Some(_) => self.enter(),
        }
    }
}
