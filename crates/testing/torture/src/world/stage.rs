//! A world: one server over a database file, with everything around it, in virtual time and in one thread.

use super::machine::{Brake, WorldTime};
use super::network::{Network, SERVICE};
use super::server_machine::ServerMachine;
use super::settings::{HOST, settings};
use super::shop::Shop;
use super::trouble::Plan;
use super::truth::Truth;
use crate::answer::Answer;
use crate::disk::{self, Image, fast_directory, image};
use crate::request::Request;
use crate::service::Operation;
use crate::settings::{TOKEN, accounts};
use anyhow::{Context as _, Result, anyhow};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http;
use merchant_backend::simulation::{Node, carry_out};
use merchant_backend::{Backend, Config, Settings, app_with};
use payment_model::Timestamp;
use payment_sandbox::{Clock, Sandbox, Setup};
use serde_json::Value;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};
use tempfile::TempDir;
use tokio::select;
use tokio::sync::Notify;
use tokio::task::spawn_local;
use tokio::time::sleep;
use tower::ServiceExt as _;

/// The name of the file with the accounts of staff.
const STAFF_FILE: &str = "staff.toml";
/// How long a stopped server stays away.
const PAUSE_BEFORE_START: Duration = Duration::from_secs(2);
/// How often the operator tries to start it.
const START_ATTEMPTS: u32 = 5;
/// How long a client waits for an answer.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(40);

/// Runs a world to its end in this thread.
///
/// # Panics
/// The operating system gives no threads.
#[allow(clippy::expect_used, reason = "without a runtime no world can begin")]
pub(super) fn run<T>(world: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, world)
}

/// A world. Clones share it.
#[derive(Clone)]
pub(super) struct World(Rc<Inner>);

struct Inner {
    network: Network,
    control: Router,
    shop: Shop,
    truth: Truth,
    directory: TempDir,
    /// The seeds of the machines to come.
    seeds: RefCell<fastrand::Rng>,
    server: RefCell<Server>,
    /// The server of the present life has ended, or a new one runs.
    changed: Notify,
}

/// The present life of the server.
#[derive(Default)]
struct Server {
    file: PathBuf,
    life: u32,
    running: Option<Running>,
    /// When the backup was made that took the place of the database.
    restored_to: Option<Duration>,
    /// When it took that place.
    restored_at: Option<Duration>,
    /// True until the command that tells the program of a restore has ended: an operator repeats one that was killed.
    is_to_be_told: bool,
    /// The newest backup of the database, and when it was made.
    backup: Option<(Duration, Image)>,
}

#[derive(Clone)]
struct Running {
    node: Node,
    backend: Backend,
    router: Router,
}

impl World {
    /// Starts a server on a copy of this database file, or on an empty file.
    pub(super) async fn start(database: Option<&[u8]>, plan: Plan, seed: u64) -> Result<Self> {
        let directory = tempfile::tempdir_in(fast_directory())?;
        let (shop, truth) = (Shop::default(), Truth::default());
        let mut setup = Setup::new(TOKEN, format!("https://{SERVICE}"));
        let time = WorldTime::begin();
        setup.clock = Clock::new(move || {
            let since = time.wall().duration_since(UNIX_EPOCH).unwrap_or_default();
            Timestamp::default().saturating_add(since)
        });
        let sandbox = Sandbox::new(setup);
        let control = payment_sandbox::app(sandbox.clone());
        let network = Network::new(time, sandbox, shop.clone(), truth.clone(), plan);
        let file = directory.path().join("life-0.db");
        std::fs::write(&file, database.unwrap_or_default())?;
        std::fs::write(directory.path().join(STAFF_FILE), accounts()?)?;
        let world = Self(Rc::new(Inner {
            network,
            control,
            shop,
            truth,
            directory,
            seeds: RefCell::new(fastrand::Rng::with_seed(seed)),
            server: RefCell::new(Server {
                file,
                ..Server::default()
            }),
            changed: Notify::new(),
        }));
        world.start_server().await?;
        let operator = world.clone();
        spawn_local(async move { operator.operate().await });
        let postman = world.clone();
        spawn_local(async move { postman.notify().await });
        Ok(world)
    }

    pub(super) fn network(&self) -> &Network {
        &self.0.network
    }

    pub(super) fn shop(&self) -> &Shop {
        &self.0.shop
    }

    pub(super) fn truth(&self) -> &Truth {
        &self.0.truth
    }

    pub(super) fn passed(&self) -> Duration {
        self.0.network.time().passed()
    }

    /// The settings of the server, with further words of the command line.
    pub(super) fn settings(&self, words: &[&str]) -> Settings {
        let file = &self.0.server.borrow().file;
        settings(file, &self.0.directory.path().join(STAFF_FILE), words)
    }

    async fn start_server(&self) -> Result<()> {
        let mut config = Config::read(&self.settings(&[]))?;
        config.orders_per_minute = u32::MAX;
        config.starts_per_minute = u32::MAX;
        config.timing.authorizes_per_minute = u32::MAX;
        config.timing.repetitions_per_minute = u32::MAX;
        let life = self.0.network.life();
        let node = self.new_node();
        let brake = Brake::set();
        let backend = node.run(Backend::start(config)).await?;
        drop(brake);
        let router = app_with(&backend, Router::new());
        let mut server = self.0.server.borrow_mut();
        server.life = life;
        server.running = Some(Running {
            node,
            backend,
            router,
        });
        drop(server);
        self.0.changed.notify_waiters();
        Ok(())
    }

    fn new_node(&self) -> Node {
        let seed = self.0.seeds.borrow_mut().u64(..);
        Node::start_on(ServerMachine::new(&self.0.network, seed))
    }

    /// Starts the server again after each kill, as a supervisor of processes does.
    async fn operate(self) {
        loop {
            let restore = self.0.network.killed().await;
            let life = self.0.network.life();
            if self.0.server.borrow().life == life {
                continue;
            }
            self.0.server.borrow_mut().running = None;
            self.0.changed.notify_waiters();
            sleep(PAUSE_BEFORE_START).await;
            let is_to_be_told = restore || self.0.server.borrow().is_to_be_told;
            self.0.server.borrow_mut().is_to_be_told = is_to_be_told;
            let words: &[&str] = if is_to_be_told { &["restored"] } else { &[] };
            let started = match self.move_file(restore) {
                Ok(()) => self.persist(words).await,
                Err(error) => Err(error),
            };
            if let Err(error) = started {
                let what = format!("the server does not start: {error:#}");
                self.0.truth.breaks(what);
                return;
            }
        }
    }

    /// Carries a command out, if there is one, and starts the server; repeats both as an operator does.
    async fn persist(&self, words: &[&str]) -> Result<()> {
        let life = self.0.network.life();
        let mut last = Ok(());
        for _ in 0..START_ATTEMPTS {
            let started = async {
                if !words.is_empty() {
                    self.command(words).await?;
                    self.0.server.borrow_mut().is_to_be_told = false;
                }
                self.start_server().await
            };
            last = select! {
                biased;
                started = started => started,
                // The next life begins where this one ended.
                () = self.0.network.ends(life) => return Ok(()),
            };
            if last.is_ok() {
                break;
            }
            sleep(PAUSE_BEFORE_START).await;
        }
        last
    }

    /// Carries a command of the program out, while no server runs.
    pub(super) async fn command(&self, words: &[&str]) -> Result<String> {
        let _brake = Brake::set();
        let settings = self.settings(words);
        let done = self.new_node().run(carry_out(&settings)).await;
        done.map_err(|error| anyhow!(error))
    }

    /// Ends the server as a signal does, lets the operator do something, and starts it again.
    pub(super) async fn stop_for(&self, words: &[&str]) -> Result<()> {
        let life = self.0.network.life();
        let Some(running) = self.0.server.borrow_mut().running.take() else {
            return Err(anyhow!("the server is away"));
        };
        self.0.changed.notify_waiters();
        select! {
            biased;
            () = self.0.network.ends(life) => return Err(anyhow!("the server was killed")),
            () = running.node.run(running.backend.stop()) => {}
        }
        self.persist(words).await
    }

    /// Copies the database as it is on the disk now, or as the backup has it, to a file for the next life.
    fn move_file(&self, restore: bool) -> Result<()> {
        let mut server = self.0.server.borrow_mut();
        let next = self.0.directory.path();
        let next = next.join(format!("life-{}.db", self.0.network.life()));
        let image = match server.backup.clone().filter(|_| restore) {
            Some((at, backup)) => {
                self.0.truth.is_restored();
                let earliest = server.restored_to.map_or(at, |earlier| earlier.min(at));
                server.restored_to = Some(earliest);
                server.restored_at = Some(self.passed());
                backup
            }
            None => image(&server.file)?,
        };
        disk::write(image, &next)?;
        server.file = next;
        Ok(())
    }

    /// When the backup was made that took the place of the database, if one did.
    pub(super) fn restored_to(&self) -> Option<Duration> {
        self.0.server.borrow().restored_to
    }

    /// True if the database forgot this moment when a backup took its place.
    pub(super) fn has_forgotten(&self, moment: Duration) -> bool {
        let server = self.0.server.borrow();
        let (to, at) = (server.restored_to, server.restored_at);
        to.zip(at)
            .is_some_and(|(to, at)| (to..at).contains(&moment))
    }

    /// Makes a backup of the database.
    pub(super) fn back_up(&self) -> Result<()> {
        let mut server = self.0.server.borrow_mut();
        server.backup = Some((self.passed(), image(&server.file)?));
        Ok(())
    }

    /// The database of a server that was stopped.
    pub(super) async fn database(&self) -> Result<Vec<u8>> {
        let running = self.0.server.borrow_mut().running.take();
        if let Some(running) = running {
            running.node.run(running.backend.stop()).await;
        }
        Ok(std::fs::read(&self.0.server.borrow().file)?)
    }

    /// Sends a request to the server. `None` if there is no answer: the server is away, is killed meanwhile, or takes too
    /// long.
    pub(super) async fn asked(&self, request: Request) -> Option<Answer> {
        self.ask(request.with("host", HOST).to_http().ok()?).await
    }

    async fn ask(&self, request: http::Request<Bytes>) -> Option<Answer> {
        let changed = self.0.changed.notified();
        let running = self.0.server.borrow().running.clone()?;
        let life = self.0.network.life();
        let answer = async {
            let answer = running.router.oneshot(request.map(Body::from)).await.ok()?;
            Answer::read(answer).await.ok()
        };
        let answer = select! {
            biased;
            answer = running.node.run(answer) => answer,
            () = changed => None,
            () = sleep(CLIENT_TIMEOUT) => None,
        };
        answer.filter(|_| self.0.network.life() == life)
    }

    /// Sends a request to the control interface of the payment service.
    pub(super) async fn control(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer> {
        let mut request = Request::new(method, path);
        if let Some(body) = body {
            request = request.with_json(body);
        }
        let answer = request.send(&self.0.control).await?;
        answer.success().with_context(|| path.to_owned())
    }

    /// The operations that the payment service has, the newest first.
    pub(super) async fn operations(&self) -> Result<Vec<Operation>> {
        let list = self.control("GET", "/sandbox/operations", None).await?;
        Operation::read_all(&list.text)
    }

    /// Delivers the notifications of the service.
    async fn notify(self) {
        loop {
            for (late, request) in self.0.network.notifications() {
                let world = self.clone();
                spawn_local(async move {
                    sleep(late).await;
                    let sent = request.body().clone();
                    let answer = world.ask(request).await;
                    if answer.is_some_and(|answer| answer.is_success()) {
                        world.0.truth.reports(&sent);
                    }
                });
            }
            sleep(Duration::from_millis(200)).await;
        }
    }
}
