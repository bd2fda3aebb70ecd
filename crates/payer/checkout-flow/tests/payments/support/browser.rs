use crate::support::cache::{Address, Habit, PATIENCE};
use crate::support::server::{EPOCH, Network, Server, status as refusal};
use checkout_flow::{
    Answer, Answered, CallId, Command, ContinueUrl, Event, IdempotencyKey, Moment, MonotonicTime,
    OperationRef, PageAnswer, Snapshot,
};
use payment_model::{MerchantOperationNumber, PaymentMethodName, QueryResponse, Timestamp};
use std::time::Duration;

/// How long an answer takes.
const LATENCY: i64 = 100;

/// The browser around the flow: its clocks, its timer, its storage and its requests.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    /// The true time since the story began, in milliseconds.
    pub(crate) now: i64,
    /// By how much the wall clock is wrong.
    pub(crate) skew: i64,
    /// How long the monotonic clock stood still.
    pub(crate) slept: i64,
    /// By how much the server's clock is wrong.
    pub(crate) server_skew: i64,
    /// What the server's clock shows, if it has stopped.
    pub(crate) server_stopped: Option<i64>,
    /// True when answers carry a `Date` that the browser lets the page read.
    pub(crate) dated: bool,
    pub(crate) storage: Option<Snapshot>,
    pub(crate) wake_at: Option<i64>,
    pub(crate) calls: Vec<Running>,
    /// Requests that the flow gave up; their answers may still come.
    pub(crate) aborted: Vec<Running>,
    pub(crate) left: Vec<ContinueUrl>,
    pub(crate) journal: Vec<Sent>,
    /// The page's answer before an attempt, and how long it takes.
    pub(crate) page_answer: PageAnswer,
    pub(crate) page_takes: i64,
}

/// A request on its way.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    pub(crate) call: CallId,
    pub(crate) what: Request,
    pub(crate) network: Network,
    pub(crate) started: i64,
    pub(crate) held_until: Option<i64>,
    /// The tag of the known answer in the request.
    pub(crate) known: Option<String>,
    /// True when its address is another one than that of any question before.
    pub(crate) fresh: bool,
    /// The answer of a cache, in the server's place.
    pub(crate) cached: Option<Answer<Option<QueryResponse>>>,
    pub(crate) ends: i64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Authorize(
        IdempotencyKey,
        PaymentMethodName,
        Option<MerchantOperationNumber>,
    ),
    Live,
    Status(OperationRef),
    Cancel(OperationRef),
    /// A question to the page, which is no request to the server.
    Page(PaymentMethodName),
}

/// What only a question about a state has.
#[derive(Default)]
struct Preferred {
    wait: Option<i64>,
    known: Option<String>,
    fresh: bool,
}

/// A request with the time at which it left.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    pub(crate) at: i64,
    pub(crate) what: Request,
    pub(crate) wait: Option<i64>,
    pub(crate) known: Option<String>,
    pub(crate) fresh: bool,
}

impl Browser {
    pub(crate) fn new() -> Self {
        Self {
            now: 0,
            skew: 0,
            slept: 0,
            server_skew: 0,
            server_stopped: None,
            dated: true,
            storage: None,
            wake_at: None,
            calls: Vec::new(),
            aborted: Vec::new(),
            left: Vec::new(),
            journal: Vec::new(),
            page_answer: PageAnswer::Begin,
            page_takes: LATENCY,
        }
    }

    pub(crate) fn moment(&self) -> Moment {
        let wall = EPOCH.saturating_add(self.now).saturating_add(self.skew);
        // The monotonic clock may have begun at any time.
        let monotonic = self.now.saturating_sub(self.slept).abs_diff(i64::MIN);
        Moment {
            wall: Timestamp::from_millis(wall),
            monotonic: MonotonicTime::after_start(Duration::from_millis(monotonic)),
        }
    }

    pub(crate) fn server_clock(&self) -> i64 {
        let running = EPOCH + self.now + self.server_skew;
        self.server_stopped.unwrap_or(running)
    }

    /// Opens another page of the same tab: running requests are gone, the storage stays.
    pub(crate) fn reload(&mut self) {
        (self.wake_at, self.slept) = (None, self.now);
        self.calls.clear();
        self.aborted.clear();
    }

    /// Carries a command out, except the messages to the page.
    pub(crate) fn carry_out(&mut self, command: &Command, server: &mut Server) {
        match command {
            Command::Authorize {
                call,
                key,
                method,
                replaces,
                timeout,
            } => {
                let what = Request::Authorize(key.clone(), method.clone(), replaces.clone());
                self.send(*call, what, Preferred::default(), *timeout, server);
            }
            Command::AskPage { call, method, .. } => self.calls.push(Running {
                call: *call,
                what: Request::Page(method.clone()),
                network: Network::Good,
                started: self.now,
                held_until: None,
                known: None,
                fresh: false,
                cached: None,
                ends: self.now + self.page_takes,
            }),
            Command::QueryLive { call, timeout } => {
                self.send(*call, Request::Live, Preferred::default(), *timeout, server);
            }
            Command::QueryStatus {
                call,
                operation,
                wait,
                known,
                fresh,
                timeout,
            } => {
                let what = Request::Status(operation.clone());
                let preferred = Preferred {
                    wait: wait.map(|wait| i64::try_from(wait.as_secs()).unwrap()),
                    known: known.clone(),
                    fresh: *fresh,
                };
                let timeout = *timeout + wait.unwrap_or_default();
                self.send(*call, what, preferred, timeout, server);
            }
            Command::Cancel {
                call,
                operation,
                timeout,
            } => {
                let what = Request::Cancel(operation.clone());
                self.send(*call, what, Preferred::default(), *timeout, server);
            }
            Command::Abort { call } => {
                let (gone, kept) = std::mem::take(&mut self.calls)
                    .into_iter()
                    .partition(|running| running.call == *call);
                self.calls = kept;
                self.aborted.extend::<Vec<_>>(gone);
            }
            Command::Leave { url, .. } => self.left.push(url.clone()),
            Command::Save(snapshot) => self.storage = Some(snapshot.clone()),
            Command::Forget => self.storage = None,
            Command::Report(_) => {}
            Command::Wake { after } => self.wake_at = Some(self.now + millis(*after)),
        }
    }

    fn send(
        &mut self,
        call: CallId,
        what: Request,
        Preferred { wait, known, fresh }: Preferred,
        timeout: Duration,
        server: &mut Server,
    ) {
        let network = match (&what, server.next_cancel.take()) {
            (Request::Cancel(_), Some(network)) => network,
            (_, None) if fresh && server.knows_no_query => Network::Says(refusal(404)),
            (_, other) => {
                server.next_cancel = other;
                server.network_for_next()
            }
        };
        let held = wait.filter(|_| server.holds && network == Network::Good);
        let news = match (&what, &known) {
            (Request::Status(operation), Some(known)) => server.told_otherwise(operation, known),
            _ => false,
        };
        let held = held.filter(|_| !news);
        let cached = match &what {
            Request::Status(operation) => {
                let address = address(operation, fresh, self.now);
                server.cache.answer(&address, self.now, held.is_some())
            }
            _ => None,
        };
        let held_until = held.map(|wait| self.now + wait * 1_000);
        let ends = match (&cached, &network) {
            (Some(_), _) if held.is_some() && server.cache.habit == Habit::IsImpatient => {
                self.now + PATIENCE
            }
            (Some(_), _) => self.now + 1,
            (None, Network::Silent) => self.now + millis(timeout),
            (None, _) => held_until.unwrap_or(self.now) + LATENCY,
        };
        let held_until = held_until.filter(|_| cached.is_none());
        self.journal.push(Sent {
            at: self.now,
            what: what.clone(),
            wait,
            known: known.clone(),
            fresh,
        });
        self.calls.push(Running {
            call,
            what,
            network,
            started: self.now,
            held_until,
            known,
            fresh,
            cached,
            ends,
        });
    }

    /// The server answers the held requests after a change.
    pub(crate) fn held_requests_end(&mut self) {
        for running in &mut self.calls {
            if running.held_until.take().is_some() {
                running.ends = self.now + LATENCY;
            }
        }
    }

    /// The request that ends first.
    pub(crate) fn next_end(&self) -> Option<i64> {
        self.calls.iter().map(|running| running.ends).min()
    }

    /// Removes the requests that have ended by now.
    pub(crate) fn take_ended(&mut self) -> Option<Running> {
        let index = self.calls.iter().position(|r| r.ends <= self.now)?;
        Some(self.calls.remove(index))
    }

    /// Returns the event with the end of a request.
    pub(crate) fn answer(&self, running: &Running, server: &mut Server) -> Event {
        let clock = self.server_clock();
        let second = Timestamp::from_secs(clock.div_euclid(1000));
        let date = self.dated.then_some(second);
        let held = running.ends - running.started > 2 * LATENCY && server.holds;
        let (call, network) = (running.call, &running.network);
        match &running.what {
            Request::Authorize(key, method, replaces) => Event::AuthorizeAnswered {
                call,
                answer: through(network, date, false, || {
                    server.authorize(key, method, replaces.as_ref(), clock)
                }),
            },
            Request::Page(_) => Event::PageAnswered {
                call,
                answer: self.page_answer.clone(),
            },
            Request::Live => Event::LiveAnswered {
                call,
                answer: live(network, date, clock, server),
                offer: server.offer_to_choose(clock),
            },
            Request::Status(operation) => {
                let answer = status(running, date, held, server, operation);
                if let Ok(answer) = &answer {
                    let address = address(operation, running.fresh, running.started);
                    let instead = running.cached.is_some();
                    server.cache.keep(&address, self.now, answer, instead);
                }
                Event::StatusAnswered {
                    call,
                    answer: running.cached.clone().map_or(answer, Ok),
                }
            }
            Request::Cancel(operation) => Event::CancelAnswered {
                call,
                answer: through(network, date, false, || server.cancel(operation)),
            },
        }
    }
}

fn address(operation: &OperationRef, fresh: bool, at: i64) -> Address {
    let number = operation.merchant_operation_number.as_str();
    (number.to_owned(), fresh.then_some(at))
}

/// The status answer about the operation that the payer should see, if there is one.
fn live(
    network: &Network,
    date: Option<Timestamp>,
    clock: i64,
    server: &Server,
) -> Answered<Option<QueryResponse>> {
    let operation = server.live(clock);
    let ask = || operation.as_ref().map(|o| server.query(o)).transpose();
    let answer = through(network, date, false, ask)?;
    Ok(Answer {
        tag: operation.as_ref().and_then(|o| server.tag(o)),
        order_open: operation.is_some_and(|o| server.tells_open(&o)),
        ..answer
    })
}

/// A status answer: with its tag, and without its body if the request has the same tag.
fn status(
    running: &Running,
    date: Option<Timestamp>,
    held: bool,
    server: &Server,
    operation: &OperationRef,
) -> Answered<Option<QueryResponse>> {
    let tag = server.tag(operation);
    let unchanged = tag.is_some() && tag == running.known;
    let ask = || {
        server
            .query(operation)
            .map(|body| (!unchanged).then_some(body))
    };
    let answer = through(&running.network, date, held, ask)?;
    let id = server.counts_answers.then_some(running.call);
    Ok(Answer {
        id: id.map(|call| format!("{call:?}")),
        tag,
        age: server.age,
        order_open: server.tells_open(operation),
        cancelled_by: server
            .find(operation)
            .and_then(|charge| charge.cancelled_by),
        ..answer
    })
}

fn through<T>(
    network: &Network,
    date: Option<Timestamp>,
    held: bool,
    ask: impl FnOnce() -> Result<T, checkout_flow::Failure>,
) -> Answered<T> {
    use checkout_flow::Failure;
    match network {
        Network::Good => ask().map(|body| Answer {
            body: Box::new(body),
            date,
            id: None,
            held,
            tag: None,
            age: None,
            order_open: false,
            cancelled_by: None,
        }),
        Network::Silent => Err(Failure::Timeout),
        Network::LosesAnswers => {
            let _ = ask();
            Err(Failure::Network)
        }
        Network::Says(failure) => Err(failure.clone()),
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap()
}
