//! Confirms a session by a code of the second factor, and enrols one.

use super::Staff;
use crate::clock::now;
use crate::db::{CodeAttempt, CodeOutcome};
use crate::http::app::App;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::staff::SignInAttempt;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use payment_rules::fingerprint;
use payment_rules::second_factor::{FactorChange, StoredFactor};
use staff_model::{BeginEnrolment, ConfirmEnrolment, Enrolled, EnrolmentKey, StepUp};
use std::net::IpAddr;

/// `POST /api/staff/session/code`: confirms the session for acts with money.
pub(super) async fn step_up(
    State(app): State<App>,
    staff: Staff,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<StepUp>,
) -> Result<StatusCode, Failure> {
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        let change = factors.judge(staff.name(), stored, &body.code, now())?;
        // The operator's code only permits to enrol.
        change.confirms_session().then_some((change, ()))
    };
    give_code(&app, &staff, caller, &headers, judge).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/staff/second-factor`: begins an enrolment, or shows its key again.
pub(super) async fn begin_enrolment(
    State(app): State<App>,
    staff: Staff,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<BeginEnrolment>,
) -> Result<Json<EnrolmentKey>, Failure> {
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        permits_enrolment(&app, &staff, stored, &body.enrolment_code)?;
        let begun = stored.enrolment.as_ref()?.sealed_key.clone();
        let Some(sealed) = begun.or_else(|| factors.sealed_key(staff.name())) else {
            return Some((FactorChange::PermitEnrolment, None));
        };
        let shown = factors.shown(staff.name(), &sealed);
        Some((FactorChange::BeginEnrolment(sealed), shown))
    };
    let shown = give_code(&app, &staff, caller, &headers, judge).await?;
    // Only a system without random bytes makes no key.
    Ok(Json(shown.ok_or(Failure::Internal)?))
}

/// `POST /api/staff/second-factor/confirm`: the account has a second factor from now on, and no other session.
pub(super) async fn confirm_enrolment(
    State(app): State<App>,
    staff: Staff,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<ConfirmEnrolment>,
) -> Result<Json<Enrolled>, Failure> {
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        permits_enrolment(&app, &staff, stored, &body.enrolment_code)?;
        factors.confirmed(staff.name(), stored, &body.code, now())
    };
    let recovery_codes = give_code(&app, &staff, caller, &headers, judge).await?;
    Ok(Json(Enrolled { recovery_codes }))
}

fn permits_enrolment(app: &App, staff: &Staff, stored: &StoredFactor, code: &str) -> Option<()> {
    let factors = &app.sign_ins.second_factors;
    let change = factors.judge(staff.name(), stored, code, now())?;
    matches!(change, FactorChange::PermitEnrolment).then_some(())
}

/// Checks a code that a signed-in member of staff gives; wrong ones count as failed attempts to sign in do.
async fn give_code<T>(
    app: &App,
    staff: &Staff,
    caller: Caller,
    headers: &HeaderMap,
    judge: impl FnOnce(&StoredFactor) -> Option<(FactorChange, T)>,
) -> Result<T, Failure> {
    let attempt = SignInAttempt {
        name: staff.name().to_owned(),
        address: caller.0,
        device: app.sign_ins.devices.of(headers, &staff.account, now()),
    };
    take(app, &attempt)?;
    let value = use_code(app, &attempt, Some(&staff.session), judge).await?;
    app.sign_ins.attempts.forgive(&attempt);
    Ok(value)
}

/// Counts an attempt to sign in, or to confirm a session by a code.
pub(super) fn take(app: &App, attempt: &SignInAttempt) -> Result<(), Problem> {
    app.sign_ins.attempts.take(attempt).map_err(|wait| {
        let detail = "Too many attempts to sign in failed; wait as long as Retry-After says, or use a device on which you signed in before.";
        Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait)
    })
}

/// Logs a failed attempt. A typed name may be a password, and a full address identifies a person.
pub(super) fn warn(attempt: &SignInAttempt, what: &'static str) {
    let (name, client) = (fingerprint(&attempt.name), network(attempt.address));
    tracing::warn!(name, client, "{what}");
}

/// Checks the code of an attempt.
pub(super) async fn use_code<T>(
    app: &App,
    attempt: &SignInAttempt,
    session: Option<&str>,
    judge: impl FnOnce(&StoredFactor) -> Option<(FactorChange, T)>,
) -> Result<T, Failure> {
    let code = CodeAttempt {
        name: &attempt.name,
        device: attempt.device.as_deref(),
        session,
        now: now(),
    };
    match app.db.use_code(code, judge).await? {
        CodeOutcome::Right(value) => Ok(value),
        CodeOutcome::Wrong => {
            warn(attempt, "a code of the second factor was wrong");
            let detail = "The code is wrong, was used before or has expired. Every code counts once: wait for the next one.";
            Err(Problem::new(ProblemKind::SecondFactorRefused, detail).into())
        }
        CodeOutcome::Wait(wait) => {
            let detail = "Too many codes of this account were wrong; wait as long as Retry-After says, or use a device on which you signed in before.";
            Err(Problem::new(ProblemKind::TooManyRequests, detail)
                .retry_after(wait)
                .into())
        }
    }
}

/// The network of a client, which does not identify a person: its /24, or the /64 of a [`Caller`].
fn network(client: IpAddr) -> String {
    match client {
        IpAddr::V4(client) => {
            let [a, b, c, _] = client.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(client) => format!("{client}/64"),
    }
}
