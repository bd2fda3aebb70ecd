use crate::charge::{Asked, Charge, Key, Refusal, Step};
use crate::fault::Faults;
use crate::journal::Journal;
use crate::notification::Notification;
use crate::random::NoRandomness;
use crate::refund::{KeptRefund, RefundStep};
use crate::settings::Settings;
use crate::test_amounts::Outcome;
use payment_model::{
    Amount, AuthorizeRequest, MerchantCode, PaymentMethodName, Refund, Timestamp, TransactionState,
};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// All data of the sandbox, guarded by one lock. No code awaits while it holds the lock.
pub(crate) struct World {
    /// In the sequence of their registration.
    charges: Vec<Charge>,
    by_key: HashMap<Key, usize>,
    refunds: Vec<KeptRefund>,
    planned: Vec<PlannedStep>,
    /// The operations whose notifications are never sent.
    muted: HashSet<Key>,
    /// The newest operation of each amount whose answer was lost.
    unanswered: HashMap<(MerchantCode, Amount), Key>,
    pub(crate) settings: Settings,
    pub(crate) faults: Faults,
    pub(crate) journal: Journal,
    outbox: UnboundedSender<Notification>,
}

/// A step that an operation takes by itself.
struct PlannedStep {
    at: Timestamp,
    key: Key,
    step: Step,
}

/// The operation number was used before.
#[derive(Debug)]
pub(crate) struct NumberTaken;

/// An operation that was not found by its number only.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotFound {
    Unknown,
    /// Several merchants have this number.
    Ambiguous,
}

impl World {
    pub(crate) fn new(settings: Settings, outbox: UnboundedSender<Notification>) -> Self {
        Self {
            charges: Vec::new(),
            by_key: HashMap::new(),
            refunds: Vec::new(),
            planned: Vec::new(),
            muted: HashSet::new(),
            unanswered: HashMap::new(),
            settings,
            faults: Faults::default(),
            journal: Journal::default(),
            outbox,
        }
    }

    /// Registers an operation and moves it to a state, without a notification.
    ///
    /// # Errors
    /// The inner error is a number that was used before, the outer one a lack of random bytes.
    pub(crate) fn register(
        &mut self,
        asked: Asked,
        expires_in: Duration,
        state: &TransactionState,
        now: Timestamp,
    ) -> Result<Result<&Charge, NumberTaken>, NoRandomness> {
        if self.by_key.contains_key(&asked.key) {
            return Ok(Err(NumberTaken));
        }
        let key = asked.key.clone();
        let mut charge = Charge::register(asked, expires_in, self.settings.qr_form, now)?;
        charge.bring_to(state, now);
        let at = self.charges.len();
        self.by_key.insert(key, at);
        self.charges.push(charge);
        Ok(Ok(&self.charges[at]))
    }

    /// Plans what the outcome of an amount brings about later.
    pub(crate) fn plan(&mut self, key: &Key, outcome: &Outcome, now: Timestamp) {
        let steps = outcome.steps.iter().map(|(after, step)| PlannedStep {
            at: now.saturating_add(*after),
            key: key.clone(),
            step: *step,
        });
        self.planned.extend(steps);
        if outcome.loses_notifications {
            self.muted.insert(key.clone());
        }
    }

    /// Whether the answer to this authorization is to be lost. Otherwise it is the one that follows a lost answer, once
    /// the merchant has cancelled that operation.
    pub(crate) fn loses_answer(&mut self, request: AuthorizeRequest) -> bool {
        let payment = (
            request.merchant_code.clone(),
            request.payment_details.amount,
        );
        let is_cancelled = self.unanswered.remove(&payment).is_some_and(|key| {
            let at = self.by_key.get(&key).copied();
            at.is_some_and(|at| self.charges[at].state == TransactionState::Cancelled)
        });
        if !is_cancelled {
            let key = Key {
                merchant_code: request.merchant_code,
                number: request.merchant_operation_number,
            };
            self.unanswered.insert(payment, key);
        }
        !is_cancelled
    }

    /// Takes the planned steps whose time has come, the earliest first.
    pub(crate) fn take_due_steps(&mut self, now: Timestamp) -> Vec<(Key, Step)> {
        let mut due: Vec<_> = self
            .planned
            .extract_if(.., |planned| planned.at <= now)
            .collect();
        due.sort_by_key(|planned| planned.at);
        due.into_iter()
            .map(|planned| (planned.key, planned.step))
            .collect()
    }

    /// The operation of a key. An overdue one expires first.
    pub(crate) fn charge(&mut self, key: &Key, now: Timestamp) -> Option<&Charge> {
        let at = *self.by_key.get(key)?;
        self.expire_one(at, now);
        self.charges.get(at)
    }

    /// Finds the key of the operation with this number or transaction id.
    pub(crate) fn find(
        &self,
        name: &str,
        merchant_code: Option<&MerchantCode>,
    ) -> Result<Key, NotFound> {
        let mut found = self.charges.iter().filter(|charge| {
            let named =
                charge.asked.key.number.as_str() == name || charge.transaction_id.as_str() == name;
            named && merchant_code.is_none_or(|code| charge.asked.key.merchant_code == *code)
        });
        match (found.next(), found.next()) {
            (Some(charge), None) => Ok(charge.asked.key.clone()),
            (None, _) => Err(NotFound::Unknown),
            (Some(_), Some(_)) => Err(NotFound::Ambiguous),
        }
    }

    /// Finds the key of the first operation that meets a condition.
    pub(crate) fn find_by(&self, wanted: impl Fn(&Charge) -> bool) -> Option<Key> {
        let charge = self.charges.iter().find(|charge| wanted(charge))?;
        Some(charge.asked.key.clone())
    }

    /// All operations, the newest first. Overdue ones expire first.
    pub(crate) fn newest_first(&mut self, now: Timestamp) -> impl Iterator<Item = &Charge> {
        self.expire_overdue(now);
        self.charges.iter().rev()
    }

    /// Carries a step out on an operation, and notifies its merchant. `None` if the operation does not exist.
    pub(crate) fn apply(
        &mut self,
        key: &Key,
        step: Step,
        now: Timestamp,
    ) -> Option<Result<&Charge, Refusal>> {
        let at = *self.by_key.get(key)?;
        self.expire_one(at, now);
        if matches!(step, Step::Pay | Step::PayLate)
            && let Some(beyond) = self.charges[at].beyond(&self.settings.limits)
        {
            return Some(Err(Refusal::Limits(beyond)));
        }
        if let Err(refusal) = self.charges[at].apply(step, now) {
            return Some(Err(refusal));
        }
        self.notify(at);
        Some(Ok(&self.charges[at]))
    }

    /// The refunds of an operation, oldest first.
    pub(crate) fn refunds_of(&self, key: &Key) -> impl Iterator<Item = &Refund> {
        let kept = self.refunds.iter().filter(move |kept| kept.key == *key);
        kept.map(|kept| &kept.refund)
    }

    pub(crate) fn keep_refunds(&mut self, refunds: Vec<KeptRefund>) {
        self.refunds.extend(refunds);
    }

    /// Carries a step out on a refund, and returns whether it was possible. `None` if the refund does not exist.
    pub(crate) fn apply_to_refund(
        &mut self,
        refund_id: &str,
        step: RefundStep,
        now: Timestamp,
    ) -> Option<(&Refund, bool)> {
        let named = |kept: &&mut KeptRefund| kept.refund.refund_id.as_str() == refund_id;
        let kept = self.refunds.iter_mut().find(named)?;
        let moved = kept.apply(step, now);
        Some((&kept.refund, moved))
    }

    /// Expires all overdue operations whose method can expire.
    pub(crate) fn expire_overdue(&mut self, now: Timestamp) {
        for at in 0..self.charges.len() {
            self.expire_one(at, now);
        }
    }

    /// Removes operations, refunds and faults. The journal and the settings are kept.
    pub(crate) fn forget(&mut self) {
        self.charges.clear();
        self.by_key.clear();
        self.refunds.clear();
        self.planned.clear();
        self.muted.clear();
        self.unanswered.clear();
        self.faults = Faults::default();
    }

    fn expire_one(&mut self, at: usize, now: Timestamp) {
        let charge = &mut self.charges[at];
        // The specification lists no `EXPIRADO` for installments: an overdue one stays pending.
        let ends = charge.asked.method != PaymentMethodName::Installment;
        let Some(expired_at) = charge.overdue_since(now).filter(|_| ends) else {
            return;
        };
        // The lifecycle gets the time of the deadline, not that of its detection.
        if charge.apply(Step::Expire, expired_at).is_ok() {
            self.notify(at);
        }
    }

    fn notify(&self, at: usize) {
        if self.muted.contains(&self.charges[at].asked.key) {
            return;
        }
        if let Some(notification) = Notification::about(&self.charges[at]) {
            // There is no receiver during the shutdown and in unit tests.
            let _ = self.outbox.send(notification);
        }
    }
}
