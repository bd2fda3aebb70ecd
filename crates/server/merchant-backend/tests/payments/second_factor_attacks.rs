//! Attacks on accounts that have a second factor: no cent leaves, and each attack leaves a record.

use crate::support::accounts::{REFUNDER, SECOND_REFUNDER};
use crate::support::database::{copied, tamper};
use crate::support::payer::Answer;
use crate::support::roles::{refunder, second_refunder};
use crate::support::sales::{Sale, settled_installments};
use crate::support::second_factor::{
    App, EnrolledStaff, an_hour_passes, begin, confirm, cookies, enrol, enrolment_code,
    five_minutes_pass, forget_used_codes, records, second_factor, sign_in, sign_in_from, step_up,
};
use crate::support::stack::Stack;
use crate::support::staff_client::{StaffClient, part};
use merchant_backend::SecondFactorPolicy;
use merchant_backend::simulation::carry_out;

/// A server that requires second factors, a payment to steal, and an account that is enrolled.
struct Target {
    stack: Stack,
    sale: Sale,
    staff: EnrolledStaff,
}

impl Target {
    async fn new() -> Self {
        let required = |config: &mut merchant_backend::Config| {
            config.second_factor_policy = SecondFactorPolicy::Required;
        };
        let stack = Stack::start_with(required).await;
        let sale = settled_installments(&stack).await;
        let staff = enrol(&stack, refunder(&stack).await, REFUNDER).await;
        Self { stack, sale, staff }
    }

    /// Tries to give the payment back.
    async fn steals(&self, client: &StaffClient) -> Answer {
        client
            .refund("theft", &[part(&self.sale.number, 100)])
            .await
    }

    async fn lost_nothing(&self) {
        assert!(self.stack.seen_at("POST", "/refund").await.is_empty());
    }

    /// The records since the account was enrolled.
    async fn records(&self) -> Vec<String> {
        let mut records = records(&self.stack, REFUNDER).await;
        records.drain(..2);
        records
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_opens_nothing() {
    let target = Target::new().await;
    let asked = sign_in(&target.stack, REFUNDER, None).await;
    assert_eq!(asked.problem(), "second-factor-required");
    let nobody = StaffClient::nobody(&target.stack);
    assert_eq!(target.steals(&nobody).await.problem(), "sign-in-required");
    assert_eq!(target.records().await, ["code-asked"]);
    target.lost_nothing().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_and_a_stolen_session_give_nothing_back() {
    let target = Target::new().await;
    five_minutes_pass(&target.stack).await;
    let stolen = target.staff.client.clone();
    let asked = target.steals(&stolen).await;
    assert_eq!(asked.problem(), "second-factor-required");
    let wrong = target.staff.app.wrong_code();
    assert_eq!(
        step_up(&stolen, &wrong).await.problem(),
        "second-factor-refused"
    );
    assert_eq!(
        target.steals(&stolen).await.problem(),
        "second-factor-required"
    );
    let own = enrolment_code(&target.stack, SECOND_REFUNDER).await;
    assert_eq!(
        begin(&stolen, &own).await.problem(),
        "second-factor-refused"
    );
    assert_eq!(
        target.records().await,
        ["code-asked", "code-refused", "code-asked", "code-refused"]
    );
    target.lost_nothing().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_code_is_used_up_wherever_it_is_replayed() {
    let target = Target::new().await;
    let seen = target.staff.app.code(0);
    assert_eq!(
        sign_in(&target.stack, REFUNDER, Some(&seen)).await.status,
        200
    );
    five_minutes_pass(&target.stack).await;
    let replayed = sign_in(&target.stack, REFUNDER, Some(&seen)).await;
    assert_eq!(replayed.problem(), "second-factor-refused");
    let stolen = &target.staff.client;
    assert_eq!(
        step_up(stolen, &seen).await.problem(),
        "second-factor-refused"
    );
    // An earlier code that was never used counts no more either.
    let earlier = target.staff.app.code(-1);
    assert_eq!(
        step_up(stolen, &earlier).await.problem(),
        "second-factor-refused"
    );
    assert_eq!(
        target.steals(stolen).await.problem(),
        "second-factor-required"
    );
    target.lost_nothing().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_requests_at_once_uses_a_code() {
    let target = Target::new().await;
    let code = target.staff.app.code(0);
    let stolen = target.staff.client.clone();
    let (one, other) = tokio::join!(
        step_up(&target.staff.client, &code),
        sign_in(&target.stack, REFUNDER, Some(&code))
    );
    let right = [one.status, other.status];
    let right = right.iter().filter(|status| **status < 300).count();
    assert_eq!(right, 1, "{} {}", one.text, other.text);
    let recovery = &target.staff.recovery_codes[0];
    let (one, other) = tokio::join!(step_up(&stolen, recovery), step_up(&stolen, recovery));
    let right = [one.status, other.status];
    assert_eq!(right.iter().filter(|status| **status == 204).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_codes_waits_longer_and_longer_and_locks_neither_others_nor_for_ever() {
    let target = Target::new().await;
    let stack = &target.stack;
    let other = enrol(stack, second_refunder(stack).await, SECOND_REFUNDER).await;
    let wrong = target.staff.app.wrong_code();
    for _ in 0..5 {
        let refused = sign_in(stack, REFUNDER, Some(&wrong)).await;
        assert_eq!(refused.problem(), "second-factor-refused");
    }
    // Even the right code waits, or guessing would go on; codes that nobody guesses do not.
    let slowed = sign_in(stack, REFUNDER, Some(&target.staff.app.code(0))).await;
    assert_eq!(
        (slowed.status, slowed.problem().as_str()),
        (429, "too-many-requests")
    );
    let wait: u64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let known = StaffClient::nobody(stack).with_cookie(&target.staff.device);
    let at_home = sign_in_from(&known, REFUNDER, Some(&target.staff.app.code(0))).await;
    assert_eq!(at_home.status, 200, "{}", at_home.text);
    let refused = sign_in_from(&known, REFUNDER, Some(&wrong)).await;
    assert_eq!(refused.problem(), "second-factor-refused");
    assert_eq!(
        sign_in(stack, SECOND_REFUNDER, Some(&other.app.code(0)))
            .await
            .status,
        200
    );
    an_hour_passes(stack).await;
    assert_eq!(
        sign_in(stack, REFUNDER, Some(&target.staff.app.code(1)))
            .await
            .status,
        200
    );
    // The right code ends the count.
    forget_used_codes(stack).await;
    let refused = sign_in(stack, REFUNDER, Some(&wrong)).await;
    assert_eq!(refused.problem(), "second-factor-refused");
    target.lost_nothing().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_recovery_codes_nor_the_operators_code_wait_for_a_guesser() {
    let target = Target::new().await;
    let stack = &target.stack;
    let wrong = target.staff.app.wrong_code();
    for _ in 0..5 {
        sign_in(stack, REFUNDER, Some(&wrong)).await;
    }
    let slowed = sign_in(stack, REFUNDER, Some(&wrong)).await;
    assert_eq!(slowed.problem(), "too-many-requests");
    for _ in 0..3 {
        let unguessable = sign_in(stack, REFUNDER, Some("0000-0000-0000-0000")).await;
        assert_eq!(unguessable.problem(), "second-factor-refused");
    }
    let recovery = &target.staff.recovery_codes[0];
    assert_eq!(sign_in(stack, REFUNDER, Some(recovery)).await.status, 200);
    for _ in 0..5 {
        sign_in(stack, REFUNDER, Some(&wrong)).await;
    }
    let code = enrolment_code(stack, REFUNDER).await;
    let signed_in = sign_in(stack, REFUNDER, Some(&code)).await;
    let client = StaffClient::nobody(stack).signed_in_by(&signed_in);
    assert_eq!(begin(&client, &code).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_on_which_a_thief_had_the_password_alone_guess_no_codes_after_the_enrolment() {
    let stack = Stack::start().await;
    let mut devices = Vec::new();
    for _ in 0..3 {
        let signed_in = sign_in(&stack, REFUNDER, None).await;
        devices.push(cookies(&signed_in).pop().unwrap());
    }
    let staff = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    let wrong = staff.app.wrong_code();
    let mut refused = 0;
    for device in devices {
        assert!(device.starts_with("staff_device_"), "{device}");
        let thief = StaffClient::nobody(&stack).with_cookie(&device);
        for _ in 0..4 {
            let answer = sign_in_from(&thief, REFUNDER, Some(&wrong)).await;
            refused += u32::from(answer.problem() == "second-factor-refused");
        }
    }
    // All of them are one unknown device.
    assert_eq!(refused, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_overheard_the_operators_code_sees_another_key_than_its_owner() {
    let stack = Stack::start().await;
    let (owner, thief) = (refunder(&stack).await, refunder(&stack).await);
    let code = enrolment_code(&stack, REFUNDER).await;
    let of_owner = begin(&owner, &code).await.json();
    let app = App::of_key(of_owner["key"].as_str().unwrap());
    let of_thief = begin(&thief, &code).await.json();
    assert_ne!(of_owner["key"], of_thief["key"]);
    // The owner notices, and the key of the thief is gone with the next beginning.
    let refused = confirm(&owner, &code, &app.code(0)).await;
    assert_eq!(refused.problem(), "second-factor-refused");
    let again = begin(&owner, &code).await.json();
    assert_ne!(again["key"], of_owner["key"]);
    let thiefs = App::of_key(of_thief["key"].as_str().unwrap());
    let refused = confirm(&thief, &code, &thiefs.code(0)).await;
    assert_eq!(refused.problem(), "second-factor-refused");
    let app = App::of_key(again["key"].as_str().unwrap());
    assert_eq!(confirm(&owner, &code, &app.code(0)).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_recovery_code_opens_nothing() {
    let target = Target::new().await;
    let used = &target.staff.recovery_codes[0];
    assert_eq!(step_up(&target.staff.client, used).await.status, 204);
    five_minutes_pass(&target.stack).await;
    let refused = sign_in(&target.stack, REFUNDER, Some(used)).await;
    assert_eq!(refused.problem(), "second-factor-refused");
    assert_eq!(
        target.records().await,
        ["recovery-code", "step-up", "code-refused"]
    );
    target.lost_nothing().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_backup_brings_no_session_no_code_and_no_device_back() {
    for policy in [SecondFactorPolicy::Required, SecondFactorPolicy::Optional] {
        let mut target = Target::new().await;
        let pending = enrolment_code(&target.stack, REFUNDER).await;
        target.stack.stop().await;
        target.stack.database = copied(&target.stack).await;
        let told = carry_out(&target.stack.settings_for(&["restored"]))
            .await
            .unwrap();
        assert!(told.contains("so all have ended: ana."), "{told}");
        target.stack.change = match policy {
            SecondFactorPolicy::Required => |config| {
                config.second_factor_policy = SecondFactorPolicy::Required;
            },
            SecondFactorPolicy::Optional => |config| {
                config.second_factor_policy = SecondFactorPolicy::Optional;
            },
        };
        target.stack.run().await;
        let stolen = &target.staff.client;
        assert_eq!(target.steals(stolen).await.problem(), "sign-in-required");
        let old = [
            target.staff.app.code(0),
            target.staff.recovery_codes[0].clone(),
            pending.clone(),
        ];
        for code in old {
            let signed_in = sign_in(&target.stack, REFUNDER, Some(&code)).await;
            assert_eq!(second_factor(&signed_in.json()), "missing");
            let client = StaffClient::nobody(&target.stack).signed_in_by(&signed_in);
            let refused = target.steals(&client).await;
            assert_eq!(refused.problem(), "second-factor-missing");
            let refused = step_up(&client, &code).await;
            assert_eq!(refused.problem(), "second-factor-refused");
            an_hour_passes(&target.stack).await;
            let refused = begin(&client, &pending).await;
            assert_eq!(refused.problem(), "second-factor-refused");
            an_hour_passes(&target.stack).await;
            target.stack.restart().await;
        }
        target.lost_nothing().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_knows_the_password_enrols_nothing() {
    let required = |config: &mut merchant_backend::Config| {
        config.second_factor_policy = SecondFactorPolicy::Required;
    };
    let mut stack = Stack::start_with(required).await;
    let sale = settled_installments(&stack).await;
    let thief = refunder(&stack).await;
    // Without the operator there is nothing to enrol by, and another account's code is none.
    let of_other = enrolment_code(&stack, SECOND_REFUNDER).await;
    for code in ["", "00000-00000-00000-00000", &of_other] {
        assert_eq!(
            begin(&thief, code).await.problem(),
            "second-factor-refused",
            "{code}"
        );
        an_hour_passes(&stack).await;
        let confirmed = confirm(&thief, code, "123456").await;
        assert_eq!(confirmed.problem(), "second-factor-refused", "{code}");
        an_hour_passes(&stack).await;
    }
    // The limits of one process begin anew.
    stack.restart().await;
    // A code that was used, one that was replaced, and one of yesterday.
    let owner = enrol(&stack, refunder(&stack).await, REFUNDER).await;
    let signed_in = sign_in(&stack, REFUNDER, Some(&owner.app.code(0))).await;
    let thief = StaffClient::nobody(&stack).signed_in_by(&signed_in);
    let replaced = enrolment_code(&stack, REFUNDER).await;
    let expired = enrolment_code(&stack, REFUNDER).await;
    tamper(
        &stack,
        "UPDATE staff_second_factors SET enrolment_until = 1",
    )
    .await;
    for code in [&owner.enrolment_code, &replaced, &expired] {
        assert_eq!(
            begin(&thief, code).await.problem(),
            "second-factor-refused",
            "{code}"
        );
    }
    five_minutes_pass(&stack).await;
    let refused = thief.refund("theft", &[part(&sale.number, 100)]).await;
    assert_eq!(refused.problem(), "second-factor-required");
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
    let refusals = records(&stack, REFUNDER).await;
    let refusals = refusals.iter().filter(|action| *action == "code-refused");
    assert_eq!(refusals.count(), 9);
}
