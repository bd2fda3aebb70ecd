//! The addresses under `/api/staff`, as `staff_model::Route` lists them, for staff who signed in.
//!
//! ```text
//! session         signs in and out
//! second_factor   confirms a session by a code, and enrols a second factor
//! search          finds operations, as a page or as a file
//! operations      one operation with all details; the list of exceptions, and how one is resolved
//! query_or_cancel queries the service about an operation; cancels or reverses an operation
//! news            what changed since a desk looked last
//! refund, manual_returns
//!                 give money back
//! links           payment links that staff make
//! release         ends an unknown outcome or a block, by a second member of staff
//! refusals        refusals of the use cases as problems
//! ```
//!
//! A handler that takes [`Staff`] is for a signed-in account only. [`Staff::must`] demands a permission,
//! [`Staff::must_now`] also a recent code of the second factor before an act with money, and the other methods demand
//! that the account sees an operation: an account never learns whether an operation of another store exists. The folder
//! knows no session of a payer and has no rule about money.

mod links;
mod manual_returns;
mod news;
mod operations;
mod query_or_cancel;
mod refund;
mod refusals;
mod release;
mod search;
mod second_factor;
mod session;

use super::app::App;
use super::body::idempotency_key;
use super::body::wrong;
use super::doors::{Door, JSON_BYTES, Rate};
use super::problem::{Failure, Problem, ProblemKind};
use crate::clock::now;
use crate::db::{DbError, OperationPage};
use crate::staff::Account;
use axum::extract::FromRequestParts;
use axum::handler::Handler;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use payment_model::Timestamp;
use payment_rules::fingerprint;
use payment_rules::ledger::Requester;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::second_factor::{StoredFactor, is_confirmed};
use payment_rules::staff::{AuditRecord, MAX_SESSION_IDLE_TIME};
use serde::Serialize;
use staff_model::{
    AuditAction, Method, Permission, PermissionLacking, Route, SecondFactor, UNATTENDED,
};

pub(super) fn doors() -> Vec<Door> {
    Route::ALL.iter().map(|route| door_of(*route)).collect()
}

fn door_of(route: Route) -> Door {
    match route {
        Route::SignIn => door(route, session::sign_in),
        Route::Session => door(route, session::show),
        Route::SignOut => door(route, session::sign_out),
        Route::StepUp => door(route, second_factor::step_up),
        Route::BeginEnrolment => door(route, second_factor::begin_enrolment),
        Route::ConfirmEnrolment => door(route, second_factor::confirm_enrolment),
        Route::Search => door(route, search::search),
        Route::SearchFile => door(route, search::download),
        Route::Details => door(route, operations::details),
        Route::ReleaseOrder => door(route, release::order),
        Route::Exceptions => door(route, operations::exceptions),
        Route::ResolveException => door(route, operations::resolve),
        Route::Query => door(route, query_or_cancel::query_anew),
        Route::Cancel => door(route, query_or_cancel::cancel),
        Route::Refund => door(route, refund::refund),
        Route::Refunds => door(route, refund::refunds),
        Route::ReleaseAttempt => door(route, release::refund_attempt),
        Route::RecordReturn => door(route, manual_returns::record),
        Route::ReturnDone => door(route, manual_returns::done),
        Route::ReturnGivenUp => door(route, manual_returns::given_up),
        Route::MakeLink => door(route, links::make),
        Route::Links => door(route, links::list),
        Route::Link => door(route, links::show),
        Route::EndLink => door(route, links::end),
        Route::News => door(route, news::news),
        Route::ReleaseReversal => door(route, release::reversal),
    }
}

fn door<T: 'static>(route: Route, handler: impl Handler<T, App>) -> Door {
    let (method, body_bytes) = match route.method() {
        Method::Get => (axum::http::Method::GET, 0),
        Method::Post => (axum::http::Method::POST, JSON_BYTES),
        Method::Delete => (axum::http::Method::DELETE, 0),
    };
    Door::new(method, route.template(), body_bytes, Rate::Client, handler)
}

/// A signed-in member of staff, with the account as the file of accounts has it now.
#[derive(Clone)]
struct Staff {
    account: Account,
    /// The merchant codes whose operations the account may see.
    codes: Vec<String>,
    /// The hash of the session.
    session: String,
    /// When the session gave a code of the second factor last.
    confirmed_at: Option<Timestamp>,
    factor: StoredFactor,
    second_factor: SecondFactor,
}

impl Staff {
    fn name(&self) -> &str {
        &self.account.name
    }

    /// Demands a permission, and a second factor where the account must have one.
    fn must(&self, permission: Permission) -> Result<(), Problem> {
        if !self.account.permissions.contains(&permission) {
            let word = permission.as_str();
            let detail = format!(
                "Your account has no permission to {word}; ask whoever keeps the staff accounts."
            );
            let lacking = PermissionLacking { permission };
            return Err(Problem::new(ProblemKind::PermissionRequired, detail).carrying(&lacking));
        }
        if self.second_factor == SecondFactor::Missing {
            let detail = "This account may only look until it has a second factor: whoever runs the server prints a code for it (`second-factor NAME`), with which you set it up here.";
            return Err(Problem::new(ProblemKind::SecondFactorMissing, detail));
        }
        Ok(())
    }

    /// Demands what [`Staff::must`] does, and a recent code of the second factor before this act with money. A code that
    /// is asked for is on record.
    async fn must_now(
        &self,
        app: &App,
        permission: Permission,
        act: &AuditAction,
    ) -> Result<(), Failure> {
        self.must(permission)?;
        let is_enrolled = self.second_factor == SecondFactor::Enrolled;
        if !is_enrolled || is_confirmed(self.confirmed_at, now()) {
            return Ok(());
        }
        let asked = AuditAction::CodeAsked;
        let record = AuditRecord::without_operation(self.name(), asked, act.as_str());
        app.db.audit(&record).await?;
        let detail = "This needs a code from the last five minutes, and this request was not carried out. Give one, and repeat the request.";
        Err(Problem::new(ProblemKind::SecondFactorRequired, detail).into())
    }

    /// True when the account may see operations under this merchant code.
    fn sees(&self, merchant_code: &str) -> bool {
        self.codes.iter().any(|code| code == merchant_code)
    }

    /// Demands that the account may see operations under the merchant code in a body.
    fn must_see(&self, merchant_code: &str) -> Result<(), Problem> {
        if self.sees(merchant_code) {
            return Ok(());
        }
        let detail = "The field `merchant_code` must be one of those that this account sees.";
        Err(Problem::new(ProblemKind::BadRequest, detail).with("field", "merchant_code"))
    }

    /// The key of an operation, if one was found and the account may see it.
    fn visible(&self, found: Option<OperationKey>) -> Result<OperationKey, Problem> {
        let key = found.filter(|key| self.sees(key.merchant_code.as_str()));
        key.ok_or_else(Problem::not_found)
    }

    /// An operation that the account may see.
    async fn operation(&self, app: &App, key: &OperationKey) -> Result<OperationRecord, Failure> {
        let record = app.db.operation(key).await?;
        let record = record.filter(|_| self.sees(key.merchant_code.as_str()));
        Ok(record.ok_or_else(Problem::not_found)?)
    }

    /// An operation that the account may see, with everything that its page shows.
    async fn operation_page(
        &self,
        app: &App,
        key: &OperationKey,
    ) -> Result<OperationPage, Failure> {
        let page = app.db.operation_page(key, app.unsettled_since()).await?;
        let page = page.filter(|_| self.sees(key.merchant_code.as_str()));
        Ok(page.ok_or_else(Problem::not_found)?)
    }

    /// The account and the idempotency key of a request for money.
    fn requester(&self, headers: &HeaderMap) -> Result<Requester, Problem> {
        Ok(Requester {
            staff: self.name().to_owned(),
            key: idempotency_key(headers)?,
        })
    }
}

/// What distinguishes a repetition under a key from another request. It is computed from the parsed body,
/// so that neither the order of the fields nor a `null` for an absent one makes a difference.
fn request_fingerprint(act: &str, body: &impl Serialize) -> Result<String, Failure> {
    // A `Value` has its fields in the order of their names.
    let body = serde_json::to_value(body).map_err(|_| Failure::Internal)?;
    Ok(fingerprint(&format!("{act} {body}")))
}

const LONGEST_REASON_CHARACTERS: usize = 500;

/// The reason for an act of staff, without blanks around it. It is stored with the act.
fn reason(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    let sound = (1..=LONGEST_REASON_CHARACTERS).contains(&text.chars().count())
        && !text
            .chars()
            .any(|character| character.is_control() && character != '\n');
    if sound {
        Ok(text.to_owned())
    } else {
        Err(wrong("reason", "a text of 1 to 500 characters"))
    }
}

/// The codes that the account is limited to, or those of all stores, also of closed ones.
async fn codes(account: &Account, app: &App) -> Result<Vec<String>, DbError> {
    match &account.merchant_codes {
        None => app.merchant_codes().await,
        Some(own) => Ok(own.clone()),
    }
}

/// Whether a person made the request, which is a use of the session then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attention {
    Person,
    /// The desk asks by itself.
    None,
}

/// A signed-in member of staff whose desk asks by itself, which keeps no session alive.
struct UnattendedStaff(Staff);

impl FromRequestParts<App> for UnattendedStaff {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let staff = signed_in(&parts.headers, app, Attention::None).await?;
        Ok(Self(staff))
    }
}

impl FromRequestParts<App> for Staff {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let is_unattended = parts.headers.get(UNATTENDED);
        let attention = match is_unattended.is_some_and(|value| value == "?1") {
            true => Attention::None,
            false => Attention::Person,
        };
        signed_in(&parts.headers, app, attention).await
    }
}

/// The member of staff whose session the request has.
async fn signed_in(headers: &HeaderMap, app: &App, attention: Attention) -> Result<Staff, Failure> {
    let at = now();
    let hashes = app.sign_ins.cookies.of(headers);
    let look_only_idle = app.config.look_only_idle;
    let session = match hashes.is_empty() {
        true => None,
        false => app.db.staff_session(&hashes, look_only_idle, at).await?,
    };
    let accounts = app.config.staff_accounts.as_ref();
    let found = session.and_then(|session| {
        let account = accounts?.find(&session.holder.name)?;
        // Sessions from before a change of the password end.
        let is_same = account.password_fingerprint() == session.holder.password;
        let most_idle = match account.permissions.is_empty() {
            true => look_only_idle,
            false => MAX_SESSION_IDLE_TIME,
        };
        let is_used = session.used_at > at.saturating_sub(most_idle);
        (is_same && is_used).then_some((account, session))
    });
    let (account, session) = found.ok_or_else(|| {
        let detail = "Sign in; nobody is signed in here, or not any more.";
        Problem::new(ProblemKind::SignInRequired, detail)
    })?;
    if attention == Attention::Person {
        app.db.note_session_use(&session, at).await?;
    }
    let factors = &app.sign_ins.second_factors;
    Ok(Staff {
        codes: codes(&account, app).await?,
        second_factor: factors.state(&account.name, &session.factor),
        account,
        session: session.hash,
        confirmed_at: session.confirmed_at,
        factor: session.factor,
    })
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn a_reason_is_a_text_that_says_something() {
        let read = |text: &str| reason(text).ok();
        assert_eq!(read(" a\nb ").as_deref(), Some("a\nb"));
        assert_eq!(read(&"ñ".repeat(500)), Some("ñ".repeat(500)));
        for odd in ["", " \n", "\u{1b}[2J", &"n".repeat(501)] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
