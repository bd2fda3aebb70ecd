//! What lies between the server, the payment service, the shop and the disk, and the trouble that happens there.

use super::machine::{Ahead, WorldTime};
use super::shop::Shop;
use super::truth::{Sent, Truth};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Request, Response, StatusCode};
use futures_util::future::{BoxFuture, pending};
use merchant_backend::{Fate, Simulation};
use payment_sandbox::Sandbox;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use tower::ServiceExt as _;

/// The host of the payment service.
pub(super) const SERVICE: &str = "service.localhost";
/// The host of the shop, which describes orders and takes events.
pub(super) const SHOP: &str = "shop.localhost";

/// Longer than the server waits for an answer.
pub(super) const LATE: Duration = Duration::from_secs(25);
/// Longer than a send window is open.
const SLOW_CONNECTION: Duration = Duration::from_secs(4);
const LARGEST_BODY_BYTES: usize = 1 << 20;

/// What happens at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PointKind {
    /// A statement of the database that is no commit.
    Statement,
    /// A commit.
    Commit,
    /// A request to the payment service.
    ToService,
    /// A request to the shop.
    ToShop,
    /// A notification of the payment service.
    Notification,
}

/// What goes wrong at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Trouble {
    /// The statement, the commit or the connection fails, and nothing was done.
    Fails,
    /// It is carried out, and there is no answer.
    AnswerLost,
    /// It is carried out, and the answer breaks off.
    AnswerCut,
    /// It is carried out, and the answer comes when nobody waits for it any more.
    AnswerLate,
    /// It arrives when nobody waits for an answer any more.
    ArrivesLate,
    /// It arrives twice.
    Doubled,
    /// The other side refuses it with 503.
    Refused,
    /// The connection takes long.
    SlowConnection,
    /// The server stops before it.
    KilledBefore,
    /// The server stops after it.
    KilledAfter,
    /// The wall clock of the server jumps ahead by an hour.
    ClockAhead,
    /// The wall clock of the server jumps back by an hour.
    ClockBack,
    /// The server stops after it, and the operator restores a backup of the database.
    Restored,
}

impl Trouble {
    /// Every trouble.
    pub(super) const ALL: [Self; 13] = [
        Self::Fails,
        Self::AnswerLost,
        Self::AnswerCut,
        Self::AnswerLate,
        Self::ArrivesLate,
        Self::Doubled,
        Self::Refused,
        Self::SlowConnection,
        Self::KilledBefore,
        Self::KilledAfter,
        Self::ClockAhead,
        Self::ClockBack,
        Self::Restored,
    ];

    /// The troubles that can happen at a point of this kind.
    pub(super) const fn at(kind: PointKind) -> &'static [Self] {
        use Trouble::{
            AnswerCut, AnswerLate, AnswerLost, ArrivesLate, ClockAhead, ClockBack, Doubled, Fails,
            KilledAfter, KilledBefore, Refused, Restored, SlowConnection,
        };
        match kind {
            PointKind::Statement => &[Fails],
            PointKind::Commit => &[
                Fails,
                AnswerLost,
                KilledBefore,
                KilledAfter,
                ClockAhead,
                ClockBack,
                Restored,
            ],
            PointKind::ToService => &[
                Fails,
                AnswerLost,
                AnswerCut,
                AnswerLate,
                ArrivesLate,
                Refused,
                SlowConnection,
                KilledBefore,
                KilledAfter,
                Restored,
            ],
            PointKind::ToShop => &[
                Fails,
                AnswerLost,
                AnswerLate,
                Doubled,
                Refused,
                SlowConnection,
                KilledAfter,
            ],
            PointKind::Notification => &[Fails, ArrivesLate, Doubled],
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fails => "fails",
            Self::AnswerLost => "is carried out without an answer",
            Self::AnswerCut => "is carried out, and its answer breaks off",
            Self::AnswerLate => "is carried out, and its answer comes late",
            Self::ArrivesLate => "arrives late",
            Self::Doubled => "arrives twice",
            Self::Refused => "is refused with 503",
            Self::SlowConnection => "waits for its connection",
            Self::KilledBefore => "is not reached, since the server is killed",
            Self::KilledAfter => "is carried out, and the server is killed",
            Self::ClockAhead => "happens when the clock of the server jumps an hour ahead",
            Self::ClockBack => "happens when the clock of the server jumps an hour back",
            Self::Restored => "is carried out, and the server is killed and a backup restored",
        })
    }
}

/// A trouble at the point of this number.
pub(super) type Plan = Vec<(usize, Trouble)>;

/// A point that was reached.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) kind: PointKind,
    /// What was to be done there.
    pub(super) what: String,
}

/// What lies between the machines. Clones share it.
#[derive(Clone)]
pub(super) struct Network(Arc<Inner>);

struct Inner {
    time: WorldTime,
    service: Router,
    sandbox: Sandbox,
    shop: Shop,
    truth: Truth,
    /// The wall clock of the server.
    ahead: Ahead,
    points: Mutex<Points>,
    /// The number of the life of the server that runs.
    life: watch::Sender<u32>,
    killed: Notify,
}

#[derive(Default)]
struct Points {
    plan: Plan,
    reached: Vec<Point>,
    /// What the operator does after the present kill.
    restore: bool,
    is_watched: bool,
}

impl Network {
    pub(super) fn new(
        time: WorldTime,
        sandbox: Sandbox,
        shop: Shop,
        truth: Truth,
        plan: Plan,
    ) -> Self {
        Self(Arc::new(Inner {
            time,
            service: payment_sandbox::app(sandbox.clone()),
            sandbox,
            shop,
            truth,
            ahead: Ahead::default(),
            points: Mutex::new(Points {
                plan,
                ..Points::default()
            }),
            life: watch::Sender::new(0),
            killed: Notify::new(),
        }))
    }

    pub(super) fn time(&self) -> WorldTime {
        self.0.time
    }

    pub(super) fn ahead(&self) -> &Ahead {
        &self.0.ahead
    }

    pub(super) fn life(&self) -> u32 {
        *self.0.life.borrow()
    }

    /// Ends the present life: whatever it still does has no effect.
    pub(super) fn kill(&self) {
        self.0.life.send_modify(|life| *life += 1);
        self.0.killed.notify_one();
    }

    /// Ends the present life, and lets the operator restore the backup.
    pub(super) fn kill_and_restore(&self) {
        self.points().restore = true;
        self.kill();
    }

    /// Waits until this life has ended.
    pub(super) async fn ends(&self, life: u32) {
        let mut lives = self.0.life.subscribe();
        // The sender lives as long as the network.
        let _ = lives.wait_for(|now| *now != life).await;
    }

    /// Waits for the end of a life; true if a backup has to be restored.
    pub(super) async fn killed(&self) -> bool {
        self.0.killed.notified().await;
        std::mem::take(&mut self.points().restore)
    }

    /// From now on points are counted, and their troubles happen.
    pub(super) fn watch(&self) {
        self.points().is_watched = true;
    }

    /// Points are not counted while everything rests.
    pub(super) fn rest(&self, rests: bool) {
        self.points().is_watched = !rests;
    }

    /// No more trouble happens.
    pub(super) fn heal(&self) {
        self.points().is_watched = false;
        self.0.ahead.set_right();
    }

    /// The points that were reached.
    pub(super) fn reached(&self) -> Vec<Point> {
        self.points().reached.clone()
    }

    fn points(&self) -> MutexGuard<'_, Points> {
        self.0.points.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a point, and returns the trouble that happens there.
    fn reach(&self, kind: PointKind, what: impl FnOnce() -> String) -> Option<Trouble> {
        let mut points = self.points();
        if !points.is_watched {
            return None;
        }
        let number = points.reached.len();
        let what = what();
        points.reached.push(Point { kind, what });
        let planned = points.plan.iter().find(|(at, _)| *at == number);
        let trouble = planned.map(|(_, trouble)| *trouble);
        if trouble == Some(Trouble::Restored) {
            points.restore = true;
        }
        drop(points);
        match trouble {
            Some(Trouble::ClockAhead) => self.0.ahead.jump(3_600_000),
            Some(Trouble::ClockBack) => self.0.ahead.jump(-3_600_000),
            _ => {}
        }
        trouble
    }

    /// The notifications that the service sends now, each as often and as late as the trouble says.
    pub(super) fn notifications(&self) -> Vec<(Duration, Request<Bytes>)> {
        let mut due = Vec::new();
        for request in self.0.sandbox.take_notifications() {
            let trouble = self.reach(PointKind::Notification, || "a notification".to_owned());
            match trouble {
                Some(Trouble::Fails) => {}
                Some(Trouble::ArrivesLate) => due.push((LATE, request)),
                Some(Trouble::Doubled) => {
                    due.push((Duration::ZERO, request.clone()));
                    due.push((Duration::ZERO, request));
                }
                _ => due.push((Duration::ZERO, request)),
            }
        }
        due
    }

    /// Lets the other side answer.
    async fn deliver(&self, request: Request<Bytes>, left: Duration) -> Option<Response<Bytes>> {
        let answer = if request.uri().host() == Some(SHOP) {
            self.0.shop.answer(&request, &self.0.truth, self.time())
        } else {
            let sent = Sent::read(&request, left);
            let number = self.0.truth.sends(sent);
            let service = self.0.service.clone();
            let answer = service.oneshot(request.map(Body::from)).await.ok()?;
            let (head, body) = answer.into_parts();
            let body = to_bytes(body, LARGEST_BODY_BYTES).await.ok()?;
            self.0.truth.is_answered(number, head.status, &body);
            Response::from_parts(head, body)
        };
        Some(answer)
    }
}

/// The network and the disk as one life of the server has them.
pub(super) struct NodeNetwork {
    network: Network,
    life: u32,
    /// What happens to the request that was connected last.
    next: Arc<Mutex<Option<Trouble>>>,
}

impl NodeNetwork {
    /// The network of the life that runs now.
    pub(super) fn new(network: Network) -> Self {
        Self {
            life: network.life(),
            network,
            next: Arc::default(),
        }
    }

    fn is_dead(&self) -> bool {
        self.network.life() != self.life
    }
}

impl Simulation for NodeNetwork {
    fn statement(&self, sql: &str) -> Fate {
        if self.is_dead() {
            return Fate::Halts;
        }
        let kind = if sql == "COMMIT" {
            PointKind::Commit
        } else {
            PointKind::Statement
        };
        match self.network.reach(kind, || first_words(sql)) {
            Some(Trouble::Fails) => Fate::Fails,
            Some(Trouble::AnswerLost) => Fate::RunsThenFails,
            Some(Trouble::KilledBefore) => {
                self.network.kill();
                Fate::Halts
            }
            Some(Trouble::KilledAfter | Trouble::Restored) => {
                self.network.kill();
                Fate::RunsThenHalts
            }
            _ => Fate::Runs,
        }
    }

    fn connect(&self, request: &Request<Bytes>) -> BoxFuture<'static, bool> {
        if self.is_dead() {
            return Box::pin(pending());
        }
        let kind = if request.uri().host() == Some(SHOP) {
            PointKind::ToShop
        } else {
            PointKind::ToService
        };
        let what = || format!("{} {}", request.method(), request.uri().path());
        match self.network.reach(kind, what) {
            Some(Trouble::Fails) => Box::pin(async { false }),
            Some(Trouble::SlowConnection) => {
                let next = Arc::clone(&self.next);
                Box::pin(async move {
                    sleep(SLOW_CONNECTION).await;
                    *next.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(Trouble::SlowConnection);
                    true
                })
            }
            trouble => {
                // The request follows before anything else happens.
                *self.next.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
                Box::pin(async { true })
            }
        }
    }

    fn exchange(&self, request: Request<Bytes>) -> BoxFuture<'static, Option<Response<Bytes>>> {
        if self.is_dead() {
            return Box::pin(pending());
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let trouble = next.take();
        let (network, life) = (self.network.clone(), self.life);
        Box::pin(carry(network, life, request, trouble))
    }
}

async fn carry(
    network: Network,
    life: u32,
    request: Request<Bytes>,
    trouble: Option<Trouble>,
) -> Option<Response<Bytes>> {
    let left = network.time().passed();
    match trouble {
        Some(Trouble::Refused) => {
            let mut refused = Response::new(Bytes::new());
            *refused.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            return Some(refused);
        }
        Some(Trouble::KilledBefore) => {
            network.kill();
            return pending().await;
        }
        Some(Trouble::ArrivesLate) => {
            let late = network.clone();
            tokio::spawn(async move {
                sleep(LATE).await;
                late.deliver(request, left).await
            });
            return pending().await;
        }
        Some(Trouble::Doubled) => {
            network.deliver(request.clone(), left).await;
        }
        Some(Trouble::SlowConnection) if !request.method().is_safe() => {
            let (method, path) = (request.method(), request.uri().path());
            let what = format!("{method} {path} left after its time");
            network.0.truth.breaks(what);
        }
        _ => {}
    }
    // Whoever gives up waiting for an answer does not take the request back.
    let carried = network.clone();
    let answer = tokio::spawn(async move { carried.deliver(request, left).await });
    let answer = answer.await.ok().flatten();
    match trouble {
        Some(Trouble::AnswerLost) => pending().await,
        Some(Trouble::AnswerCut) => None,
        Some(Trouble::AnswerLate) => {
            sleep(LATE).await;
            answer
        }
        Some(Trouble::KilledAfter | Trouble::Restored) => {
            network.kill();
            pending().await
        }
        _ if network.life() == life => answer,
        _ => pending().await,
    }
}

/// The beginning of a statement, which names its table.
fn first_words(sql: &str) -> String {
    let words: Vec<_> = sql.split_whitespace().take(4).collect();
    words.join(" ")
}
