//! What the code of an answer says, and the answers whose code reaches nobody.

use super::ended;
use crate::idempotency::{AuthorizationAnswer as Answer, AuthorizationRefusal};
use crate::operation::Phase;
use crate::operation::fixture::{authorized, record};
use crate::payment::CountedCode;
use crate::payment::fixture::{claim, order};
use crate::service_answers::AmountUnits::Cents;
use crate::timing::instant;
use qr_verdict::{Mismatch, Verdict};

#[test]
fn what_a_code_says_is_stored_with_its_answer() {
    let (now, code) = (instant(5), Verdict::Unknown);
    let mut shown = order([record()]);
    assert!(shown.authorized(
        &record(),
        &authorized(),
        Some(code.clone()),
        Cents,
        &claim(),
        now
    ));
    let operation = &shown.payments[0].operation;
    assert_eq!(
        (&operation.code, operation.wrong_code()),
        (&Some(code), None)
    );
    assert_eq!(shown.effects.code, None);
}

#[test]
fn the_name_in_a_code_goes_to_its_payer_if_it_can_be_shown() {
    let named = |name: &str| {
        let code = Verdict::Right {
            merchant_name: Some(name.to_owned()),
        };
        let (draft, response) = (record(), authorized());
        let mut order = order([record()]);
        assert!(order.authorized(&draft, &response, Some(code), Cents, &claim(), instant(5)));
        order.payments[0].operation.payers_number("payee_name")
    };
    assert_eq!(named(" ROSA EIRL ").as_deref(), Some("ROSA EIRL"));
    assert_eq!((named(" "), named("a\nb")), (None, None));
}

#[test]
fn a_code_that_is_refused_reaches_nobody_and_is_the_final_answer_of_its_key() {
    let now = instant(5);
    let code = Verdict::Wrong {
        mismatch: Mismatch::Amount,
    };
    let mut refused = order([record()]);
    assert!(refused.code_refused(&record(), &code, &claim(), now));
    let operation = &refused.payments[0].operation;
    assert_eq!((operation.phase, operation.live), (Phase::InDoubt, false));
    assert_eq!((&operation.answer, &operation.operation), (&None, &None));
    assert!(operation.due_at.is_some(), "the background cancels it");
    let wrong = operation.wrong_code().unwrap();
    assert!(wrong.contains("another amount") && wrong.contains("nobody saw it"));
    let answer = Answer::Refused(AuthorizationRefusal::CodeRefused);
    assert_eq!(refused.effects.answered, Some((claim(), answer.clone())));
    let counted = CountedCode::Refused(record().created_at);
    assert_eq!(refused.effects.code, Some(counted));

    // A repeated change has the same end, and counts once.
    let mut again = order([refused.payments[0].operation.clone()]);
    assert!(again.code_refused(&record(), &code, &claim(), now));
    assert_eq!(again.effects.answered, Some((claim(), answer)));
    assert_eq!(again.effects.code, None);
    // Something else ended the attempt before.
    let mut late = order([ended(Phase::InDoubt)]);
    assert!(!late.code_refused(&record(), &code, &claim(), now));
    assert_eq!(late.effects.answered, None);
}
