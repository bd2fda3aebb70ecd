use crate::http::payer::session::Session;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};

/// The session of a payer who may order now: from the request, or a new one.
#[derive(Debug)]
pub struct PayerSession {
    session: Session,
    /// The cookie that carries it.
    cookie: Option<HeaderValue>,
}

impl PayerSession {
    pub(super) fn new(session: Session, cookie: &str) -> Self {
        let cookie = cookie.parse().ok();
        Self { session, cookie }
    }

    pub(super) fn hash(&self) -> &str {
        &self.session.hash
    }

    /// Adds the session's cookie to these headers of the answer, also one that the browser has
    /// already: its time begins anew.
    pub fn set_cookie(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = &self.cookie {
            headers.insert(SET_COOKIE, cookie.clone());
        }
    }
}
