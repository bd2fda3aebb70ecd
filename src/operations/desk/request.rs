use payment_model::{CancelResponse, QueryResponse, RefundQueryResponse, RefundRequest};
use staff_model::{
    EndReturn, Exceptions, ManualReturn, OperationDetails, OperationRow, OrderRelease,
    RecordReturn, RefundAttempt, ReleaseAttempt, ReleaseReversal, ResolveException, Reversal,
    SearchPage, SearchQuery, SignIn, StaffRefundResponse, StaffSession,
};

/// An operation, by what names it everywhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reference {
    pub(crate) merchant_code: String,
    pub(crate) number: String,
}

impl Reference {
    pub(crate) fn of(row: &OperationRow) -> Self {
        Self {
            merchant_code: row.merchant_code.clone(),
            number: row.merchant_operation_number.clone(),
        }
    }

    fn path(&self, before: &str, after: &str) -> String {
        let (code, number) = (segment(&self.merchant_code), segment(&self.number));
        [before, "/", &code, "/", &number, after].concat()
    }
}

/// What a cancellation is meant to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// End an operation that waits; a paid one is left alone.
    Cancel,
    /// Give a payment back.
    Reverse,
}

/// A request to the merchant's server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Session,
    SignIn(SignIn),
    SignOut,
    Search(SearchQuery),
    Details(Reference),
    Exceptions,
    Resolve(ResolveException),
    Query(Reference),
    Cancel(Reference, Intent),
    Refund(RefundRequest, String),
    Refunds(Reference),
    Release(String, ReleaseAttempt),
    ReleaseReversal(String, ReleaseReversal),
    ReleaseOrder(Reference, ReleaseAttempt),
    Return(RecordReturn, String),
    MadeReturn(String, EndReturn),
    GiveUpReturn(String, EndReturn),
}

/// What it answers, by request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Session(StaffSession),
    Nothing,
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
}

impl Request {
    /// The path under the base address, with the query.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Session | Self::SignIn(_) | Self::SignOut => "/session".to_owned(),
            Self::Search(query) => ["/operations", &query_string(query)].concat(),
            Self::Details(reference) => reference.path("/operations", ""),
            Self::Exceptions => "/exceptions".to_owned(),
            Self::Resolve(_) => "/exceptions/resolve".to_owned(),
            Self::Query(reference) => reference.path("/charges", "/-"),
            Self::Cancel(reference, Intent::Cancel) => reference.path("/charges", "?intent=cancel"),
            Self::Cancel(reference, Intent::Reverse) => {
                reference.path("/charges", "?intent=reverse")
            }
            Self::Refund(..) => "/refund".to_owned(),
            Self::Refunds(reference) => reference.path("/refund", ""),
            Self::Release(attempt, _) => {
                ["/refund-attempts/", &segment(attempt), "/release"].concat()
            }
            Self::ReleaseReversal(id, _) => ["/reversals/", &segment(id), "/release"].concat(),
            Self::ReleaseOrder(reference, _) => reference.path("/operations", "/release"),
            Self::Return(..) => "/returns".to_owned(),
            Self::MadeReturn(id, _) => ["/returns/", &segment(id), "/done"].concat(),
            Self::GiveUpReturn(id, _) => ["/returns/", &segment(id), "/given-up"].concat(),
        }
    }

    /// The idempotency key, where the request takes one.
    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Self::Refund(_, key) | Self::Return(_, key) => Some(key),
            _ => None,
        }
    }

    /// How long an answer may take, in milliseconds: what asks the service, or moves money,
    /// waits for the service.
    pub(crate) fn timeout(&self) -> u32 {
        match self {
            Self::Query(_)
            | Self::Cancel(..)
            | Self::Refund(..)
            | Self::Refunds(_)
            | Self::ReleaseReversal(..) => 45_000,
            _ => 20_000,
        }
    }
}

/// Where the file of a search is.
pub(crate) fn csv_path(query: &SearchQuery) -> String {
    let all = SearchQuery {
        cursor: String::new(),
        limit: String::new(),
        ..query.clone()
    };
    ["/operations.csv", &query_string(&all)].concat()
}

/// The fields that are given, `?` first; empty when none is.
fn query_string(query: &SearchQuery) -> String {
    let fields = [
        ("q", &query.q),
        ("state", &query.state),
        ("method", &query.method),
        ("merchant_code", &query.merchant_code),
        ("from", &query.from),
        ("to", &query.to),
        ("amount_min", &query.amount_min),
        ("amount_max", &query.amount_max),
        ("limit", &query.limit),
        ("cursor", &query.cursor),
    ];
    let mut text = String::new();
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        text.push(if text.is_empty() { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        text.push_str(&percent(value));
    }
    text
}

/// A path segment that stays one: `.` and `..` would be resolved even percent-encoded.
fn segment(text: &str) -> String {
    if matches!(text, "" | "." | "..") {
        return "%20".to_owned();
    }
    percent(text)
}

fn percent(text: &str) -> String {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::{Intent, Reference, Request, csv_path};
    use staff_model::SearchQuery;

    #[test]
    fn no_value_leaves_its_place_in_the_address() {
        let check = |code: &str, number: &str, path: &str| {
            let reference = Reference {
                merchant_code: code.to_owned(),
                number: number.to_owned(),
            };
            let request = Request::Cancel(reference, Intent::Reverse);
            assert_eq!(request.path(), format!("/charges/{path}?intent=reverse"));
        };
        check("100000001", "4821", "100000001/4821");
        check("a/b", "..", "a%2Fb/%20");
        check("", "ñ?x=1&y#z", "%20/%C3%B1%3Fx%3D1%26y%23z");
    }

    #[test]
    fn only_what_is_given_is_asked_for() {
        let mut query = SearchQuery::default();
        assert_eq!(Request::Search(query.clone()).path(), "/operations");
        query.q = "a b&c".to_owned();
        query.state = "LIQUIDADO none".to_owned();
        query.cursor = "x+/=".to_owned();
        assert_eq!(
            Request::Search(query.clone()).path(),
            "/operations?q=a%20b%26c&state=LIQUIDADO%20none&cursor=x%2B%2F%3D"
        );
        // The file has every match, wherever the list on the screen ends.
        assert_eq!(
            csv_path(&query),
            "/operations.csv?q=a%20b%26c&state=LIQUIDADO%20none"
        );
    }
}
