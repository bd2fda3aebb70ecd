//! Puts the parts of the running server together, starts and stops them; the socket is apart.

use crate::ambient;
use crate::background::{
    DeskNews, OtherNodes, Reconciler, end_unpaid_orders, remove_abandoned_orders,
    renew_old_exceptions, watch_standbys,
};
use crate::config::Config;
use crate::cookies::CookieKey;
use crate::db::{DatabaseError, Db};
use crate::http::{
    App, Limits, Orders, OrdersParts, Parts, Readiness, Sessions, StoredCodes, router,
};
use crate::metrics::Metrics;
use crate::orders::PayLinks;
use crate::payment_service::Service;
use crate::payments::{AttemptLimits, CodeReader, Keys, Payments};
use crate::single_flight::InFlight;
use crate::staff::SignIns;
use crate::tasks::Tasks;
use crate::wakeups::Wakeups;
use crate::webhooks::{Worker, keep_up, note_receivers};
use axum::Router;
use payment_rules::planted_mistakes;
use secrecy::ExposeSecret;
use std::sync::Arc;
use std::time::Duration;

/// How often the limits forget clients that have not come for long.
const TIDYING: Duration = Duration::from_secs(60);

/// The running server without its socket.
#[derive(Clone)]
pub struct Backend {
    pub(super) config: Arc<Config>,
    pub(super) tasks: Tasks,
    db: Db,
    app: App,
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
    /// A standby of the database replicates asynchronously, and the settings do not accept that.
    #[error(
        "DATABASE: a standby follows that the server does not wait for, so that one that takes over may lack payments and refunds without anybody noticing; set `synchronous_standby_names` of PostgreSQL, or STANDBYS_MAY_LACK_COMMITS=true if no standby ever takes over, or if `merchant-backend restored` always follows"
    )]
    Standbys,
    /// A search can plant mistakes in this program.
    #[error(
        "this server was built with the feature `planted`, so that mistakes can be planted in it; it serves payers only without the feature"
    )]
    Planted,
    /// The receivers of events cannot be written down, so that events would not reach them.
    #[error("DATABASE: the receivers of events cannot be written down ({0}); start again")]
    Receivers(String),
}

impl Backend {
    /// Opens the database and starts watching operations. Must run within tokio.
    ///
    /// # Errors
    /// The part that cannot be used; its message names the remedy.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        if planted_mistakes::EXIST && ambient::simulation().is_none() {
            return Err(StartError::Planted);
        }
        let db = Db::open(&config.database).await?;
        let accepts = config.standbys_may_lack_commits;
        if !accepts && db.standbys_may_lack_commits().await.is_ok_and(|may| may) {
            return Err(StartError::Standbys);
        }
        if let Ok(Some(_)) = db.fence().await {
            tracing::warn!(
                "the database was restored from a backup: what is older waits for staff"
            );
        }
        let noted = note_receivers(&db, &config).await;
        noted.map_err(|error| StartError::Receivers(error.to_string()))?;
        let metrics = Metrics::default();
        let service = Service::new(
            config.service_access(),
            config.payment_timeout,
            config.queries_per_second,
            metrics.clone(),
        )
        .map_err(StartError::Client)?;
        let config = Arc::new(config);
        let (wakeups, tasks) = (Wakeups::default(), Tasks::default());
        let cookie_key = CookieKey::new(config.cookie_key.expose_secret());
        let keys = Keys::new(db.clone(), wakeups.clone());
        let payments = Payments {
            db: db.clone(),
            keys,
            service: Arc::new(service),
            wakeups: wakeups.clone(),
            tasks: tasks.clone(),
            cookie_key: cookie_key.clone(),
            queries: InFlight::default(),
            refund_queries: InFlight::default(),
            limits: Arc::new(AttemptLimits::new(&config)),
            codes: CodeReader::default(),
            metrics: metrics.clone(),
            settings: Arc::clone(&config),
        };
        let sessions = Sessions::new(cookie_key.clone(), config.cookies_are_secure());
        let limits = Arc::new(Limits::new(&config));
        let orders = Orders::new(OrdersParts {
            config: Arc::clone(&config),
            db: db.clone(),
            source: config.orders.clone(),
            sessions: sessions.clone(),
            limits: Arc::clone(&limits),
            pay_links: PayLinks {
                db: db.clone(),
                key: cookie_key.clone(),
                public_url: config.public_url.clone(),
                readable_for: config.pay_link_age,
            },
        });
        let app = App::new(Parts {
            config: Arc::clone(&config),
            db: db.clone(),
            orders,
            payments,
            wakeups,
            tasks: tasks.clone(),
            sessions,
            sign_ins: SignIns::new(
                cookie_key.clone(),
                config.cookies_are_secure(),
                config.second_factors(),
            ),
            cookie_key,
            limits,
            metrics,
            readiness: Readiness::default(),
            stored_codes: StoredCodes::default(),
            desk_news: DeskNews::new(db.clone(), config.settlement_due),
        });
        let backend = Self {
            config,
            tasks,
            db,
            app,
        };
        backend.start_background();
        Ok(backend)
    }

    fn start_background(&self) {
        let (app, tasks) = (&self.app, &self.tasks);
        let timing = &self.config.timing;
        let reconciler = Reconciler {
            db: self.db.clone(),
            payments: app.payments.clone(),
            wakeups: app.wakeups.clone(),
            tasks: tasks.clone(),
        };
        let other_nodes = OtherNodes {
            db: self.db.clone(),
            wakeups: app.wakeups.clone(),
            tasks: tasks.clone(),
            poll_interval: timing.wakeup_poll_interval,
        };
        tasks.spawn(reconciler.run());
        tasks.spawn(other_nodes.run());
        let desk_news = app.desk_news.clone();
        tasks.spawn(desk_news.run(app.wakeups.clone(), tasks.clone()));
        tasks.spawn(watch_standbys(
            self.db.clone(),
            tasks.clone(),
            self.config.standbys_may_lack_commits,
        ));
        let upkeep = keep_up(self.db.clone(), Arc::clone(&self.config), tasks.clone());
        tasks.spawn(upkeep);
        for receiver in &self.config.events.receivers {
            let worker = Worker::new(
                self.db.clone(),
                app.wakeups.clone(),
                tasks.clone(),
                receiver,
                app.orders.pay_links().clone(),
                timing.clone(),
                app.metrics.clone(),
            );
            if let Some(worker) = worker {
                tasks.spawn(worker.run());
            }
        }
        tasks.spawn(end_unpaid_orders(
            self.db.clone(),
            tasks.clone(),
            timing.ended_orders_interval,
            timing.observed,
        ));
        tasks.spawn(remove_abandoned_orders(
            self.db.clone(),
            tasks.clone(),
            timing.observed,
        ));
        tasks.spawn(renew_old_exceptions(self.db.clone(), tasks.clone()));
        let app = app.clone();
        tasks.spawn(async move {
            while !app.tasks.is_stopping() {
                app.limits.retain_recent();
                app.payments.limits.retain_recent();
                app.sign_ins.attempts.retain_recent();
                app.tasks.pause(TIDYING).await;
            }
        });
    }

    /// The orders of payers, for the merchant's own routes.
    #[must_use]
    pub fn orders(&self) -> Orders {
        self.app.orders.clone()
    }

    /// Ends held requests and the background, waits for running writes, and closes the database.
    pub async fn stop(&self) {
        self.tasks.stop();
        self.tasks.wait(self.config.timing.shutdown).await;
        self.db.close().await;
    }

    /// Ends held requests; new ones are answered at once.
    pub fn stop_waiting(&self) {
        self.tasks.stop();
    }
}

/// Every address of the server, for a socket or for a test. The merchant's own routes are under
/// `/api` beside them, with the same limits and the same answers to unknown addresses.
pub fn app_with(backend: &Backend, further_routes: Router) -> Router {
    router(&backend.app, further_routes)
}
