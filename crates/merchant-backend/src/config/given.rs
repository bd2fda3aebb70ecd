//! The value of one setting, or the sentence that says why it cannot be used.
//!
//! A parser of `clap` that refuses a value ends the program at the first mistake, with a message that
//! repeats the value. A [`Given`] keeps the sentence instead, so that all mistakes are listed together
//! and no secret is printed.

use clap::builder::{TypedValueParser, ValueParser};
use clap::error::Error;
use clap::parser::ValueSource;
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What was given for a setting.
#[derive(Clone)]
pub(super) struct Given<T>(pub(super) Result<T, String>);

/// Reads a setting with `read`, which says what is wrong with a text; `remedy` says what to give.
pub(super) fn setting<T>(
    remedy: impl Into<String>,
    read: impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> ValueParser
where
    T: Clone + Send + Sync + 'static,
{
    let remedy = remedy.into();
    ValueParser::new(Reader { read, remedy })
}

/// Reads a whole number; `what` names it with its unit.
pub(super) fn number<T>(what: &str, range: RangeInclusive<T>) -> ValueParser
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    let remedy = format!("give a {what} from {} to {}", range.start(), range.end());
    setting(remedy, move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("is `{text}`"))
    })
}

#[derive(Clone)]
struct Reader<F> {
    read: F,
    remedy: String,
}

impl<T, F> TypedValueParser for Reader<F>
where
    F: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
    T: Clone + Send + Sync + 'static,
{
    type Value = Given<T>;

    fn parse_ref(
        &self,
        command: &Command,
        setting: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Given<T>, Error> {
        self.parse_ref_(command, setting, value, ValueSource::CommandLine)
    }

    fn parse_ref_(
        &self,
        _: &Command,
        setting: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<Given<T>, Error> {
        let read = match value.to_str().map(str::trim) {
            // The default of a setting that has to be given.
            Some("") if source == ValueSource::DefaultValue => Err("is missing".to_owned()),
            Some("") => Err("is empty".to_owned()),
            Some(text) => (self.read)(text),
            None => Err("is no text in UTF-8".to_owned()),
        };
        let name = setting.and_then(Arg::get_env).unwrap_or_default().display();
        Ok(Given(
            read.map_err(|why| format!("{name} {why}: {}.", self.remedy)),
        ))
    }
}
