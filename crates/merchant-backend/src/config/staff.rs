use crate::staff::StaffAccounts;
use jiff::tz::TimeZone;
use std::time::Duration;

/// The settings for the merchant's staff.
#[derive(Debug)]
pub struct StaffConfig {
    /// The accounts that may sign in; without a file there are none.
    pub accounts: Option<StaffAccounts>,
    /// The merchant's time zone, for files and pages.
    pub time_zone: TimeZone,
    /// After how long a payment that is not settled is an exception.
    pub settlement_due: Duration,
}

impl StaffConfig {
    /// The time zone's name.
    #[must_use]
    pub fn time_zone_name(&self) -> &str {
        self.time_zone.iana_name().unwrap_or("UTC")
    }
}
