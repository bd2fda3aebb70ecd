//! The addresses under `/api/staff`.

mod charges;
mod csv;
mod details;
mod end_return;
mod exceptions;
mod problems;
mod reason;
mod record_return;
mod refund;
mod refund_problems;
mod release_attempt;
mod release_order;
mod release_reversal;
mod search;
mod session;

use super::Failure;
use super::problem::{Problem, ProblemKind};
use crate::clock::now;
use crate::http::app::App;
use crate::signer::fingerprint;
use crate::staff::Account;
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::routing::{delete, get, post};
use staff_model::Permission;

pub(super) fn router() -> Router<App> {
    Router::new()
        .route(
            "/session",
            post(session::sign_in)
                .get(session::show)
                .delete(session::sign_out),
        )
        .route("/operations", get(search::search))
        .route("/operations.csv", get(csv::file))
        .route(
            "/operations/{merchant_code}/{number}",
            get(details::details),
        )
        .route(
            "/operations/{merchant_code}/{number}/release",
            post(release_order::release),
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
            post(release_attempt::release),
        )
        .route("/returns", post(record_return::record))
        .route("/returns/{return_id}/done", post(end_return::done))
        .route("/returns/{return_id}/given-up", post(end_return::given_up))
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
    pub(super) fn codes(&self, app: &App) -> Vec<String> {
        codes(&self.account, app)
    }

    /// Whether operations under this merchant code are its to see.
    pub(super) fn sees(&self, app: &App, merchant_code: &str) -> bool {
        self.codes(app).iter().any(|code| code == merchant_code)
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
fn codes(account: &Account, app: &App) -> Vec<String> {
    let stores = app.config.stores.all();
    let codes = stores.map(|store| store.merchant_code.clone());
    match &account.merchant_codes {
        None => codes.collect(),
        Some(own) => codes.filter(|code| own.contains(code)).collect(),
    }
}

impl FromRequestParts<App> for Staff {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let hashes = app.sign_ins.cookies.of(&parts.headers);
        let holder = if hashes.is_empty() {
            None
        } else {
            app.db.use_session(&hashes, now()).await?
        };
        let accounts = app.config.staff.accounts.as_ref();
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
