//! Texts that do not come from the wasm: those of the server's own page, and the element's failure messages. A page cannot
//! override them.

/// A text of the server's own page that the element does not have, or that the server sends to the element.
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
    CodeRefused,
    NotFoundLead,
    Language,
    Zone,
}

/// The words about a failure of the element: a heading, an explanation, and the label of the button to try again.
type Failure = (&'static str, &'static str, Option<&'static str>);

/// The failure messages of the element, shown when its wasm does not run. All other texts are in the wasm or its text files.
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
