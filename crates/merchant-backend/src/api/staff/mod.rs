//! The addresses under `/api/staff`.

mod block;
mod charges;
mod details;
mod exceptions;
mod reason;
mod refund;
mod release;
mod release_reversal;
mod return_end;
mod returned;
mod search;
mod session;
mod sheet;

use super::Failure;
use crate::backend::Backend;
use crate::clock::now;
use crate::problem::{Problem, ProblemKind};
use crate::seal::fingerprint;
use crate::staff::Account;
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::routing::{delete, get, post};
use staff_model::Permission;

pub(super) fn router() -> Router<Backend> {
    Router::new()
        .route(
            "/session",
            post(session::sign_in)
                .get(session::show)
                .delete(session::sign_out),
        )
        .route("/operations", get(search::search))
        .route("/operations.csv", get(sheet::sheet))
        .route(
            "/operations/{merchant_code}/{number}",
            get(details::details),
        )
        .route(
            "/operations/{merchant_code}/{number}/release",
            post(block::release),
        )
        .route("/exceptions", get(exceptions::exceptions))
        .route("/exceptions/resolve", post(exceptions::resolve))
        .route("/charges/{merchant_code}/{number}", delete(charges::cancel))
        .route(
            "/charges/{merchant_code}/{number}/{transaction_id}",
            get(charges::query_anew),
        )
        .route("/refund", post(refund::refund))
        .route("/refund/{merchant_code}/{number}", get(refund::refunds))
        .route(
            "/refund-attempts/{attempt_id}/release",
            post(release::release),
        )
        .route("/returns", post(returned::record))
        .route("/returns/{return_id}/done", post(return_end::done))
        .route("/returns/{return_id}/given-up", post(return_end::given_up))
        .route(
            "/reversals/{reversal_id}/release",
            post(release_reversal::release),
        )
}

/// A signed-in member of staff: the account as its file has it now.
#[derive(Debug, Clone)]
pub(super) struct Staff {
    pub(super) account: Account,
}

impl Staff {
    pub(super) fn name(&self) -> &str {
        &self.account.name
    }

    /// The merchant codes whose operations are its to see.
    pub(super) fn codes(&self, backend: &Backend) -> Vec<String> {
        codes(&self.account, backend)
    }

    /// Whether operations under this merchant code are its to see.
    pub(super) fn sees(&self, backend: &Backend, merchant_code: &str) -> bool {
        self.codes(backend).iter().any(|code| code == merchant_code)
    }

    /// Demands a permission.
    pub(super) fn must(&self, permission: Permission) -> Result<(), Problem> {
        if self.account.permissions.contains(&permission) {
            return Ok(());
        }
        let word = permission.as_str();
        let detail = format!(
            "Your account has no permission to {word}; ask whoever keeps the staff accounts."
        );
        Err(Problem::new(ProblemKind::PermissionRequired, detail).with("permission", word))
    }
}

/// The codes of the merchant's stores, or those among them that the account is limited to.
fn codes(account: &Account, backend: &Backend) -> Vec<String> {
    let stores = backend.config.stores.all();
    let codes = stores.map(|store| store.merchant_code.clone());
    match &account.merchant_codes {
        None => codes.collect(),
        Some(own) => codes.filter(|code| own.contains(code)).collect(),
    }
}

impl FromRequestParts<Backend> for Staff {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, backend: &Backend) -> Result<Self, Failure> {
        let hashes = backend.staff_cookies.of(&parts.headers);
        let holder = if hashes.is_empty() {
            None
        } else {
            backend.store.use_session(&hashes, now()).await?
        };
        let accounts = backend.config.staff.accounts.as_ref();
        let account = holder.and_then(|holder| {
            let account = accounts?.find(&holder.name)?;
            // Another password is another person, until they sign in.
            (fingerprint(&account.password_hash) == holder.password).then_some(account)
        });
        account.map(|account| Self { account }).ok_or_else(|| {
            let detail = "Sign in; nobody is signed in here, or not any more.";
            Problem::new(ProblemKind::SignInRequired, detail).into()
        })
    }
}
