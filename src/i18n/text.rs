/// Every text of the component, by what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// Heading of the choice of methods.
    ChooseHeading,
}

impl Text {
    /// The name under which a page can override the text.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::ChooseHeading => "choose.heading",
        }
    }
}
