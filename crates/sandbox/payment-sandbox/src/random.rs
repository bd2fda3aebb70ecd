//! Random identifiers that cannot be guessed.

/// The system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the system gave no random bytes: {0}")]
pub(crate) struct NoRandomness(#[from] getrandom::Error);

/// Generates 128 random bits as hexadecimal digits.
pub(crate) fn token() -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Generates twelve random digits for an operation number or a cash code.
pub(crate) fn digits() -> Result<String, NoRandomness> {
    Ok(format!("{:012}", getrandom::u64()? % 1_000_000_000_000))
}
