//! Secrets of a stack on one machine.

use anyhow::{Result, anyhow};
use fs_err as fs;
use std::path::Path;

/// 256 random bits as hexadecimal digits.
pub(crate) fn random() -> Result<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow!("the system gave no random bytes: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The secret in `file`, made the first time.
pub(crate) fn kept(file: &Path) -> Result<String> {
    if let Ok(secret) = fs::read_to_string(file)
        && secret.trim().len() == 64
    {
        return Ok(secret.trim().to_owned());
    }
    let secret = random()?;
    fs::write(file, &secret)?;
    Ok(secret)
}
