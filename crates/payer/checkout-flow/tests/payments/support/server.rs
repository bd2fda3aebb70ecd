use crate::support::cache::Cache;
use crate::support::charge::{Charge, MERCHANT};
use checkout_flow::{CancelledBy, Failure, IdempotencyKey, OperationRef, Problem};
use payment_model::{
    Amount, AuthorizeResponse, CancelResponse, Currency, MerchantCode, MerchantOperationNumber,
    NotOffered, NotOfferedReason, Offer, Outcome, PaymentMethodName, ProblemMoney, QueryResponse,
    TransactionState,
};
use std::time::Duration;

/// The time by the server's clock at which stories begin.
pub(crate) const EPOCH: i64 = 1_760_000_000_000;

/// A merchant's server with one order, and the network to it.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) charges: Vec<Charge>,
    keys: Vec<(String, usize)>,
    /// How long an operation can be paid.
    pub(crate) lifetime: Option<i64>,
    /// True when the server holds status requests until something changes.
    pub(crate) holds: bool,
    /// True when the server's status answers have tags.
    pub(crate) names: bool,
    /// True when it tells whether the order is open beside a payment that was given back.
    pub(crate) tells_order: bool,
    /// The age of its state, while it cannot ask the payment service.
    pub(crate) age: Option<Duration>,
    /// True when the server refuses every cancellation.
    pub(crate) refuses_to_cancel: bool,
    /// True when the server treats an operation as live after its deadline.
    pub(crate) lenient: bool,
    /// True when the server ends no live operation for another method unasked.
    pub(crate) keeps_live: bool,
    /// By which methods it takes the order; `None` for all.
    pub(crate) offer: Option<Offer>,
    /// The amount that it answers to an authorize request alone, in place of the operation's.
    pub(crate) authorizes: Option<Amount>,
    /// The fault of the next cancellation.
    pub(crate) next_cancel: Option<Network>,
    /// The template for the next operations. Each gets its own number.
    pub(crate) template: Option<Charge>,
    pub(crate) network: Network,
    /// What is between the page and the server.
    pub(crate) cache: Cache,
    /// True when each answer has an id of its own (`X-Request-Id`).
    pub(crate) counts_answers: bool,
    /// True when it refuses an address with a query that it does not know.
    pub(crate) knows_no_query: bool,
    /// The states of the network that replace `network` for the next requests, in order.
    pub(crate) next: Vec<Network>,
}

/// The ways in which the network treats a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Network {
    Good,
    /// The request never arrives. The browser notices it only at the time-out.
    Silent,
    /// The request arrives, and its answer is lost.
    LosesAnswers,
    /// The server refuses, or the connection fails.
    Says(Failure),
}

impl Server {
    pub(crate) fn new() -> Self {
        Self {
            charges: Vec::new(),
            keys: Vec::new(),
            lifetime: Some(15 * 60_000),
            holds: false,
            names: true,
            tells_order: true,
            age: None,
            refuses_to_cancel: false,
            lenient: false,
            keeps_live: true,
            offer: None,
            authorizes: None,
            next_cancel: None,
            template: None,
            network: Network::Good,
            cache: Cache::default(),
            counts_answers: false,
            knows_no_query: false,
            next: Vec::new(),
        }
    }

    pub(crate) fn network_for_next(&mut self) -> Network {
        if self.next.is_empty() {
            self.network.clone()
        } else {
            self.next.remove(0)
        }
    }

    pub(crate) fn find(&self, operation: &OperationRef) -> Option<&Charge> {
        let named = |charge: &&Charge| {
            operation.merchant_code.as_str() == MERCHANT
                && charge.number == operation.merchant_operation_number.as_str()
                && operation
                    .transaction_id
                    .as_ref()
                    .is_none_or(|id| Some(id) == charge.reference().transaction_id.as_ref())
        };
        self.charges
            .iter()
            .filter(|charge| !charge.lost)
            .find(named)
    }

    /// One live operation an order: the same method gets it again. Another method cancels it first, if the
    /// request names it; the key is not spent before.
    pub(crate) fn authorize(
        &mut self,
        key: &IdempotencyKey,
        method: &PaymentMethodName,
        replaces: Option<&MerchantOperationNumber>,
        clock: i64,
    ) -> Result<AuthorizeResponse, Failure> {
        if let Some((_, index)) = self.keys.iter().find(|(known, _)| known == key.as_str()) {
            return Ok(self.authorized(*index));
        }
        if let Some(paid) = self.charges.iter().find(|charge| charge.state.is_paid()) {
            return Err(Failure::Status {
                status: 409,
                retry_after: None,
                money: ProblemMoney::MayBePaid,
                problem: Some(Problem::OrderPaid(paid.reference())),
            });
        }
        let live = self.charges.iter().position(|charge| {
            charge.state.is_waiting()
                && (self.lenient || charge.deadline.is_none_or(|deadline| deadline > clock))
        });
        let index = match live {
            Some(index) if self.charges[index].method == *method => index,
            other => {
                let offer = self.offer.as_ref();
                if let Some(offer) = offer.filter(|offer| !offer.methods.contains(method)) {
                    return Err(refuses(offer, method));
                }
                if let Some(index) = other {
                    let charge = &mut self.charges[index];
                    let overdue = charge.deadline.is_some_and(|deadline| deadline <= clock);
                    let named = replaces.is_some_and(|number| number.as_str() == charge.number);
                    if self.keeps_live && !overdue && !named {
                        return Err(keeps(charge));
                    }
                    charge.cancelled_by = Some(CancelledBy::Replacement);
                    charge.becomes(TransactionState::Cancelled);
                }
                self.opens(method.clone(), clock)
            }
        };
        self.keys.push((key.as_str().to_owned(), index));
        Ok(self.authorized(index))
    }

    fn authorized(&self, index: usize) -> AuthorizeResponse {
        let mut answer = authorized(&self.charges[index]);
        if let Some(amount) = &self.authorizes {
            answer.transaction.amount = amount.clone();
        }
        answer
    }

    /// True when the server made an operation for this key, even if its answer was lost.
    pub(crate) fn knows(&mut self, key: &str, index: usize) {
        self.keys.push((key.to_owned(), index));
    }

    /// Makes a new operation, for the page or another system.
    pub(crate) fn opens(&mut self, method: PaymentMethodName, clock: i64) -> usize {
        let number = format!("{}", 1001 + self.charges.len());
        let deadline = self.lifetime.map(|lifetime| clock + lifetime);
        let charge = match &self.template {
            Some(template) => Charge {
                number,
                method,
                deadline,
                ..template.clone()
            },
            None => Charge::new(&number, method, deadline),
        };
        self.charges.push(charge);
        self.charges.len() - 1
    }

    pub(crate) fn query(&self, operation: &OperationRef) -> Result<QueryResponse, Failure> {
        self.find(operation)
            .map(Charge::query_response)
            .ok_or(not_found())
    }

    /// The operation that the payer of the order should see: the one that paid it, else the live one, else
    /// one that was paid and given back.
    pub(crate) fn live(&self, clock: i64) -> Option<OperationRef> {
        let payable = |c: &&Charge| c.state.is_waiting() && c.deadline.is_none_or(|d| d > clock);
        let reversed = |c: &&Charge| c.transaction().outcome() == Some(Outcome::Reversed);
        let known = || self.charges.iter().filter(|charge| !charge.lost);
        let paid = known().find(|charge| charge.state.is_paid());
        let live = paid.or_else(|| known().find(payable));
        live.or_else(|| known().next_back().filter(reversed))
            .map(Charge::reference)
    }

    /// The offer in the answer to the live question; `None` while the order has an operation to show.
    pub(crate) fn offer_to_choose(&self, clock: i64) -> Option<Offer> {
        self.offer.clone().filter(|_| self.live(clock).is_none())
    }

    /// True when a status answer about this operation says that the order is open.
    pub(crate) fn tells_open(&self, operation: &OperationRef) -> bool {
        let reversed = |charge: &Charge| charge.transaction().outcome() == Some(Outcome::Reversed);
        let paid = self.charges.iter().any(|charge| charge.state.is_paid());
        self.tells_order && !paid && self.find(operation).is_some_and(reversed)
    }

    /// Returns the tag of the answer about an operation: its state, then the whole answer.
    pub(crate) fn tag(&self, operation: &OperationRef) -> Option<String> {
        let charge = self.find(operation).filter(|_| self.names)?;
        let body = serde_json::to_string(&charge.query_response()).unwrap();
        Some(format!("{}.{body}", charge.state.as_str()))
    }

    /// True when this tag stands for another state than the operation has.
    pub(crate) fn told_otherwise(&self, operation: &OperationRef, known: &str) -> bool {
        let state = |tag: &str| tag.split('.').next().map(str::to_owned);
        let now = self.tag(operation);
        now.is_some_and(|now| state(known) != state(&now))
    }

    pub(crate) fn cancel(&mut self, operation: &OperationRef) -> Result<CancelResponse, Failure> {
        let number = operation.merchant_operation_number.as_str();
        let Some(charge) = self
            .charges
            .iter_mut()
            .find(|charge| charge.number == number && !charge.lost)
        else {
            return Err(not_found());
        };
        if !charge.state.is_waiting() || self.refuses_to_cancel {
            return Err(status(409));
        }
        charge.becomes(TransactionState::Cancelled);
        Ok(CancelResponse {
            success: true,
            merchant_code: MerchantCode::new(MERCHANT),
            merchant_operation_number: None,
            operation: charge.operation(),
            meta: charge.meta.clone(),
        })
    }
}

fn authorized(charge: &Charge) -> AuthorizeResponse {
    AuthorizeResponse {
        success: charge.success,
        action: "authorize".to_owned(),
        merchant_code: MerchantCode::new(MERCHANT),
        merchant_operation_number: charge.number.as_str().into(),
        transaction: charge.transaction(),
        meta: charge.meta.clone(),
    }
}

/// The refusal of a method names only that one, beside the methods by which the order can be paid.
fn refuses(offer: &Offer, method: &PaymentMethodName) -> Failure {
    let mut offer = offer.clone();
    offer.not_offered.retain(|other| other.method == *method);
    Failure::Status {
        status: 422,
        retry_after: None,
        money: ProblemMoney::NothingCharged,
        problem: Some(Problem::NotOffered(offer)),
    }
}

fn keeps(charge: &Charge) -> Failure {
    Failure::Status {
        status: 409,
        retry_after: None,
        money: ProblemMoney::MayBePaid,
        problem: Some(Problem::OperationLive(
            charge.reference(),
            charge.method.clone(),
        )),
    }
}

pub(crate) fn status(status: u16) -> Failure {
    saying(status, ProblemMoney::Unknown)
}

/// A status with what the server knows of the money.
pub(crate) fn saying(status: u16, money: ProblemMoney) -> Failure {
    Failure::Status {
        status,
        retry_after: None,
        money,
        problem: None,
    }
}

pub(crate) fn closed_for(status: u16, retry_after: Duration) -> Failure {
    Failure::Status {
        status,
        retry_after: Some(retry_after),
        money: ProblemMoney::Unknown,
        problem: None,
    }
}

pub(crate) fn not_found() -> Failure {
    status(404)
}

/// The offer of these methods: for the QR code the order is too large.
pub(crate) fn above_most(methods: &[PaymentMethodName]) -> Offer {
    Offer {
        currency: Currency::new("PEN"),
        methods: methods.to_vec(),
        not_offered: vec![NotOffered {
            method: PaymentMethodName::Qr,
            reason: NotOfferedReason::AboveMost,
            least: Some(Amount::new("600")),
            most: Some(Amount::new("50000")),
        }],
    }
}
