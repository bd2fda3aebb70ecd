use crate::abandoned;
use crate::client_limits::ClientLimits;
use crate::clock::millis;
use crate::config::Config;
use crate::events;
use crate::operation::OperationKey;
use crate::payment::SharedQueries;
use crate::poll_places::PollPlaces;
use crate::readiness::Readiness;
use crate::refunding::LookUps;
use crate::seal::Seal;
use crate::service::{Service, ServiceError};
use crate::session::Sessions;
use crate::staff::{Passwords, SignInAttempts, StaffCookies, StaffDevices};
use crate::store::{DatabaseError, Sqlite, Store};
use crate::sweeper;
use crate::wakeups::{LocalWakeups, Topic, Wakeups};
use governor::state::keyed::HashMapStateStore;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Requests per session.
pub(crate) type SessionLimiter =
    RateLimiter<String, HashMapStateStore<String>, governor::clock::DefaultClock>;

/// The running server without its socket: everything that requests and the sweeper share.
#[derive(Clone)]
pub struct Backend(Arc<Parts>);

/// What a [`Backend`] is made of; nothing of it is for other crates.
pub struct Parts {
    pub(crate) config: Config,
    pub(crate) store: Box<dyn Store>,
    pub(crate) service: Service,
    pub(crate) wakeups: Box<dyn Wakeups>,
    pub(crate) queries: SharedQueries,
    pub(crate) look_ups: LookUps,
    pub(crate) seal: Seal,
    pub(crate) sessions: Sessions,
    pub(crate) staff_cookies: StaffCookies,
    pub(crate) staff_devices: StaffDevices,
    pub(crate) passwords: Passwords,
    pub(crate) sign_ins: SignInAttempts,
    pub(crate) authorizes: SessionLimiter,
    /// New orders and authorizations of one client.
    pub(crate) clients: ClientLimits,
    /// New orders and authorizations of everybody.
    pub(crate) starts: DefaultDirectRateLimiter,
    pub(crate) polls: PollPlaces,
    pub(crate) readiness: Readiness,
    /// Ends what waits, at shutdown.
    pub(crate) stopping: CancellationToken,
    /// What goes on though its request is gone.
    pub(crate) tasks: TaskTracker,
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The client to the payment service cannot be made.
    #[error("PAYMENT_URL: connections to the payment service cannot be made: {0}")]
    Client(String),
}

impl Backend {
    /// Opens the database and starts watching operations. Must run within tokio.
    ///
    /// # Errors
    /// Says what cannot be used and what to do about it.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let store = Box::new(Sqlite::open(&config.database).await?);
        let service = Service::new(
            config.payment_url.clone(),
            config.api_version.clone(),
            config.payment_facilitator_code.clone(),
            Arc::clone(&config.payment_token),
            config.pace.payment_timeout,
            config.pace.queries_per_second,
        )
        .map_err(StartError::Client)?;
        let seal = Seal::new(config.cookie_key.expose());
        let per_minute =
            NonZeroU32::new(config.pace.authorizes_per_minute).unwrap_or(NonZeroU32::MIN);
        let starts = NonZeroU32::new(config.pace.starts_per_minute).unwrap_or(NonZeroU32::MIN);
        let backend = Self(Arc::new(Parts {
            staff_cookies: StaffCookies::new(config.cookie_secure),
            staff_devices: StaffDevices::new(seal.clone(), config.cookie_secure),
            passwords: Passwords::default(),
            sign_ins: SignInAttempts::default(),
            sessions: Sessions::new(seal.clone(), config.cookie_secure),
            seal,
            store,
            service,
            wakeups: Box::new(LocalWakeups::default()),
            queries: SharedQueries::default(),
            look_ups: LookUps::default(),
            authorizes: RateLimiter::hashmap(Quota::per_minute(per_minute)),
            clients: ClientLimits::new(&config.pace),
            starts: RateLimiter::direct(Quota::per_minute(starts)),
            polls: PollPlaces::new(config.pace.polls_per_session),
            readiness: Readiness::default(),
            stopping: CancellationToken::new(),
            tasks: TaskTracker::new(),
            config,
        }));
        let sweeper = sweeper::run(backend.clone());
        backend.tasks.spawn(sweeper);
        backend.tasks.spawn(events::run(backend.clone()));
        backend.tasks.spawn(abandoned::run(backend.clone()));
        Ok(backend)
    }

    /// Ends held requests, the sweeper and the courier of events, waits for what is being written, and gives
    /// the database back.
    pub async fn stop(&self) {
        self.stopping.cancel();
        self.tasks.close();
        let _ = tokio::time::timeout(self.config.pace.shutdown, self.tasks.wait()).await;
        self.store.close().await;
    }

    /// Ends held requests; new ones are answered without holding them.
    pub fn stop_waiting(&self) {
        self.stopping.cancel();
    }

    /// Runs work to its end, even when the request that wants it goes away; `None` when the
    /// work itself broke.
    pub(crate) async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        self.tasks.spawn(work).await.ok()
    }

    /// Wakes whoever waits for an operation, and the sweeper, whose plan may have changed.
    pub(crate) fn wake(&self, key: &OperationKey) {
        self.wakeups.wake(&Topic::Operation(key.clone()));
        self.wakeups.wake(&Topic::Sweep);
    }

    /// For how long an attempt may run before another process may take it over: longer than
    /// all its requests to the service together.
    pub(crate) fn lease(&self) -> i64 {
        millis(self.config.pace.payment_timeout * 8 + Duration::from_secs(20))
    }

    /// For how long a request to refund may run before it may be taken over: as long as all of
    /// its items may take, each with its looks.
    pub(crate) fn refund_lease(&self) -> i64 {
        self.lease() * 21
    }

    /// For how long a request to authorize may be on the way before its sender is taken for
    /// gone.
    pub(crate) fn sending(&self) -> i64 {
        millis(self.config.pace.payment_timeout * 2 + Duration::from_secs(30))
    }

    /// Logs a failure of the service, without anything that it said.
    pub(crate) fn note_failure(&self, key: &OperationKey, error: &ServiceError) {
        let number = key.number.as_str();
        tracing::warn!(merchant_operation_number = number, %error, "the payment service gave no usable answer");
    }
}

impl Deref for Backend {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
