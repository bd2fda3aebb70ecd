//! Valid requests to every address, generated from the contract.
//!
//! An operation that the contract gets later is tried without a change here. What a contract cannot tell, such as the
//! number of an operation that exists, comes from the facts of a scene.

use super::contract::{allows, fields, operations, parameters, resolved};
use super::people::Sender;
use super::scene::Facts;
use crate::request::Request;
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
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Operation(&'static Value),
    /// It takes a form with this text, if it has one.
    Page(&'static str),
}

/// Every address.
pub(super) fn addresses() -> Vec<Address> {
    let of = |method: &str, path: String, kind| Address {
        method: method.to_uppercase(),
        path,
        kind,
    };
    let listed = operations().map(|(path, method, operation)| {
        of(method, format!("/api{path}"), Kind::Operation(operation))
    });
    let others = OTHERS.iter();
    let others =
        others.map(|(method, path, form)| of(method, (*path).to_owned(), Kind::Page(form)));
    listed.chain(others).collect()
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

    /// A valid request about the facts, and one of those who may send it.
    pub(super) fn valid(&self, facts: &Facts, random: &mut Rng) -> (Sender, Request) {
        match self.kind {
            Kind::Operation(operation) => {
                let mut draw = Draw { facts, random };
                let sender = draw.sender(self, operation);
                (sender, draw.request(self, operation))
            }
            Kind::Page(form) => {
                let request = Request::new(&self.method, &facts.filled(&self.path));
                (Sender::Stranger, request.with_form(&facts.filled(form)))
            }
        }
    }
}

/// Draws what the contract leaves open.
struct Draw<'a> {
    facts: &'a Facts,
    random: &'a mut Rng,
}

impl Draw<'_> {
    fn sender(&mut self, address: &Address, operation: &'static Value) -> Sender {
        let ways = operation["security"].as_array().into_iter().flatten();
        let schemes = ways.map(|way| fields(way).next().map_or("", |(scheme, _)| scheme));
        let schemes: Vec<&str> = schemes.collect();
        match self.random.choice(schemes).unwrap_or_default() {
            "session" | "secureSession" => Sender::Payer,
            "checkoutToken" => Sender::Returned,
            "apiKey" => Sender::Program,
            "staffSession" | "secureStaffSession" => match &*address.method {
                "GET" => Sender::Viewer,
                // Whoever signs out cannot work on.
                "DELETE" if address.path.ends_with("/session") => Sender::Stranger,
                _ if self.random.bool() => Sender::Staff,
                _ => Sender::SecondStaff,
            },
            _ => Sender::Stranger,
        }
    }

    fn request(&mut self, address: &Address, operation: &'static Value) -> Request {
        let mut request = Request::new(&address.method, &address.path);
        let mut query = Vec::new();
        // A cursor fits its own search only, so that it is sent alone, too.
        let share = self.random.choice([0, 1, 4]).unwrap_or_default();
        for parameter in parameters(operation) {
            if parameter["required"] != true && self.random.u8(..8) >= share {
                continue;
            }
            let name = parameter["name"].as_str().unwrap_or_default();
            let value = self.value(&parameter["schema"], &parameter["example"], name);
            let text = value.as_str().map_or(value.to_string(), str::to_owned);
            match parameter["in"].as_str().unwrap_or_default() {
                "path" => request.path = request.path.replace(&format!("{{{name}}}"), &text),
                "query" => query.push(format!("{name}={}", text.replace(' ', "%20"))),
                _ => request = request.with(&name.to_ascii_lowercase(), &text),
            }
        }
        if !query.is_empty() {
            request.path = format!("{}?{}", request.path, query.join("&"));
        }
        match fields(&operation["requestBody"]["content"]).next() {
            Some((_, content)) => request.with_json(&self.body(content)),
            None => request,
        }
    }

    /// A body that its schema allows.
    fn body(&mut self, content: &'static Value) -> Value {
        let (schema, example) = (&content["schema"], &content["example"]);
        if schema.is_null() {
            return example.clone();
        }
        let mut drawn = (0..DRAWS).map(|_| self.value(schema, example, ""));
        let allowed = drawn.find(|body| allows(schema, body));
        allowed.unwrap_or_else(|| example.clone())
    }

    /// A value of this schema: the fact of this name where it fits, or what the schema and the example have.
    fn value(&mut self, schema: &'static Value, example: &Value, name: &str) -> Value {
        let schema = resolved(schema);
        if let Some(fact) = self.facts.drawn(name, self.random) {
            let number = fact.parse::<u64>().ok().map(Value::from);
            let mut forms = std::iter::once(Value::from(fact)).chain(number);
            if let Some(form) = forms.find(|form| allows(schema, form)) {
                return form;
            }
        }
        let any = |list: &'static Value, random: &mut Rng| random.choice(list.as_array()?);
        let way = any(&schema["oneOf"], self.random).or_else(|| any(&schema["anyOf"], self.random));
        if schema["properties"].is_object() {
            return self.object(schema, way, example);
        }
        if let Some(way) = way {
            return self.value(way, example, name);
        }
        if let Some(items) = schema.get("items") {
            return Value::Array(vec![self.value(items, &example[0], "")]);
        }
        match any(&schema["enum"], self.random).or(schema.get("const")) {
            Some(word) => word.clone(),
            None if example.is_null() && schema["type"] == "integer" => Value::from(1),
            None if example.is_null() => Value::from("a"),
            None => example.clone(),
        }
    }

    /// An object of this schema, in one of the ways that differ in what they require.
    fn object(&mut self, schema: &'static Value, way: Option<&Value>, example: &Value) -> Value {
        let requires = |of: &Value, name: &str| {
            let mut required = of["required"].as_array().into_iter().flatten();
            required.any(|required| required == name)
        };
        let ways = schema["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
        let mut object = Map::new();
        for (name, field) in fields(&schema["properties"]) {
            let is_required = requires(schema, name) || way.is_some_and(|way| requires(way, name));
            let is_of_another_way = ways.iter().any(|way| requires(way, name));
            let share = match &example[name] {
                _ if is_required => 8,
                _ if is_of_another_way || *field == false => 0,
                Value::Null => 1,
                _ => 6,
            };
            if self.random.u8(..8) < share {
                object.insert(name.to_owned(), self.value(field, &example[name], name));
            }
        }
        Value::Object(object)
    }
}
