//! The second factor: the code that an act waits for, and the enrolment of a person's device.

use super::failure::whole_seconds;
use super::forms::Submission;
use super::{Announcement, Answer, Dialog, Failure, FailureKind, Field, Focus};
use super::{Purpose, Request, StaffState};
use payment_model::Timestamp;
use staff_model::{
    BeginEnrolment, ConfirmEnrolment, Enrolled, EnrolmentKey, SecondFactor, SignIn, StepUp,
};
use std::fmt;
use std::time::Duration;

/// The characters of an enrolment code without its separators. An app's code has 6.
const ENROLMENT_CODE_CHARS: usize = 20;
const RECOVERY_CODE_CHARS: usize = 16;

/// A password or a code, which no log shows.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Secret(pub(crate) String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(redacted)")
    }
}

/// A form with a code, which the server may refuse for some time after too many attempts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CodeForm {
    pub(crate) code: Secret,
    pub(crate) submission: Submission<()>,
    /// Until when the server wants no further attempt.
    blocked_until: Option<Timestamp>,
}

impl CodeForm {
    /// How long no attempt is permitted, in whole seconds.
    pub(crate) fn blocked_for(&self, at: Timestamp) -> Option<Duration> {
        let left = whole_seconds(self.blocked_until?.duration_since(at));
        (!left.is_zero()).then_some(left)
    }

    pub(crate) fn is_sending(&self) -> bool {
        self.submission.is_sending()
    }

    /// True while what is typed has to wait, or is being sent. The long codes never wait, since nobody guesses them.
    pub(crate) fn is_off(&self, at: Timestamp) -> bool {
        // The codes are ASCII, and the tables of all other letters would be 2 KB of the download.
        let characters = self.code.0.chars().filter(char::is_ascii_alphanumeric);
        let waits = characters.count() < RECOVERY_CODE_CHARS && self.blocked_for(at).is_some();
        self.is_sending() || waits
    }

    /// The typed code, if it may be sent now.
    fn submit(&mut self, at: Timestamp) -> Option<String> {
        let code = self.code.0.trim();
        if self.is_off(at) || code.is_empty() {
            return None;
        }
        let code = code.to_owned();
        self.submission = Submission::Sending;
        Some(code)
    }

    /// Takes a failure. Returns the focus that a refused code asks for.
    pub(super) fn refuse(
        &mut self,
        at: Timestamp,
        failure: Failure,
        field: Field,
    ) -> Option<Focus> {
        let refused = failure.kind == FailureKind::SecondFactorRefused;
        if refused {
            self.code.0.clear();
        }
        let wait = failure.retry_after;
        let wait = wait.filter(|_| failure.kind == FailureKind::TooManyRequests);
        self.blocked_until = wait.map(|after| at.saturating_add(after));
        self.submission = Submission::Open(Some(failure));
        refused.then_some(Focus::Field(field))
    }
}

/// The question for a code in front of the form whose request the server did not carry out without one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StepUpForm {
    pub(crate) form: CodeForm,
    /// The form, which still waits for the answer to its request.
    act: Dialog,
    /// The request, which is sent unchanged after the code.
    request: Request,
}

impl StepUpForm {
    pub(super) fn send(&mut self, at: Timestamp) -> Option<Request> {
        let code = self.form.submit(at)?;
        Some(Request::StepUp(StepUp { code }))
    }
}

/// The enrolment of a device.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Enrolment {
    /// The enrolment code, then a code of the app.
    pub(crate) form: CodeForm,
    pub(crate) step: EnrolmentStep,
    /// An answer to the confirmation got lost, and the recovery codes with it.
    pub(crate) is_unsure: bool,
}

/// How far an enrolment is.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum EnrolmentStep {
    #[default]
    Code,
    Key(BeginEnrolment, Box<EnrolmentKey>),
    /// The recovery codes, which only the answer to the confirmation has.
    Done(Enrolled),
}

impl Enrolment {
    /// True while the dialog must stay: a request is running, or the codes are not stored yet.
    pub(super) fn holds(&self) -> bool {
        self.form.is_sending() || self.is_done()
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.step, EnrolmentStep::Done(_))
    }

    pub(super) fn send(&mut self, at: Timestamp) -> Option<Request> {
        let code = self.form.submit(at)?;
        Some(match &self.step {
            EnrolmentStep::Key(begun, _) => Request::ConfirmEnrolment(ConfirmEnrolment {
                enrolment_code: begun.enrolment_code.clone(),
                code,
            }),
            _ => Request::BeginEnrolment(BeginEnrolment {
                enrolment_code: code,
            }),
        })
    }
}

impl StaffState {
    /// Whether the account has a second factor.
    pub(crate) fn second_factor(&self) -> SecondFactor {
        let session = self.sign_in.session.as_ref();
        session.map_or(SecondFactor::Unknown, |session| session.second_factor)
    }

    fn set_second_factor(&mut self, now: SecondFactor) {
        if let Some(session) = &mut self.sign_in.session {
            session.second_factor = now;
        }
    }

    /// Begins an enrolment where the person signed in with the code for one.
    pub(super) fn enrol_by(&mut self, at: Timestamp, signed_in: SignIn) {
        let code = signed_in.code.unwrap_or_default();
        let length = code.chars().filter(|c| !matches!(c, ' ' | '-')).count();
        if length != ENROLMENT_CODE_CHARS || self.dialog.is_some() {
            return;
        }
        let mut enrolment = Enrolment::default();
        enrolment.form.code = Secret(code);
        if let Some(request) = enrolment.send(at) {
            self.dialog = Some(Dialog::Enrolment(Box::new(enrolment)));
            self.send(Purpose::Dialog, request);
        }
    }

    /// Takes what the server answers to the request of the form over the page.
    pub(super) fn dialog_answered(
        &mut self,
        at: Timestamp,
        request: Request,
        answer: Result<Answer, Failure>,
    ) {
        match request {
            Request::StepUp(_) => return self.step_up_answered(at, answer),
            Request::BeginEnrolment(begun) => {
                return self.enrolment_answered(at, Some(begun), answer);
            }
            Request::ConfirmEnrolment(_) => return self.enrolment_answered(at, None, answer),
            _ => {}
        }
        match answer.as_ref().err().map(|failure| failure.kind) {
            Some(FailureKind::SecondFactorRequired) => {
                let step_up = |act| {
                    let form = CodeForm::default();
                    Dialog::StepUp(Box::new(StepUpForm { form, act, request }))
                };
                self.dialog = self.dialog.take().map(step_up);
                self.announce(Announcement::Code(FailureKind::SecondFactorRequired));
                return;
            }
            Some(FailureKind::SecondFactorMissing) => self.set_second_factor(SecondFactor::Missing),
            _ => {}
        }
        self.act_answered(answer);
    }

    fn take_step_up(&mut self) -> Option<StepUpForm> {
        match self.dialog.take() {
            Some(Dialog::StepUp(step)) => Some(*step),
            other => {
                self.dialog = other;
                None
            }
        }
    }

    /// Leads from the question for a code back to the form, whose request was not carried out.
    pub(super) fn leave_step_up(&mut self, why: FailureKind) {
        if let Some(step) = self.take_step_up() {
            self.dialog = Some(step.act);
            self.act_answered(Err(why.into()));
        }
    }

    fn step_up_answered(&mut self, at: Timestamp, answer: Result<Answer, Failure>) {
        let Some(mut step) = self.take_step_up() else {
            return;
        };
        match answer {
            Ok(_) => {
                self.dialog = Some(step.act);
                self.send(Purpose::Dialog, step.request);
            }
            Err(failure) if failure.kind == FailureKind::SignInRequired => {
                self.dialog = Some(step.act);
                self.act_answered(Err(failure));
            }
            Err(failure) => {
                let said = Announcement::of(&failure);
                self.focus = step.form.refuse(at, failure, Field::DialogCode);
                self.dialog = Some(Dialog::StepUp(Box::new(step)));
                self.announce(said);
            }
        }
    }

    fn enrolment_answered(
        &mut self,
        at: Timestamp,
        begun: Option<BeginEnrolment>,
        answer: Result<Answer, Failure>,
    ) {
        let Some(Dialog::Enrolment(enrolment)) = &mut self.dialog else {
            return;
        };
        let confirms = begun.is_none();
        let failure = match (answer, begun) {
            (Ok(Answer::EnrolmentKey(key)), Some(begun)) => {
                enrolment.form = CodeForm::default();
                enrolment.step = EnrolmentStep::Key(begun, key);
                return self.announce(Announcement::EnrolmentKey);
            }
            (Ok(Answer::Enrolled(codes)), None) => {
                enrolment.form = CodeForm::default();
                enrolment.step = EnrolmentStep::Done(codes);
                self.set_second_factor(SecondFactor::Enrolled);
                return self.announce(Announcement::Enrolled);
            }
            (Ok(_), _) => FailureKind::Unreadable.into(),
            (Err(failure), _) => failure,
        };
        enrolment.is_unsure |= confirms && failure.is_uncertain();
        let said = Announcement::of(&failure);
        self.focus = enrolment.form.refuse(at, failure, Field::DialogCode);
        self.announce(said);
    }
}
