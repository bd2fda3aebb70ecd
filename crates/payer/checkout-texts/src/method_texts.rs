//! Which texts are about which payment method.

use crate::keys::Text;

/// The texts about a payment method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodTexts {
    /// Its button in the choice.
    pub name: Text,
    /// A line about it there.
    pub about: Text,
    /// Its name on a receipt, where there is one of its own.
    pub receipt: Option<Text>,
}

/// The texts of each method, by the payment service's word.
const METHODS: [(&str, Text, Text, Text); 6] = [
    ("QR", Text::MethodQr, Text::MethodQrAbout, Text::ReceiptQr),
    (
        "INSTALLMENT",
        Text::MethodInstallment,
        Text::MethodInstallmentAbout,
        Text::ReceiptInstallment,
    ),
    (
        "CASHCODE",
        Text::MethodCashCode,
        Text::MethodCashCodeAbout,
        Text::ReceiptCashCode,
    ),
    (
        "BANK_TRANSFER",
        Text::MethodBankTransfer,
        Text::MethodBankTransferAbout,
        Text::ReceiptBankTransfer,
    ),
    (
        "CARD",
        Text::MethodCard,
        Text::MethodCardAbout,
        Text::ReceiptCard,
    ),
    (
        "WALLET",
        Text::MethodWallet,
        Text::MethodWalletAbout,
        Text::ReceiptWallet,
    ),
];

impl MethodTexts {
    /// The texts of a method; those of any other one for a word without texts.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let known = METHODS.iter().find(|(known, ..)| *known == word);
        match known {
            Some((_, name, about, receipt)) => Self {
                name: *name,
                about: *about,
                receipt: Some(*receipt),
            },
            None => Self {
                name: Text::MethodOther,
                about: Text::MethodOtherAbout,
                receipt: None,
            },
        }
    }
}
