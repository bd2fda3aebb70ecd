//! The receivers of events: the one of `EVENTS_URL`, and those of a file.

use super::EventSigningKey;
use super::value::event_url;
use crate::plain_text::plain;
use crate::random::identifier;
use crate::redacted_parse_error;
use payment_rules::event::{EventFilter, EventKind};
use serde::Deserialize;
use std::fs;
use url::Url;

/// The name of the receiver of `EVENTS_URL`.
pub(super) const ONLY: &str = "default";

/// A system of the merchant's that takes events.
#[derive(Debug, Clone)]
pub(crate) struct EventReceiver {
    /// Its name in lists, figures and the log. Its queue is stored under it.
    pub(crate) name: String,
    /// The address that takes the events.
    pub(crate) url: Url,
    /// The key that signs them.
    pub(crate) key: EventSigningKey,
    /// The kinds that it wants.
    pub(crate) filter: EventFilter,
    /// Whether it gets the code that is paid in cash.
    pub(crate) cash_code: bool,
}

impl EventReceiver {
    /// True for the receiver of `EVENTS_URL`.
    pub(crate) fn is_of_events_url(&self) -> bool {
        self.name == ONLY
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceiverOfFile {
    name: String,
    url: String,
    secret: Option<String>,
    secret_file: Option<String>,
    types: Option<Vec<String>>,
    #[serde(default)]
    cash_code: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    receiver: Vec<ReceiverOfFile>,
}

/// Reads a file of receivers.
///
/// # Errors
/// The file cannot be read, or a receiver in it is wrong; the error names it, and quotes no secret.
pub(super) fn open(path: &str) -> Result<Vec<EventReceiver>, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("is `{path}`, which cannot be read ({error})"))?;
    parse(&text).map_err(|why| format!("is `{path}`, which {why}"))
}

fn parse(text: &str) -> Result<Vec<EventReceiver>, String> {
    let file: File =
        redacted_parse_error::read_toml(text).map_err(|place| format!("is wrong at {place}"))?;
    if file.receiver.is_empty() {
        return Err("has no [[receiver]]".to_owned());
    }
    let mut receivers: Vec<EventReceiver> = Vec::with_capacity(file.receiver.len());
    for (at, receiver) in file.receiver.into_iter().enumerate() {
        let wrong = |why: &str| format!("has a wrong receiver {}: {why}", at + 1);
        let receiver = receiver.read().map_err(|why| wrong(&why))?;
        if receivers.iter().any(|other| other.name == receiver.name) {
            return Err(wrong(&format!(
                "another one has the name `{}`",
                receiver.name
            )));
        }
        receivers.push(receiver);
    }
    Ok(receivers)
}

impl ReceiverOfFile {
    fn read(self) -> Result<EventReceiver, String> {
        if self.name == ONLY {
            return Err(format!(
                "the name `{ONLY}` is that of the receiver of EVENTS_URL"
            ));
        }
        if self.name.is_empty() || identifier(&self.name).is_err() {
            return Err("`name` must be 1 to 64 letters, digits, `-` and `_`".to_owned());
        }
        let url = event_url(&self.url).map_err(|why| format!("`url` {why}"))?;
        let secret = match (self.secret, self.secret_file) {
            (Some(secret), None) => secret,
            (None, Some(file)) => fs::read_to_string(&file).map_err(|error| {
                format!("`secret_file` is `{file}`, which cannot be read ({error})")
            })?,
            _ => return Err("give either `secret` or `secret_file`".to_owned()),
        };
        let key = plain(&secret).map_err(str::to_owned);
        let key = key.and_then(EventSigningKey::parse);
        let key = key.map_err(|why| format!("its secret {why}"));
        let filter = self.types.as_deref();
        let filter = filter.map_or(Ok(EventFilter::default()), self::filter)?;
        Ok(EventReceiver {
            name: self.name,
            url,
            key: key?,
            filter,
            cash_code: self.cash_code,
        })
    }
}

fn filter(words: &[String]) -> Result<EventFilter, String> {
    let kinds: Option<Vec<_>> = words
        .iter()
        .map(|word| EventKind::from_word(word))
        .collect();
    match kinds {
        Some(kinds) if !kinds.is_empty() => Ok(EventFilter::Named(kinds)),
        _ => {
            let words: Vec<_> = EventKind::ALL.iter().map(|kind| kind.as_str()).collect();
            Err(format!("`types` must be some of {}", words.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use payment_rules::event::EventKind;

    const GOOD: &str = "[[receiver]]
name = \"erp\"
url = \"https://erp.example/events\"
secret = \"whsec_canarycanarycanarycanarycanarycanary\"
";

    #[test]
    fn a_receiver_has_an_address_a_secret_and_the_types_that_it_names() {
        let text = format!(
            "{GOOD}{}types = [\"refund.resolved\"]\ncash_code = true\n",
            GOOD.replace("erp", "stock")
        );
        let receivers = parse(&text).unwrap();
        let names: Vec<_> = receivers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["erp", "stock"]);
        let (erp, stock) = (&receivers[0], &receivers[1]);
        assert_eq!(erp.url.as_str(), "https://erp.example/events");
        for kind in EventKind::ALL {
            assert_eq!(erp.filter.wants(kind), kind.is_sent_unasked());
            assert_eq!(stock.filter.wants(kind), kind == EventKind::RefundResolved);
        }
    }

    #[test]
    fn a_wrong_receiver_is_named_and_its_secret_is_not() {
        let with = |old: &str, new: &str| GOOD.replace(old, new);
        for (text, named) in [
            (String::new(), "no [[receiver]]"),
            (
                format!("{GOOD}{GOOD}"),
                "receiver 2: another one has the name `erp`",
            ),
            (with("\"erp\"", "\"e r p\""), "receiver 1: `name`"),
            (
                with("\"erp\"", "\"default\""),
                "that of the receiver of EVENTS_URL",
            ),
            (with("https:", "ftp:"), "receiver 1: `url`"),
            (with("https://", "https://canary@"), "receiver 1: `url`"),
            (
                with("whsec_canary", "whsec_%canary"),
                "its secret has no base64",
            ),
            (
                with(
                    "\"whsec_canarycanarycanarycanarycanarycanary\"",
                    "'\"whsec_canary\"'",
                ),
                "its secret has quotes",
            ),
            (with("whsec_", "whsec_aaaa whsec_bbbb whsec_"), "its secret"),
            (with("secret =", "secret_file ="), "`secret_file`"),
            (with("secret =", "key ="), "unknown field `key`"),
            (with("secret = \"", "types = [\"order."), "line 4"),
            (format!("{GOOD}secret_file = \"x\""), "either `secret` or"),
            (
                format!("{GOOD}types = []"),
                "`types` must be some of order.paid,",
            ),
            (format!("{GOOD}types = [\"order.lost\"]"), "`types`"),
            (
                format!("{GOOD}cash_code = \"canary\""),
                "in `receiver[0].cash_code`",
            ),
        ] {
            let wrong = parse(&text).unwrap_err();
            assert!(wrong.contains(named), "{wrong}: {text}");
            let quoted = wrong.contains("canary") && named != "`secret_file`";
            assert!(!quoted, "{wrong}");
        }
        let shown = format!("{:?}", parse(GOOD).unwrap());
        assert!(!shown.contains("canary"), "{shown}");
    }
}
