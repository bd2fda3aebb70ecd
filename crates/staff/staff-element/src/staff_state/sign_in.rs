use super::second_factor::{CodeForm, Secret};
use super::{Failure, FailureKind, Field, Focus, Request};
use payment_model::Timestamp;
use staff_model::{SignIn, StaffSession};

/// The signed-in person, and the form to sign in.
#[derive(Debug, Default)]
pub(crate) struct SignInState {
    /// The session of the person who is or was signed in on this page.
    pub(crate) session: Option<StaffSession>,
    /// True while the element asks the server who is signed in.
    pub(crate) checking: bool,
    /// True when the session ended during the work.
    pub(crate) expired: bool,
    pub(crate) name: String,
    pub(crate) password: Secret,
    /// True when the account needs a code, too.
    pub(crate) asks_code: bool,
    pub(crate) form: CodeForm,
}

impl SignInState {
    /// True when a person has to sign in before the work can go on.
    pub(crate) fn asks(&self) -> bool {
        !self.checking && (self.session.is_none() || self.expired)
    }

    pub(super) fn field(&mut self, field: Field) -> Option<&mut String> {
        match field {
            Field::Name => {
                // The code was asked for another account.
                self.asks_code = false;
                self.form.code = Secret::default();
                Some(&mut self.name)
            }
            Field::Password => Some(&mut self.password.0),
            Field::Code => Some(&mut self.form.code.0),
            _ => None,
        }
    }

    pub(super) fn submit(&mut self, at: Timestamp) -> Option<Request> {
        let code = self.form.code.0.trim();
        let empty = self.name.trim().is_empty()
            || self.password.0.is_empty()
            || (self.asks_code && code.is_empty());
        if self.form.is_off(at) || empty {
            return None;
        }
        let code = self.asks_code.then(|| code.to_owned());
        self.form.submission = super::forms::Submission::Sending;
        Some(Request::SignIn(SignIn {
            name: self.name.trim().to_owned(),
            password: self.password.0.clone(),
            code,
        }))
    }

    /// Opens a session. True when it belongs to another person than before.
    pub(super) fn open(&mut self, session: StaffSession) -> bool {
        let another = self
            .session
            .as_ref()
            .is_some_and(|before| before.name != session.name);
        *self = Self {
            name: session.name.clone(),
            session: Some(session),
            ..Self::default()
        };
        another
    }

    /// Takes a failure. Returns the focus that the code asks for.
    pub(super) fn refuse(&mut self, at: Timestamp, failure: Failure) -> Option<Focus> {
        // A password that did not work is not shown or kept.
        if failure.kind == FailureKind::SignInRefused {
            self.password = Secret::default();
        }
        if failure.kind == FailureKind::SecondFactorRequired {
            self.asks_code = true;
            self.form = CodeForm::default();
            return Some(Focus::Field(Field::Code));
        }
        self.form.refuse(at, failure, Field::Code)
    }

    /// The session is over. The screen keeps its content.
    pub(super) fn expire(&mut self) {
        if let Some(session) = &self.session
            && !self.expired
        {
            self.name = session.name.clone();
            self.expired = true;
        }
    }
}
