use crate::wire_enum::wire_enum;

wire_enum! {
    /// A payment method (`method_name`, and `payment_method.name` of refunds).
    pub enum PaymentMethodName as "'QR' | 'INSTALLMENT' | 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET' | (string & {})" {
        /// A QR code that a wallet scans.
        Qr = "QR",
        /// Installment credit at a lender's site.
        Installment = "INSTALLMENT",
        /// A code paid in cash at an agent.
        CashCode = "CASHCODE",
        /// A transfer from a bank account.
        BankTransfer = "BANK_TRANSFER",
        /// A card.
        Card = "CARD",
        /// A mobile wallet.
        Wallet = "WALLET",
    }
}

impl PaymentMethodName {
    /// True when the service refunds this method (States and transitions, refunds).
    #[must_use]
    pub fn is_refundable(&self) -> bool {
        matches!(self, Self::Card | Self::Wallet | Self::Installment)
    }
}
