use super::failure::whole_seconds;
use super::forms::Submission;
use super::{Failure, FailureKind, Field, Request};
use payment_model::Timestamp;
use staff_model::{SignIn, StaffSession};
use std::time::Duration;

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
    pub(crate) password: String,
    pub(crate) submission: Submission<()>,
    /// Until when the server wants no further attempt.
    pub(crate) blocked_until: Option<Timestamp>,
}

impl Default for Submission<()> {
    fn default() -> Self {
        Self::Open(None)
    }
}

impl SignInState {
    /// True when a person has to sign in before the work can go on.
    pub(crate) fn asks(&self) -> bool {
        !self.checking && (self.session.is_none() || self.expired)
    }

    pub(super) fn field(&mut self, field: Field) -> Option<&mut String> {
        match field {
            Field::Name => Some(&mut self.name),
            Field::Password => Some(&mut self.password),
            _ => None,
        }
    }

    /// How long no attempt is permitted, in whole seconds.
    pub(crate) fn blocked_for(&self, at: Timestamp) -> Option<Duration> {
        let left = whole_seconds(self.blocked_until?.duration_since(at));
        (!left.is_zero()).then_some(left)
    }

    pub(super) fn submit(&mut self, at: Timestamp) -> Option<Request> {
        let ready =
            matches!(self.submission, Submission::Open(_)) && self.blocked_for(at).is_none();
        if !ready || self.name.trim().is_empty() || self.password.is_empty() {
            return None;
        }
        self.submission = Submission::Sending;
        Some(Request::SignIn(SignIn {
            name: self.name.trim().to_owned(),
            password: self.password.clone(),
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

    pub(super) fn refuse(&mut self, at: Timestamp, failure: Failure) {
        // A password that did not work is not shown or kept.
        if failure.kind == FailureKind::SignInRefused {
            self.password.clear();
        }
        self.blocked_until = failure.retry_after.map(|after| at.saturating_add(after));
        self.submission = Submission::Open(Some(failure));
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
