use super::error::ServiceError;
use serde::de::DeserializeOwned;

/// Reads a JSON body.
///
/// # Errors
/// A sentence that names the field which is missing or wrong.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ServiceError> {
    crate::json::read(body).map_err(ServiceError::WrongField)
}
