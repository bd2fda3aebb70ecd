//! What a node takes from its surroundings: the time, and random bytes. One handle for both lets a test or a
//! simulation give each of several nodes clocks and randomness of its own.

use crate::clock_jumps::{Moment, StableClock};
use axum::body::Bytes;
use axum::http::{Request, Response};
use futures_util::future::{BoxFuture, Either};
use payment_rules::timing::Reading;
use ring::rand::{SecureRandom as _, SystemRandom};
use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The operating system gave no random bytes, so no id or token can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub struct NoRandomness;

/// The machine below a node.
pub trait Machine: Send + Sync {
    /// The wall clock, which an administrator or a time server may set at any time.
    fn wall(&self) -> SystemTime;

    /// The monotonic time since an instant of the past. On some systems it stops during sleep.
    fn steady(&self) -> Duration;

    /// Fills the bytes with random ones.
    ///
    /// # Errors
    /// The machine has none.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness>;

    /// The simulation that takes the place of the network and decides about the statements, if there is one.
    fn simulation(&self) -> Option<Arc<dyn Simulation>> {
        None
    }
}

/// What becomes of a statement of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is carried out.
    Runs,
    /// It fails, and is not carried out.
    Fails,
    /// It is carried out, and its caller gets an error.
    RunsThenFails,
    /// The node stops before it.
    Halts,
    /// The node stops after it.
    RunsThenHalts,
}

/// The world around a node that a simulation replaces.
pub trait Simulation: Send + Sync {
    /// Decides what becomes of the next statement.
    fn statement(&self, sql: &str) -> Fate;

    /// Connects for a request, whose address is absolute; false if there is no connection.
    fn connect(&self, request: &Request<Bytes>) -> BoxFuture<'static, bool>;

    /// Carries the request, for which it has just connected; `None` if the connection ends without an
    /// answer.
    fn exchange(&self, request: Request<Bytes>) -> BoxFuture<'static, Option<Response<Bytes>>>;
}

/// The machine on which this process runs.
struct ThisMachine {
    start: Instant,
}

impl Machine for ThisMachine {
    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }

    fn steady(&self) -> Duration {
        self.start.elapsed()
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        SystemRandom::new().fill(bytes).map_err(|_| NoRandomness)
    }
}

/// The surroundings of a node, with what the node knows about its clocks.
pub(crate) struct Ambient {
    machine: Box<dyn Machine>,
    /// The wall clock and the steady clock when the node started.
    begin: (SystemTime, Duration),
    /// The milliseconds by which the followed clock is ahead of the steady clock.
    ahead: AtomicI64,
    watch: Mutex<Option<StableClock>>,
}

/// The value of [`Ambient::ahead`] while no other clock is followed.
const NOT_FOLLOWED: i64 = i64::MIN;

static SYSTEM: LazyLock<Arc<Ambient>> = LazyLock::new(|| {
    Ambient::of(ThisMachine {
        start: Instant::now(),
    })
});

thread_local! {
    /// The surroundings of the node that runs on this thread, if they are not the system's.
    static CURRENT: RefCell<Option<Arc<Ambient>>> = const { RefCell::new(None) };
}

/// Reads the surroundings of the node that runs on this thread.
pub(crate) fn with<T>(read: impl FnOnce(&Ambient) -> T) -> T {
    let current = CURRENT.with_borrow(Option::clone);
    read(current.as_ref().unwrap_or(&SYSTEM))
}

/// The simulation in which the node of this thread runs, if it runs in one.
pub(crate) fn simulation() -> Option<Arc<dyn Simulation>> {
    with(|ambient| ambient.machine.simulation())
}

/// A node that runs on a machine of a simulation. A program that serves payers runs on the machine of its process,
/// which needs no call.
#[derive(Clone)]
pub struct Node(Arc<Ambient>);

impl Node {
    /// A node that starts now.
    pub fn start_on(machine: impl Machine + 'static) -> Self {
        Self(Ambient::of(machine))
    }

    /// Does work of this node. The tasks that the work spawns belong to the node, too.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let before = CURRENT.replace(Some(Arc::clone(&self.0)));
            let polled = work.as_mut().poll(context);
            CURRENT.set(before);
            polled
        })
        .await
    }
}

/// Work for a task of its own, which belongs to the node that spawns it.
pub(crate) fn task<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    match CURRENT.with_borrow(Option::clone) {
        None => Either::Left(work),
        Some(node) => Either::Right(async move { Node(node).run(work).await }),
    }
}

impl Ambient {
    /// The surroundings of a node that starts now on this machine.
    pub(crate) fn of(machine: impl Machine + 'static) -> Arc<Self> {
        Arc::new(Self {
            begin: (machine.wall(), machine.steady()),
            machine: Box::new(machine),
            ahead: AtomicI64::new(NOT_FOLLOWED),
            watch: Mutex::default(),
        })
    }

    pub(crate) fn wall(&self) -> SystemTime {
        self.machine.wall()
    }

    /// The wall clock when the node started.
    pub(crate) fn begin(&self) -> SystemTime {
        self.begin.0
    }

    /// The monotonic time since the node started.
    pub(crate) fn steady(&self) -> Duration {
        self.machine.steady().saturating_sub(self.begin.1)
    }

    pub(crate) fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        self.machine.fill(bytes)
    }

    /// The milliseconds by which the followed clock is ahead of the steady clock; `None` while none is
    /// followed.
    pub(crate) fn ahead(&self) -> Option<i64> {
        let ahead = self.ahead.load(Ordering::Relaxed);
        (ahead != NOT_FOLLOWED).then_some(ahead)
    }

    pub(crate) fn set_ahead(&self, millis: i64) {
        let followed = millis.max(NOT_FOLLOWED.saturating_add(1));
        self.ahead.store(followed, Ordering::Relaxed);
    }

    /// Compares the clocks with the previous reading.
    pub(crate) fn watch(&self, at: Moment) -> (Reading, StableClock) {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let clock = watch.get_or_insert_with(|| StableClock::new(at));
        (clock.read(at), *clock)
    }
}

#[cfg(test)]
pub(crate) use of_tests::{TestMachine, on};

#[cfg(test)]
mod of_tests {
    use super::{Ambient, CURRENT, Machine, NoRandomness};
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    /// A machine whose clocks a test sets, and whose random bytes are always the same one.
    #[derive(Clone)]
    pub(crate) struct TestMachine(Arc<Mutex<(Duration, Duration)>>);

    impl TestMachine {
        /// A machine on the second day of 1970, which has just started.
        pub(crate) fn new() -> Self {
            Self(Arc::new(Mutex::new((
                Duration::from_hours(24),
                Duration::ZERO,
            ))))
        }

        /// Moves the wall clock and the steady clock on.
        pub(crate) fn passes(&self, wall: Duration, steady: Duration) {
            let mut clocks = self.0.lock().unwrap();
            *clocks = (clocks.0 + wall, clocks.1 + steady);
        }

        /// Sets the wall clock back.
        pub(crate) fn is_set_back(&self, by: Duration) {
            self.0.lock().unwrap().0 -= by;
        }
    }

    impl Machine for TestMachine {
        fn wall(&self) -> SystemTime {
            UNIX_EPOCH + self.0.lock().unwrap().0
        }

        fn steady(&self) -> Duration {
            self.0.lock().unwrap().1
        }

        fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
            bytes.fill(7);
            Ok(())
        }
    }

    /// Runs a test on this thread as a node that starts now on a machine.
    pub(crate) fn on<T>(machine: &TestMachine, test: impl FnOnce() -> T) -> T {
        let node = Ambient::of(machine.clone());
        let before = CURRENT.replace(Some(node));
        let result = test();
        CURRENT.set(before);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{TestMachine, on};
    use crate::clock::{moment, now, reading};
    use crate::random::token;
    use std::time::Duration;

    #[test]
    fn two_nodes_of_one_process_have_clocks_and_randomness_of_their_own() {
        let (machine, other) = (TestMachine::new(), TestMachine::new());
        let hour = Duration::from_hours(1);
        on(&machine, || {
            let begun = moment();
            machine.passes(hour, Duration::from_secs(1));
            assert_eq!(now().duration_since(begun.wall), hour);
            assert_eq!(moment().steady.duration_since(begun.steady).as_secs(), 1);
            assert_eq!(token(), token());
            let elsewhere = on(&other, now);
            assert_eq!(elsewhere, begun.wall);
        });
        assert!(now() > on(&machine, now));
        assert_ne!(token(), token());
    }

    #[test]
    fn a_jump_of_one_node_ends_the_even_time_of_this_node_only() {
        let (machine, other) = (TestMachine::new(), TestMachine::new());
        let minute = Duration::from_mins(1);
        on(&machine, || {
            reading();
            machine.passes(minute, minute);
            assert_eq!(reading().stable_for, minute);
            machine.is_set_back(minute);
            assert_eq!(reading().stable_for, Duration::ZERO);
            on(&other, || {
                reading();
                other.passes(minute, minute);
                assert_eq!(reading().stable_for, minute);
            });
        });
    }
}
