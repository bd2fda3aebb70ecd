//! Valid requests to every operation of the contract, `docs/openapi.yaml`, and what may be answered to them.
//!
//! An operation that the contract gets later is tried without a change here. What a contract cannot tell, such as the
//! number of an operation that exists, comes from the facts of a scene.

#[path = "../../../merchant-backend/tests/payments/contract/document.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    reason = "the reader of the server's tests: a contract that cannot be read ends the run"
)]
mod document;
#[path = "../../../merchant-backend/tests/payments/contract/listed.rs"]
#[allow(
    clippy::unwrap_used,
    reason = "the comparison of the server's tests: a contract that cannot be read ends the run"
)]
mod listed;

use super::people::Sender;
use super::scene::Facts;
use crate::answer::Answer;
use crate::request::{Request, decoded};
use axum::http::Method;
use document::DOCUMENT;
use fastrand::Rng;
use serde_json::{Map, Value};

/// How often a body is drawn anew that its schema does not allow; then the example is sent.
const DRAWS: usize = 8;

/// What the contract leaves out, with the body of its form: pages for people, and what belongs to the operator.
#[rustfmt::skip]
const OTHERS: &[(&str, &str, &str)] = &[
    ("GET", "/healthz", ""),
    ("GET", "/readyz", ""),
    ("GET", "/metrics", ""),
    ("GET", "/api/pay/{pay_link}?lang=en", ""),
    ("POST", "/api/pay/{pay_link}", "key={key}&method=QR"),
    ("POST", "/api/pay/{pay_link}", "key={key}&method=CASHCODE&replaces={merchant_operation_number}"),
    ("GET", "/api/pay/{pay_link}/cancel", ""),
    ("POST", "/api/pay/{pay_link}/cancel", "number={merchant_operation_number}"),
    ("GET", "/api/pay/{pay_link}/qr.png", ""),
    ("POST", "/api/pay", "order={order}"),
    ("GET", "/api/pay/element-page.js", ""),
    ("GET", "/api/pay/element/element.js", ""),
];

/// An address of the server with one of its methods.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) method: String,
    /// The path; a word in `{…}` stands for a fact.
    pub(super) path: String,
    is_of: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Operation(&'static Value),
    /// It takes a form with this text, if it has one.
    Page(&'static str),
}

/// Every address.
pub(super) fn addresses() -> Vec<Address> {
    let mut all = Vec::new();
    for (path, item) in fields(&DOCUMENT.root["paths"]) {
        for (method, operation) in fields(item) {
            all.push(Address {
                method: method.to_uppercase(),
                path: format!("/api{path}"),
                is_of: Kind::Operation(operation),
            });
        }
    }
    all.extend(OTHERS.iter().map(|(method, path, form)| Address {
        method: (*method).to_owned(),
        path: (*path).to_owned(),
        is_of: Kind::Page(form),
    }));
    all
}

/// The names of all parameters of queries.
pub(super) fn query_names() -> Vec<&'static str> {
    let items = fields(&DOCUMENT.root["paths"]).flat_map(|(_, item)| fields(item));
    let parameters = items.flat_map(|(_, operation)| parameters(operation));
    let queries = parameters.filter(|parameter| parameter["in"] == "query");
    queries.filter_map(|query| query["name"].as_str()).collect()
}

fn fields(value: &'static Value) -> impl Iterator<Item = (&'static String, &'static Value)> {
    value.as_object().into_iter().flatten()
}

fn parameters(operation: &'static Value) -> impl Iterator<Item = &'static Value> {
    let listed = operation["parameters"].as_array().into_iter().flatten();
    listed.map(|parameter| DOCUMENT.resolved(parameter))
}

impl Address {
    /// True where a valid request begins, cancels or gives back a payment.
    pub(super) fn moves_money(&self) -> bool {
        let money = ["/charges", "/refund", "/returns", "/pay/", "/cancel"];
        self.method != "GET" && money.iter().any(|word| self.path.contains(word))
    }

    /// True where a session begins, which costs the hash of a password.
    pub(super) fn signs_in(&self) -> bool {
        self.method == "POST" && self.path.ends_with("/session")
    }

    /// A valid request about the facts, and who sends it.
    pub(super) fn valid(&self, facts: &Facts, random: &mut Rng) -> (Sender, Request) {
        let drawn = &mut Drawn { facts, random };
        match self.is_of {
            Kind::Operation(operation) => drawn.request(self, operation),
            Kind::Page(form) => {
                let request = Request::new(&self.method, &facts.filled(&self.path));
                (Sender::Stranger, request.with_form(&facts.filled(form)))
            }
        }
    }
}

/// Draws what the contract leaves open.
struct Drawn<'a> {
    facts: &'a Facts,
    random: &'a mut Rng,
}

impl Drawn<'_> {
    fn request(&mut self, address: &Address, operation: &'static Value) -> (Sender, Request) {
        let mut path = address.path.clone();
        let mut headers = Vec::new();
        let mut query = Vec::new();
        // A cursor fits its own search only.
        let all = self.random.bool();
        let only = self.random.usize(..12);
        for (index, parameter) in parameters(operation).enumerate() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let is_sent = parameter["required"] == true
                || if all {
                    self.random.bool()
                } else {
                    index == only
                };
            if !is_sent {
                continue;
            }
            let value = self.value(&parameter["schema"], &parameter["example"], name);
            let text = value.as_str().map_or(value.to_string(), str::to_owned);
            match parameter["in"].as_str().unwrap_or_default() {
                "path" => path = path.replace(&format!("{{{name}}}"), &text),
                "query" => query.push(format!("{name}={}", text.replace(' ', "%20"))),
                _ => headers.push((name.to_ascii_lowercase(), text)),
            }
        }
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let mut request = Request::new(&address.method, &path);
        for (name, value) in headers {
            request = request.with(&name, &value);
        }
        if let Some((kind, content)) = fields(&operation["requestBody"]["content"]).next() {
            let kind = kind.replace("*/*", "application/json");
            request = request.with("content-type", &kind);
            request.body = self.body(content).to_string().into_bytes();
        }
        self.signed(address, operation, request)
    }

    /// The request as one of those sends it who may.
    fn signed(
        &mut self,
        address: &Address,
        operation: &Value,
        request: Request,
    ) -> (Sender, Request) {
        let ways = operation["security"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let way = self.random.choice(ways).and_then(Value::as_object);
        let scheme = way
            .and_then(|way| way.keys().next())
            .map_or("", String::as_str);
        let looks = address.method == "GET";
        let sender = match scheme {
            "session" | "secureSession" => Sender::Payer,
            "staffSession" | "secureStaffSession"
                if address.path.ends_with("/session") && !looks =>
            {
                // Whoever signs out cannot work on.
                Sender::Stranger
            }
            "staffSession" | "secureStaffSession" if looks => Sender::Viewer,
            "staffSession" | "secureStaffSession" if self.random.bool() => Sender::Staff,
            "staffSession" | "secureStaffSession" => Sender::SecondStaff,
            "apiKey" => Sender::Program,
            "checkoutToken" => {
                let token = self.facts.get("checkout_token");
                return (Sender::Stranger, request.with("checkout-token", token));
            }
            _ => Sender::Stranger,
        };
        (sender, request)
    }

    /// A body that its schema allows.
    fn body(&mut self, content: &'static Value) -> Value {
        let (schema, example) = (&content["schema"], &content["example"]);
        if schema.is_null() {
            return example.clone();
        }
        let validator = DOCUMENT.validator(schema);
        let drawn = (0..DRAWS).map(|_| self.value(schema, example, ""));
        let allowed = drawn.into_iter().find(|body| validator.is_valid(body));
        allowed.unwrap_or_else(|| example.clone())
    }

    /// A value of this schema: the fact of this name where the schema allows it, or what the schema and the example have.
    fn value(&mut self, schema: &'static Value, example: &Value, name: &str) -> Value {
        let schema = DOCUMENT.resolved(schema);
        if let Some(fact) = self.facts.drawn(name, self.random) {
            let number = fact.parse::<u64>().ok().map(Value::from);
            let validator = DOCUMENT.validator(schema);
            let mut forms = std::iter::once(Value::from(fact)).chain(number);
            if let Some(form) = forms.find(|form| validator.is_valid(form)) {
                return form;
            }
        }
        let is_object = schema["properties"].is_object();
        let ways = [&schema["oneOf"], &schema["anyOf"]];
        let ways = ways.into_iter().find_map(Value::as_array);
        let way = ways.and_then(|ways| self.random.choice(ways));
        if let Some(way) = way.filter(|_| !is_object) {
            return self.value(way, example, name);
        }
        if is_object {
            return Value::Object(self.object(schema, way, example));
        }
        if let Some(items) = schema.get("items") {
            return Value::Array(vec![self.value(items, &example[0], "")]);
        }
        if let Some(word) = schema["enum"]
            .as_array()
            .and_then(|all| self.random.choice(all))
        {
            return word.clone();
        }
        match schema.get("const") {
            Some(only) => only.clone(),
            None if example.is_null() && schema["type"] == "integer" => Value::from(1),
            None if example.is_null() => Value::from("a"),
            None => example.clone(),
        }
    }

    /// An object of this schema, in one of the ways that differ in what they require.
    fn object(
        &mut self,
        schema: &'static Value,
        way: Option<&Value>,
        example: &Value,
    ) -> Map<String, Value> {
        let is_required = |of: &Value, name: &str| {
            let mut required = of["required"].as_array().into_iter().flatten();
            required.any(|required| required == name)
        };
        let ways = schema["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
        let mut object = Map::new();
        let allowed = fields(&schema["properties"]).filter(|(_, field)| **field != false);
        for (name, field) in allowed {
            let is_sent =
                if is_required(schema, name) || way.is_some_and(|way| is_required(way, name)) {
                    true
                } else if ways.iter().any(|way| is_required(way, name)) {
                    false
                } else {
                    self.random.u8(..8) < if example[name].is_null() { 1 } else { 6 }
                };
            if is_sent {
                object.insert(name.clone(), self.value(field, &example[name], name));
            }
        }
        object
    }
}

/// What of an answer is not as the contract has it.
pub(super) fn broken(request: &Request, answer: &Answer) -> Option<String> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let path = path.strip_prefix("/api")?;
    let method = request.method.parse::<Method>().ok()?;
    let route = DOCUMENT.route(path).filter(|_| {
        // The names of methods are case-sensitive.
        !request.method.contains(char::is_lowercase)
    });
    let Some(operation) = route.and_then(|route| route.operation(&method)) else {
        let is_page = path == "/pay" || path.starts_with("/pay/");
        let is_of_http = ["HEAD", "OPTIONS"].contains(&method.as_str());
        let is_answered = answer.status < 400 && !is_page && !is_of_http;
        return is_answered.then(|| format!("{}, which is not in the contract", answer.status));
    };
    let status = answer.status.to_string();
    let Some(response) = operation["responses"].get(&status) else {
        // The server refuses such a query before any address reads it.
        let is_refused_before = answer.status == 400 && decoded(query).contains('\0');
        return (!is_refused_before).then(|| format!("the status {status} is not in the contract"));
    };
    let response = DOCUMENT.resolved(response);
    let mut broken = listed::wrong_headers(&DOCUMENT, response, answer);
    broken.extend(listed::wrong_body(&DOCUMENT, response, answer));
    // The date is written by a connection, and there is none.
    let missing = "header Date is missing";
    let broken = broken.into_iter().find(|what| !what.contains(missing));
    broken.map(|what| format!("{status} is not as the contract has it: {what}"))
}
