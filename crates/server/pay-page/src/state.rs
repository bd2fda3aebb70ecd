use payment_model::{Offer, PaymentMethodName, Timestamp};

/// What the page shows.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// The payer chooses how to pay.
    Choosing {
        /// The methods on offer, in the order of the buttons, and why the others are not.
        offer: Offer,
        /// The idempotency key of the attempt that the form begins.
        key: String,
        /// Why the payer has to choose again.
        last: Option<LastAttempt>,
        /// The payment of the order was given back; it can be paid again.
        was_reversed: bool,
        /// The outcome of an earlier attempt is unknown.
        is_in_doubt: bool,
    },
    /// The payer has a code and chose another method: the code has to be cancelled first.
    AskingToReplace {
        /// The method of the code.
        live: PaymentMethodName,
        /// The operation number of the code.
        number: String,
        /// The method that the payer chose.
        wanted: PaymentMethodName,
        /// The idempotency key of the attempt.
        key: String,
    },
    /// The payer asked to cancel the code.
    AskingToCancel {
        /// The operation number of the code.
        number: String,
    },
    /// The payer can pay now.
    Waiting(Waiting),
    /// The server does not know whether an attempt is paid.
    Confirming,
    /// The payment has ended for good or for now.
    Ended(End),
    /// No attempt to pay begins any more.
    Closed,
    /// A request of the payer was not carried out.
    Message(Message),
}

/// How the last attempt ended without a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAttempt {
    /// Its operation number.
    pub number: String,
    /// How it ended.
    pub outcome: payment_model::Outcome,
}

/// A code or a link that can be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The operation number.
    pub number: String,
    /// How it is paid.
    pub method: PaymentMethodName,
    /// The picture of the QR as a `data:` URI.
    pub qr_uri: Option<String>,
    /// The name that the payer's wallet shows, where the QR says it.
    pub payee_name: Option<String>,
    /// The code to pay with at an agent.
    pub cash_code: Option<String>,
    /// Where the payer goes on, at a lender or a bank.
    pub continue_url: Option<String>,
    /// Until when it can be paid.
    pub expires_at: Option<Timestamp>,
    /// The service does not answer, so that this may be older than it seems.
    pub is_stale: bool,
    /// No other way to pay can be chosen: the time of the order is over, and the code can be paid.
    pub is_last: bool,
}

/// A payment that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The operation number.
    pub number: String,
    /// How it is paid.
    pub method: PaymentMethodName,
    /// When it was paid.
    pub at: Option<Timestamp>,
    /// It was given back.
    pub is_reversed: bool,
    /// Two payments of the order are in force.
    pub paid_twice: bool,
    /// Further codes of the order that can still be paid.
    pub other_codes: Vec<String>,
    /// Cents that went back or are on their way back.
    pub given_back_cents: u64,
}

/// Why a request of the payer was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// The server or the payment service does not answer now; the same form may be sent again. It says nothing
    /// about a charge, since the order may be paid.
    TryAgain,
    /// The order may be paid already, as far as this server knows after a restore.
    MayBePaid,
    /// The service or the shop refused, with its own words where it gave some. It says nothing about a charge.
    Refused(Option<String>),
    /// The code could not be cancelled and can still be paid.
    NotCancelled,
    /// The service answered with another amount or currency than the order has.
    AmountMismatch,
    /// The order cannot be paid by this method, which the payer pressed on an older page.
    NotOffered(PaymentMethodName),
    /// The QR of the payment service is not for the order, and reaches nobody.
    CodeRefused,
    /// The order has had as many attempts as an order may have.
    TooManyAttempts,
    /// There is no such page, or it is not there any more.
    NotFound,
    /// The signed order of the form permits nothing.
    OrderRefused,
    /// The client asks too often.
    TooOften,
}
