use super::finding::Finding;
use crate::db::{Inspected, inspect};
use std::path::Path;

const NAME: &str = "DATABASE";

pub(super) async fn file(path: &Path) -> Finding {
    let name = path.display();
    match inspect(path).await {
        Ok(Inspected::None) => {
            Finding::good(NAME, format!("{name} will be made at the first start"))
        }
        Ok(Inspected::Current) => {
            Finding::good(NAME, format!("{name} has the schema of this version"))
        }
        Ok(Inspected::Older) => Finding::note(
            NAME,
            format!(
                "{name} was written by an older version; the start brings it up to date, so keep a backup"
            ),
        ),
        Ok(Inspected::InUse) => Finding::good(NAME, format!("{name} is in use by a server")),
        Err(error) => {
            // The name of the setting is in the message.
            let text = error.to_string();
            let text = text.strip_prefix("DATABASE: ").unwrap_or(&text);
            Finding::wrong(NAME, text.to_owned())
        }
    }
}
