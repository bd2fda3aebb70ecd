//! Operations for tests.

use payment_model::{Cents, Currency, Outcome, PaymentMethodName, Timestamp, TransactionState};
use staff_model::{
    OperationDetails, OperationRow, OrderState, OrderSummary, Payer, Permission, Phase,
    SecondFactor, StaffSession,
};

pub(crate) fn row(number: &str) -> OperationRow {
    OperationRow {
        merchant_code: "100000001".to_owned(),
        merchant_operation_number: number.to_owned(),
        order_id: "ORD-1".to_owned(),
        payer: Some(Payer {
            name: "Ana Quispe".to_owned(),
            ..Payer::default()
        }),
        order_label: None,
        transaction_id: Some(["t-", number].concat()),
        method_name: PaymentMethodName::Installment,
        phase: Phase::Known,
        state: Some(TransactionState::Settled),
        outcome: Some(Outcome::Paid),
        amount: Cents::new(10_000),
        currency: Currency::new("604"),
        created_at: Timestamp::default(),
        changed_at: Timestamp::default(),
        exceptions: Vec::new(),
    }
}

pub(crate) fn details(row: OperationRow, refundable: u64) -> OperationDetails {
    OperationDetails {
        order: OrderSummary {
            order_id: row.order_id.clone(),
            label: None,
            state: OrderState::Paid,
            paid_twice: false,
            payer: row.payer.clone(),
            lines: Vec::new(),
            operations: vec![row.clone()],
        },
        row,
        operation: None,
        queried_at: None,
        trouble: None,
        exceptions: Vec::new(),
        refunds: Vec::new(),
        attempts: Vec::new(),
        refundable: Cents::new(refundable),
        returns: Vec::new(),
        reversals: Vec::new(),
        audit: Vec::new(),
    }
}

pub(crate) fn session(name: &str) -> StaffSession {
    StaffSession {
        name: name.to_owned(),
        permissions: vec![Permission::Cancel, Permission::Refund],
        refund_limit: Some(Cents::new(8_000)),
        refund_limit_a_day: Some(Cents::new(80_000)),
        link_limit: None,
        link_limit_a_day: None,
        stores: Vec::new(),
        merchant_codes: vec!["100000001".to_owned()],
        time_zone: "America/Lima".to_owned(),
        second_factor: SecondFactor::Unknown,
    }
}
