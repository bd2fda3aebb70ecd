//! English.

use crate::keys::Text;
use crate::outside_texts::{Failures, PageText};

/// The wording of a text.
pub(super) fn text(text: Text) -> &'static str {
    match text {
        Text::BillTotal => "Total to pay",
        Text::BillAmount => "Amount",
        Text::BillOrder => "Order {order}",

        Text::ActionCheck => "Check now",
        Text::Checked => "We do not see your payment yet. Last checked: {time}.",
        Text::CheckedInVain => {
            "If you have paid, do not pay again. The payment service is not answering right now. Last answer: {time}."
        }
        Text::CheckTooSoon => "We have just checked. Wait a few seconds and try again.",
        Text::ActionRetry => "Try again",
        Text::ActionAnother => "Pay another way",
        Text::ActionCancel => "Cancel",
        Text::ActionCancelLabel => "Cancel payment",
        Text::ActionNewQr => "Get a new QR",

        Text::NumberLabel => "Operation number",
        Text::NumberCopy => "Copy",
        Text::NumberCopyLabel => "Copy operation number",
        Text::Copied => "Copied",
        Text::CopyFailed => "It could not be copied. Press and hold the number to copy it.",

        Text::ChooseHeading => "How would you like to pay?",
        Text::ChooseOneHeading => "Pay your order",
        Text::ChooseLead => "We will confirm your payment right here.",
        Text::Trust => "We will never ask for the password of your app or bank.",
        Text::ChooseNone => "There is no way to pay here right now. Please contact the store.",
        Text::AboveMost => "{method} you can pay up to {most}.",
        Text::BelowLeast => "{method} you can pay {least} or more.",
        Text::OtherCurrency => "{method} you cannot pay in {currency}.",
        Text::NotOffered => "{method} you cannot pay this order.",
        Text::LastDeclined => "Your last attempt ({number}) was not approved.",
        Text::LastExpired => "Your last code ({number}) expired without a payment.",
        Text::LastCancelled => "Your last code ({number}) was canceled.",
        Text::MethodQr => "By QR",
        Text::MethodQrAbout => "Scan or save it, and pay in your app.",
        Text::MethodQrWallets => "With {wallets} or your bank's app.",
        Text::MethodInstallment => "In installments",
        Text::MethodInstallmentAbout => "Choose a plan with a lender and come back here.",
        Text::MethodCashCode => "In cash",
        Text::MethodCashCodeAbout => "Get a code and pay at an agent.",
        Text::MethodBankTransfer => "By bank transfer",
        Text::MethodBankTransferAbout => "Transfer from your account and come back here.",
        Text::MethodCard => "By card",
        Text::MethodCardAbout => "Credit or debit.",
        Text::MethodWallet => "With a digital wallet",
        Text::MethodWalletAbout => "Confirm the payment on your phone.",
        Text::MethodOther => "With {method}",
        Text::MethodOtherAbout => "We will show you the steps.",

        Text::LiveQrHeading => "You already have a QR for this order",
        Text::LiveCodeHeading => "You already have a code for this order",
        Text::LiveHeading => "You already started to pay this order",
        Text::LiveLead => {
            "You can still pay {pay}. If you have paid, do not choose another way: wait for the confirmation."
        }
        Text::LiveQrShow => "See my QR",
        Text::LiveCodeShow => "See my code",
        Text::LiveShow => "See that payment",
        Text::LiveReplace => "Cancel that one and pay {pay}",

        Text::PreparingHeading => "Preparing your order",
        Text::PreparingLead => "The store is preparing your order. Nothing is charged yet.",
        Text::AuthorizingQrHeading => "Preparing your QR",
        Text::AuthorizingHeading => "Preparing your payment",
        Text::AuthorizingLead => "One moment. Nothing is charged yet.",
        Text::AuthorizingSlow => {
            "This is taking longer than usual. Wait a little more, or pay another way."
        }
        Text::CheckingHeading => "Checking your payment",
        Text::CheckingLead => "If you have already paid, do not pay again.",
        Text::ConfirmingHeading => "We are confirming your payment",
        Text::ConfirmingLead => {
            "If you have already paid, do not pay again. The result will show here."
        }

        Text::QrHeading => "Scan with your app",
        Text::QrPhoneHeading => "Pay from this phone",
        Text::QrReady => "Your QR to pay {amount} is ready.",
        Text::QrAlt => "QR code to pay {amount}. Scan it with your payment app or save it.",
        Text::QrAltPayee => {
            "QR code to pay {amount} to {payee}. Scan it with your payment app or save it."
        }
        Text::QrEnlarge => "Enlarge QR",
        Text::QrSave => "Save QR",
        Text::QrShare => "Share",
        Text::QrSaved => {
            "Look for it in your gallery or downloads. Not there? Press and hold the QR to save it."
        }
        Text::QrOpenStep => "Open your payment app.",
        Text::QrOpenWalletsStep => "Open {wallets} or your bank's app.",
        Text::QrScanStep => "Scan this QR.",
        Text::QrUploadStep => "Open your payment app and upload it from your gallery.",
        Text::QrUploadWalletsStep => {
            "Open {wallets} or your bank's app and upload it from your gallery."
        }
        Text::QrVerifyStep => "Confirm only if it says {amount}.",
        Text::QrVerifyPayeeStep => "Confirm only if it says {payee} and {amount}.",
        Text::QrReturnStep => "Come back here for the confirmation.",
        Text::QrWaiting => "Waiting for your payment",

        Text::DeadlineAt => "Expires: {date}",
        Text::DeadlineLeft => "Expires in {time}",
        Text::DeadlineTooLate => {
            "If you have not started to pay, wait: once it expires you can get a new one."
        }
        Text::DeadlineSaid => "You have {time} left to pay.",
        Text::DeadlinePeru => "Peru time",

        Text::LenderHeading => "Continue with your lender",
        Text::LenderLead => "Choose your plan and come back here for the confirmation.",
        Text::LenderLeaving => "Taking you to your lender",
        Text::ContinueHeading => "Continue to finish your payment",
        Text::ContinueLead => "Confirm the payment on the other page and come back here.",
        Text::ContinueLeaving => "Taking you to finish your payment",
        Text::ContinueLeavingLead => "If the page does not change by itself, choose “{link}”.",
        Text::ContinueLink => "Continue",
        Text::LenderLink => "Go to my lender",
        Text::BankLink => "Go to my bank",
        Text::ContinueHost => "You will go to {host}",

        Text::CashHeading => "Your payment code",
        Text::CashLead => {
            "Pay at an agent with this code. You can close this page: your code stays valid."
        }
        Text::CashLeadDate => {
            "Pay at an agent by {date}. You can close this page: your code stays valid."
        }
        Text::CashLabel => "Payment code",
        Text::CashCopy => "Copy code",
        Text::CashPrint => "Print",
        Text::CashHelp => "See where and how to pay",
        Text::CashComingHeading => "Your code is on its way",
        Text::CashComingLead => "It will show here in a moment. There is nothing to pay yet.",
        Text::TransferHeading => "Waiting for your transfer",
        Text::TransferLead => {
            "If you have made it, do not repeat it. It will show here once your bank confirms."
        }
        Text::WaitingHeading => "Waiting for your payment",
        Text::WaitingLead => {
            "If you have already paid, do not pay again. It will show here once confirmed."
        }

        Text::LastCheckHeading => "The time to pay is over",
        Text::LastCheckLead => "If you have just paid, wait: we are confirming your payment.",
        Text::OverdueQrHeading => "This QR has expired",
        Text::OverdueHeading => "The time to pay is up",
        Text::OverdueLead => {
            "Already paid? Do not pay again: we keep checking, and it will show here."
        }
        Text::UnconfirmedQrHeading => "We do not know yet whether your previous QR was paid",
        Text::UnconfirmedHeading => "We do not know yet whether your previous payment was made",
        Text::UnconfirmedLead => "If you have paid, do not pay again: it will show here.",
        Text::UnconfirmedElsewhereLead => {
            "We do not know yet whether your code was made. If one reaches you by mail or message, you can pay it: it counts, and it will show here."
        }
        Text::UnconfirmedAgain => "Not paid? You can ask for another code from {time}.",
        Text::UnconfirmedNow => "If you have not paid, you can ask for another code now.",

        Text::CancellingHeading => "Canceling your payment",
        Text::CancellingLead => "First we make sure that it is not paid.",
        Text::AskHeading => "Cancel this payment?",
        Text::AskLead => "If you have already paid, wait for the confirmation.",
        Text::AskKeep => "Back to my payment",
        Text::AskCancel => "Yes, cancel",
        Text::AskAnotherHeading => "Pay another way?",
        Text::AskAnotherLead => {
            "This payment will be canceled. If you have already paid, wait for the confirmation."
        }
        Text::AskAnother => "Cancel and choose another way",
        Text::CancelFailed => {
            "We could not cancel this payment: it is still pending. You can pay it or try again."
        }

        Text::NoticeBefore => "We cannot reach the store. We keep trying.",
        Text::NoticeOffline => {
            "The connection is gone. If you pay or have paid, we will confirm it once it is back."
        }
        Text::NoticeTroubled => {
            "The store is slow to answer. If you have paid, do not pay again: we keep trying."
        }
        Text::NoticeBack => "The connection is back.",

        Text::PaidHeading => "Payment confirmed!",
        Text::PaidLead => "You paid {amount}.",
        Text::PaidLeadMerchant => "You paid {amount} to {merchant}.",
        Text::PaidLeadOrder => "You paid {amount} for your order {order}.",
        Text::PaidOthers => "Do not use the other codes of this order anymore: {numbers}.",
        Text::PaidContinue => "View my order",
        Text::PaidLeadsOn => "In 5 seconds you will go to {host}.",
        Text::PaidStay => "Stay on this page",
        Text::PaidStays => "You stay on this page.",
        Text::PaidTwiceHeading => "We received two payments",
        Text::PaidTwiceLead => {
            "Your order is paid. The store will contact you to give one of them back."
        }
        Text::PaidTwiceOthers => "Other numbers of this order: {numbers}.",
        Text::ReceiptTitle => "Payment receipt",
        Text::ReceiptPayee => "Paid to",
        Text::ReceiptDate => "Date",
        Text::ReceiptMethod => "Method",
        Text::ReceiptOrder => "Reference",
        Text::ReceiptQr => "QR code",
        Text::ReceiptInstallment => "Installments",
        Text::ReceiptCashCode => "Cash",
        Text::ReceiptBankTransfer => "Bank transfer",
        Text::ReceiptCard => "Card",
        Text::ReceiptWallet => "Digital wallet",
        Text::ReceiptSave => "Save receipt",
        Text::ReceiptSaved => "Look for it in your gallery or downloads.",
        Text::ReceiptShare => "Share",
        Text::ReceiptPrint => "Print",
        Text::DeclinedHeading => "Your payment was not approved",
        Text::DeclinedLead => {
            "Your app, bank or lender did not approve it. You can try again or pay another way."
        }
        Text::DeclinedCharge => "Do you see a charge? Contact the store before you try again.",
        Text::InvalidHeading => "This payment could not be created",
        Text::InvalidLead => "You were not charged. Try again and choose how to pay.",
        Text::CancelledHeading => "Payment canceled",
        Text::CancelledLead => {
            "You were not charged. Do not use the code or link of this payment anymore."
        }
        Text::CancelledReplaced => {
            "Another way to pay was chosen in another tab or on another device. Go on there or, if you have closed it, choose how to pay here."
        }
        Text::CancelledStaff => "The store canceled this payment.",
        Text::CancelledPage => "It was canceled from another page of this order.",
        Text::CancelledElsewhere => {
            "It was canceled from another tab, another device or the store."
        }
        Text::ExpiredQrHeading => "This QR has expired",
        Text::ExpiredHeading => "The time to pay is up",
        Text::ExpiredLead => {
            "We do not see your payment. If you have paid, do not pay again: it will show here."
        }
        Text::ReversedHeading => "Your payment was reversed",
        Text::ReversedLead => {
            "Your money is being returned. Your bank can tell you when it arrives."
        }
        Text::ReversedHelp => "Questions? Contact the store with your operation number.",
        Text::HelpLink => "Need help?",
        Text::Details => "Details",
        Text::Reason => "Reason: {reason}",
        Text::Account => "From account",
        Text::Reference => "Payment reference",
        Text::PaidAt => "Paid on",

        Text::NetworkHeading => "We could not connect",
        Text::NetworkLead => {
            "We do not know yet whether your payment has started. Check your connection and try again."
        }
        Text::ServerHeading => "The store has a problem",
        Text::ServerLead => "You were not charged this time. Wait a moment and try again.",
        Text::ServerUnknownLead => {
            "We do not know yet whether your payment has started. Wait a moment and try again."
        }
        Text::RefusedHeading => "The store could not accept this payment",
        Text::RefusedLead => "You were not charged this time. Check your order or try again.",
        Text::RefusedUnknownLead => {
            "If you have already paid, do not pay again: contact the store. If not, check your order or try again."
        }
        Text::MayBePaidHeading => "This order may be paid already",
        Text::MayBePaidLead => "Before you pay, ask the store whether this order is paid.",
        Text::NoMethodHeading => "You cannot pay this order here",
        Text::NotFoundHeading => "We could not find this payment",
        Text::NotFoundLead => "If you have already paid, do not pay again: contact the store.",
        Text::AmountMismatchHeading => "The amount does not match your order",
        Text::AmountMismatchLead => "Do not pay it, and tell the store.",
        Text::QrImageHeading => "We could not show the QR",
        Text::QrImageLead => "Try again or pay another way.",
        Text::ContinueUrlHeading => "We could not open the payment page",
        Text::ContinueUrlLead => {
            "Its address is not safe, so we did not take you there. Try again or pay another way."
        }
        Text::PageHeading => "The store could not begin the payment",
        Text::PageLead => "Nothing was charged this time. Try again, or write to the store.",
        Text::ConfigurationHeading => "You cannot pay here yet",
        Text::ConfigurationLead => {
            "Something is missing on this page, and you were not charged this time. Tell the store."
        }
    }
}

/// The wording of a text of the server's own page.
pub(super) fn page_text(text: PageText) -> &'static str {
    match text {
        PageText::Title => "Pay {merchant}",
        PageText::OnPhone => "Pay on my phone",
        PageText::OnPhoneLead => "Scan this code with your phone's camera: it opens this page.",
        PageText::OnPhoneAlt => "QR code with the address of this page. It is not the code to pay.",
        PageText::Keep => {
            "Keep the address of this page: it always shows the present state of your payment."
        }
        PageText::GivenBack => "Returned or on its way back: {amount}",
        PageText::ClosedHeading => "This order is closed",
        PageText::ClosedLead => {
            "It cannot be paid any more. To buy, make a new order. If you have already paid, contact the store."
        }
        PageText::PayAgain => "You can pay again if you like:",
        PageText::Back => "Back to my payment",
        PageText::TooOften => "This was tried too often. Wait a minute and try again.",
        PageText::TryAgainLead => {
            "If you have already paid, do not pay again. Wait a moment and try again."
        }
        PageText::OrderRefused => {
            "The order that the store sent is no longer valid. Go back to the store and start to pay again. Nothing was charged this time."
        }
        PageText::TooManyAttempts => {
            "There were too many attempts to pay this order. Wait an hour, or go back to the store and make a new order. If you have already paid, do not pay again: contact the store."
        }
        PageText::CodeRefused => {
            "The QR code that we received is not for your order, so we do not show it. You were not charged. Choose another way to pay, or contact the store."
        }
        PageText::NotFoundLead => {
            "The address is incomplete or no longer valid. Ask the store for a new one."
        }
        PageText::Language => "Language",
        PageText::Zone => "{place} time",
    }
}

/// The failure messages of the element, shown when its wasm does not run.
pub(super) const FAILURES: Failures = Failures {
    load: (
        "The checkout could not be loaded",
        "If you have paid, do not pay again. Check your connection.",
        Some("Try again"),
    ),
    unable: (
        "This browser cannot show the checkout",
        "If you have paid, do not pay again. Open this page in another browser.",
        None,
    ),
    outdated: (
        "This page is out of date",
        "If you have paid, do not pay again: reload to see the state.",
        Some("Reload the page"),
    ),
    crash: (
        "The checkout stopped",
        "If you have paid, do not pay again: reload to see the state.",
        Some("Reload the page"),
    ),
    again: (
        "The checkout does not work on this page",
        "If you have paid, do not pay again. The store can tell you the state.",
        None,
    ),
    number: "Operation number",
    elsewhere: "Pay on another page",
};
