//! Traces across systems, by version 00 of W3C Trace Context: the header `traceparent` names the trace that a request
//! belongs to, and the log has its id, so that lines of several systems can be brought together.
//!
//! The current trace is a task-local value, and the span of the log has its id only: a simulation has no log, and
//! `RUST_LOG` may disable spans, which must not change what is sent. The server exports no spans, so each header that
//! it sends has a new random parent id.

use crate::random::bytes;
use axum::http::header::HeaderName;
use axum::http::{HeaderMap, HeaderValue};
use std::future::Future;
use tracing::{Instrument, Span};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
/// What the recommendation asks everybody to pass on; a longer one is left out.
const MAX_TRACESTATE_CHARS: usize = 512;

tokio::task_local! {
    static CURRENT: Option<Trace>;
}

/// The trace that work belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trace {
    /// 32 hexadecimal digits.
    id: String,
    is_sampled: bool,
    /// What a trusted caller keeps about the trace for tools of its own.
    state: Option<HeaderValue>,
}

impl Trace {
    /// A new trace; `None` if the system has no random bytes. It is marked as sampled, since the log has it: a system
    /// that follows the mark would leave it out otherwise.
    pub(crate) fn begin() -> Option<Self> {
        Some(Self {
            id: format!("{:032x}", u128::from_be_bytes(bytes().ok()?)),
            is_sampled: true,
            state: None,
        })
    }

    /// The trace that the headers of a request name, if they name one.
    pub(crate) fn named_in(headers: &HeaderMap) -> Option<Self> {
        let trace = Self::parse(single(headers, &TRACEPARENT)?.to_str().ok()?)?;
        let state = single(headers, &TRACESTATE).filter(|state| {
            (1..=MAX_TRACESTATE_CHARS).contains(&state.len()) && state.to_str().is_ok()
        });
        Some(Self {
            state: state.cloned(),
            ..trace
        })
    }

    /// Reads a `traceparent`, also of a later version, which may only have more at its end.
    pub(crate) fn parse(traceparent: &str) -> Option<Self> {
        let mut parts = traceparent.splitn(5, '-');
        let [version, id, parent, flags] = [(); 4].map(|()| parts.next().unwrap_or_default());
        let is_first_version = version == "00";
        let is_valid = is_hex(version, 2)
            && version != "ff"
            && is_id(id, 32)
            && is_id(parent, 16)
            && is_hex(flags, 2)
            && !(is_first_version && parts.next().is_some());
        let flags = u8::from_str_radix(flags, 16).ok()?;
        is_valid.then(|| Self {
            id: id.to_owned(),
            is_sampled: flags & 1 == 1,
            state: None,
        })
    }

    /// The id, by which the log has the trace. It tells nothing.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The value of `traceparent` for one request or event of this trace; `None` without random bytes.
    pub(crate) fn traceparent(&self) -> Option<String> {
        let (span, flags) = (u64::from_be_bytes(bytes().ok()?), u8::from(self.is_sampled));
        Some(format!("00-{}-{span:016x}-{flags:02x}", self.id))
    }
}

fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

fn is_hex(text: &str, digits: usize) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == digits && text.bytes().all(is_digit)
}

/// An id of zeros is none.
fn is_id(text: &str, digits: usize) -> bool {
    is_hex(text, digits) && text.bytes().any(|byte| byte != b'0')
}

/// The trace of the work that runs.
pub(crate) fn current() -> Option<Trace> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}

/// Names the trace of the work that runs in the headers of a request that it makes.
pub(crate) fn add_to(headers: &mut HeaderMap) {
    let value = current().and_then(|trace| trace.traceparent());
    if let Some(Ok(value)) = value.map(HeaderValue::try_from) {
        headers.insert(TRACEPARENT, value);
    }
}

/// Passes on what a trusted caller keeps about the trace.
pub(crate) fn add_state_to(headers: &mut HeaderMap) {
    if let Some(state) = current().and_then(|trace| trace.state) {
        headers.insert(TRACESTATE, state);
    }
}

/// Does work as a part of a trace. Its lines in the log are in `span`, which has the trace's id.
pub(crate) fn within<W: Future>(
    trace: Option<Trace>,
    span: Span,
    work: W,
) -> impl Future<Output = W::Output> {
    CURRENT.scope(trace, work.instrument(span))
}

/// Does work of the background that belongs to a trace; without one it begins its own.
pub(crate) fn in_background<W: Future>(
    trace: Option<Trace>,
    work: W,
) -> impl Future<Output = W::Output> {
    let trace = trace.or_else(Trace::begin);
    // Of the highest level, so that each line has it, whatever `RUST_LOG` leaves out.
    let span = tracing::error_span!("background", trace_id = trace.as_ref().map(Trace::id));
    within(trace, span, work)
}

/// Work for a task of its own, which belongs to the trace of the work that spawns it.
pub(crate) fn task<W: Future>(work: W) -> impl Future<Output = W::Output> {
    within(current(), Span::current(), work)
}

#[cfg(test)]
mod tests {
    use super::{MAX_TRACESTATE_CHARS, Trace, add_state_to, add_to, current, in_background, task};
    use axum::http::HeaderMap;

    const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn a_header_names_a_trace_only_in_the_form_of_the_recommendation() {
        for (flags, sampled) in [("00", false), ("01", true), ("02", false), ("ff", true)] {
            let trace = Trace::parse(&format!("00-{ID}-{PARENT}-{flags}")).unwrap();
            assert_eq!((trace.id(), trace.is_sampled), (ID, sampled));
        }
        for later in ["01", "fe"] {
            for end in ["", "-", "-more-of-it"] {
                let trace = Trace::parse(&format!("{later}-{ID}-{PARENT}-01{end}"));
                assert_eq!(trace.unwrap().id(), ID);
            }
        }
        let zeros = "0".repeat(32);
        for odd in [
            String::new(),
            "-".to_owned(),
            "00".to_owned(),
            ID.to_owned(),
            format!("00-{ID}"),
            format!("00-{ID}-{PARENT}"),
            format!("00-{ID}-{PARENT}-"),
            format!("00-{ID}-{PARENT}-1"),
            format!("00-{ID}-{PARENT}-001"),
            format!("00-{ID}-{PARENT}-0g"),
            format!("00-{ID}-{PARENT}-+1"),
            format!("00-{ID}-{PARENT}-01-"),
            format!("00-{ID}-{PARENT}-01-more"),
            format!("00-{ID}-{PARENT}-01 "),
            format!(" 00-{ID}-{PARENT}-01"),
            format!("01-{ID}-{PARENT}-01more"),
            format!("0-{ID}-{PARENT}-01"),
            format!("000-{ID}-{PARENT}-01"),
            format!("0x-{ID}-{PARENT}-01"),
            format!("ff-{ID}-{PARENT}-01"),
            format!("FE-{ID}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", ID.to_uppercase()),
            format!("00-{ID}-{}-01", PARENT.to_uppercase()),
            format!("00-{zeros}-{PARENT}-01"),
            format!("00-{ID}-{}-01", &zeros[..16]),
            format!("00-{}-{PARENT}-01", &ID[1..]),
            format!("00-{ID}0-{PARENT}-01"),
            format!("00-{ID}-{}-01", &PARENT[1..]),
            format!("00-{ID}-{PARENT}0-01"),
            format!("00-{PARENT}-{ID}-01"),
            format!("00_{ID}_{PARENT}_01"),
            format!("00-{}é-{PARENT}-01", &ID[2..]),
        ] {
            assert_eq!(Trace::parse(&odd), None, "{odd}");
        }
    }

    #[test]
    fn only_a_single_header_names_a_trace_and_a_trivial_state_is_kept() {
        let parent = format!("00-{ID}-{PARENT}-01");
        let one = ("traceparent", parent.as_str());
        assert_eq!(Trace::named_in(&headers(&[])), None);
        assert_eq!(Trace::named_in(&headers(&[one, one])), None);
        let state = |values: &[&str]| {
            let values = values.iter().map(|value| ("tracestate", *value));
            let named = Trace::named_in(&headers(&values.chain([one]).collect::<Vec<_>>()));
            named.unwrap().state
        };
        assert_eq!(state(&["a=1,b=2"]).unwrap(), "a=1,b=2");
        let longest = "a".repeat(MAX_TRACESTATE_CHARS);
        assert!(state(&[&longest]).is_some());
        for odd in [
            &[][..],
            &[""],
            &["a=1", "b=2"],
            &["a=é"],
            &[&format!("{longest}a")],
        ] {
            assert_eq!(state(odd), None, "{odd:?}");
        }
    }

    #[tokio::test]
    async fn work_of_another_task_and_its_requests_belong_to_the_same_trace() {
        assert_eq!(current(), None);
        let mut none = HeaderMap::new();
        add_to(&mut none);
        assert!(none.is_empty());
        let given = format!("00-{ID}-{PARENT}-00");
        let given = Trace::named_in(&headers(&[("traceparent", &given), ("tracestate", "a=1")]));
        let spawned = in_background(given, async {
            tokio::spawn(task(async {
                let mut headers = HeaderMap::new();
                add_to(&mut headers);
                let only_parent = headers.len();
                add_state_to(&mut headers);
                (headers, only_parent)
            }))
            .await
        });
        let (sent, only_parent) = spawned.await.unwrap();
        let parent = sent["traceparent"].to_str().unwrap();
        assert!(parent.starts_with(&format!("00-{ID}-")) && parent.ends_with("-00"));
        assert!(Trace::parse(parent).is_some() && !parent.contains(PARENT));
        assert_eq!(
            (only_parent, &sent["tracestate"]),
            (1, &"a=1".parse().unwrap())
        );
    }

    #[tokio::test]
    async fn each_piece_of_background_work_begins_a_trace_of_its_own() {
        let [one, other] = [(); 2].map(|()| in_background(None, async { current().unwrap() }));
        let (one, other) = (one.await, other.await);
        assert!(one.is_sampled && one.id != other.id);
        assert_eq!(Trace::parse(&one.traceparent().unwrap()), Some(one));
    }
}
