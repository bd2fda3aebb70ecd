use super::Finding;
use crate::database_address::DatabaseAddress;
use crate::db::{Inspected, inspect, standbys_may_lack_commits};

const NAME: &str = "DATABASE";

/// Says that a start is refused because of asynchronous standbys, or what becomes of accepted ones.
pub(super) async fn standbys(address: &DatabaseAddress, are_accepted: bool) -> Option<Finding> {
    if !standbys_may_lack_commits(address).await {
        return None;
    }
    Some(if are_accepted {
        Finding::note(
            NAME,
            "its standbys are asynchronous: after one has taken over run `merchant-backend restored` before a server starts, since it may lack payments and refunds".to_owned(),
        )
    } else {
        let text = crate::StartError::Standbys.to_string();
        let text = text.strip_prefix("DATABASE: ").unwrap_or(&text);
        Finding::wrong(NAME, text.to_owned())
    })
}

pub(super) async fn database(address: &DatabaseAddress) -> Finding {
    let name = address;
    match inspect(address).await {
        Ok(Inspected::None) => {
            let made = match address {
                DatabaseAddress::File(_) => "will be made at the first start",
                DatabaseAddress::Server(_) => "is empty; the first start makes its tables",
            };
            Finding::good(NAME, format!("{name} {made}"))
        }
        Ok(Inspected::Current) => {
            Finding::good(NAME, format!("{name} has the schema of this version"))
        }
        Ok(Inspected::Restored) => Finding::note(
            NAME,
            format!(
                "{name} was restored from a backup; what is older waits for staff, until `restored --compared`"
            ),
        ),
        Ok(Inspected::OldExceptions(old)) => Finding::note(
            NAME,
            format!(
                "{name} has {old} payments whose exceptions an earlier version found; a running server finds them anew, in steps"
            ),
        ),
        Ok(Inspected::Older) => Finding::note(
            NAME,
            format!(
                "{name} was written by an older version; the start brings it up to date, so keep a backup"
            ),
        ),
        Ok(Inspected::InUse) => Finding::good(NAME, format!("{name} is in use by a server")),
        Err(error) => {
            // The report has the name of the setting already.
            let text = error.to_string();
            let text = text.strip_prefix("DATABASE: ").unwrap_or(&text);
            Finding::wrong(NAME, text.to_owned())
        }
    }
}
