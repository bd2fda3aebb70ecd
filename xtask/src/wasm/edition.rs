/// The wasm that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edition {
    /// For payers and staff: as small as possible. A panic in it is a trap without a message.
    Shipped,
    /// For a developer who looks for a fault: it says where it panics, and its functions have names.
    Diagnostic,
}

impl Edition {
    pub(super) fn is_small(self) -> bool {
        self == Self::Shipped
    }
}
