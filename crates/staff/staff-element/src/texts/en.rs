//! English.

use super::Text;

pub(super) fn text(text: Text) -> &'static str {
    match text {
        Text::SignInHeading => "Sign in",
        Text::SignInAgainHeading => "Your session has ended",
        Text::SignInAgainLead => {
            "Sign in again to go on where you were. What you typed is still here."
        }
        Text::SignInName => "User name",
        Text::SignInPassword => "Password",
        Text::SignIn => "Sign in",
        Text::SignInBlocked => "Too many attempts. Wait {seconds} s before you try again.",
        Text::SignedInAs => "Signed in as {name}",
        Text::SignOut => "Sign out",
        Text::Code => "Code",
        Text::CodeHint => "The six digits of your app, or a recovery code.",
        Text::SignInCodeHint => "The six digits of your app, a recovery code or an enrolment code.",
        Text::StepUpHeading => "Confirm that it is you",
        Text::StepUpLead => {
            "This needs a code from the last five minutes. What you entered is kept."
        }
        Text::StepUpYes => "Confirm and go on",
        Text::SetUpFactor => "Set up second factor",
        Text::ChangeDevice => "Change device",
        Text::EnrolmentReplaces => {
            "The device of before, its recovery codes and your other sessions end with this."
        }
        Text::EnrolmentCode => "Enrolment code",
        Text::EnrolmentCodeHint => {
            "Whoever runs the server makes it for you. It is valid for an hour."
        }
        Text::EnrolmentKeyLead => {
            "Scan the QR code with an authenticator app, or type the key there. Then type the six digits of the app here."
        }
        Text::QrPath => "QR code for the authenticator app",
        Text::EnrolmentKey => "Key",
        Text::EnrolmentLink => "Open in an app on this device",
        Text::EnrolmentUnsure => {
            "It may be set up already. If a code is refused now, ask for a new enrolment code."
        }
        Text::RecoveryLead => {
            "It is set up. Without your phone, each of these codes works once. They are shown only now: print or copy them."
        }
        Text::RecoveryName => "Recovery codes",
        Text::RecoveryYes => "I have them",
        Text::Print => "Print",

        Text::NavName => "Sections",
        Text::TabSearch => "Operations",
        Text::TabExceptions => "To look into",
        Text::ExceptionsBadge => "{count} to look into",
        Text::GoBack => "← Back",
        Text::BackToList => "← Operations",
        Text::BackToExceptions => "← To look into",
        Text::Loading => "Loading…",
        Text::Refresh => "Refresh",
        Text::TryAgain => "Try again",
        Text::Close => "Close",
        Text::Back => "Go back, do nothing",
        Text::Sending => "Sending…",
        Text::Copy => "Copy",
        Text::CopyName => "Copy: {name}",
        Text::Copied => "Copied",
        Text::CopyFailed => "It could not be copied. It is selected for you to copy.",

        Text::SearchHeading => "Search operations",
        Text::IdentifierLabel => "Number, order or code",
        Text::StateLabel => "State",
        Text::MethodLabel => "Method",
        Text::CodeLabel => "Merchant code",
        Text::FromLabel => "From day",
        Text::ToLabel => "To day",
        Text::DaysHint => "Time of {zone}",
        Text::AmountMinLabel => "Smallest amount",
        Text::AmountMaxLabel => "Largest amount",
        Text::FilterAll => "All",
        Text::Search => "Search",
        Text::Filters => "Filters",
        Text::FiltersSet => "Filters ({count})",
        Text::ChipsName => "Quick filters",
        Text::ChipToday => "Today",
        Text::ChipWeek => "7 days",
        Text::ChipPaid => "Paid",
        Text::ChipRefundable => "Refundable",
        Text::StatesPaid => "Paid or settled",
        Text::MethodsRefundable => "Those that are refunded",
        Text::Clear => "Clear",
        Text::Csv => "Download CSV",
        Text::FoundNone => {
            "No operation matches. Type the whole number, order or code, or widen the dates."
        }
        Text::CountNone => "No results",
        Text::CountOne => "1 operation",
        Text::CountAll => "{count} operations",
        Text::CountMore => "{count} operations, there are more",
        Text::Sum => "Sum {amount}",
        Text::SumPaid => "paid {amount}",
        Text::More => "Show more",
        Text::TableName => "Operations found",
        Text::SelectAll => "Select all that can be refunded",
        Text::ColumnOperation => "Order",
        Text::ColumnPayer => "Payer",
        Text::PayerNone => "No name",
        Text::ColumnAmount => "Amount",
        Text::ColumnState => "State",
        Text::ColumnMethod => "Method",
        Text::ColumnCreated => "Created",
        Text::ColumnTime => "Time",
        Text::SelectRow => "Select operation {number}",
        Text::Selected => "Selected: {count}",
        Text::SelectedTooMany => "Select {count} at most.",
        Text::SelectedSeveralCodes => "Select operations of one merchant code.",
        Text::RefundSelected => "Refund the selected ones",
        Text::SelectNone => "Select none",

        Text::StateRegistered => "Registered",
        Text::StatePending => "Waiting for payment",
        Text::StateInvalid => "Invalid",
        Text::StateAuthorized => "Paid",
        Text::StateDeclined => "Declined",
        Text::StateCancelled => "Canceled",
        Text::StateExpired => "Expired",
        Text::StateSettled => "Settled",
        Text::StateReversed => "Reversed",
        Text::StateReversedAfterPayment => "Paid, then reversed",
        Text::StateUnknown => "New state",
        Text::StateNone => "No state yet",
        Text::PhaseSending => "Being sent",
        Text::PhaseInDoubt => "In doubt",
        Text::PhaseRefused => "Refused by the service",
        Text::PhaseLost => "Never reached the service",
        Text::MethodQr => "QR",
        Text::MethodInstallment => "Installments",
        Text::MethodCashCode => "Cash with a code",
        Text::MethodBankTransfer => "Bank transfer",
        Text::MethodCard => "Card",
        Text::MethodWallet => "Mobile wallet",

        Text::ExceptionsHeading => "To look into",
        Text::ExceptionsLead => "What did not go as usual, the most urgent first.",
        Text::ExceptionsNone => "There is nothing to look into.",
        Text::ExceptionsCount => "To look into: {count}",
        Text::ExceptionsMore => "The list has up to 100 of each kind.",
        Text::ExceptionSince => "For {age}",
        Text::AgeMinutes => "{count} min",
        Text::AgeHours => "{count} h",
        Text::AgeDays => "{count} days",
        Text::Resolve => "Mark as resolved",
        Text::Deliver => "Deliver",
        Text::DeliverReason => "The order is delivered",
        Text::ResolveHeading => "Is it resolved?",
        Text::ResolveReason => "What was done",
        Text::ResolveYes => "Yes, it is resolved",
        Text::NothingPaid => "Nothing was paid",
        Text::NothingPaidHeading => "Was nothing paid?",
        Text::NothingPaidLead => {
            "The order then counts as unpaid and can be paid again. The server stops asking about the operation until the service reports a change."
        }
        Text::NothingPaidReason => "How you know",
        Text::NothingPaidYes => "Yes, nothing was paid",
        Text::ReleaseOrder => "Give the order free",
        Text::ReleaseOrderHeading => "Give order {order} free?",
        Text::ReleaseOrderLead => {
            "Two people have to do it; then the payer can have another code. If operation {number} is paid all the same, the order may be paid twice."
        }
        Text::ReleaseOrderReason => "Why it is given free",
        Text::ReleaseOrderYes => "Yes, give it free",
        Text::ReleaseOrderAsked => {
            "It is on record. The order is free once somebody else does the same."
        }
        Text::ReleaseOrderDone => "The order is free: the payer can have another code.",

        Text::OperationHeading => "Operation {number}",
        Text::NumberLabel => "Operation number",
        Text::OrderLabel => "Order",
        Text::TransactionLabel => "Transaction",
        Text::ChangedLabel => "Last change",
        Text::QueriedLabel => "Service last asked",
        Text::NeverQueried => "Not asked yet",
        Text::PaidTwiceNote => {
            "This order was paid twice. One of the two payments has to be given back."
        }
        Text::FailureNote => "Something went wrong with this operation.",
        Text::ActionsName => "What can be done",
        Text::QueryAgain => "Ask again",
        Text::Querying => "Asking…",
        Text::QueriedJustNow => "It was asked just now.",
        Text::FreshState => "The service answers: {state} ({wire}).",
        Text::FreshNothing => "The service showed no transaction.",
        Text::ServiceSays => "The service says: {message}",
        Text::PayerHeading => "Payer",
        Text::PayerUnknown => "Nobody knows who pays.",
        Text::EmailLabel => "E-mail",
        Text::PhoneLabel => "Telephone",
        Text::OrderPaid => "Paid",
        Text::OrderOpen => "Not paid",
        Text::TransactionHeading => "Transaction",
        Text::ReasonLabel => "Reason",
        Text::ChannelLabel => "Channel",
        Text::DeadlineLabel => "Can be paid until",
        Text::ContinueLabel => "Link to continue",
        Text::TimelineHeading => "History",
        Text::TimelineNone => "The service told no history.",
        Text::ProcessorHeading => "Processor response",
        Text::ProcessorNone => "The processor has said nothing so far.",
        Text::AuditHeading => "Who did what",
        Text::AuditNone => "Nobody did anything with this operation.",
        Text::AuditCancel => "Canceled",
        Text::AuditReverse => "Reversed",
        Text::AuditRefund => "Refunded",
        Text::AuditRelease => "Released a refund",
        Text::AuditReleaseReversal => "Released a reversal",
        Text::AuditAskReleaseOrder => "Asked to give the order free",
        Text::AuditReleaseOrder => "Gave the order free",
        Text::AuditReturn => "Reserved or recorded a return",
        Text::AuditReturnDone => "Made a return",
        Text::AuditAskReturnGivenUp => "Asked to give a return up",
        Text::AuditReturnGivenUp => "Gave a return up",
        Text::AuditResolve => "Resolved",
        Text::AuditQuery => "Asked",
        Text::AuditAttempt => "no. {id}",
        Text::AuditWas => "it was: {state}",
        Text::AuditIs => "now: {state}",
        Text::AuditNotDone => "not done",

        Text::Cancel => "Cancel",
        Text::GiveBack => "Give money back",
        Text::GiveBackWhole => "Give the whole payment back",
        Text::GiveBackTo => "Give back to {name}",
        Text::CancelHeading => "Cancel operation {number}?",
        Text::CancelLead => {
            "{amount} can no longer be paid with it. If it is paid in the meantime, the payment is left alone."
        }
        Text::CancelYes => "Yes, cancel it",
        Text::Keep => "No, leave it",
        Text::CancelUncertain => {
            "Nobody knows whether it arrived. Ask again before you do anything else."
        }
        Text::CancelledDone => "It is canceled. Nobody paid {amount}.",
        Text::CancelOther => "The service answers: {state}.",
        Text::ReverseHeading => "Reverse the payment of operation {number}?",
        Text::ReverseLead => {
            "It is paid. Reversing it gives {amount} back to the payer, and cannot be undone."
        }
        Text::ReverseConfirm => "Type {digits}, the end of the number, to confirm",
        Text::ReverseYes => "Yes, give the payment back",
        Text::ReversedDone => "The payment of {amount} was reversed.",
        Text::ReversalsHeading => "Cancellations and reversals",
        Text::ReversalDone => "Done",
        Text::ReversalNotDone => "Not done",
        Text::ReversalInDoubtNote => {
            "Nobody knows whether the service carries it out. The whole payment stays reserved, and the server keeps asking."
        }
        Text::ReversalReleaseLead => {
            "{amount} can be given back another way again. If the reversal does arrive, it is given back twice."
        }
        Text::NoCancelOver => "It has ended without a payment to give back.",
        Text::NoCancelUnknown => "Nobody knows what state it is in. Ask again.",
        Text::NotPermittedCancel => "Your account may not cancel or reverse.",
        Text::NotPermittedRefund => "Your account may not give this payment back.",

        Text::RefundsHeading => "Refunds",
        Text::RefundsNone => "There are no refunds.",
        Text::RefundableLeft => "Left to refund: {amount}",
        Text::RefundHeading => "Give money back",
        Text::RefundLine => "Operation {number}, order {order}",
        Text::RefundLineLeft => "{left} of {total} is left",
        Text::RefundLimit => "You may give back up to {amount} at once.",
        Text::AmountLabel => "Amount in {currency}",
        Text::RefundAll => "All of it ({amount})",
        Text::RefundPart => "A part",
        Text::RefundDrop => "Remove",
        Text::RefundReview => "Continue",
        Text::RefundConfirmHeading => "Check before you give it back",
        Text::RefundConfirmLead => "The payment service will be asked to give back:",
        Text::RefundYes => "Yes, refund",
        Text::RefundEdit => "Change it",
        Text::RefundUnsureHeading => "Nobody knows whether the refund arrived",
        Text::RefundUnsureLead => {
            "You can try again: it is the same request, and it is given back only once. Until then the amount stays reserved."
        }
        Text::RefundDoneHeading => "Result of each refund",
        Text::RefundDoneLead => "Registered is not given back: the operation shows how it goes on.",
        Text::RefundCorrect => "Correct the refused ones",
        Text::RefundTotal => "Total",
        Text::RefundPartial => "Partial",
        Text::RefundTypeLabel => "Type",
        Text::RefundIdLabel => "Refund number",
        Text::RefundRegistered => "Registered",
        Text::RefundInProcess => "In process",
        Text::RefundResolved => "Given back",
        Text::RefundRejected => "Rejected",
        Text::AttemptSending => "Being sent",
        Text::AttemptRegistered => "Registered",
        Text::AttemptRefused => "Refused by the service",
        Text::AttemptInDoubt => "In doubt",
        Text::AttemptReleased => "Released",
        Text::AttemptInDoubtNote => {
            "Nobody knows whether the service has it. Its amount stays reserved, and the server is looking for it."
        }
        Text::NoRefundNotSettled => {
            "It can be refunded once it is settled (LIQUIDADO); now: {state}."
        }
        Text::NoRefundMethod => "The service refunds no payments by {method}.",
        Text::NoRefundNothingLeft => "Nothing is left to give back.",
        Text::Release => "Release the amount",
        Text::ReleaseOwn => "Another person does this, not who asked for it.",
        Text::ReleasedBy => "Released by {name}",
        Text::ReleaseHeading => "Release the reserved amount?",
        Text::ReleaseLead => {
            "{amount} can be refunded again. If the first refund did arrive, it is given back twice."
        }
        Text::ReleaseReason => "How it is known that it did not arrive",
        Text::ReleaseYes => "Yes, release it",
        Text::RecordReturn => "Give back by hand",
        Text::ReturnsHeading => "Given back outside of the service",
        Text::ReturnLead => {
            "The service does not refund this method. Reserve what you are going to give back, of {amount} paid, before the money leaves; say afterwards that it was made. No money moves here."
        }
        Text::ReturnReason => "How it is given back, and why",
        Text::ReturnAlready => "The money has left already",
        Text::ReturnYes => "Reserve it",
        Text::ReturnYesMade => "Record it",
        Text::ReturnOpen => "Reserved",
        Text::ReturnUnconfirmed => "Waits for a second person",
        Text::ReturnDone => "Made",
        Text::ReturnGivenUp => "Given up",
        Text::ReturnUnreserved => "It was made before anybody reserved it.",
        Text::ReturnEndedBy => "Announcement by {name}",
        Text::ReturnGiveUpAsked => "{name} asked to give it up",
        Text::ReturnMade => "It was made",
        Text::ReturnMadeHeading => "Was the return made?",
        Text::ReturnMadeReason => "How it can be proved, such as the number of the transfer",
        Text::ReturnMadeYes => "Yes, it was made",
        Text::ReturnGiveUp => "Give it up",
        Text::ReturnWithdraw => "It was not made",
        Text::ReturnGiveUpHeading => "Give the return up?",
        Text::ReturnGiveUpReason => "Why it is not made",
        Text::ReturnGiveUpYes => "Yes, give it up",
        Text::ReturnGiveUpTwo => "It counts once a second person asks for it too.",
        Text::ReturnAmount => "Reserved: {amount}",
        Text::SameAgain => {
            "Nobody knows whether it was recorded. Trying again records it only once."
        }

        Text::WrongDay => "There is no such day.",
        Text::WrongDays => "The last day comes after the first.",
        Text::WrongAmounts => "The largest is less than the smallest.",
        Text::WrongAmountEmpty => "Type an amount.",
        Text::WrongAmount => "Type a number with all its decimals, such as 1234.50.",
        Text::WrongDecimals => "It has more decimals than the currency.",
        Text::WrongZero => "It has to be more than zero.",
        Text::WrongTooLarge => "It is too large.",
        Text::WrongMoreThanLeft => "It is more than what is left: {amount}.",
        Text::WrongOverLimit => "It is more than you may still give back: {amount}.",
        Text::WrongNotLoaded => "What is left is not known yet.",
        Text::WrongReason => "Type a reason.",
        Text::RefusedNotSettled => "It is not settled (LIQUIDADO) yet.",
        Text::RefusedMethod => "The service does not refund this method.",
        Text::RefusedMoreThanLeft => "It is more than what is left to refund.",
        Text::RefusedNotTheWhole => "A part was given back already: ask for the rest alone.",
        Text::RefusedOverLimit => "It is more than your account may give back.",
        Text::RefusedBeingReversed => "Its payment may be on its way back by a reversal.",
        Text::RefusedRestored => {
            "The server was restored from a backup: first compare the operation with the payment service, and resolve its exception."
        }
        Text::RefusedTwice => "The operation stands there twice.",
        Text::RefusedUnknown => "The server does not accept it.",

        Text::FailureWait => "Wait {seconds} s.",
        Text::FailureId => "Id of the request",
        Text::FailureLeft => "At most {amount} can be given back now.",
        Text::AnnounceSignedIn => "You are signed in.",
        Text::AnnounceSignedOut => "You are signed out.",
        Text::AnnounceCancelled => "Done. The result is on the screen.",
        Text::AnnounceRecorded => "It is written down.",
        Text::AnnounceReleased => "The amount is released.",
        Text::AnnounceResolved => "It is resolved.",
        Text::AnnounceFailed => "It did not work. The reason is on the screen.",

        Text::NewsSound => "Sound",
        Text::NewsMark => "Mark in the title",
        Text::NewsOne => "1 new",
        Text::NewsMany => "{count} new",
        Text::NewsSome => "There is news",
        Text::NewsAge => "Last updated {age} ago. Trying again…",
        Text::NewsSaid => "New operations: {new}. Paid: {paid}.",
        linked => super::links::text(linked).1,
    }
}
