//! One change of a valid request.

use super::json_body;
use super::odd_values;
use crate::request::Request;
use fastrand::Rng;
use std::fmt;

/// The part of a request that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Sender,
    Method,
    Segment,
    Query,
    Name,
    DroppedHeader,
    OddHeader,
    TwiceHeader,
    JsonValue,
    JsonField,
    Bytes,
}

/// What mutations take from others: how other people prove who they are, and the names of other things.
#[derive(Debug, Default)]
pub(super) struct Supply {
    /// A list for each kind of sender, so that many payers do not outnumber the few staff. That of strangers is empty.
    pub(super) proofs: Vec<Vec<(&'static str, String)>>,
    pub(super) names: Vec<String>,
    /// The names of the parameters of queries.
    pub(super) queries: Vec<&'static str>,
    /// The host and the port of the server.
    pub(super) host: String,
}

/// A change, which follows from its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mutation {
    part: Part,
    seed: u64,
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.part)
    }
}

const METHODS: &[&str] = &[
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get",
    "PROPFIND", "X",
];

impl Mutation {
    pub(super) fn draw(random: &mut Rng) -> Self {
        // What matters more is drawn more often.
        let part = match random.u8(..19) {
            0 | 1 => Part::Sender,
            2 => Part::Method,
            3 | 4 => Part::Segment,
            5 => Part::Query,
            6 | 7 => Part::Name,
            8 => Part::DroppedHeader,
            9 | 10 => Part::OddHeader,
            11 => Part::TwiceHeader,
            12..16 => Part::JsonValue,
            16 | 17 => Part::JsonField,
            _ => Part::Bytes,
        };
        Self {
            part,
            seed: random.u64(..),
        }
    }

    /// Another person sends the request.
    pub(super) fn other_sender(random: &mut Rng) -> Self {
        Self {
            part: Part::Sender,
            seed: random.u64(..),
        }
    }

    pub(super) fn apply(self, request: &mut Request, supply: &Supply) {
        let random = &mut Rng::with_seed(self.seed);
        match self.part {
            Part::Sender => {
                request.headers.retain(|(name, _)| !is_proof(name));
                let proofs = random.choice(&supply.proofs);
                if let Some((name, value)) = proofs.and_then(|list| random.choice(list)) {
                    *request = request.clone().with(name, value);
                }
            }
            Part::Method => {
                let method = random.choice(METHODS).copied().unwrap_or_default();
                method.clone_into(&mut request.method);
            }
            Part::Segment => change_segment(request, random),
            Part::Query => {
                let path = request.path.split('?').next().unwrap_or_default();
                let query = odd_values::query(&supply.queries, random);
                let long = "x".repeat(if random.u8(..100) < 5 { 9_000 } else { 0 });
                request.path = format!("{path}{query}{long}");
            }
            Part::Name => change_name(request, random, supply),
            Part::DroppedHeader => {
                if let Some(at) = random.choice(0..request.headers.len()) {
                    request.headers.remove(at);
                }
            }
            Part::OddHeader => {
                let (name, value) = odd_values::header(request, &supply.host, random);
                request.headers.retain(|(known, _)| *known != name);
                request.headers.push((name, value));
            }
            Part::TwiceHeader => {
                let Some((name, value)) = random.choice(&request.headers).cloned() else {
                    return;
                };
                let value = if random.bool() {
                    value
                } else {
                    odd_values::text(random).into()
                };
                request.headers.push((name, value));
            }
            Part::JsonValue => json_body::change_value(request, random, &supply.names),
            Part::JsonField => json_body::change_field(request, random),
            Part::Bytes => change_bytes(&mut request.body, random),
        }
    }
}

fn is_proof(name: &str) -> bool {
    ["cookie", "authorization", "checkout-token"].contains(&name)
}

/// Puts an odd segment in the place of one, behind the last, or between two.
fn change_segment(request: &mut Request, random: &mut Rng) {
    let (path, query) = match request.path.split_once('?') {
        Some((path, query)) => (path, format!("?{query}")),
        None => (request.path.as_str(), String::new()),
    };
    let mut segments: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
    let at = random.usize(..segments.len().max(1));
    let odd = odd_values::segment(random);
    match random.usize(..4) {
        0 => segments.push(odd),
        1 => segments.insert(at, odd),
        _ => {
            // Most often behind the words by which the address is found.
            let at = if random.u8(..100) < 80 {
                segments.len().saturating_sub(1 + random.usize(..2))
            } else {
                at
            };
            if let Some(segment) = segments.get_mut(at) {
                *segment = odd;
            }
        }
    }
    request.path = format!("/{}{query}", segments.join("/"));
}

/// Puts the name of another thing in the place of one.
fn change_name(request: &mut Request, random: &mut Rng, supply: &Supply) {
    let text = String::from_utf8_lossy(&request.body).into_owned();
    let used =
        |name: &&String| request.path.contains(name.as_str()) || text.contains(name.as_str());
    let known: Vec<&String> = supply.names.iter().filter(used).collect();
    let (Some(old), Some(new)) = (random.choice(&known), random.choice(&supply.names)) else {
        return;
    };
    request.path = request.path.replace(old.as_str(), new);
    request.body = text.replace(old.as_str(), new).into_bytes();
}

fn change_bytes(body: &mut Vec<u8>, random: &mut Rng) {
    let at = random.usize(..body.len().max(1));
    match random.usize(..8) {
        0 => body.truncate(at),
        1 => body.clear(),
        2 => {
            if let Some(byte) = body.get_mut(at) {
                *byte = random.u8(..);
            }
        }
        3 => body.extend_from_slice(b"}{"),
        4 => *body = odd_values::nested(100 + random.usize(..30_000)).into_bytes(),
        5 => body.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        6 => {
            let more = 60_000 + random.usize(..20_000);
            body.extend(std::iter::repeat_n(b' ', more));
        }
        _ => {
            let length = random.usize(..60);
            let start = at.min(body.len());
            let odd: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
            body.splice(start..start, odd).for_each(drop);
        }
    }
}
