//! The settings of the server, and its staff.

use super::network::{SERVICE, SHOP};
use crate::settings::{CLERK, SECOND_CLERK, VIEWER};
use merchant_backend::Settings;
use std::path::Path;

pub(super) const HOST: &str = "pay.localhost";
pub(super) const ORIGIN: &str = "http://pay.localhost";
/// Two members of staff who may do everything, and one who may only look.
pub(super) const STAFF: [&str; 3] = [CLERK, SECOND_CLERK, VIEWER];

/// The settings of a server on this file, with further words of the command line.
pub(super) fn settings(file: &Path, staff: &Path, words: &[&str]) -> Settings {
    let mut more = vec![
        format!("--orders-url=http://{SHOP}/orders/{{order_id}}"),
        format!("--events-url=http://{SHOP}/events"),
    ];
    more.extend(words.iter().map(|word| (*word).to_owned()));
    let (public_url, service) = (format!("{ORIGIN}/api"), format!("http://{SERVICE}"));
    crate::settings::settings(&public_url, file, &service, staff, &more)
}
