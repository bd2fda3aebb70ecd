use super::made_up_state::{DEADLINE, MadeUpState, Shown};
use checkout_flow::{CancelledBy, Connection, ErrorCode, Intent};
use payment_model::{
    MerchantOperationNumber, Meta, NotOfferedReason as Reason, Outcome, PaymentMethodName,
    ProblemMoney, TransactionState,
};
use serde_json::{Value, json};
use std::time::Duration;

/// A screen of the gallery.
pub(super) struct GalleryScreen {
    /// The name in addresses and file names of pictures.
    pub(super) name: &'static str,
    /// Changes the default state, a waiting QR code, into this screen.
    pub(super) make: fn(&mut MadeUpState),
}

impl GalleryScreen {
    const fn new(name: &'static str, make: fn(&mut MadeUpState)) -> Self {
        Self { name, make }
    }

    /// The screen of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|screen| screen.name == name)
    }

    /// The state from which the screen is drawn.
    pub(super) fn state(&self) -> MadeUpState {
        let mut state = MadeUpState::default();
        (self.make)(&mut state);
        state
    }
}

/// All screens, in the order of a payment.
pub(super) const ALL: &[GalleryScreen] = &[
    GalleryScreen::new("choosing", |e| e.before(Shown::Choosing)),
    GalleryScreen::new("choosing-one", |e| {
        e.before(Shown::Choosing);
        e.props.methods.truncate(1);
    }),
    GalleryScreen::new("choosing-again", |e| {
        e.before(Shown::Choosing);
        e.last = Some(Outcome::Declined);
        e.superseded = vec![MerchantOperationNumber::new("172184738985")];
    }),
    GalleryScreen::new("choosing-wallets", |e| {
        e.before(Shown::Choosing);
        e.props.wallets = Some("Apu, Nube".into());
    }),
    GalleryScreen::new("choosing-without-qr", |e| {
        e.before(Shown::Choosing);
        e.not_offered(PaymentMethodName::Qr, Reason::AboveMost);
    }),
    GalleryScreen::new("choosing-one-left", |e| {
        e.before(Shown::Choosing);
        e.props.methods.truncate(3);
        e.not_offered(PaymentMethodName::Qr, Reason::AboveMost);
        e.not_offered(PaymentMethodName::CashCode, Reason::Currency);
    }),
    GalleryScreen::new("choosing-refused", |e| {
        e.before(Shown::Choosing);
        e.not_offered(PaymentMethodName::Installment, Reason::Order);
    }),
    GalleryScreen::new("choosing-on-page", |e| {
        e.before(Shown::ChoosingOnPage);
        e.last = Some(Outcome::Declined);
        e.superseded = vec![MerchantOperationNumber::new("172184738985")];
    }),
    GalleryScreen::new("preparing", |e| e.before(Shown::Preparing)),
    GalleryScreen::new("asking-to-replace", |e| {
        e.shown = Shown::AskingToReplace;
        e.remaining = None;
    }),
    GalleryScreen::new("authorizing", |e| e.before(Shown::Authorizing)),
    GalleryScreen::new("authorizing-slow", |e| {
        e.before(Shown::Authorizing);
        e.slow = true;
    }),
    GalleryScreen::new("authorizing-offline", |e| {
        e.before(Shown::Authorizing);
        e.connection = Connection::Offline;
    }),
    GalleryScreen::new("checking", |e| {
        e.shown = Shown::Checking;
        e.deadline = None;
        e.remaining = None;
    }),
    // A code
    GalleryScreen::new("qr", |_| ()),
    GalleryScreen::new("qr-payee", |e| {
        e.props.payee_name = Some("Comercial Retama E.I.R.L.".into());
    }),
    GalleryScreen::new("qr-wallets", |e| e.props.wallets = Some("Apu, Nube".into())),
    GalleryScreen::new("qr-shared", |e| e.props.shares = true),
    GalleryScreen::new("qr-saved", |e| e.saved = true),
    GalleryScreen::new("qr-last-minute", |e| {
        e.remaining = Some(Duration::from_secs(47));
    }),
    GalleryScreen::new("qr-offline", |e| e.connection = Connection::Offline),
    GalleryScreen::new("qr-troubled", |e| e.connection = Connection::Troubled),
    GalleryScreen::new("qr-checked", |e| e.checked(true)),
    GalleryScreen::new("qr-checked-in-vain", |e| e.checked(false)),
    GalleryScreen::new("qr-asking", |e| e.asks_to_cancel = Some(Intent::Stop)),
    GalleryScreen::new("qr-asking-another", |e| {
        e.asks_to_cancel = Some(Intent::AnotherWay);
    }),
    GalleryScreen::new("qr-only-way", |e| e.has_another_way = false),
    GalleryScreen::new("qr-not-cancelled", |e| e.cancel_failed = true),
    GalleryScreen::new("qr-read-only", |e| e.read_only = true),
    GalleryScreen::new("cancelling", |e| e.shown = Shown::Cancelling),
    GalleryScreen::new("last-check", |e| {
        e.shown = Shown::LastCheck;
        e.remaining = Some(Duration::ZERO);
    }),
    GalleryScreen::new("overdue", |e| {
        e.shown = Shown::Overdue;
        e.remaining = Some(Duration::ZERO);
    }),
    GalleryScreen::new("unconfirmed", |e| {
        e.unconfirmed(Some(DEADLINE.saturating_add(Duration::from_secs(120))));
    }),
    GalleryScreen::new("unconfirmed-again", |e| e.unconfirmed(None)),
    // The lender
    GalleryScreen::new("leaving", |e| {
        e.by(PaymentMethodName::Installment, Value::Null);
        e.shown = Shown::Continue { leaving: true };
    }),
    GalleryScreen::new("lender", |e| {
        e.by(PaymentMethodName::Installment, Value::Null);
        e.shown = Shown::Continue { leaving: false };
    }),
    // Other methods
    GalleryScreen::new("cash-code", |e| {
        cash(
            e,
            json!({"cip": "24731590", "cip_url": "https://cash.example/24731590"}),
        );
    }),
    GalleryScreen::new("cash-code-to-come", |e| cash(e, Value::Null)),
    GalleryScreen::new("transfer", |e| {
        e.by(PaymentMethodName::BankTransfer, Value::Null);
        e.shown = Shown::Continue { leaving: false };
    }),
    GalleryScreen::new("card", |e| {
        e.by(PaymentMethodName::Card, Value::Null);
        e.shown = Shown::Waiting;
    }),
    GalleryScreen::new("wallet", |e| {
        e.by(PaymentMethodName::Wallet, Value::Null);
        e.shown = Shown::Waiting;
    }),
    GalleryScreen::new("method-nobody-knows", |e| {
        e.by("PIGEON_POST".into(), Value::Null);
        e.shown = Shown::Waiting;
    }),
    GalleryScreen::new("confirming", |e| {
        e.shown = Shown::Confirming;
        e.transaction.state = "EN_REVISION".into();
        e.transaction.state_reason = "En revisión por el procesador".to_owned();
    }),
    // How it ended
    GalleryScreen::new("paid", |e| {
        e.ended(Outcome::Paid, TransactionState::Authorized, "");
    }),
    GalleryScreen::new("paid-next", |e| {
        e.props.paid_url = Some("/order/1001".into());
        e.props.leads_on = Some("shop.example".into());
        e.ended(Outcome::Paid, TransactionState::Authorized, "");
    }),
    GalleryScreen::new("paid-late", |e| {
        e.ended(Outcome::Paid, TransactionState::Authorized, "");
        e.superseded = [MerchantOperationNumber::new("730114958262")].into();
    }),
    GalleryScreen::new("paid-twice", |e| {
        e.ended(Outcome::Paid, TransactionState::Authorized, "");
        e.superseded = [MerchantOperationNumber::new("730114958262")].into();
        e.paid_twice = true;
    }),
    GalleryScreen::new("paid-installments", |e| {
        let response = json!({"credit_status": "APROBADO", "operation_id": "5C753A68"});
        e.by(PaymentMethodName::Installment, response);
        e.ended(Outcome::Paid, TransactionState::Authorized, "");
    }),
    GalleryScreen::new("paid-cash", |e| {
        let response = json!({
            "cip": "24731590",
            "payment_date": "2026-11-21T16:52:08",
            "operationNumber": "0091772"
        });
        e.by(PaymentMethodName::CashCode, response);
        e.ended(Outcome::Paid, TransactionState::Authorized, "");
    }),
    GalleryScreen::new("paid-transfer", |e| {
        let response = json!({"origin_account": "191-****-**27-0-45", "operation_id": "T-880412"});
        e.by(PaymentMethodName::BankTransfer, response);
        e.ended(Outcome::Paid, TransactionState::Settled, "");
    }),
    GalleryScreen::new("declined", |e| {
        e.props.help_url = Some("https://shop.example/help?operation={number}".into());
        e.ended(
            Outcome::Declined,
            TransactionState::Declined,
            "Fondos insuficientes",
        );
    }),
    GalleryScreen::new("declined-installments", |e| {
        e.by(
            PaymentMethodName::Installment,
            json!({"credit_status": "DENEGADO"}),
        );
        e.ended(
            Outcome::Declined,
            TransactionState::Declined,
            "Crédito no aprobado",
        );
    }),
    GalleryScreen::new("invalid", |e| {
        e.ended(
            Outcome::Invalid,
            TransactionState::Invalid,
            "El monto no está permitido",
        );
    }),
    GalleryScreen::new("cancelled", |e| {
        e.ended(Outcome::Cancelled, TransactionState::Cancelled, "");
    }),
    GalleryScreen::new("cancelled-elsewhere", |e| {
        e.ended(Outcome::Cancelled, TransactionState::Cancelled, "");
        e.cancelled_by = CancelledBy::Replacement;
    }),
    GalleryScreen::new("expired", |e| {
        e.ended(Outcome::Expired, TransactionState::Expired, "");
    }),
    GalleryScreen::new("expired-cash", |e| {
        e.by(PaymentMethodName::CashCode, Value::Null);
        e.ended(Outcome::Expired, TransactionState::Expired, "");
    }),
    GalleryScreen::new("reversed", |e| {
        e.ended(Outcome::Reversed, TransactionState::Reversed, "");
    }),
    GalleryScreen::new("reversed-payable", |e| {
        e.ended(Outcome::Reversed, TransactionState::Cancelled, "");
        e.payable = true;
    }),
    // Errors
    GalleryScreen::new("network", |e| e.before(Shown::Failed(ErrorCode::Network))),
    GalleryScreen::new("server", |e| {
        e.before(Shown::Failed(ErrorCode::Server));
        e.problem_money = ProblemMoney::NothingCharged;
    }),
    GalleryScreen::new("server-unknown", |e| {
        e.before(Shown::Failed(ErrorCode::Server));
    }),
    GalleryScreen::new("may-be-paid", |e| {
        e.before(Shown::Failed(ErrorCode::MayBePaid));
        e.problem_money = ProblemMoney::MayBePaid;
    }),
    GalleryScreen::new("refused-uncharged", |e| {
        e.before(Shown::Failed(ErrorCode::Refused));
        e.problem_money = ProblemMoney::NothingCharged;
    }),
    GalleryScreen::new("refused", |e| {
        e.before(Shown::Failed(ErrorCode::Refused));
        e.refusal = Some(Meta::new(
            "21",
            "El comercio no acepta este medio de pago por ahora.",
        ));
    }),
    GalleryScreen::new("no-method", |e| {
        e.before(Shown::Failed(ErrorCode::NoMethod));
        e.props.help_url = Some("https://shop.example/help".into());
        e.props.methods.truncate(2);
        e.not_offered(PaymentMethodName::Qr, Reason::AboveMost);
        e.not_offered(PaymentMethodName::Installment, Reason::BelowLeast);
    }),
    GalleryScreen::new("not-found", |e| {
        e.shown = Shown::Failed(ErrorCode::NotFound);
        (e.deadline, e.remaining) = (None, None);
    }),
    GalleryScreen::new("amount-mismatch", |e| {
        e.shown = Shown::Failed(ErrorCode::AmountMismatch);
    }),
    GalleryScreen::new("qr-image", |e| e.shown = Shown::Failed(ErrorCode::QrImage)),
    GalleryScreen::new("continue-url", |e| {
        e.by(PaymentMethodName::Installment, Value::Null);
        e.shown = Shown::Failed(ErrorCode::ContinueUrl);
    }),
    GalleryScreen::new("page", |e| e.before(Shown::Failed(ErrorCode::Page))),
    GalleryScreen::new("page-refused", |e| {
        e.before(Shown::Failed(ErrorCode::Page));
        e.page_refusal = Some("Ya no quedan mochilas de este color.");
    }),
    GalleryScreen::new("configuration", |e| {
        e.before(Shown::Failed(ErrorCode::Configuration));
    }),
];

/// A code to pay in cash, until the next day.
fn cash(state: &mut MadeUpState, response: Value) {
    const DAY: Duration = Duration::from_secs(86_400);
    state.by(PaymentMethodName::CashCode, response);
    state.shown = Shown::Waiting;
    state.deadline = Some(DEADLINE.saturating_add(DAY));
    state.remaining = Some(DAY);
}

#[cfg(test)]
mod tests;
