//! The browser services that the flow needs. Each file is one service. None of them knows the
//! flow's states.

pub(crate) mod activation;
pub(crate) mod api_client;
pub(crate) mod clock;
#[cfg(feature = "languages")]
pub(crate) mod console;
mod exchange;
pub(crate) mod navigation;
pub(crate) mod page_language;
pub(crate) mod return_token;
pub(crate) mod storage;
pub(crate) mod visibility;

pub use exchange::Exchange;
#[cfg(feature = "custom-element")]
pub use {return_token::PARAMETER as RETURN_PARAMETER, storage::PREFIX as STORAGE_PREFIX};
