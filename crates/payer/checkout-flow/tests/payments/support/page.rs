use crate::support::browser::Browser;
use crate::support::charge::Charge;
use crate::support::invariants::Invariants;
use crate::support::server::{Network, Server};
use checkout_flow::{Command, Event, Flow, Input, Notice, OperationRef, Settings, Start};
use payment_model::{PaymentMethodName, TransactionState};

pub(crate) const fn seconds(seconds: i64) -> i64 {
    seconds * 1_000
}

pub(crate) const fn minutes(minutes: i64) -> i64 {
    minutes * 60_000
}

/// A checkout page, its payer, its browser, and the server behind it.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) settings: Settings,
    pub(crate) flow: Flow,
    pub(crate) browser: Browser,
    pub(crate) server: Server,
    pub(crate) notices: Vec<Notice>,
    pub(crate) invariants: Invariants,
    pub(crate) entropy: u128,
    /// True when the page names the address of the live operation.
    pub(crate) asks_live: bool,
}

impl Page {
    /// A page that offers a QR code and installments, just opened.
    pub(crate) fn opened() -> Self {
        Self::with(|_| {})
    }

    /// The same after some preparation.
    pub(crate) fn with(prepare: impl FnOnce(&mut Self)) -> Self {
        let mut page = Self::unopened();
        prepare(&mut page);
        page.opens(None, None);
        page
    }

    pub(crate) fn unopened() -> Self {
        let settings = Settings {
            methods: vec![PaymentMethodName::Qr, PaymentMethodName::Installment],
            ..Settings::default()
        };
        Self {
            flow: Flow::new(settings.clone()),
            settings,
            browser: Browser::new(),
            server: Server::new(),
            notices: Vec::new(),
            invariants: Invariants::default(),
            entropy: 0,
            asks_live: false,
        }
    }

    pub(crate) fn opens(&mut self, resume: Option<OperationRef>, returned: Option<OperationRef>) {
        self.flow = Flow::new(self.settings.clone());
        self.notices.clear();
        self.invariants.asks_page = self.settings.asks_page;
        self.invariants.opens();
        let snapshot = self.browser.storage.clone();
        self.hears(Event::Started(Box::new(Start {
            snapshot,
            resume,
            returned,
            misconfigured: false,
            asks_live: self.asks_live,
        })));
    }

    pub(crate) fn reloads(&mut self) {
        for running in std::mem::take(&mut self.browser.calls) {
            // A request that was sent still arrives, but its answer does not.
            self.browser.answer(&running, &mut self.server);
        }
        self.browser.reload();
        self.opens(None, None);
    }

    /// Gives an event to the flow and carries out its commands.
    pub(crate) fn hears(&mut self, event: Event) {
        // Each event has other bits, the same in every run.
        self.entropy = self
            .entropy
            .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645)
            .wrapping_add(0x5851_F42D_4C95_7F2D_1405_7B7E_F767_814F);
        self.invariants.before(&event, &self.flow, &self.browser);
        let commands = self.flow.handle(Input {
            at: self.browser.moment(),
            entropy: self.entropy,
            event,
        });
        for command in &commands {
            self.browser.carry_out(command, &mut self.server);
            self.invariants.command(command, &self.browser);
            if let Command::Report(notice) = command {
                self.notices.push(notice.clone());
            }
        }
        self.invariants.after(&self.flow, &self.browser);
    }

    /// Lets time pass, with its timers and the ends of requests.
    pub(crate) fn time_passes(&mut self, millis: i64) {
        let until = self.browser.now + millis;
        let mut at_once = 0;
        loop {
            let next = [self.browser.wake_at, self.browser.next_end()]
                .into_iter()
                .flatten()
                .min()
                .filter(|next| *next <= until);
            let Some(next) = next else {
                break;
            };
            at_once = if next > self.browser.now {
                0
            } else {
                at_once + 1
            };
            assert!(at_once < 50, "the flow turns in circles");
            self.browser.now = self.browser.now.max(next);
            if let Some(running) = self.browser.take_ended() {
                let event = self.browser.answer(&running, &mut self.server);
                self.hears(event);
            } else {
                self.browser.wake_at = None;
                self.hears(Event::Woke);
            }
        }
        self.browser.now = self.browser.now.max(until);
    }

    /// Lets the device sleep: no timer fires, no answer comes, and the monotonic clock stands
    /// still.
    pub(crate) fn sleeps(&mut self, millis: i64) {
        self.browser.now += millis;
        self.browser.slept += millis;
    }

    /// Waits for an answer.
    pub(crate) fn server_answers(&mut self) {
        self.time_passes(150);
    }

    pub(crate) fn chooses(&mut self, method: PaymentMethodName) {
        self.hears(Event::MethodChosen(method));
    }

    /// A page with a QR code on it.
    /// True when "check now" would send a request.
    pub(crate) fn may_check(&self) -> bool {
        let after = self.flow.check_opens_after(self.browser.moment());
        after.is_zero()
    }

    /// The payer wants another way, and is sure.
    pub(crate) fn leaves_for_another_way(&mut self) {
        self.hears(Event::AnotherWayPressed);
        self.hears(Event::CancelConfirmed);
    }

    pub(crate) fn showing_qr() -> Self {
        let mut page = Self::opened();
        page.chooses(PaymentMethodName::Qr);
        page.server_answers();
        page.sees_qr();
        page
    }

    /// An operation of the server, by its place in the order of creation.
    pub(crate) fn charge(&mut self, index: usize) -> &mut Charge {
        &mut self.server.charges[index]
    }

    pub(crate) fn server_says(&mut self, index: usize, state: TransactionState) {
        self.server.charges[index].becomes(state);
        self.browser.held_requests_end();
    }

    pub(crate) fn payer_pays(&mut self, index: usize) {
        self.server_says(index, TransactionState::Authorized);
    }

    pub(crate) fn network(&mut self, network: Network) {
        self.server.network = network;
    }
}
