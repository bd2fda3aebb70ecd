//! The payer's texts and their keys: those of the element, which a shop can override, and those that only the server's own page
//! needs. And what stands in the element's place where its wasm cannot be had.

crate::texts! {
    pub enum Text;

    BillTotal = "bill.total",
    BillAmount = "bill.amount",
    BillOrder = "bill.order",

    ActionCheck = "action.check",
    Checked = "check.nothing-new",
    CheckedInVain = "check.no-answer",
    CheckTooSoon = "check.too-soon",
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
    ChooseOneHeading = "choose.one-heading",
    ChooseLead = "choose.lead",
    ChooseNone = "choose.none",
    LastDeclined = "choose.last-declined",
    LastExpired = "choose.last-expired",
    LastCancelled = "choose.last-cancelled",
    Trust = "trust.password",
    MethodQr = "method.qr",
    MethodQrAbout = "method.qr-about",
    MethodQrWallets = "method.qr-wallets",
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

    LiveQrHeading = "live.qr-heading",
    LiveCodeHeading = "live.code-heading",
    LiveHeading = "live.heading",
    LiveLead = "live.lead",
    LiveQrShow = "live.qr-show",
    LiveCodeShow = "live.code-show",
    LiveShow = "live.show",
    LiveReplace = "live.replace",

    PreparingHeading = "preparing.heading",
    PreparingLead = "preparing.lead",
    AuthorizingQrHeading = "authorizing.qr-heading",
    AuthorizingHeading = "authorizing.heading",
    AuthorizingLead = "authorizing.lead",
    AuthorizingSlow = "authorizing.slow",
    CheckingHeading = "checking.heading",
    CheckingLead = "checking.lead",
    ConfirmingHeading = "confirming.heading",
    ConfirmingLead = "confirming.lead",

    QrHeading = "qr.heading",
    QrPhoneHeading = "qr.phone-heading",
    QrReady = "qr.ready",
    QrAlt = "qr.alt",
    QrAltPayee = "qr.alt-payee",
    QrEnlarge = "qr.enlarge",
    QrSave = "qr.save",
    QrShare = "qr.share",
    QrSaved = "qr.saved",
    QrOpenStep = "qr.open-step",
    QrOpenWalletsStep = "qr.open-wallets-step",
    QrScanStep = "qr.scan-step",
    QrUploadStep = "qr.upload-step",
    QrUploadWalletsStep = "qr.upload-wallets-step",
    QrVerifyStep = "qr.verify-step",
    QrVerifyPayeeStep = "qr.verify-payee-step",
    QrReturnStep = "qr.return-step",
    QrWaiting = "qr.waiting",

    DeadlineAt = "deadline.at",
    DeadlineLeft = "deadline.left",
    DeadlineTooLate = "deadline.too-late",
    DeadlineSaid = "deadline.said",
    DeadlinePeru = "deadline.peru",

    LenderHeading = "lender.heading",
    LenderLead = "lender.lead",
    LenderLeaving = "lender.leaving",
    ContinueHeading = "continue.heading",
    ContinueLead = "continue.lead",
    ContinueLeaving = "continue.leaving",
    ContinueLeavingLead = "continue.leaving-lead",
    ContinueLink = "continue.link",
    LenderLink = "lender.link",
    BankLink = "bank.link",
    ContinueHost = "continue.host",

    CashHeading = "cash.heading",
    CashLead = "cash.lead",
    CashLeadDate = "cash.lead-date",
    CashLabel = "cash.label",
    CashCopy = "cash.copy",
    CashPrint = "cash.print",
    CashHelp = "cash.help",
    CashComingHeading = "cash.coming-heading",
    CashComingLead = "cash.coming-lead",
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
    UnconfirmedElsewhereLead = "unconfirmed.elsewhere-lead",
    UnconfirmedAgain = "unconfirmed.again",
    UnconfirmedNow = "unconfirmed.now",

    CancellingHeading = "cancelling.heading",
    CancellingLead = "cancelling.lead",
    AskHeading = "ask.heading",
    AskLead = "ask.lead",
    AskKeep = "ask.keep",
    AskCancel = "ask.cancel",
    AskAnotherHeading = "ask.another-heading",
    AskAnotherLead = "ask.another-lead",
    AskAnother = "ask.another",
    CancelFailed = "cancel.failed",

    NoticeBefore = "notice.before",
    NoticeOffline = "notice.offline",
    NoticeTroubled = "notice.troubled",
    NoticeBack = "notice.back",

    PaidHeading = "paid.heading",
    PaidLead = "paid.lead",
    PaidLeadMerchant = "paid.lead-merchant",
    PaidLeadOrder = "paid.lead-order",
    PaidOthers = "paid.others",
    PaidContinue = "paid.continue",
    PaidLeadsOn = "paid.leads-on",
    PaidStay = "paid.stay",
    PaidStays = "paid.stays",
    PaidTwiceHeading = "paid-twice.heading",
    PaidTwiceLead = "paid-twice.lead",
    PaidTwiceOthers = "paid-twice.others",
    ReceiptTitle = "receipt.title",
    ReceiptPayee = "receipt.payee",
    ReceiptDate = "receipt.date",
    ReceiptMethod = "receipt.method",
    ReceiptOrder = "receipt.order",
    ReceiptQr = "receipt.qr",
    ReceiptInstallment = "receipt.installment",
    ReceiptCashCode = "receipt.cash-code",
    ReceiptBankTransfer = "receipt.bank-transfer",
    ReceiptCard = "receipt.card",
    ReceiptWallet = "receipt.wallet",
    ReceiptSave = "receipt.save",
    ReceiptSaved = "receipt.saved",
    ReceiptShare = "receipt.share",
    ReceiptPrint = "receipt.print",
    DeclinedHeading = "declined.heading",
    DeclinedLead = "declined.lead",
    DeclinedCharge = "declined.charge",
    InvalidHeading = "invalid.heading",
    InvalidLead = "invalid.lead",
    CancelledHeading = "cancelled.heading",
    CancelledLead = "cancelled.lead",
    CancelledReplaced = "cancelled.replaced",
    CancelledStaff = "cancelled.staff",
    CancelledPage = "cancelled.page",
    CancelledElsewhere = "cancelled.elsewhere",
    ExpiredQrHeading = "expired.qr-heading",
    ExpiredHeading = "expired.heading",
    ExpiredLead = "expired.lead",
    ReversedHeading = "reversed.heading",
    ReversedLead = "reversed.lead",
    ReversedHelp = "reversed.help",
    HelpLink = "help.link",
    Details = "ended.details",
    Reason = "ended.reason",
    Account = "ended.account",
    Reference = "ended.reference",
    PaidAt = "ended.paid-at",

    NetworkHeading = "error.network-heading",
    NetworkLead = "error.network-lead",
    ServerHeading = "error.server-heading",
    ServerLead = "error.server-lead",
    ServerUnknownLead = "error.server-unknown-lead",
    RefusedHeading = "error.refused-heading",
    RefusedLead = "error.refused-lead",
    RefusedUnknownLead = "error.refused-unknown-lead",
    MayBePaidHeading = "error.may-be-paid-heading",
    MayBePaidLead = "error.may-be-paid-lead",
    NotFoundHeading = "error.not-found-heading",
    NotFoundLead = "error.not-found-lead",
    AmountMismatchHeading = "error.amount-mismatch-heading",
    AmountMismatchLead = "error.amount-mismatch-lead",
    QrImageHeading = "error.qr-image-heading",
    QrImageLead = "error.qr-image-lead",
    ContinueUrlHeading = "error.continue-url-heading",
    ContinueUrlLead = "error.continue-url-lead",
    PageHeading = "error.page-heading",
    PageLead = "error.page-lead",
    ConfigurationHeading = "error.configuration-heading",
    ConfigurationLead = "error.configuration-lead",
}

#[cfg(test)]
mod tests {
    use super::Text;
    use std::collections::HashSet;

    #[test]
    fn every_key_names_one_text() {
        let keys: HashSet<&str> = Text::ALL.iter().map(|text| text.key()).collect();
        assert_eq!(keys.len(), Text::ALL.len());
    }
}

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

crate::texts! {
    pub enum PageText;

    Title = "page.title",
    OnPhone = "page.on-phone",
    OnPhoneLead = "page.on-phone-lead",
    OnPhoneAlt = "page.on-phone-alt",
    Keep = "page.keep",
    GivenBack = "page.given-back",
    ClosedHeading = "page.closed-heading",
    ClosedLead = "page.closed-lead",
    PayAgain = "page.pay-again",
    Back = "page.back",
    TooOften = "page.too-often",
    TryAgainLead = "page.try-again-lead",
    OrderRefused = "page.order-refused",
    TooManyAttempts = "page.too-many-attempts",
    NotFoundLead = "page.not-found-lead",
    Language = "page.language",
    Zone = "page.zone",
}

/// The words about a failure of the element: a heading, an explanation, and the label of the button to try again.
type Failure = (&'static str, &'static str, Option<&'static str>);

/// What stands in the place of an element whose wasm, which has all other texts, cannot be had.
#[derive(Debug)]
pub struct Failures {
    /// The load failed.
    pub load: Failure,
    /// The browser cannot run the wasm.
    pub unable: Failure,
    /// The page is older than its files.
    pub outdated: Failure,
    /// The wasm stopped.
    pub crash: Failure,
    /// It stopped again after a reload.
    pub again: Failure,
    /// The words before the operation's number.
    pub number: &'static str,
    /// The label of the link to a page that works without the wasm.
    pub elsewhere: &'static str,
}
