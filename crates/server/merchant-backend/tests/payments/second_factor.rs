//! Members of staff enrol a second factor, confirm acts with money by it, and come back after they lost it.

use crate::support::accounts::{REFUNDER, VIEWER};
use crate::support::database::{holds, values};
use crate::support::program::merchant_backend;
use crate::support::roles::{canceler, refunder};
use crate::support::sales::{paid_by_qr, settled_installments, waiting_qr};
use crate::support::second_factor::{
    begin, confirm, enrol, enrolment_code, five_minutes_pass, forget_used_codes, records,
    second_factor, sign_in, step_up,
};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{StaffClient, attempt, part};
use merchant_backend::SecondFactorPolicy;
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::{AttemptState, Route};
use std::path::Path;

async fn required() -> Stack {
    Stack::start_with(|config| config.second_factor_policy = SecondFactorPolicy::Required).await
}

/// Looks, or is about the session itself.
fn needs_no_factor(route: Route) -> bool {
    matches!(
        route,
        Route::SignIn
            | Route::Session
            | Route::SignOut
            | Route::StepUp
            | Route::BeginEnrolment
            | Route::ConfirmEnrolment
            | Route::Search
            | Route::SearchFile
            | Route::Details
            | Route::Exceptions
            | Route::Query
            | Route::Refunds
            | Route::Links
            | Route::Link
            | Route::News
    )
}

/// Asks for money and gives none back, so that no code is needed.
fn gives_nothing_back(route: Route) -> bool {
    matches!(route, Route::MakeLink | Route::EndLink)
}

/// A request for every other address.
fn acts(number: &str) -> Vec<(Method, String, Value)> {
    let acts = Route::ALL.iter().filter(|route| !needs_no_factor(**route));
    requests(number, acts)
}

/// A request for each of these addresses.
fn requests<'a>(
    number: &str,
    routes: impl Iterator<Item = &'a Route>,
) -> Vec<(Method, String, Value)> {
    let requests = routes.map(|route| {
        let path = route
            .template()
            .replace("{merchant_code}", MERCHANT)
            .replace("{merchant_operation_number}", number);
        let of = json!({"merchant_code": MERCHANT, "merchant_operation_number": number});
        let mut body = json!({"reason": "spoke to the payer"});
        match route {
            Route::Refund => {
                body = json!({"merchant_code": MERCHANT, "operations": [part(number, 100)]});
            }
            Route::RecordReturn | Route::ResolveException => {
                let members = body.as_object_mut().unwrap();
                members.extend(of.as_object().unwrap().clone());
                let (name, value) = match route {
                    Route::RecordReturn => ("amount", json!(100)),
                    _ => ("kind", json!("paid_late")),
                };
                members.insert(name.to_owned(), value);
            }
            Route::MakeLink => {
                body = json!({"merchant_code": MERCHANT, "amount": 100, "label": "Tea",
                    "pay_until": 4_000_000_000_000_i64});
            }
            Route::EndLink => body = Value::Null,
            Route::Cancel => {
                let path = format!("{path}?intent=reverse");
                return (Method::DELETE, path, Value::Null);
            }
            _ => {}
        }
        (Method::POST, path, body)
    });
    requests.collect()
}

async fn act(client: &StaffClient, (method, path, body): (Method, String, Value)) -> String {
    let body = (!body.is_null()).then_some(&body);
    let answer = client.send(method, &path, Some("k"), body).await;
    match answer.status {
        400.. => answer.problem(),
        _ => String::new(),
    }
}

/// An account that may do everything: the words of its permissions replace those of another one.
async fn manager(stack: &Stack) -> StaffClient {
    let file = stack.directory.path().join("staff.toml");
    let accounts = std::fs::read_to_string(&file).unwrap();
    let all = "permissions = [\"cancel\", \"refund\", \"link\"]";
    let accounts = accounts.replacen("permissions = [\"refund\"]", all, 1);
    std::fs::write(&file, accounts).unwrap();
    refunder(stack).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_act_with_money_asks_for_a_code_that_is_not_five_minutes_old() {
    let stack = Stack::start().await;
    let (_, number) = waiting_qr(&stack).await;
    let manager = manager(&stack).await;
    let staff = enrol(&stack, manager, REFUNDER).await;
    let asked = "second-factor-required";
    for request in acts(&number) {
        let path = request.1.clone();
        assert_ne!(act(&staff.client, request).await, asked, "{path}");
    }
    five_minutes_pass(&stack).await;
    let (free, acts): (Vec<_>, Vec<_>) = Route::ALL
        .iter()
        .filter(|route| !needs_no_factor(**route))
        .partition(|route| gives_nothing_back(**route));
    for request in requests(&number, acts.into_iter()) {
        let path = request.1.clone();
        assert_eq!(act(&staff.client, request).await, asked, "{path}");
    }
    for request in requests(&number, free.into_iter()) {
        let path = request.1.clone();
        assert_ne!(act(&staff.client, request).await, asked, "{path}");
    }
    // A waiting operation is cancelled without a code: nothing was paid.
    let (_, waiting) = waiting_qr(&stack).await;
    assert_eq!(staff.client.cancel(&waiting, "cancel").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_refund_is_made_under_its_own_key_after_the_code() {
    let stack = required().await;
    let sale = settled_installments(&stack).await;
    let staff = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    five_minutes_pass(&stack).await;
    let items = [part(&sale.number, 1000)];
    let refused = staff.client.refund("k", &items).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (403, "second-factor-required")
    );
    assert_eq!(step_up(&staff.client, &staff.app.code(0)).await.status, 204);
    let made = staff.client.refund("k", &items).await;
    assert_eq!(attempt(&made).state, AttemptState::Registered);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
    assert_eq!(
        records(&stack, REFUNDER).await,
        ["sign-in", "enrol", "code-asked", "step-up"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_without_a_second_factor_may_only_look_where_one_is_required() {
    let stack = required().await;
    let sale = paid_by_qr(&stack).await;
    let manager = manager(&stack).await;
    let session = manager.get("/session").await.json();
    assert_eq!(second_factor(&session), "missing");
    assert_eq!(
        manager
            .details(&sale.number)
            .await
            .row
            .merchant_operation_number,
        sale.number
    );
    assert_eq!(manager.get("/exceptions").await.status, 200);
    for request in acts(&sale.number) {
        let path = request.1.clone();
        let problem = act(&manager, request).await;
        assert_eq!(problem, "second-factor-missing", "{path}");
    }
    let (_, waiting) = waiting_qr(&stack).await;
    let refused = manager.cancel(&waiting, "cancel").await;
    assert_eq!(refused.problem(), "second-factor-missing");
    assert!(stack.seen("DELETE").await.is_empty());
    // Whoever lacks the permission has nothing to enrol for.
    let staff = enrol(&stack, manager, REFUNDER).await;
    let session = staff.client.get("/session").await.json();
    assert_eq!(second_factor(&session), "enrolled");
    assert_eq!(staff.client.cancel(&waiting, "cancel").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_enough_for_an_account_without_one_where_none_is_required() {
    let stack = Stack::start().await;
    let sale = paid_by_qr(&stack).await;
    let canceler = canceler(&stack).await;
    let session = canceler.get("/session").await.json();
    assert_eq!(second_factor(&session), "optional");
    assert_eq!(canceler.cancel(&sale.number, "reverse").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_asks_for_a_code_only_after_the_right_password() {
    let stack = required().await;
    let staff = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    let asked = sign_in(&stack, REFUNDER, None).await;
    assert_eq!(
        (asked.status, asked.problem().as_str()),
        (403, "second-factor-required")
    );
    assert!(asked.headers.get("set-cookie").is_none());
    let nobody = StaffClient::nobody(&stack);
    let wrong =
        json!({"name": REFUNDER, "password": "a wrong password", "code": staff.app.code(0)});
    let refused = nobody
        .send(Method::POST, "/session", None, Some(&wrong))
        .await;
    assert_eq!(refused.problem(), "sign-in-refused");
    // The code beside the wrong password was not looked at.
    let signed_in = sign_in(&stack, REFUNDER, Some(&staff.app.code(0))).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.text);
    assert_eq!(second_factor(&signed_in.json()), "enrolled");
    // Its session is confirmed, and the refusal is about the operation.
    let client = nobody.signed_in_by(&signed_in);
    let refused = client.refund("k", &[part("1", 100)]).await;
    assert_ne!(refused.problem(), "second-factor-required");
    // An account without one signs in as before.
    assert_eq!(sign_in(&stack, VIEWER, None).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_lost_the_phone_comes_in_by_a_recovery_code_and_enrols_another_one() {
    let stack = required().await;
    let lost = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    let by_code = sign_in(
        &stack,
        REFUNDER,
        Some(&lost.recovery_codes[0].to_lowercase()),
    )
    .await;
    assert_eq!(by_code.status, 200, "{}", by_code.text);
    let client = StaffClient::nobody(&stack).signed_in_by(&by_code);
    five_minutes_pass(&stack).await;
    assert_eq!(step_up(&client, &lost.recovery_codes[1]).await.status, 204);
    let found = enrol(&stack, client, REFUNDER).await;
    // Nothing of the lost phone counts any more: no session, no code of the app, no recovery code.
    assert_eq!(
        lost.client.get("/session").await.problem(),
        "sign-in-required"
    );
    for code in [lost.app.code(0), lost.recovery_codes[2].clone()] {
        let refused = sign_in(&stack, REFUNDER, Some(&code)).await;
        assert_eq!(refused.problem(), "second-factor-refused");
    }
    assert_eq!(
        sign_in(&stack, REFUNDER, Some(&found.app.code(0)))
            .await
            .status,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_lost_phone_and_codes_signs_in_by_the_operators_code_to_enrol() {
    let stack = required().await;
    let lost = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    let code = enrolment_code(&stack, REFUNDER).await;
    let signed_in = sign_in(&stack, REFUNDER, Some(&code)).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.text);
    let client = StaffClient::nobody(&stack).signed_in_by(&signed_in);
    let refused = client.refund("k", &[part("1", 100)]).await;
    assert_eq!(refused.problem(), "second-factor-required");
    assert_eq!(
        step_up(&client, &code).await.problem(),
        "second-factor-refused"
    );
    // A lost answer, another tab: the same key again.
    let begun = begin(&client, &code).await.json();
    assert_eq!(begin(&client, &code).await.json(), begun);
    let wrong = lost.app.wrong_code();
    let refused = confirm(&client, &code, &wrong).await;
    assert_eq!(refused.problem(), "second-factor-refused");
    enrol(&stack, client, REFUNDER).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_code_and_no_key_is_readable_in_the_database() {
    let stack = Stack::start().await;
    let client = refunder(&stack).await;
    let code = enrolment_code(&stack, REFUNDER).await;
    let key = begin(&client, &code).await.json()["key"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(!holds(&stack, &key).await && !holds(&stack, &key.replace(' ', "")).await);
    assert!(!holds(&stack, &code).await && !holds(&stack, &code.replace('-', "")).await);
    let staff = enrol(&stack, client, REFUNDER).await;
    for code in &staff.recovery_codes {
        assert!(!holds(&stack, code).await && !holds(&stack, &code.replace('-', "")).await);
    }
}

fn purge(stack: &Stack, staff_file: Option<&Path>) {
    let mut command = merchant_backend();
    command.args(["purge", "--older-than", "1"]);
    command.env("DATABASE", &stack.database);
    if let Some(file) = staff_file {
        command.env("STAFF_FILE", file);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_name_has_no_second_factor_and_a_purge_removes_that_of_the_old_name() {
    let mut stack = required().await;
    enrol(&stack, refunder(&stack).await, REFUNDER).await;
    let file = stack.directory.path().join("staff.toml");
    let accounts = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, accounts.replace("\"ana\"", "\"anita\"")).unwrap();
    let renamed = sign_in(&stack, "anita", None).await;
    assert_eq!(second_factor(&renamed.json()), "missing");
    let names = async || values::<String>(&stack, "SELECT name FROM staff_second_factors").await;
    assert_eq!(names().await, [REFUNDER]);
    purge(&stack, None);
    assert_eq!(names().await, [REFUNDER]);
    purge(&stack, Some(&file));
    let keys = "SELECT name FROM staff_second_factors WHERE sealed_key IS NOT NULL";
    assert!(values::<String>(&stack, keys).await.is_empty());
    // Should the account come back, its password alone is not enough, even where none is required.
    stack.stop().await;
    stack.change = |_| {};
    std::fs::write(&file, accounts).unwrap();
    stack.run().await;
    let back = sign_in(&stack, REFUNDER, None).await;
    assert_eq!(second_factor(&back.json()), "missing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_outlives_a_restart_with_its_confirmation() {
    let mut stack = required().await;
    let staff = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    stack.restart().await;
    let refused = staff.client.refund("k", &[part("1", 100)]).await;
    assert_ne!(refused.problem(), "second-factor-required");
    forget_used_codes(&stack).await;
    assert_eq!(step_up(&staff.client, &staff.app.code(0)).await.status, 204);
}
