//! Which answers of the service count as accepted.

use super::planted::{Mistake, planted};
use payment_model::{
    AuthorizeResponse, CancelResponse, Meta, QueryResponse, RefundQueryResponse, RefundResponse,
    TransactionId,
};

/// The codes of `meta.status.code` with which an answer is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedCodes(Vec<String>);

impl AcceptedCodes {
    /// The code of the specification.
    pub const DEFAULT: &str = "00";

    /// Reads codes that are separated by commas; `None` for an empty one.
    pub fn read(text: &str) -> Option<Self> {
        let codes: Vec<String> = text.split(',').map(|code| code.trim().to_owned()).collect();
        (!codes.iter().any(String::is_empty)).then_some(Self(codes))
    }

    /// True for an answer whose request the service carried out. Every other one proves nothing,
    /// neither that something happened nor that it did not, whatever else is in it.
    pub fn accept(&self, answer: &impl Answer) -> bool {
        if planted(Mistake::UnacceptedAnswerProves) {
            return true;
        }
        answer.success() && self.0.contains(&answer.meta().status.code)
    }
}

/// An answer of the payment service with status 200.
pub trait Answer {
    fn success(&self) -> bool;
    fn meta(&self) -> &Meta;
    /// The transaction that it names, by which the service can be asked.
    fn transaction_id(&self) -> Option<&TransactionId> {
        None
    }
}

macro_rules! answers {
    ($($answer:ty),*) => {
        $(impl Answer for $answer {
            fn success(&self) -> bool {
                self.success
            }
            fn meta(&self) -> &Meta {
                &self.meta
            }
        })*
    };
}

answers!(
    QueryResponse,
    CancelResponse,
    RefundResponse,
    RefundQueryResponse
);

impl Answer for AuthorizeResponse {
    fn success(&self) -> bool {
        self.success
    }

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn transaction_id(&self) -> Option<&TransactionId> {
        Some(&self.transaction.transaction_id)
    }
}

#[cfg(test)]
mod tests {
    use super::AcceptedCodes;
    use crate::ledger::fixture::list;

    #[test]
    fn only_success_with_an_accepted_code_is_accepted() {
        for (codes, success, code, accepted) in [
            ("00", true, "00", true),
            ("00", false, "00", false),
            ("00", true, "99", false),
            ("00", true, "", false),
            ("00, 01", true, "01", true),
        ] {
            let mut answer = list(&[]);
            answer.success = success;
            code.clone_into(&mut answer.meta.status.code);
            let codes = AcceptedCodes::read(codes).unwrap();
            assert_eq!(codes.accept(&answer), accepted, "{success} {code}");
        }
        for wrong in ["", "00,", " , "] {
            assert_eq!(AcceptedCodes::read(wrong), None, "{wrong:?}");
        }
    }
}
