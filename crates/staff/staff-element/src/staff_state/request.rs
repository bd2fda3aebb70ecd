use payment_model::{
    CancelResponse, IdempotencyKey, QueryResponse, RefundQueryResponse, RefundRequest,
};
use staff_model::{
    Address, BeginEnrolment, CancelQuery, ConfirmEnrolment, EndReturn, Enrolled, EnrolmentKey,
    Exceptions, Intent, LinksQuery, MakeLink, ManualReturn, News, OperationDetails, OperationRow,
    OrderRelease, PaymentLink, PaymentLinks, RecordReturn, RefundAttempt, ReleaseAttempt,
    ReleaseOrder, ReleaseReversal, ResolveException, Reversal, SearchPage, SearchQuery, SignIn,
    StaffRefundResponse, StaffSession, StepUp, WHICHEVER,
};
use std::time::Duration;

/// The numbers that name an operation everywhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reference {
    pub(crate) merchant_code: String,
    pub(crate) number: String,
}

impl Reference {
    /// Reads `100000001/482193017756`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (merchant_code, number) = text.split_once('/')?;
        let whole = !merchant_code.is_empty() && !number.is_empty();
        whole.then(|| Self {
            merchant_code: merchant_code.to_owned(),
            number: number.to_owned(),
        })
    }

    pub(crate) fn of(row: &OperationRow) -> Self {
        Self {
            merchant_code: row.merchant_code.clone(),
            number: row.merchant_operation_number.clone(),
        }
    }
}

/// A request to the merchant's server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Session,
    SignIn(SignIn),
    SignOut,
    StepUp(StepUp),
    BeginEnrolment(BeginEnrolment),
    ConfirmEnrolment(ConfirmEnrolment),
    Search(SearchQuery),
    Details(Reference),
    Exceptions,
    Resolve(ResolveException),
    Query(Reference),
    Cancel(Reference, Intent),
    Refund(RefundRequest, IdempotencyKey),
    Refunds(Reference),
    Release(String, ReleaseAttempt),
    ReleaseReversal(String, ReleaseReversal),
    ReleaseOrder(Reference, ReleaseOrder),
    Return(RecordReturn, IdempotencyKey),
    MadeReturn(String, EndReturn),
    GiveUpReturn(String, EndReturn),
    Links(LinksQuery),
    /// One link, by the id of its order in place of a number.
    Link(Reference),
    MakeLink(MakeLink, IdempotencyKey),
    EndLink(Reference),
    /// What happened after a cursor; held until something happens, or not.
    News(String, bool),
}

/// The server's answers, by request.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    Session(StaffSession),
    Nothing,
    EnrolmentKey(Box<EnrolmentKey>),
    Enrolled(Enrolled),
    Page(SearchPage),
    Details(Box<OperationDetails>),
    Exceptions(Exceptions),
    Query(Box<QueryResponse>),
    Cancel(Box<CancelResponse>),
    Refund(Box<StaffRefundResponse>),
    Refunds(Box<RefundQueryResponse>),
    Attempt(RefundAttempt),
    Reversal(Reversal),
    Order(OrderRelease),
    Return(ManualReturn),
    Links(PaymentLinks),
    Link(Box<PaymentLink>),
    News(Box<News>),
}

impl Request {
    /// Returns the address of the request, under the base address.
    pub(crate) fn address(&self) -> Address {
        match self {
            Self::Session => Address::session(),
            Self::SignIn(_) => Address::sign_in(),
            Self::SignOut => Address::sign_out(),
            Self::StepUp(_) => Address::step_up(),
            Self::BeginEnrolment(_) => Address::begin_enrolment(),
            Self::ConfirmEnrolment(_) => Address::confirm_enrolment(),
            Self::Search(query) => Address::search().with_query(&query.fields()),
            Self::Details(of) => Address::details(&of.merchant_code, &of.number),
            Self::Exceptions => Address::exceptions(),
            Self::Resolve(_) => Address::resolve_exception(),
            Self::Query(of) => Address::query(&of.merchant_code, &of.number, WHICHEVER),
            Self::Cancel(of, intent) => Address::cancel(&of.merchant_code, &of.number)
                .with_query(&CancelQuery::fields(*intent)),
            Self::Refund(..) => Address::refund(),
            Self::Refunds(of) => Address::refunds(&of.merchant_code, &of.number),
            Self::Release(attempt, _) => Address::release_attempt(attempt),
            Self::ReleaseReversal(id, _) => Address::release_reversal(id),
            Self::ReleaseOrder(of, _) => Address::release_order(&of.merchant_code, &of.number),
            Self::Return(..) => Address::record_return(),
            Self::MadeReturn(id, _) => Address::return_done(id),
            Self::GiveUpReturn(id, _) => Address::return_given_up(id),
            Self::Links(query) => Address::links().with_query(&[("cursor", &query.cursor)]),
            Self::Link(of) => Address::link(&of.merchant_code, &of.number),
            Self::MakeLink(..) => Address::make_link(),
            Self::EndLink(of) => Address::end_link(&of.merchant_code, &of.number),
            Self::News(after, _) => Address::news().with_query(&[("after", after)]),
        }
    }

    /// The idempotency key, where the request takes one.
    pub(crate) fn key(&self) -> Option<&IdempotencyKey> {
        match self {
            Self::Refund(_, key) | Self::Return(_, key) | Self::MakeLink(_, key) => Some(key),
            _ => None,
        }
    }

    /// How long an answer may take: what asks the service, or moves money,
    /// waits for the service.
    pub(crate) fn timeout(&self) -> Duration {
        match self {
            Self::Query(_)
            | Self::Cancel(..)
            | Self::Refund(..)
            | Self::Refunds(_)
            | Self::ReleaseReversal(..) => Duration::from_secs(45),
            // Held for 20 seconds.
            Self::News(..) => Duration::from_secs(30),
            _ => Duration::from_secs(20),
        }
    }
}

/// Returns the address of a search's file.
pub(crate) fn file_of(query: &SearchQuery) -> Address {
    let all = SearchQuery {
        cursor: String::new(),
        limit: String::new(),
        ..query.clone()
    };
    Address::search_file().with_query(&all.fields())
}

#[cfg(test)]
mod tests {
    use super::{Request, file_of};
    use staff_model::SearchQuery;

    #[test]
    fn only_what_is_given_is_asked_for() {
        let mut query = SearchQuery::default();
        assert_eq!(
            Request::Search(query.clone()).address().path(),
            "/operations"
        );
        query.q = "a b&c".to_owned();
        query.state = "LIQUIDADO none".to_owned();
        query.cursor = "x+/=".to_owned();
        assert_eq!(
            Request::Search(query.clone()).address().path(),
            "/operations?q=a%20b%26c&state=LIQUIDADO%20none&cursor=x%2B%2F%3D"
        );
        // The file has every match, not only those on the screen.
        assert_eq!(
            file_of(&query).path(),
            "/operations.csv?q=a%20b%26c&state=LIQUIDADO%20none"
        );
    }
}
