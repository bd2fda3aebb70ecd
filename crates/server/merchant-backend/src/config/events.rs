//! The receivers of events, and the key that signs a delivery. The signature follows the standard "Standard
//! Webhooks", for which receivers find a library in most languages. To sign is three lines with the
//! cryptography that TLS brings anyway; the library for Rust would bring another one.

use super::combined::secret;
use super::value::{Given, WrongSettings, event_url, file, setting};
use crate::plain_text::plain;
use crate::random::identifier;
use crate::redacted_parse_error;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use payment_rules::event::{EventFilter, EventKind};
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::{fmt, fs};
use url::Url;

/// What takes events, and what signs them.
#[derive(Debug)]
pub(crate) struct Events {
    /// The merchant's own systems that take events.
    pub(crate) receivers: Vec<EventReceiver>,
    /// The key that signs events, also without a receiver.
    pub(crate) key: Option<EventSigningKey>,
}

#[derive(Args, Clone)]
pub(super) struct EventSettings {
    /// The address that takes events for the merchant's own systems: order.paid, order.paid_late,
    /// order.paid_twice, order.reversed, refund.resolved and refund.rejected, as JSON by POST,
    /// repeated until the answer is a 2xx, after 5 seconds and then after twice as long each time,
    /// an hour at the most [default: none; programs of the shop can read the events of 30 days]
    #[arg(long, env, value_name = "URL", verbatim_doc_comment)]
    #[arg(value_parser = setting("give the address that takes events, such as https://erp.example/events, or leave it out", event_url))]
    events_url: Option<Given<Url>>,
    /// A file of further receivers of events: `[[receiver]]` with name, url, secret or secret_file, and
    /// if it does not want all types, types. Each has a queue of its own
    #[arg(long, env, value_name = "FILE", verbatim_doc_comment)]
    event_receivers_file: Option<String>,
    /// The key that signs events, by the standard "Standard Webhooks" (headers webhook-id,
    /// webhook-timestamp, webhook-signature): `whsec_` with base64, or two of them with a space
    /// between while receivers change from one to the other
    #[arg(long, env, value_name = "SECRET")]
    #[arg(hide_env_values = true, verbatim_doc_comment)]
    events_secret: Option<SecretString>,
    /// A file with the secret, in place of EVENTS_SECRET; read at the start
    #[arg(long, env, value_name = "FILE")]
    events_secret_file: Option<String>,
}

impl EventSettings {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<Events> {
        let file_of_secret = self.events_secret_file.as_deref();
        let secret = secret("EVENTS_SECRET", self.events_secret, file_of_secret);
        let key = secret.and_then(|secret| {
            let key = match secret.as_ref().map(ExposeSecret::expose_secret) {
                None => Err("is missing".to_owned()),
                Some("") => Err("is empty".to_owned()),
                Some(text) => EventSigningKey::parse(text),
            };
            match key {
                Ok(key) => Ok(Some(key)),
                // Without an address only a sample is signed, and the secret may have any form.
                Err(_) if self.events_url.is_none() => Ok(None),
                Err(why) => Err(format!("EVENTS_SECRET {why}: give the secret that events are signed with, `whsec_` with at least 24 random bytes in base64 or at least 32 random characters.")),
            }
        });
        let key = wrong.keep(key);
        let url = wrong.keep(self.events_url.map(|given| given.0).transpose());
        let further = self.event_receivers_file.map(|path| {
            let remedy = "name a file of receivers, each with name, url, and secret or secret_file";
            file("EVENT_RECEIVERS_FILE", &path, remedy, parse)
        });
        let further = wrong.keep(further.transpose());
        let (key, further) = (key?, further?.unwrap_or_default());
        let only = url?.zip(key.clone()).map(|(url, key)| EventReceiver {
            name: ONLY.to_owned(),
            url,
            key,
            filter: EventFilter::default(),
            cash_code: false,
        });
        let receivers = only.into_iter().chain(further).collect();
        Some(Events { receivers, key })
    }
}

/// The name of the receiver of `EVENTS_URL`.
const ONLY: &str = "default";

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

/// Reads the text of a file of receivers. An error names the receiver, and quotes no secret.
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
            let name = &receiver.name;
            return Err(wrong(&format!("another one has the name `{name}`")));
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
        identifier(&self.name).map_err(|why| format!("`name` {why}"))?;
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

/// The least length of a secret in base64, by the convention.
const LEAST_BYTES: usize = 24;
/// The least length of a plain text, which has fewer bits a byte.
const LEAST_CHARACTERS: usize = 32;
/// A change from one secret to another takes two.
const MOST_SECRETS: usize = 2;

/// The key that signs events.
#[derive(Clone)]
pub(crate) struct EventSigningKey {
    /// Two while receivers change from one secret to the other.
    keys: Vec<hmac::Key>,
    /// Whether the secret was given without `whsec_`.
    is_plain_text: bool,
}

impl fmt::Debug for EventSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventSigningKey(redacted)")
    }
}

impl EventSigningKey {
    /// `whsec_` with base64, as the convention writes secrets, or two of them with a space between, or a
    /// plain text.
    ///
    /// # Errors
    /// The error in the key, without a quote.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_plain_text = !text.starts_with("whsec_");
        let keys: Vec<_> = match is_plain_text {
            true => vec![key(text.as_bytes(), LEAST_CHARACTERS)?],
            false => text
                .split_whitespace()
                .map(standard_key)
                .collect::<Result<_, _>>()?,
        };
        if keys.len() > MOST_SECRETS {
            return Err("holds more than two secrets".to_owned());
        }
        Ok(Self {
            keys,
            is_plain_text,
        })
    }

    /// True for a secret that libraries for Standard Webhooks read as another key: they decode every
    /// secret as base64.
    pub(super) fn is_plain_text(&self) -> bool {
        self.is_plain_text
    }

    /// The value of the header `webhook-signature`: one signature for each secret.
    pub(crate) fn sign(&self, id: &str, timestamp: &str, body: &str) -> String {
        let text = format!("{id}.{timestamp}.{body}");
        let signed = self.keys.iter().map(|key| {
            let tag = hmac::sign(key, text.as_bytes());
            format!("v1,{}", STANDARD.encode(tag))
        });
        signed.collect::<Vec<_>>().join(" ")
    }
}

fn standard_key(secret: &str) -> Result<hmac::Key, String> {
    let encoded = secret.strip_prefix("whsec_");
    let decoded = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    let bytes = decoded.ok_or_else(|| "has no base64 after `whsec_`".to_owned())?;
    key(&bytes, LEAST_BYTES)
}

fn key(bytes: &[u8], least: usize) -> Result<hmac::Key, String> {
    let key = (bytes.len() >= least).then(|| hmac::Key::new(hmac::HMAC_SHA256, bytes));
    key.ok_or_else(|| "is too short".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{EventSigningKey, parse};
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

    #[test]
    fn signatures_are_those_that_others_compute() {
        // The example of the standard's own document.
        let key = EventSigningKey::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let signature = key.sign(id, "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        // While a secret is changed, receivers may have either.
        let other = format!("whsec_{}", "A".repeat(32));
        let both = format!("{other} whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signatures = EventSigningKey::parse(&both).unwrap();
        let signatures = signatures.sign(id, "1614265330", r#"{"test": 2432232314}"#);
        let first = EventSigningKey::parse(&other).unwrap();
        let first = first.sign(id, "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signatures, format!("{first} {signature}"));
        for wrong in [
            "whsec_",
            "whsec_AAAA",
            "whsec_%",
            &format!("{both} {other}"),
            &format!("{other} short"),
        ] {
            assert!(EventSigningKey::parse(wrong).is_err(), "{wrong}");
        }
        let shown = EventSigningKey::parse(&"canary".repeat(6)).unwrap();
        assert!(!format!("{shown:?}").contains("canary"));
    }
}
