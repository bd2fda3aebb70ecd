//! The commands of the program besides serving.

use super::value::event_url;
use clap::{Args, Subcommand};
use payment_rules::api_key::ApiPermission;
use payment_rules::event::EventKind;
use url::Url;

/// The commands of the program besides serving.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Read a password from the standard input and print the line for the staff file
    HashPassword,
    /// Look at the settings, the database, the payment service and everything else that the server
    /// talks to, and say what is wrong. Changes nothing; may run beside the server
    #[command(verbatim_doc_comment)]
    Check,
    /// Move everything from a file of SQLite to an empty database of PostgreSQL, which takes its place.
    /// Stop the server before, name the new one in DATABASE afterwards, and run the command again
    /// after an interruption: the file may be marked as moved, so that no server starts on it
    #[command(verbatim_doc_comment)]
    Copy {
        /// The file
        #[arg(long, value_name = "FILE")]
        from: String,
        /// The address of the database, without a password, which PGPASSFILE holds: other programs can
        /// read a command line
        #[arg(long, value_name = "postgres://…", verbatim_doc_comment)]
        to: String,
        /// Copy nothing, and take the mark of an interrupted copy away: servers start on the file again.
        /// Only while the new database is empty
        #[arg(long, verbatim_doc_comment)]
        abandon: bool,
    },
    /// Tell the server that the DATABASE was restored from a backup, or that a standby took over which
    /// may lack commits: nothing older is removed, reversed or refunded, and no older order takes a new
    /// payment, before staff confirm. Stop every server before
    #[command(verbatim_doc_comment)]
    Restored {
        /// Everything older was compared with the payment service: treat it like the rest again
        #[arg(long)]
        compared: bool,
    },
    /// Print an enrolment code for an account of staff, beside the running server. With the account's password
    /// it permits one setup of a second factor within an hour. A new code makes an earlier one invalid, and
    /// the setup ends an earlier device
    #[command(verbatim_doc_comment)]
    SecondFactor {
        /// The name of the account in STAFF_FILE
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Make, list or end the keys with which programs of the shop call the server, beside the running
    /// server
    #[command(verbatim_doc_comment)]
    Key {
        /// What to do
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Sign sample events for a receiver that is being written, and resume a receiver that was stopped
    Event {
        /// What to do
        #[command(subcommand)]
        command: EventCommand,
    },
    /// Remove the data of the payers of old orders from the DATABASE, beside the running server:
    /// persons, accounts, masked numbers, details of methods and everything that the specification
    /// does not document. Unfinished orders are left
    #[command(verbatim_doc_comment)]
    Purge {
        /// The least age of the orders
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        older_than: u32,
    },
}

/// The commands about API keys.
#[derive(Subcommand, Clone, Debug)]
pub enum KeyCommand {
    /// Make a key, which is in force at once, and print its secret on the standard output. It is
    /// printed only now
    #[command(verbatim_doc_comment)]
    New(NewApiKey),
    /// Print all keys without their secrets, also those that were ended
    List,
    /// End a key: the next request with it is refused
    End {
        /// The name of the key
        #[arg(long, value_name = "NAME")]
        name: String,
    },
}

/// The commands about events.
#[derive(Subcommand, Clone, Debug)]
pub enum EventCommand {
    /// Sign an event with EVENTS_SECRET and send it to an address, once. Its order's id begins with
    /// `sample-`, and it never goes to the address of a receiver
    #[command(verbatim_doc_comment)]
    Send {
        /// The address that takes the event
        #[arg(long, value_name = "URL", value_parser = event_url)]
        to: Url,
        /// The type of the event, such as order.paid
        #[arg(long = "type", value_name = "TYPE", value_parser = event_kind)]
        kind: EventKind,
    },
    /// Send events again to a receiver that answered 410 and was stopped, beside the running server. Those
    /// that it missed were kept, and come first
    #[command(verbatim_doc_comment)]
    Resume {
        /// The name of the receiver; `default` is the one of EVENTS_URL
        #[arg(long, value_name = "NAME")]
        receiver: String,
    },
}

/// A key to make.
#[derive(Args, Clone, Debug)]
pub struct NewApiKey {
    /// The name of the key in lists and in the audit record: 1 to 64 letters, digits, `.`, `-` and `_`
    #[arg(long, value_name = "NAME", value_parser = key_name)]
    pub(crate) name: String,
    /// What the key may do: order, read, cancel, refund and resend, separated by commas
    #[arg(long, value_name = "WORDS", value_delimiter = ',', required = true)]
    #[arg(value_parser = permission)]
    pub(crate) may: Vec<ApiPermission>,
    /// The store whose orders the key reaches; needed only if the server has several stores
    #[arg(long, value_name = "CODE")]
    pub(crate) merchant_code: Option<String>,
    /// The most that one request, and all requests for one payment, may give back, in cents
    /// [default: no limit]
    #[arg(long, value_name = "CENTS", verbatim_doc_comment)]
    pub(crate) refund_limit: Option<u64>,
    /// The most that the store's keys together may have given back in 24 hours for this key to give
    /// more back, in cents [default: ten times --refund-limit]
    #[arg(long, value_name = "CENTS", verbatim_doc_comment)]
    pub(crate) refund_limit_a_day: Option<u64>,
}

fn key_name(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = (1..=64).contains(&text.len()) && text.bytes().all(plain);
    let wrong = || "give 1 to 64 letters, digits, `.`, `-` and `_`".to_owned();
    is_name.then(|| text.to_owned()).ok_or_else(wrong)
}

fn event_kind(word: &str) -> Result<EventKind, String> {
    EventKind::from_word(word).ok_or_else(|| {
        let words: Vec<_> = EventKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("give one of {}", words.join(", "))
    })
}

fn permission(word: &str) -> Result<ApiPermission, String> {
    ApiPermission::from_word(word)
        .ok_or_else(|| "give order, read, cancel, refund or resend".to_owned())
}
