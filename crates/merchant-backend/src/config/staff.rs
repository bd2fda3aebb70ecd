use super::Settings;
use crate::staff::StaffAccounts;
use jiff::tz::TimeZone;
use std::time::Duration;

const TIME_ZONE: &str = "America/Lima";
const SETTLEMENT_DUE_HOURS: u64 = 72;

/// The settings for the merchant's staff.
#[derive(Debug)]
pub struct StaffConfig {
    /// The accounts that may sign in; without a file nobody can.
    pub accounts: Option<StaffAccounts>,
    /// The merchant's time zone, for files and pages.
    pub time_zone: TimeZone,
    /// After how long a payment that is not settled is an exception.
    pub settlement_due: Duration,
}

impl StaffConfig {
    /// Reads the settings and adds their errors to `wrongs`.
    pub(super) fn read(given: &Settings, wrongs: &mut Vec<String>) -> Self {
        let accounts = given.staff_file.as_deref().map(StaffAccounts::open);
        let accounts = accounts.and_then(|opened| {
            opened
                .map_err(|error| wrongs.push(format!("{error}.")))
                .ok()
        });
        let name = given
            .merchant_time_zone
            .as_deref()
            .unwrap_or(TIME_ZONE)
            .trim();
        let time_zone = TimeZone::get(name).unwrap_or_else(|_| {
            wrongs.push(format!(
                "MERCHANT_TIME_ZONE is `{name}`: give the name of a time zone, such as {TIME_ZONE}."
            ));
            TimeZone::UTC
        });
        let hours = match given.settlement_due_hours.as_deref().map(str::trim) {
            None => SETTLEMENT_DUE_HOURS,
            Some(text) => match text.parse() {
                Ok(hours @ 1..=8760) => hours,
                _ => {
                    wrongs.push(format!(
                        "SETTLEMENT_DUE_HOURS is `{text}`: give a number of hours from 1 to 8760."
                    ));
                    SETTLEMENT_DUE_HOURS
                }
            },
        };
        Self {
            accounts,
            time_zone,
            settlement_due: Duration::from_hours(hours),
        }
    }

    /// The time zone's name.
    #[must_use]
    pub fn time_zone_name(&self) -> &str {
        self.time_zone.iana_name().unwrap_or("UTC")
    }
}
