//! How an attempt to pay ends, and with what final answer its idempotency key is spent.

use super::Order;
use crate::amount_units::AmountUnits;
use crate::idempotent_answer::{AuthorizationAnswer, AuthorizationRefusal, Numbers};
use crate::idempotent_request::Claim;
use crate::operation::{OperationKey, OperationRecord};
use payment_model::{AuthorizeResponse, Timestamp};

impl Order {
    /// Stores the service's answer. True when the payer may have the code, which is then the final
    /// answer of the key; false when something else ended the attempt before.
    pub fn authorized(
        &mut self,
        draft: &OperationRecord,
        response: &AuthorizeResponse,
        units: AmountUnits,
        claim: &Claim,
        now: Timestamp,
    ) -> bool {
        let on_time = self
            .payment_mut(&draft.key)
            .is_some_and(|payment| payment.operation.authorized(draft, response, units, now));
        if on_time {
            self.answer(claim, AuthorizationAnswer::Operation(draft.key.clone()));
        }
        on_time
    }

    /// Ends an attempt that the service refused, or whose request never left. `refusal` is the final
    /// answer of the key; without one the key stays unspent. True unless something else ended the
    /// attempt before.
    pub fn authorization_refused(
        &mut self,
        draft: &OperationRecord,
        why: &str,
        never_left: bool,
        refusal: Option<(&Claim, AuthorizationRefusal)>,
        now: Timestamp,
    ) -> bool {
        let on_time = self.payment_mut(&draft.key).is_some_and(|payment| {
            payment
                .operation
                .authorization_refused(draft, why, never_left, now)
        });
        if let (true, Some((claim, refusal))) = (on_time, refusal) {
            self.answer(claim, AuthorizationAnswer::Refused(refusal));
        }
        on_time
    }

    /// Puts an attempt in doubt whose answer has an action code that is not accepted: the service
    /// may have registered the payment all the same. The key gets the refusal as its final answer.
    pub fn authorization_not_accepted(
        &mut self,
        draft: &OperationRecord,
        refusal: AuthorizationRefusal,
        claim: &Claim,
        now: Timestamp,
    ) {
        if let Some(payment) = self.payment_mut(&draft.key) {
            let why = "the payment service's answer is not accepted";
            payment
                .operation
                .authorization_unknown(draft, why, None, now);
        }
        self.answer(claim, AuthorizationAnswer::Refused(refusal));
    }

    /// Answers an attempt with the payment that was given back while its payer waited for a code. The
    /// payer sees it once, before the order takes another attempt.
    pub fn reversal_was_shown(
        &mut self,
        key: &OperationKey,
        claim: &Claim,
    ) -> Option<AuthorizationRefusal> {
        let payment = self.payment_mut(key)?;
        payment.operation.reversal_was_shown();
        let refusal = AuthorizationRefusal::PaymentReversed(Numbers::of(&payment.operation));
        self.answer(claim, AuthorizationAnswer::Refused(refusal.clone()));
        Some(refusal)
    }

    fn answer(&mut self, claim: &Claim, answer: AuthorizationAnswer) {
        self.effects.answered = Some((claim.clone(), answer));
    }
}

#[cfg(test)]
mod tests {
    use crate::amount_units::AmountUnits::Cents;
    use crate::idempotent_answer::{AuthorizationAnswer as Answer, AuthorizationRefusal};
    use crate::operation::fixture::{authorized, pending, record, with_state};
    use crate::operation::{OperationRecord, Phase};
    use crate::payment::Order;
    use crate::payment::fixture::{claim, key, order};
    use crate::reading::instant;

    fn refusal() -> AuthorizationRefusal {
        AuthorizationRefusal::NotAccepted {
            messages: Vec::new(),
        }
    }

    /// The answer that the claimed key gets.
    fn answer(order: &Order) -> Option<Answer> {
        let (ended, answer) = order.effects.answered.clone()?;
        assert_eq!(ended, claim());
        Some(answer)
    }

    fn doubtful() -> OperationRecord {
        let mut doubt = record();
        doubt.authorization_unknown(&record(), "silence", None, instant(1));
        doubt
    }

    #[test]
    fn an_answer_in_time_spends_the_key_and_a_late_one_does_not() {
        let now = instant(5);
        let mut on_time = order([record()]);
        assert!(on_time.authorized(&record(), &authorized(), Cents, &claim(), now));
        assert_eq!(answer(&on_time), Some(Answer::Operation(key(1))));
        let mut late = order([doubtful()]);
        assert!(!late.authorized(&record(), &authorized(), Cents, &claim(), now));
        assert_eq!(answer(&late), None);
    }

    #[test]
    fn a_refusal_in_time_spends_the_key_and_a_rejected_token_does_not() {
        let now = instant(5);
        let claim = claim();
        let refused = |operation, refusal: Option<AuthorizationRefusal>| {
            let mut order = order([operation]);
            let refusal = refusal.map(|refusal| (&claim, refusal));
            let on_time = order.authorization_refused(&record(), "no", false, refusal, now);
            (on_time, answer(&order))
        };
        let spent = Some(Answer::Refused(refusal()));
        assert_eq!(refused(record(), Some(refusal())), (true, spent));
        assert_eq!(refused(record(), None), (true, None));
        assert_eq!(refused(doubtful(), Some(refusal())), (false, None));
    }

    #[test]
    fn an_answer_that_is_not_accepted_is_a_doubt_and_the_final_answer() {
        let mut order = order([record()]);
        order.authorization_not_accepted(&record(), refusal(), &claim(), instant(5));
        assert_eq!(order.payments[0].operation.phase, Phase::InDoubt);
        assert_eq!(answer(&order), Some(Answer::Refused(refusal())));
    }

    #[test]
    fn a_reversal_is_shown_once() {
        let mut reversed = with_state("LIQUIDADO", instant(1));
        let told = crate::operation::fixture::transaction("EXTORNADO", &["EXTORNADO"]);
        crate::operation::fixture::take(&mut reversed, &told, instant(2));
        reversed.blocked_since = Some(instant(3));
        let mut order = order([reversed, pending()]);
        let shown = order.reversal_was_shown(&key(1), &claim()).unwrap();
        assert_eq!(answer(&order), Some(Answer::Refused(shown)));
        assert!(!order.payments[0].operation.is_reversal_to_show());
        assert_eq!(order.reversal_was_shown(&key(3), &claim()), None);
    }
}
