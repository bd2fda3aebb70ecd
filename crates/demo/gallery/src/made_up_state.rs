use checkout_flow::{
    CancelledBy, Checked, Choice, Connection, ContinueUrl, End, ErrorCode, Intent, Money,
    OperationRef, QrImage, Screen, View,
};
use payment_checkout::CheckoutProps;
use payment_model::{
    Amount, Currency, DateObject, LifecycleEntry, MerchantCode, MerchantOperationNumber, Meta,
    NotOffered, NotOfferedReason, Outcome, PaymentMethod, PaymentMethodName, ProblemMoney,
    ProcessorResponse, Timestamp, Transaction, TransactionId, TransactionState,
};
use serde_json::Value;
use std::time::Duration;

/// 12:15 in Lima on a Saturday.
pub(super) const DEADLINE: Timestamp = Timestamp::from_secs(1_795_281_300);

/// A made-up moment of a payment: everything that a screen is drawn from. By default a QR code of S/ 129.90 waits
/// to be scanned.
pub(super) struct MadeUpState {
    pub(super) shown: Shown,
    /// The page's settings.
    pub(super) props: CheckoutProps,
    pub(super) money: Option<Money>,
    pub(super) operation: Option<OperationRef>,
    pub(super) deadline: Option<Timestamp>,
    pub(super) remaining: Option<Duration>,
    pub(super) connection: Connection,
    pub(super) asks_to_cancel: Option<Intent>,
    pub(super) has_another_way: bool,
    pub(super) cancel_failed: bool,
    pub(super) problem_money: ProblemMoney,
    pub(super) refusal: Option<Meta>,
    pub(super) page_refusal: Option<&'static str>,
    /// The methods by which the server does not take the order.
    pub(super) not_offered: Vec<NotOffered>,
    /// How an earlier attempt ended.
    pub(super) last: Option<Outcome>,
    pub(super) read_only: bool,
    pub(super) checked: Option<Checked>,
    pub(super) transaction: Transaction,
    pub(super) superseded: Vec<MerchantOperationNumber>,
    pub(super) paid_twice: bool,
    pub(super) payable: bool,
    pub(super) cancelled_by: CancelledBy,
    /// True when the payer saved the code.
    pub(super) saved: bool,
    /// True when it takes long to prepare a code.
    pub(super) slow: bool,
    image: Option<QrImage>,
    url: Option<ContinueUrl>,
}

/// A screen of the flow that owns its data.
#[derive(Clone, Copy)]
pub(super) enum Shown {
    Choosing,
    ChoosingOnPage,
    Preparing,
    AskingToReplace,
    Authorizing,
    Checking,
    Qr,
    Continue { leaving: bool },
    Waiting,
    Confirming,
    LastCheck,
    Overdue,
    Unconfirmed { again_at: Option<Timestamp> },
    Cancelling,
    Ended(Outcome),
    Failed(ErrorCode),
}

impl Default for MadeUpState {
    fn default() -> Self {
        let amount = Amount::from_cents(12_990);
        let currency = Currency::new("PEN");
        Self {
            shown: Shown::Qr,
            props: yew::props!(CheckoutProps {
                base_url: "",
                methods: vec![
                    PaymentMethodName::Qr,
                    PaymentMethodName::Installment,
                    PaymentMethodName::CashCode,
                    PaymentMethodName::BankTransfer,
                ],
                merchant_name: "Retama y Cumbre",
                order_label: "1001",
            }),
            money: Some(Money {
                amount: amount.clone(),
                currency: currency.clone(),
            }),
            operation: Some(OperationRef {
                merchant_code: MerchantCode::new("demo-merchant"),
                merchant_operation_number: MerchantOperationNumber::new("482193017756"),
                transaction_id: Some(TransactionId::new("made-up")),
            }),
            deadline: Some(DEADLINE),
            remaining: Some(Duration::from_secs(872)),
            connection: Connection::Good,
            asks_to_cancel: None,
            has_another_way: true,
            cancel_failed: false,
            problem_money: ProblemMoney::Unknown,
            refusal: None,
            page_refusal: None,
            not_offered: Vec::new(),
            last: None,
            read_only: false,
            checked: None,
            transaction: Transaction {
                transaction_id: TransactionId::new("made-up"),
                channel: "ecommerce".to_owned(),
                state: TransactionState::Pending,
                state_reason: String::new(),
                amount,
                currency,
                payment_method: PaymentMethod {
                    method_name: PaymentMethodName::Qr,
                    method_details: None,
                },
                continue_url: None,
                expiration_date: None,
                processor_response: None,
                additional_fields: None,
                lifecycle: Vec::new(),
            },
            superseded: Vec::new(),
            paid_twice: false,
            payable: false,
            cancelled_by: CancelledBy::ThisPage,
            saved: false,
            slow: false,
            image: QrImage::parse(include_str!("qr.uri")),
            url: ContinueUrl::parse("https://lender.example/plan", &[]),
        }
    }
}

impl MadeUpState {
    /// Sets the method and the processor's response.
    pub(super) fn by(&mut self, method: PaymentMethodName, response: Value) {
        self.transaction.processor_response = match response {
            Value::Null => None,
            response => Some(ProcessorResponse::read(&method, response)),
        };
        self.transaction.payment_method.method_name = method;
    }

    /// Shows a screen before there is an operation.
    pub(super) fn before(&mut self, shown: Shown) {
        self.shown = shown;
        self.operation = None;
        self.deadline = None;
        self.remaining = None;
    }

    /// Shows an end, with the processor's reason.
    pub(super) fn ended(&mut self, outcome: Outcome, state: TransactionState, reason: &str) {
        self.shown = Shown::Ended(outcome);
        self.transaction.state = state;
        if outcome == Outcome::Paid {
            self.transaction.lifecycle = vec![LifecycleEntry {
                state: TransactionState::Authorized,
                date: DateObject::from_timestamp(DEADLINE.saturating_sub(Duration::from_secs(620))),
            }];
        }
        reason.clone_into(&mut self.transaction.state_reason);
        self.deadline = None;
        self.remaining = None;
    }

    /// Shows that the server refused a new code.
    pub(super) fn unconfirmed(&mut self, again_at: Option<Timestamp>) {
        self.shown = Shown::Unconfirmed { again_at };
        self.remaining = Some(Duration::ZERO);
    }

    /// The server does not take the order by this method, which takes from S/ 6 to S/ 100.
    pub(super) fn not_offered(&mut self, method: PaymentMethodName, reason: NotOfferedReason) {
        let limit = |cents| Some(Amount::from_cents(cents));
        self.not_offered.push(NotOffered {
            method,
            reason,
            least: limit(600),
            most: limit(10_000),
        });
    }

    /// The payer pressed "check now", and the server answered or not.
    pub(super) fn checked(&mut self, answered: bool) {
        let at = DEADLINE.saturating_sub(Duration::from_secs(900));
        self.checked = Some(Checked {
            at: Some(at),
            answered,
            question: 1,
        });
    }

    /// Returns the view that the screens draw from.
    pub(super) fn view(&self) -> View<'_> {
        let chosen = !matches!(self.shown, Shown::Choosing);
        View {
            screen: self.screen(),
            money: self.money.clone(),
            operation: self.operation.as_ref(),
            method: chosen.then_some(&self.transaction.payment_method.method_name),
            deadline: self.deadline,
            payee: None,
            connection: self.connection,
            asks_to_cancel: self.asks_to_cancel,
            cancel_failed: self.cancel_failed,
            problem_money: self.problem_money,
            choices: self.choices(),
            has_another_way: self.has_another_way,
            refusal: self.refusal.as_ref(),
            page_refusal: self.page_refusal,
            read_only: self.read_only,
            checked: self.checked,
            last: self
                .last
                .and_then(|outcome| Some((self.superseded.first()?, outcome))),
        }
    }

    /// The methods of the page, but for those without a button and without a reason.
    fn choices(&self) -> Vec<Choice<'_>> {
        let methods = match self.shown {
            Shown::Choosing | Shown::Failed(ErrorCode::NoMethod) => &*self.props.methods,
            Shown::ChoosingOnPage => self.props.methods.get(..1).unwrap_or_default(),
            _ => &[],
        };
        let methods = methods.iter();
        methods
            .map(|method| {
                let refused = self.not_offered.iter().find(|one| one.method == *method);
                let refusal = refused.map(|refused| (refused, &self.transaction.currency));
                Choice { method, refusal }
            })
            .collect()
    }

    fn screen(&self) -> Screen<'_> {
        match self.shown {
            Shown::Choosing => Screen::Choosing,
            Shown::ChoosingOnPage => Screen::ChoosingOnPage,
            Shown::Preparing => Screen::Preparing,
            Shown::AskingToReplace => Screen::AskingToReplace {
                live: &self.transaction.payment_method.method_name,
                wanted: &PaymentMethodName::CashCode,
            },
            Shown::Authorizing => Screen::Authorizing,
            Shown::Checking => Screen::Checking,
            Shown::Qr => self
                .image
                .as_ref()
                .map_or(Screen::Failed(ErrorCode::QrImage), Screen::Qr),
            Shown::Continue { leaving } => match &self.url {
                Some(url) => Screen::Continue { url, leaving },
                None => Screen::Failed(ErrorCode::ContinueUrl),
            },
            Shown::Waiting => Screen::Waiting(&self.transaction),
            Shown::Confirming => Screen::Confirming(&self.transaction),
            Shown::LastCheck => Screen::LastCheck,
            Shown::Overdue => Screen::Overdue,
            Shown::Unconfirmed { again_at } => Screen::Unconfirmed { again_at },
            Shown::Cancelling => Screen::Cancelling,
            Shown::Ended(outcome) => Screen::Ended(End {
                outcome,
                transaction: &self.transaction,
                cancelled_by: self.cancelled_by,
                superseded: self.superseded.iter().collect(),
                paid_twice: self.paid_twice,
                payable: self.payable,
            }),
            Shown::Failed(code) => Screen::Failed(code),
        }
    }
}
