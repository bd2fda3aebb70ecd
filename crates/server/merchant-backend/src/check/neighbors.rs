//! Checks the other programs with which the server communicates.

use super::Finding;
use crate::clock::now;
use crate::config::Config;
use crate::http_client;
use crate::metrics::Metrics;
use crate::payment_service::{Service, ServiceError};
use crate::random::readable;
use crate::shop_orders::{OrderSource, ShopError};
use payment_model::TransactionId;
use payment_rules::operation::OperationKey;
use reqwest::{Method, Response, StatusCode};
use std::time::Duration;
use url::Url;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// A larger difference from the payment service's clock, which decides deadlines, is reported.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_secs(5);

/// Queries an operation that does not exist. The answer shows whether the payment service can be
/// reached, whether it accepts the token, and how far apart the clocks are.
pub(super) async fn payment_service(config: &Config) -> Vec<Finding> {
    const NAME: &str = "PAYMENT_URL";
    let service = Service::new(
        config.service_access(),
        ANSWER_TIMEOUT,
        config.queries_per_second,
        Metrics::default(),
    );
    let service = match service {
        Ok(service) => service,
        Err(why) => return vec![Finding::wrong(NAME, format!("there is no client: {why}"))],
    };
    let (url, number) = (&config.payment_url, readable().unwrap_or_default());
    let key = OperationKey::new(config.stores.first().merchant_code.clone(), number.clone());
    let answer = service.query(&key, &TransactionId::new(number)).await;
    let mut findings = vec![match answer {
        // A server at a wrong address rejects the query too, but without the service's messages.
        Err(ServiceError::Refused { status, messages }) if messages.is_empty() => Finding::note(
            NAME,
            format!(
                "{url} answers with status {status} and without a message of the payment service; make sure that it is the service's address"
            ),
        ),
        Ok(_) | Err(ServiceError::Refused { .. }) => Finding::good(
            NAME,
            format!("the payment service at {url} answers, and takes the access token"),
        ),
        Err(ServiceError::NotAccepted { code, .. }) => Finding::wrong(
            "ACCEPTED_CODES",
            format!(
                "the payment service at {url} answers a query with the result code {code}, which is not accepted; if it means success, add it"
            ),
        ),
        Err(ServiceError::Unauthorized) => Finding::wrong(
            "PAYMENT_TOKEN",
            format!("the payment service at {url} does not accept the access token; get a new one"),
        ),
        Err(
            error @ (ServiceError::Timeout | ServiceError::Connection | ServiceError::Unreached),
        ) => Finding::wrong(
            NAME,
            format!(
                "the payment service at {url} cannot be reached ({error}); check the address, and what is between"
            ),
        ),
        Err(error) => Finding::wrong(
            NAME,
            format!(
                "{url} does not answer as the payment service does ({error}); check the address"
            ),
        ),
    }];
    findings.extend(service.now().and_then(|theirs| {
        let ours = now();
        let off = ours.duration_since(theirs).max(theirs.duration_since(ours));
        (off > MAX_CLOCK_DIFFERENCE).then(|| {
            let text = format!(
                "this machine's clock and the payment service's are {} seconds apart; set the time by the network",
                off.as_secs()
            );
            Finding::note("clock", text)
        })
    }));
    findings
}

/// Checks the address for the payment service's notifications. A missing answer is only a note: the
/// server may not run yet, and a network may make the address unreachable from this machine only.
pub(super) async fn public_url(config: &Config) -> Finding {
    const NAME: &str = "PUBLIC_URL";
    let url = config.public_url.as_str().trim_end_matches('/');
    // `/healthz` is outside of the API, too. Notifications are the one address that takes POST only.
    let why = match answer(Method::GET, &format!("{url}/notifications/check")).await {
        Ok(answer) if answer.status() == StatusCode::METHOD_NOT_ALLOWED => {
            return Finding::good(NAME, format!("a server answers at {url}"));
        }
        Ok(answer) => format!("status {}", answer.status().as_u16()),
        Err(why) => why.to_owned(),
    };
    Finding::note(
        NAME,
        format!(
            "the addresses of this server are not at {url} ({why}); they must be once it runs, also from \
             outside: the URL ends with the path that leads to its /api"
        ),
    )
}

pub(super) async fn shop(config: &Config) -> Option<Finding> {
    const NAME: &str = "ORDERS_URL";
    let shop = match &config.orders {
        OrderSource::Registered => return None,
        OrderSource::Signed(_) => {
            let text = "orders come signed by the shop".to_owned();
            return Some(Finding::good("orders", text));
        }
        OrderSource::Shop(shop) => shop,
    };
    let id = readable().unwrap_or_default();
    Some(match shop.order(&id).await {
        Err(ShopError::Unknown) => {
            let text = "the shop answers, and knows no order of an invented id".to_owned();
            Finding::good(NAME, text)
        }
        Ok(_) => {
            let text = "the shop knows an order of an invented id; it must answer 404".to_owned();
            Finding::wrong(NAME, text)
        }
        Err(error) => {
            let text = format!("about an order of an invented id, {error}; it must answer 404");
            Finding::wrong(NAME, text)
        }
    })
}

/// Checks that the receivers of events can be reached. Any answer is good, since the check sends no
/// event.
pub(super) async fn receivers(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    for receiver in &config.events.receivers {
        let name = if receiver.is_of_events_url() {
            "EVENTS_URL"
        } else {
            "EVENT_RECEIVERS_FILE"
        };
        let host = host(&receiver.url);
        findings.push(match answer(Method::HEAD, receiver.url.as_str()).await {
            Ok(_) => Finding::good(name, format!("{host} answers")),
            Err(why) => Finding::wrong(
                name,
                format!("{host} cannot be reached ({why}); events wait until it can"),
            ),
        });
    }
    findings
}

/// The host of an address, for the report: its path or query may contain a secret.
fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

async fn answer(method: Method, url: &str) -> Result<Response, &'static str> {
    let url = Url::parse(url).map_err(|_| "the address is none")?;
    let client = http_client::client(&url, ANSWER_TIMEOUT).map_err(|_| "there is no client")?;
    let answer = client.request(method, url).send().await;
    answer.map_err(|error| match () {
        () if error.is_timeout() => "no answer in time",
        () => "no connection",
    })
}
