//! What lies between the server, the payment service, the shop and the disk, and the trouble that happens there.

use super::machine::{Ahead, WorldTime};
use super::shop::Shop;
use super::trouble::{Plan, Point, PointKind, Trouble};
use super::truth::{Sent, Truth};
use crate::shared::lock;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, Request, Response, StatusCode};
use futures_util::future::{BoxFuture, pending};
use merchant_backend::simulation::{Fate, Simulation};
use payment_sandbox::Sandbox;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use tower::ServiceExt as _;

pub(super) const SERVICE: &str = "service.localhost";
/// The host of the shop, which describes orders and takes events.
pub(super) const SHOP: &str = "shop.localhost";

/// Longer than the server waits for an answer.
pub(super) const LATE: Duration = Duration::from_secs(25);
/// Longer than a send window is open.
const SLOW_CONNECTION: Duration = Duration::from_secs(4);
const LARGEST_BODY_BYTES: usize = 1 << 20;

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

    pub(super) fn reached(&self) -> Vec<Point> {
        self.points().reached.clone()
    }

    fn points(&self) -> MutexGuard<'_, Points> {
        lock(&self.0.points)
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
        let mut planned = points.plan.iter();
        let trouble = planned.find(|(at, trouble)| {
            *at == number && Trouble::at(kind).any(|possible| possible == *trouble)
        });
        let trouble = trouble.map(|(_, trouble)| *trouble);
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
                    *lock(&next) = Some(Trouble::SlowConnection);
                    true
                })
            }
            trouble => {
                // The request follows before anything else happens.
                *lock(&self.next) = trouble;
                Box::pin(async { true })
            }
        }
    }

    fn exchange(&self, request: Request<Bytes>) -> BoxFuture<'static, Option<Response<Bytes>>> {
        if self.is_dead() {
            return Box::pin(pending());
        }
        let mut next = lock(&self.next);
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
        Some(Trouble::Refused) => return Some(refusal(StatusCode::SERVICE_UNAVAILABLE)),
        Some(Trouble::Limited) => {
            let mut limited = refusal(StatusCode::TOO_MANY_REQUESTS);
            let headers = limited.headers_mut();
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            return Some(limited);
        }
        Some(Trouble::AnswerDenied) => network.0.truth.denies(&Sent::read(&request, left)),
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
        Some(Trouble::AnswerDenied) => Some(refusal(StatusCode::BAD_REQUEST)),
        Some(Trouble::AnswerUnreadable) => answer.map(|answer| {
            let half = answer.body().len() / 2;
            answer.map(|body| body.slice(..half))
        }),
        Some(Trouble::AnswerByAnother) => Some(Response::new(Bytes::from_static(ANOTHERS_PAGE))),
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

fn refusal(status: StatusCode) -> Response<Bytes> {
    let mut refusal = Response::new(Bytes::new());
    *refusal.status_mut() = status;
    refusal
}

/// What a gateway says in the place of an answer.
const ANOTHERS_PAGE: &[u8] = b"<html><body>One moment, please.</body></html>";

/// The beginning of a statement, which names its table.
fn first_words(sql: &str) -> String {
    let words: Vec<_> = sql.split_whitespace().take(4).collect();
    words.join(" ")
}
