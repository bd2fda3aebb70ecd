//! What a payer reads where the element is not: on the server's own page, and where its wasm cannot be had. No page overrides it.

/// A text of the server's own page that the element does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the wordings say what each one is")]
pub enum PageText {
    Title,
    OnPhone,
    OnPhoneLead,
    OnPhoneAlt,
    Keep,
    GivenBack,
    ClosedHeading,
    ClosedLead,
    PayAgain,
    Back,
    TooOften,
    TryAgainLead,
    OrderRefused,
    TooManyAttempts,
    NotFoundLead,
    Language,
    Zone,
}

/// The words about a failure of the element: a heading, an explanation, and the label of the button to try again.
type Failure = (&'static str, &'static str, Option<&'static str>);

/// What stands in the place of an element whose wasm, which has all other texts, cannot be had.
#[derive(Debug)]
pub struct Failures {
    /// The load failed.
    pub load: Failure,
    /// The browser cannot run the wasm.
    pub unable: Failure,
    /// The page is older than its files.
    pub outdated: Failure,
    /// The wasm stopped.
    pub crash: Failure,
    /// It stopped again after a reload.
    pub again: Failure,
    /// The words before the operation's number.
    pub number: &'static str,
    /// The label of the link to a page that works without the wasm.
    pub elsewhere: &'static str,
}
