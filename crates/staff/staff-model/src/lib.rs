//! The HTTP interface between the merchant's server and the staff's element.
//!
//! The server adds the merchant's own data to the payment service's resources (`payment-model`): orders,
//! refund attempts, acts of staff. All addresses are under `/api/staff`, and need the cookie of a signed-in
//! account. Errors are `application/problem+json`. [`Route`] has the table below as code, from which the
//! server and the element take the addresses.
//!
//! | Request | Body or query | Answer |
//! |---|---|---|
//! | `POST /session` | [`SignIn`] | [`StaffSession`] and the cookie; 401 `sign-in-refused`; 403 `second-factor-required` or `second-factor-refused`; 429 |
//! | `POST /session/code` | [`StepUp`] | 204; 403 `second-factor-refused`; 429 |
//! | `POST /second-factor` | [`BeginEnrolment`] | [`EnrolmentKey`]; 403 `second-factor-refused`; 429 |
//! | `POST /second-factor/confirm` | [`ConfirmEnrolment`] | [`Enrolled`]; 403 `second-factor-refused`; 429 |
//! | `GET /session` | | [`StaffSession`]; 401 `sign-in-required` |
//! | `DELETE /session` | | 204 |
//! | `GET /operations` | [`SearchQuery`] | [`SearchPage`] |
//! | `GET /operations.csv` | [`SearchQuery`] | a file with every match |
//! | `GET /operations/{merchant_code}/{number}` | | [`OperationDetails`] |
//! | `POST /operations/{merchant_code}/{number}/release` | [`ReleaseOrder`] | 202 or 200 [`OrderRelease`]; two members of staff release a blocked order |
//! | `GET /exceptions` | | [`Exceptions`] |
//! | `POST /exceptions/resolve` | [`ResolveException`] | 204 |
//! | `GET /charges/{merchant_code}/{number}/{transaction_id}` | | the service's `QueryResponse` to a new query; `-` means the stored transaction |
//! | `DELETE /charges/{merchant_code}/{number}` | [`CancelQuery`] | the service's `CancelResponse` |
//! | `POST /refund` | the service's `RefundRequest`, and `Idempotency-Key` | [`StaffRefundResponse`] |
//! | `GET /refund/{merchant_code}/{number}` | | the service's `RefundQueryResponse` to a new query |
//! | `POST /refund-attempts/{attempt_id}/release` | [`ReleaseAttempt`] | [`RefundAttempt`] |
//! | `POST /returns` | [`RecordReturn`], and `Idempotency-Key` | 201 [`ManualReturn`] |
//! | `POST /returns/{return_id}/done` | [`EndReturn`] | [`ManualReturn`] |
//! | `POST /returns/{return_id}/given-up` | [`EndReturn`] | 200 or 202 [`ManualReturn`]; it takes two members of staff, or the one who reserved it |
//! | `POST /links` | [`MakeLink`], and `Idempotency-Key` | 201 [`PaymentLink`]; 409 `link-refused` |
//! | `GET /links` | [`LinksQuery`] | [`PaymentLinks`] |
//! | `GET /links/{merchant_code}/{order_id}` | | [`PaymentLink`] |
//! | `POST /links/{merchant_code}/{order_id}/end` | | 200, or 202 while a payment may still come, [`PaymentLink`] |
//! | `GET /news` | [`NewsQuery`], and `Prefer: wait` | [`News`]; held until something changes |
//! | `POST /reversals/{reversal_id}/release` | [`ReleaseReversal`] | [`Reversal`] |
//!
//! An act with money (a refund, a reversal, a return, a release, a resolved exception) answers 403
//! `second-factor-required` when the last code of the session is older than five minutes; it was not carried out, and the
//! same request may follow a step-up. An account that must enrol first gets 403 `second-factor-missing` for every act.
//!
//! `intent=cancel`, the default, does not change an operation that is already paid (409 `operation-paid`);
//! `intent=reverse` reverses a paid operation, and cancels another one. A reversal gives the whole payment
//! back: 409 `reversal-refused` has the amounts that were given back, are reserved or are unknown.

mod audit;
mod details;
mod exception;
mod link;
mod news;
mod problem;
mod problem_members;
mod qr;
mod refunding;
mod returning;
mod reversing;
mod route;
mod search;
mod second_factor;
mod session;
mod strict;
mod word;

pub use audit::{AuditAction, AuditEntry, AuditFacts, AuditStep};
pub use details::{OperationDetails, OrderLine, OrderState, OrderSummary};
pub use exception::{
    Exception, ExceptionCount, ExceptionKind, Exceptions, OrderRelease, ReleaseOrder,
    ResolveException,
};
pub use link::{LONGEST_LINK_DAYS, LinkState, LinksQuery, MakeLink, PaymentLink, PaymentLinks};
pub use news::{News, NewsQuery, UNATTENDED};
pub use problem::ProblemType;
pub use problem_members::{
    CurrentState, LinkRefused, Mismatched, PermissionLacking, Problem, RefundsRefused,
    ReturnRefusalReason, ReturnRefused, ReversalRefused, ServiceRefused, WrongField,
};
pub use qr::QrPath;
pub use refunding::{
    AttemptState, RefundAttempt, RefundRefusalItem, RefundRefusalReason, RefundResult,
    ReleaseAttempt, StaffRefundResponse,
};
pub use returning::{EndReturn, ManualReturn, RecordReturn, ReturnState};
pub use reversing::{CancelQuery, Intent, ReleaseReversal, Reversal, ReversalState};
pub use route::{Address, Method, Route, WHICHEVER};
pub use search::{Money, OperationRow, Payer, Phase, SearchPage, SearchQuery};
pub use second_factor::{BeginEnrolment, ConfirmEnrolment, Enrolled, EnrolmentKey, StepUp};
pub use session::{Permission, SecondFactor, SignIn, StaffSession, StaffStore};

#[cfg(test)]
mod tests {
    use super::{
        AttemptState, AuditAction, AuditStep, ExceptionKind, LinkState, OrderState, Permission,
        Phase, RefundRefusalReason, ReturnRefusalReason, ReturnState, ReversalState, SecondFactor,
    };

    macro_rules! check_words {
        ($($list:ident)+) => {
            $(for word in $list::ALL {
                let json = serde_json::to_string(word).unwrap();
                assert_eq!(json, serde_json::to_string(word.as_str()).unwrap());
                assert_eq!(&serde_json::from_str::<$list>(&json).unwrap(), word);
                assert_eq!($list::from_word(word.as_str()), Some(*word));
            }
            assert_eq!(serde_json::from_str::<$list>("\"new\"").unwrap(), $list::Unknown);
            assert_eq!($list::from_word("unknown"), None);)+
        };
    }

    macro_rules! check_kept_words {
        ($($list:ident)+) => {
            $(for word in $list::KNOWN {
                let json = serde_json::to_string(word).unwrap();
                assert_eq!(json, serde_json::to_string(word.as_str()).unwrap());
                assert_eq!(&serde_json::from_str::<$list>(&json).unwrap(), word);
            }
            let new = serde_json::from_str::<$list>("\"new\"").unwrap();
            assert_eq!(new, $list::Unknown("new".to_owned()));
            assert_eq!(serde_json::to_string(&new).unwrap(), "\"new\"");)+
        };
    }

    #[test]
    fn words_for_people_are_kept_when_they_are_new() {
        check_kept_words!(AuditAction OrderState);
    }

    #[test]
    fn words_survive_a_round_trip_and_new_ones_are_unknown() {
        check_words!(
            AuditStep Permission Phase AttemptState ExceptionKind RefundRefusalReason ReturnState ReversalState
            ReturnRefusalReason SecondFactor LinkState
        );
    }
}
