//! Checks requests and answers against the contract, `docs/openapi.yaml`. Every answer is checked
//! where it arrives, so each test is a test of the contract too.

mod checker;
mod document;
mod file;
mod listed;
mod shared;
mod staff;
mod statuses;

use crate::support::payer::{Answer, Payer};
use document::{DOCUMENT, Document, Route};
use listed::{essence, wrong_body, wrong_header, wrong_headers};
use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Client, Method, Request, RequestBuilder};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;

/// The path of the contract's `{base}` on the test servers.
const BASE: &str = "/api";

/// Sends a request with this body; an answer outside the contract fails the test.
pub(crate) async fn send(client: &Client, request: RequestBuilder, body: &str) -> Answer {
    let request = if body.is_empty() {
        request
    } else {
        request.body(body.to_owned())
    };
    let request = request.build().unwrap();
    let asked = Asked::new(&request, body);
    let response = client.execute(request).await.unwrap();
    let answer = Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await.unwrap(),
    };
    // A server of an earlier version answers by its own contract.
    if std::env::var_os("TEST_EARLIER_SERVER").is_none() {
        asked.must_be_answered_by_contract(&answer);
    }
    answer
}

/// The answer to a `POST` whose body never arrives whole, which no client sends on purpose.
async fn slow(payer: &Payer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let url = format!("{}{path}", payer.base);
    let request = payer.client.post(&url).build().unwrap();
    let address = request.url().socket_addrs(|| None).unwrap()[0];
    let headers = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {}\r\n\
         {}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        request.url().path(),
        payer.cookie,
        headers.collect::<String>()
    );
    let answered = tokio::task::spawn_blocking(move || {
        let mut line = TcpStream::connect(address).unwrap();
        line.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        line.read_to_string(&mut text).unwrap();
        text
    });
    let text = answered.await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
    };
    let answer = Answer {
        status: status.parse().unwrap(),
        headers: HeaderMap::from_iter(lines.map(header)),
        text: body.to_owned(),
    };
    Asked::new(&request, "").must_be_answered_by_contract(&answer);
    answer
}

/// The request that an answer belongs to.
struct Asked {
    method: Method,
    path: String,
    query: Vec<String>,
    headers: HeaderMap,
    body: String,
}

impl Asked {
    fn new(request: &Request, body: &str) -> Self {
        let url = request.url();
        let query = url.query_pairs().map(|(name, _)| name.into_owned());
        Self {
            method: request.method().clone(),
            path: url.path().strip_prefix(BASE).unwrap_or("").to_owned(),
            query: query.collect(),
            headers: request.headers().clone(),
            body: body.to_owned(),
        }
    }

    fn must_be_answered_by_contract(&self, answer: &Answer) {
        let broken = self.broken(&DOCUMENT, answer);
        assert!(
            broken.is_empty(),
            "not as docs/openapi.yaml has it: {} {} answered {}\n  {}\n  {:.600}",
            self.method,
            self.path,
            answer.status,
            broken.join("\n  "),
            answer.text
        );
    }

    /// The points of the contract that the answer breaks; each entry names the place.
    fn broken(&self, document: &Document, answer: &Answer) -> Vec<String> {
        // A preflight is the browser's own request, and not part of the contract.
        if self.method == Method::OPTIONS {
            return Vec::new();
        }
        let Some(route) = document.route(&self.path) else {
            return refusal(answer, 404, "not-found", "the address is in no path");
        };
        let Some(operation) = route.operation(&self.method) else {
            let mut broken = refusal(
                answer,
                405,
                "method-not-allowed",
                "the path has no such method",
            );
            broken.extend(wrong_allow(&route, answer));
            return broken;
        };
        let status = answer.status.to_string();
        let Some(response) = operation["responses"].get(&status) else {
            return vec![format!("{}: the status is not listed", route.template)];
        };
        let response = document.resolved(response);
        let mut broken = wrong_headers(document, response, answer);
        broken.extend(wrong_body(document, response, answer));
        if answer.status < 300 {
            broken.extend(self.wrong_parameters(document, operation));
            broken.extend(self.wrong_body(document, operation));
        }
        let place = format!("{} {} {status}", self.method, route.template);
        broken
            .iter()
            .map(|what| format!("{place} {what}"))
            .collect()
    }

    /// A successful request had every required header, and no unlisted query.
    fn wrong_parameters(&self, document: &Document, operation: &Value) -> Vec<String> {
        let listed = operation["parameters"].as_array().into_iter().flatten();
        let listed: Vec<_> = listed
            .map(|parameter| document.resolved(parameter))
            .collect();
        let named = |place: &str, name: &str| {
            listed
                .iter()
                .any(|parameter| parameter["in"] == place && parameter["name"] == name)
        };
        let query = self.query.iter().filter(|name| !named("query", name));
        let mut broken: Vec<_> = query
            .map(|name| format!("succeeded with the query {name}, which is not listed"))
            .collect();
        for parameter in listed
            .iter()
            .filter(|parameter| parameter["in"] == "header")
        {
            broken.extend(wrong_header(
                document,
                "the request's",
                parameter["name"].as_str().unwrap(),
                parameter,
                &self.headers,
            ));
        }
        broken
    }

    fn wrong_body(&self, document: &Document, operation: &Value) -> Vec<String> {
        let wanted = &operation["requestBody"];
        if wanted.is_null() {
            return Vec::new();
        }
        if self.body.is_empty() {
            let wrong = wanted["required"] == true;
            return wrong
                .then(|| "succeeded without the required body".to_owned())
                .into_iter()
                .collect();
        }
        let content = &wanted["content"];
        let sent = essence(&self.headers);
        let Some(media) = content.get(&sent).or_else(|| content.get("*/*")) else {
            return vec![format!(
                "succeeded with a body of `{sent}`, which is not listed"
            )];
        };
        let Some(schema) = media.get("schema") else {
            return Vec::new();
        };
        match serde_json::from_str(&self.body) {
            Ok(body) => document.wrong(schema, &body, "succeeded with the request's body at "),
            Err(error) => vec![format!("succeeded with a body that is no JSON: {error}")],
        }
    }
}

/// A request outside the contract is always refused in the same way.
fn refusal(answer: &Answer, status: u16, word: &str, why: &str) -> Vec<String> {
    let kind = format!("urn:payment-checkout:problem:{word}");
    let refused = answer.status == status
        && serde_json::from_str::<Value>(&answer.text).is_ok_and(|body| body["type"] == kind);
    (!refused)
        .then(|| format!("{why}, so {status} {word} was to be answered"))
        .into_iter()
        .collect()
}

/// `Allow` lists the contract's methods, and HEAD beside GET.
fn wrong_allow(route: &Route<'_>, answer: &Answer) -> Option<String> {
    let mut listed = route.methods();
    if listed.iter().any(|method| method == "GET") {
        listed.push("HEAD".to_owned());
    }
    let allow = answer.header("allow");
    let mut allowed: Vec<_> = allow
        .split(',')
        .map(|method| method.trim().to_owned())
        .collect();
    listed.sort_unstable();
    allowed.sort_unstable();
    (listed != allowed).then(|| format!("{}: the header Allow says {allow}", route.template))
}
