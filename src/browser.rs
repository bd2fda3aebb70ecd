//! The browser's services. Each file is one of them, and nothing else touches the browser.

pub(crate) mod clock;
pub(crate) mod http;
pub(crate) mod navigation;
pub(crate) mod storage;
pub(crate) mod visibility;
