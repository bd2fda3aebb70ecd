use crate::charge::{Charge, Key, Refusal, Step};
use crate::clock::Clock;
use crate::fault::Fault;
use crate::journal::{Effect, Exchange};
use crate::limits::Limits;
use crate::notification::{self, Notification};
use crate::qr_content::QrForm;
use crate::refund::RefundStep;
use crate::settings::Settings;
use crate::world::World;
use axum::body::Bytes;
use axum::http::Request;
use payment_model::{MerchantCode, Refund, Timestamp};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};

/// The interval of the search for overdue operations.
const EXPIRY_INTERVAL: Duration = Duration::from_millis(250);

/// The configuration of a sandbox.
pub struct Setup {
    /// The token that requests to the service must carry.
    pub token: String,
    /// The address at which payers' browsers and phones reach the sandbox, without a trailing slash.
    pub public_url: String,
    /// The merchants' names in wallets, by merchant code. Other merchants are shown with their code.
    pub payees: HashMap<String, String>,
    /// The time to pay of QR operations, in seconds.
    pub qr_expires_in_s: u32,
    /// Whether amounts decide the outcome of operations.
    pub test_amounts: bool,
    /// What QR codes say.
    pub qr_form: QrForm,
    /// What payers' wallets, lenders and agents take.
    pub limits: Limits,
    /// The pauses after the attempts to deliver a notification. Their number is the number of attempts.
    pub retry_pauses: Vec<Duration>,
    /// The clock of the sandbox.
    pub clock: Clock,
}

impl Setup {
    /// Creates a configuration with defaults for the other fields: 15 minutes to pay a QR code, four attempts
    /// to deliver a notification, and the system's clock.
    #[must_use]
    pub fn new(token: impl Into<String>, public_url: impl Into<String>) -> Self {
        Self {
            token: token.into(),
            public_url: public_url.into(),
            payees: HashMap::new(),
            qr_expires_in_s: 900,
            test_amounts: false,
            qr_form: QrForm::default(),
            limits: Limits::default(),
            retry_pauses: [500, 1_000, 2_000, 0].map(Duration::from_millis).to_vec(),
            clock: Clock::system(),
        }
    }
}

/// A simulated payment service. Clones share one state.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    world: Mutex<World>,
    clock: Clock,
    public_url: String,
    payees: HashMap<String, String>,
    retry_pauses: Vec<Duration>,
    initial: Settings,
    notifications: Mutex<Option<UnboundedReceiver<Notification>>>,
}

impl Sandbox {
    /// Creates a sandbox without operations.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let (outbox, notifications) = unbounded_channel();
        let mut settings = Settings::new(setup.token, setup.qr_expires_in_s);
        settings.test_amounts = setup.test_amounts;
        settings.qr_form = setup.qr_form;
        settings.limits = setup.limits;
        Self(Arc::new(Inner {
            world: Mutex::new(World::new(settings.clone(), outbox)),
            clock: setup.clock,
            public_url: setup.public_url,
            payees: setup.payees,
            retry_pauses: setup.retry_pauses,
            initial: settings,
            notifications: Mutex::new(Some(notifications)),
        }))
    }

    /// Delivers notifications, and expires overdue operations, until the future is dropped. Without it,
    /// operations expire only when a request reads them, and no notification is sent. Only the first call
    /// does this; later calls return at once.
    pub async fn run(self) {
        let notifications = lock(&self.0.notifications).take();
        let Some(notifications) = notifications else {
            return;
        };
        tokio::join!(
            self.clone().tick(),
            notification::deliver(self, notifications)
        );
    }

    /// Takes the notifications that are due, each as the request that delivers it, for a caller that delivers them
    /// itself instead of [`Sandbox::run`]. Faults of notifications do not apply.
    #[must_use]
    pub fn take_notifications(&self) -> Vec<Request<Bytes>> {
        let mut requests = Vec::new();
        if let Some(notifications) = lock(&self.0.notifications).as_mut() {
            while let Ok(notification) = notifications.try_recv() {
                requests.extend(notification.request());
            }
        }
        requests
    }

    async fn tick(self) {
        let mut ticks = interval(EXPIRY_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.catch_up();
        }
    }

    /// Does what the passing of time does: overdue operations expire, and planned steps happen.
    pub(crate) fn catch_up(&self) {
        let now = self.now();
        let due = {
            let mut world = self.world();
            world.expire_overdue(now);
            world.take_due_steps(now)
        };
        for (key, step) in due {
            let path = format!("/test-amount/{}", step.name().replace(' ', "-"));
            // The operation may have ended in another way; then its state allows the step no more.
            let _ = self.move_on(&key, step, &path, |_| ());
        }
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.0.world)
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    pub(crate) fn public_url(&self) -> &str {
        &self.0.public_url
    }

    /// The payee's name in a payer's wallet.
    pub(crate) fn payee<'a>(&'a self, merchant_code: &'a MerchantCode) -> &'a str {
        let code = merchant_code.as_str();
        self.0.payees.get(code).map_or(code, String::as_str)
    }

    pub(crate) fn retry_pauses(&self) -> &[Duration] {
        &self.0.retry_pauses
    }

    /// Carries a step out on an operation outside of the service's endpoints, and writes the journal. `None`
    /// if the operation does not exist.
    pub(crate) fn move_on<T>(
        &self,
        key: &Key,
        step: Step,
        path: &str,
        show: impl FnOnce(&Charge) -> T,
    ) -> Option<Result<T, Refusal>> {
        let now = self.now();
        let mut world = self.world();
        let mut effect = Effect::default();
        let result = world.apply(key, step, now)?.map(|_| ());
        let charge = world.charge(key, now)?;
        effect.note_charge(charge);
        effect.accepted = result.is_ok();
        let result = result.map(|()| show(charge));
        let status = if effect.accepted { 200 } else { 409 };
        let exchange = Exchange::full("POST", path, status);
        world
            .journal
            .write(exchange, effect, self.clock().unmoved());
        Some(result)
    }

    /// Carries a step out on a refund, writes the journal, and returns whether the step was possible. `None`
    /// if the refund does not exist.
    pub(crate) fn move_refund(
        &self,
        refund_id: &str,
        step: RefundStep,
        path: &str,
    ) -> Option<(Refund, bool)> {
        let now = self.now();
        let mut world = self.world();
        let (refund, accepted) = world.apply_to_refund(refund_id, step, now)?;
        let refund = refund.clone();
        let effect = Effect {
            merchant_operation_number: Some(refund.merchant_operation_number.to_string()),
            amount: Some(refund.refund_amount.to_string()),
            accepted,
            state_after: Some(refund.state.to_string()),
            ..Effect::default()
        };
        let exchange = Exchange::full("POST", path, if accepted { 200 } else { 409 });
        world
            .journal
            .write(exchange, effect, self.clock().unmoved());
        Some((refund, accepted))
    }

    /// Writes an attempt to deliver a notification into the journal; without a status there was no answer.
    pub(crate) fn note_delivery(
        &self,
        notification: &Notification,
        path: &str,
        status: Option<u16>,
    ) {
        let exchange = Exchange::of_notification(path, status);
        let effect = notification.effect();
        self.world()
            .journal
            .write(exchange, effect, self.clock().unmoved());
    }

    pub(crate) fn take_notification_fault(&self, path: &str) -> Option<Fault> {
        self.world().faults.take_for_notification(path)
    }

    /// Restores the state after the start: no operations, no faults, an empty journal, and the initial clock
    /// and settings.
    pub(crate) fn reset(&self) {
        self.0.clock.move_by_seconds(0);
        let mut world = self.world();
        world.forget();
        world.journal.clear();
        world.settings = self.0.initial.clone();
    }
}

/// Locks a mutex, also after a thread panicked while it held the lock: the data is consistent even then, since
/// every change is a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
