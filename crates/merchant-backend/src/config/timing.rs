use std::time::Duration;

/// Intervals, limits and time-outs; only tests use other values than the default.
#[derive(Debug, Clone)]
pub struct Timing {
    /// The most that the payment service may take for an answer.
    pub payment_timeout: Duration,
    /// The least between two queries for one operation.
    pub query_interval: Duration,
    /// How old a stored result may be before a payer's look asks again.
    pub result_interval: Duration,
    /// How long a repeated key waits for the first request.
    pub key_wait: Duration,
    /// The longest that a status request is held.
    pub longest_poll: Duration,
    /// How often a server looks for changes that another one made.
    pub wakeup_poll_interval: Duration,
    /// Status requests held at once for one session.
    pub polls_per_session: usize,
    /// Authorize requests of one session in a minute.
    pub authorizes_per_minute: u32,
    /// New orders of one session, and of one address, in a minute; an address authorizes twice as
    /// often.
    pub orders_per_minute: u32,
    /// New orders and authorizations of all payers in a minute.
    pub starts_per_minute: u32,
    /// How often in a minute a key may be repeated; all keys of an address together four times as
    /// often.
    pub repetitions_per_minute: u32,
    /// Requests of one API key in a minute.
    pub api_requests_per_minute: u32,
    /// The most queries a second for payers and the background together.
    pub queries_per_second: u32,
    /// How old a refund or a reversal of unknown outcome must be before staff may release it: the service may
    /// work on it for longer than this server waits for an answer.
    pub release_after: Duration,
    /// How long a payer's request waits for a new answer before it gets the stored one.
    pub look_patience: Duration,
    /// The most that the merchant's own system may take to answer an event.
    pub event_timeout: Duration,
    /// The pause after the first failed delivery of an event; each later one is twice as long.
    pub event_pause: Duration,
    /// The most that the head of a request may take to arrive, and how long a connection may stay
    /// open without one. A proxy that reuses a connection in the moment in which the server closes it
    /// loses a payer's request, so this is longer than proxies keep theirs, which is a minute. A head
    /// that comes slowly takes no place from anybody: it gives way where places are needed.
    pub head_timeout: Duration,
    /// The most that a body may take to arrive.
    pub body_timeout: Duration,
    /// For how long a client may take nothing of its answer.
    pub write_timeout: Duration,
    /// How long the server must have run before it removes orders without an operation.
    pub observed: Duration,
    /// How often the server looks for orders that ended unpaid.
    pub ended_orders_interval: Duration,
    /// How long running work may take at shutdown.
    pub shutdown: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            payment_timeout: Duration::from_secs(10),
            // A little over a second, since the network shortens some of the gaps.
            query_interval: Duration::from_millis(1050),
            result_interval: Duration::from_secs(10),
            key_wait: Duration::from_secs(10),
            longest_poll: Duration::from_secs(20),
            // A change whose notification was lost is noticed after this time.
            wakeup_poll_interval: Duration::from_secs(2),
            polls_per_session: 10,
            authorizes_per_minute: 60,
            orders_per_minute: 30,
            starts_per_minute: 1200,
            repetitions_per_minute: 60,
            api_requests_per_minute: 600,
            queries_per_second: 100,
            release_after: Duration::from_secs(120),
            look_patience: Duration::from_secs(5),
            event_timeout: Duration::from_secs(10),
            event_pause: Duration::from_secs(5),
            head_timeout: Duration::from_secs(75),
            body_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            observed: Duration::from_hours(1),
            ended_orders_interval: Duration::from_secs(5),
            shutdown: Duration::from_secs(10),
        }
    }
}

impl Timing {
    /// For how long an attempt may run before another process may take it over: longer than
    /// all its requests to the service together.
    pub(crate) fn lease(&self) -> Duration {
        self.payment_timeout * 8 + Duration::from_secs(20)
    }

    /// For how long a request that moves money may be on the way before its sender is taken for
    /// gone.
    pub(crate) fn sending(&self) -> Duration {
        self.payment_timeout * 2 + Duration::from_secs(30)
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Timing};

    #[test]
    fn a_kept_connection_outlives_that_of_a_proxy() {
        let proxies = Duration::from_secs(60);
        assert!(Timing::default().head_timeout > proxies + Duration::from_secs(10));
    }
}
