use std::fmt;

/// Every error in the settings: a sentence each, with the setting's name and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongSettings(pub(super) Vec<String>);

impl fmt::Display for WrongSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for WrongSettings {}
