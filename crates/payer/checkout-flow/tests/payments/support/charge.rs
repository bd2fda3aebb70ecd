use checkout_flow::{CancelledBy, OperationRef};
use payment_model::{
    Amount, Currency, DateObject, LifecycleEntry, MerchantCode, Meta, OpenValue, Operation,
    PaymentMethod, PaymentMethodName, ProcessorResponse, QrResponse, QueryResponse, Timestamp,
    Transaction, TransactionState,
};

pub(crate) const MERCHANT: &str = "M1";
/// Two QR codes of different size, made of the smallest chunks that pass the check.
pub(crate) const PICTURES: [&str; 2] = [
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAB0AAAAdAQAAAAB+6FqiAAAACUlEQVQAAAAAAAAAAAChMLFTAAAAAElFTkSuQmCC",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACEAAAAhAQAAAAB/n//CAAAACUlEQVQAAAAAAAAAAAChMLFTAAAAAElFTkSuQmCC",
];

/// An operation at the merchant's server and the payment service.
#[derive(Debug, Clone)]
pub(crate) struct Charge {
    pub(crate) number: String,
    pub(crate) method: PaymentMethodName,
    pub(crate) state: TransactionState,
    pub(crate) lifecycle: Vec<TransactionState>,
    /// Until when it can be paid, by the server's clock.
    pub(crate) deadline: Option<i64>,
    /// The date object to send instead, however odd.
    pub(crate) date: Option<DateObject>,
    pub(crate) amount: String,
    pub(crate) currency: String,
    pub(crate) picture: String,
    /// The name that the server read in the code.
    pub(crate) payee: Option<&'static str>,
    pub(crate) continue_url: String,
    /// The parts of an answer beside the state. They must not matter.
    pub(crate) success: bool,
    pub(crate) meta: Meta,
    /// True when answers name another operation.
    pub(crate) misnamed: bool,
    /// True when answers have another transaction.
    pub(crate) mistaken: bool,
    /// True when answers have no transaction.
    pub(crate) hollow: bool,
    /// Who cancelled it, as answers say.
    pub(crate) cancelled_by: Option<CancelledBy>,
    /// True when the server does not find it.
    pub(crate) lost: bool,
}

/// The date object of an instant of the tests, in milliseconds.
pub(crate) fn date_of(millis: i64) -> DateObject {
    DateObject::from_timestamp(Timestamp::from_millis(millis))
}

impl Charge {
    pub(crate) fn new(number: &str, method: PaymentMethodName, deadline: Option<i64>) -> Self {
        Self {
            number: number.to_owned(),
            method,
            state: TransactionState::Pending,
            lifecycle: vec![TransactionState::Registered, TransactionState::Pending],
            deadline,
            date: None,
            amount: "387000".to_owned(),
            currency: "604".to_owned(),
            picture: PICTURES[0].to_owned(),
            payee: None,
            continue_url: "https://lender.example/continue".to_owned(),
            success: true,
            meta: Meta::accepted(),
            misnamed: false,
            mistaken: false,
            hollow: false,
            cancelled_by: None,
            lost: false,
        }
    }

    pub(crate) fn becomes(&mut self, state: TransactionState) {
        self.lifecycle.push(state.clone());
        self.state = state;
    }

    pub(crate) fn was_paid(&self) -> bool {
        self.lifecycle.iter().any(TransactionState::is_paid)
    }

    pub(crate) fn reference(&self) -> OperationRef {
        OperationRef {
            merchant_code: MERCHANT.into(),
            merchant_operation_number: self.number.as_str().into(),
            transaction_id: Some(format!("T-{}", self.number).as_str().into()),
        }
    }

    pub(crate) fn transaction(&self) -> Transaction {
        let pending = self.state == TransactionState::Pending;
        let picture = || {
            ProcessorResponse::Qr(QrResponse {
                qr_image: Some(self.picture.clone()),
                rest: self
                    .payee
                    .map(|name| ("payee_name".to_owned(), OpenValue::String(name.to_owned())))
                    .into_iter()
                    .collect(),
                ..QrResponse::default()
            })
        };
        let id = if self.mistaken { "T-other" } else { "T-" };
        Transaction {
            transaction_id: format!("{id}{}", self.number).as_str().into(),
            channel: "ecommerce".to_owned(),
            state: self.state.clone(),
            state_reason: String::new(),
            amount: Amount::new(self.amount.as_str()),
            currency: Currency::new(self.currency.as_str()),
            payment_method: PaymentMethod {
                method_name: self.method.clone(),
                method_details: None,
            },
            continue_url: (pending && self.method == PaymentMethodName::Installment)
                .then(|| self.continue_url.clone()),
            expiration_date: self
                .date
                .clone()
                .or_else(|| self.deadline.map(date_of))
                .filter(|_| pending),
            processor_response: (pending && self.method == PaymentMethodName::Qr).then(picture),
            additional_fields: None,
            lifecycle: self
                .lifecycle
                .iter()
                .map(|state| LifecycleEntry {
                    state: state.clone(),
                    date: DateObject::default(),
                })
                .collect(),
        }
    }

    pub(crate) fn operation(&self) -> Operation {
        let number = if self.misnamed {
            "another"
        } else {
            &self.number
        };
        Operation {
            merchant_operation_number: number.into(),
            state: self.state.clone(),
            created_at: None,
            amount: Amount::new(self.amount.as_str()),
            currency: Currency::new(self.currency.as_str()),
            transactions: if self.hollow {
                Vec::new()
            } else {
                vec![self.transaction()]
            },
        }
    }

    pub(crate) fn query_response(&self) -> QueryResponse {
        QueryResponse {
            success: self.success,
            merchant_code: MerchantCode::new(MERCHANT),
            operation: self.operation(),
            meta: self.meta.clone(),
        }
    }
}
