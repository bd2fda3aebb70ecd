//! The addresses under `/api/staff`, as `staff_model::Route` lists them, for staff who signed in.
//!
//! ```text
//! session               signs in and out
//! search, search_file, details, exceptions
//!                       reads operations: a page, a file, one whole, those to look at
//! charges               asks the service about an operation; cancels and reverses it
//! refund, manual_returns
//!                       gives money back
//! keyed_request         what such requests have in common
//! releases              ends a doubt or a block, by a second person
//! reason                the reason that an act needs
//! problems, refund_problems
//!                       refusals of the use cases as problems
//! ```
//!
//! A handler that takes [`Staff`] is for a signed-in account only; [`Staff::must`] demands a
//! permission, and `Staff::codes` limits what the account sees. It knows no session of a payer,
//! has no rule about money, and never tells an account whether another store's operation exists.

mod charges;
mod details;
mod exceptions;
mod keyed_request;
mod manual_returns;
mod problems;
mod reason;
mod refund;
mod refund_problems;
mod releases;
mod search;
mod search_file;
mod session;

use super::Failure;
use super::app::App;
use super::problem::{Problem, ProblemKind};
use crate::clock::now;
use crate::db::DbError;
use crate::staff::Account;
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::routing::{MethodFilter, MethodRouter, on};
use staff_model::{Method, Permission, PermissionLacking, Route};

pub(super) fn router() -> Router<App> {
    let routes = Route::ALL.iter();
    routes.fold(Router::new(), |router, route| {
        router.route(route.template(), served(*route))
    })
}

/// The handler of an address.
fn served(route: Route) -> MethodRouter<App> {
    let method = match route.method() {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Delete => MethodFilter::DELETE,
    };
    match route {
        Route::SignIn => on(method, session::sign_in),
        Route::Session => on(method, session::show),
        Route::SignOut => on(method, session::sign_out),
        Route::Search => on(method, search::search),
        Route::SearchFile => on(method, search_file::download),
        Route::Details => on(method, details::details),
        Route::ReleaseOrder => on(method, releases::order),
        Route::Exceptions => on(method, exceptions::exceptions),
        Route::ResolveException => on(method, exceptions::resolve),
        Route::Query => on(method, charges::query_anew),
        Route::Cancel => on(method, charges::cancel),
        Route::Refund => on(method, refund::refund),
        Route::Refunds => on(method, refund::refunds),
        Route::ReleaseAttempt => on(method, releases::refund_attempt),
        Route::RecordReturn => on(method, manual_returns::record),
        Route::ReturnDone => on(method, manual_returns::done),
        Route::ReturnGivenUp => on(method, manual_returns::given_up),
        Route::ReleaseReversal => on(method, releases::reversal),
    }
}

/// A signed-in member of staff, with the account as it stands in the file now.
#[derive(Debug, Clone)]
pub(super) struct Staff {
    pub(super) account: Account,
    /// The merchant codes whose operations the account may see.
    pub(super) codes: Vec<String>,
}

impl Staff {
    pub(super) fn name(&self) -> &str {
        &self.account.name
    }

    /// True when the account may see operations under this merchant code.
    pub(super) fn sees(&self, merchant_code: &str) -> bool {
        self.codes.iter().any(|code| code == merchant_code)
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
        let lacking = PermissionLacking { permission };
        Err(Problem::new(ProblemKind::PermissionRequired, detail).carrying(&lacking))
    }
}

/// The codes that the account is limited to, or those of all stores, also of those that were closed.
async fn codes(account: &Account, app: &App) -> Result<Vec<String>, DbError> {
    match &account.merchant_codes {
        None => app.merchant_codes().await,
        Some(own) => Ok(own.clone()),
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
            (account.password_fingerprint() == holder.password).then_some(account)
        });
        let account = account.ok_or_else(|| {
            let detail = "Sign in; nobody is signed in here, or not any more.";
            Problem::new(ProblemKind::SignInRequired, detail)
        })?;
        let codes = codes(&account, app).await?;
        Ok(Self { account, codes })
    }
}
