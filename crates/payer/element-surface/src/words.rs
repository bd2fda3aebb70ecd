//! The words of `<payment-checkout>` for its states, its payer's actions and its errors: those of the flow, and those
//! that only the element's script has.

use crate::item::Named;
use checkout_flow::{Action, ErrorCode, State};

/// The words of the property `state`.
#[must_use]
pub fn states() -> Vec<Named> {
    let loading = Named {
        name: "loading",
        about: "the element is loading, or not in the page",
    };
    let others = State::ALL.iter().map(|state| Named {
        name: state.as_str(),
        about: state.about(),
    });
    std::iter::once(loading).chain(others).collect()
}

/// The actions of `checkout-action`.
#[must_use]
pub fn actions() -> Vec<Named> {
    let shared = Named {
        name: "code-shared",
        about: "shared the code",
    };
    let others = Action::ALL.iter().map(|action| Named {
        name: action.as_str(),
        about: action.about(),
    });
    others.chain([shared]).collect()
}

/// A code of an error.
#[derive(Debug)]
pub struct ErrorWord {
    /// The code.
    pub name: &'static str,
    /// The cause.
    pub cause: &'static str,
    /// Whether trying again makes sense.
    pub retryable: &'static str,
}

/// The codes of `checkout-error`.
#[must_use]
pub fn error_codes() -> Vec<ErrorWord> {
    let flow = ErrorCode::ALL.iter().map(|code| ErrorWord {
        name: code.as_str(),
        cause: code.about(),
        retryable: if code.is_retryable() { "yes" } else { "no" },
    });
    let script = [
        ErrorWord {
            name: "load",
            cause: "the wasm could not be loaded within a minute; or the files on the server are newer than the page; \
                    or the wasm cannot run here, without WebAssembly or without `'wasm-unsafe-eval'` in the \
                    [policy](security.md)",
            retryable: "yes; no if it cannot run, or if a reload did not help",
        },
        ErrorWord {
            name: "crash",
            cause: "the wasm stopped again and again; the payment is safe with your server, and a reload shows its state",
            retryable: "yes; no if it stopped before in this tab",
        },
    ];
    flow.chain(script).collect()
}
