use super::{en, es_pe, pt_br};
use browser_kit::texts::Locale;

impl Text {
    /// The text that the component brings along.
    pub(crate) fn own(self, locale: Locale) -> &'static str {
        match locale {
            Locale::EsPe => es_pe::text(self),
            Locale::En => en::text(self),
            Locale::PtBr => pt_br::text(self),
        }
    }
}

browser_kit::texts! {
    BillTotal = "bill.total",
    BillPaid = "bill.paid",
    BillAmount = "bill.amount",
    BillOrder = "bill.order",

    ActionCheck = "action.check",
    Checked = "check.nothing-new",
    CheckedInVain = "check.no-answer",
    ActionRetry = "action.retry",
    ActionAnother = "action.another",
    ActionCancel = "action.cancel",
    ActionCancelLabel = "action.cancel-label",
    ActionNewQr = "action.new-qr",

    NumberLabel = "number.label",
    NumberCopy = "number.copy",
    NumberCopyLabel = "number.copy-label",
    Copied = "copy.done",
    CopyFailed = "copy.failed",

    ChooseHeading = "choose.heading",
    ChooseLead = "choose.lead",
    ChooseNone = "choose.none",
    MethodQr = "method.qr",
    MethodQrAbout = "method.qr-about",
    MethodInstallment = "method.installment",
    MethodInstallmentAbout = "method.installment-about",
    MethodCashCode = "method.cash-code",
    MethodCashCodeAbout = "method.cash-code-about",
    MethodBankTransfer = "method.bank-transfer",
    MethodBankTransferAbout = "method.bank-transfer-about",
    MethodCard = "method.card",
    MethodCardAbout = "method.card-about",
    MethodWallet = "method.wallet",
    MethodWalletAbout = "method.wallet-about",
    MethodOther = "method.other",
    MethodOtherAbout = "method.other-about",

    AuthorizingQrHeading = "authorizing.qr-heading",
    AuthorizingHeading = "authorizing.heading",
    AuthorizingLead = "authorizing.lead",
    CheckingHeading = "checking.heading",
    CheckingLead = "checking.lead",
    ConfirmingHeading = "confirming.heading",
    ConfirmingLead = "confirming.lead",

    QrHeading = "qr.heading",
    QrPhoneHeading = "qr.phone-heading",
    QrReady = "qr.ready",
    QrAlt = "qr.alt",
    QrAltPayee = "qr.alt-payee",
    QrSave = "qr.save",
    QrShare = "qr.share",
    QrSaved = "qr.saved",
    QrOpenStep = "qr.open-step",
    QrScanStep = "qr.scan-step",
    QrSaveStep = "qr.save-step",
    QrUploadStep = "qr.upload-step",
    QrVerifyStep = "qr.verify-step",
    QrVerifyPayeeStep = "qr.verify-payee-step",
    QrReturnStep = "qr.return-step",
    QrWaiting = "qr.waiting",

    DeadlineAt = "deadline.at",
    DeadlineLeft = "deadline.left",
    TenMinutes = "deadline.10-minutes",
    FiveMinutes = "deadline.5-minutes",
    TwoMinutes = "deadline.2-minutes",
    OneMinute = "deadline.1-minute",
    HalfMinute = "deadline.30-seconds",
    TenSeconds = "deadline.10-seconds",

    LenderHeading = "lender.heading",
    LenderLead = "lender.lead",
    LenderLeaving = "lender.leaving",
    ContinueHeading = "continue.heading",
    ContinueLead = "continue.lead",
    ContinueLeaving = "continue.leaving",
    ContinueLeavingLead = "continue.leaving-lead",
    ContinueLink = "continue.link",
    ContinueHost = "continue.host",

    CashHeading = "cash.heading",
    CashLead = "cash.lead",
    CashLeadDate = "cash.lead-date",
    CashLabel = "cash.label",
    CashCopy = "cash.copy",
    CashPrint = "cash.print",
    CashHelp = "cash.help",
    TransferHeading = "transfer.heading",
    TransferLead = "transfer.lead",
    WaitingHeading = "waiting.heading",
    WaitingLead = "waiting.lead",

    LastCheckHeading = "last-check.heading",
    LastCheckLead = "last-check.lead",
    OverdueQrHeading = "overdue.qr-heading",
    OverdueHeading = "overdue.heading",
    OverdueLead = "overdue.lead",
    UnconfirmedQrHeading = "unconfirmed.qr-heading",
    UnconfirmedHeading = "unconfirmed.heading",
    UnconfirmedLead = "unconfirmed.lead",
    UnconfirmedAgain = "unconfirmed.again",

    CancellingHeading = "cancelling.heading",
    CancellingLead = "cancelling.lead",
    AskHeading = "ask.heading",
    AskLead = "ask.lead",
    AskKeep = "ask.keep",
    AskCancel = "ask.cancel",
    CancelFailed = "cancel.failed",

    NoticeBefore = "notice.before",
    NoticeOffline = "notice.offline",
    NoticeTroubled = "notice.troubled",
    NoticeBack = "notice.back",

    PaidHeading = "paid.heading",
    PaidLead = "paid.lead",
    PaidLeadMerchant = "paid.lead-merchant",
    PaidLeadOrder = "paid.lead-order",
    PaidKeep = "paid.keep",
    PaidOthers = "paid.others",
    PaidTwiceHeading = "paid-twice.heading",
    PaidTwiceLead = "paid-twice.lead",
    PaidTwiceOthers = "paid-twice.others",
    DeclinedHeading = "declined.heading",
    DeclinedLead = "declined.lead",
    InvalidHeading = "invalid.heading",
    InvalidLead = "invalid.lead",
    CancelledHeading = "cancelled.heading",
    CancelledLead = "cancelled.lead",
    ExpiredQrHeading = "expired.qr-heading",
    ExpiredHeading = "expired.heading",
    ExpiredLead = "expired.lead",
    ReversedHeading = "reversed.heading",
    ReversedLead = "reversed.lead",
    ReversedHelp = "reversed.help",
    Reason = "ended.reason",
    Account = "ended.account",
    Reference = "ended.reference",
    PaidAt = "ended.paid-at",

    NetworkHeading = "error.network-heading",
    NetworkLead = "error.network-lead",
    ServerHeading = "error.server-heading",
    ServerLead = "error.server-lead",
    RefusedHeading = "error.refused-heading",
    RefusedLead = "error.refused-lead",
    NotFoundHeading = "error.not-found-heading",
    NotFoundLead = "error.not-found-lead",
    AmountMismatchHeading = "error.amount-mismatch-heading",
    AmountMismatchLead = "error.amount-mismatch-lead",
    QrImageHeading = "error.qr-image-heading",
    QrImageLead = "error.qr-image-lead",
    ContinueUrlHeading = "error.continue-url-heading",
    ContinueUrlLead = "error.continue-url-lead",
    ConfigurationHeading = "error.configuration-heading",
    ConfigurationLead = "error.configuration-lead",
}

#[cfg(test)]
mod tests {
    use super::Text;
    use std::collections::HashSet;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn every_key_names_one_text() {
        let keys: HashSet<&str> = Text::ALL.iter().map(|text| text.key()).collect();
        assert_eq!(keys.len(), Text::ALL.len());
    }
}
