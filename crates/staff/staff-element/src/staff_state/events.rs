use super::chips::Chip;
use super::permitted_actions::Way;
use super::search::Column;
use super::{Failure, FailureKind, Reference, Request};
use payment_model::Timestamp;
use staff_model::{Exception, LinkState, ManualReturn, PaymentLink, RefundAttempt, Reversal};
use std::rc::Rc;
use std::time::Duration;

/// The page that the element shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Page {
    Search,
    Exceptions,
    Links,
    Operation(Reference),
}

/// A field that is typed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Password,
    /// The code of the sign-in, which may stand over a dialog with one.
    Code,
    /// The code of a dialog.
    DialogCode,
    Text,
    State,
    Method,
    MerchantCode,
    From,
    To,
    AmountMin,
    AmountMax,
    /// The digits that confirm a reversal.
    Confirmation,
    Reason,
    /// The money of a return has left already.
    AlreadyMade,
    /// The amount of a line, from 0.
    Amount(usize),
    /// What a link is for.
    Label,
    Customer,
    /// For how many days a link is.
    Until,
    /// The store of a link, by its place.
    Store,
    /// The language of the text to send.
    Language,
}

/// A form that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ask {
    /// Cancel the operation on the screen, which is not paid.
    Cancel,
    /// Give money of the operation on the screen back.
    GiveBack(Way),
    RefundSelected,
    Release(Box<RefundAttempt>),
    ReleaseReversal(Box<Reversal>),
    /// Give an order free that an operation blocks.
    ReleaseOrder(Rc<Exception>),
    /// Say that a return was made.
    MadeReturn(Box<ManualReturn>),
    /// Give a return up.
    GiveUpReturn(Box<ManualReturn>),
    /// Say how an exception was dealt with; the second is a reason to begin with.
    Resolve(Rc<Exception>, String),
    MakeLink,
    ShowLink(Rc<PaymentLink>),
    EndLink(Rc<PaymentLink>),
    /// Set up a second factor, or move it to another device.
    Enrolment,
}

/// A button of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Press {
    /// Go on: review, confirm, send.
    On,
    /// Goes back to the typed form.
    Edit,
    /// All that is left of a line.
    All(usize),
    /// A part of a line, which is typed.
    Part(usize),
    /// Take a line out.
    Drop(usize),
    /// Corrects the refused items.
    Correct,
}

/// An event for the state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    Started,
    Typed(Field, String),
    SignInPressed,
    SignOutPressed,
    Opened(Page),
    BackPressed,
    SearchPressed,
    ClearPressed,
    MorePressed,
    /// Show the further filters, or no longer.
    FiltersPressed,
    ChipPressed(Chip),
    Sorted(Column),
    Selected(usize, usize),
    SelectedNone,
    /// Select all that can be selected, or none.
    SelectedAll,
    /// The page of the shop asks for an operation, or for none.
    Shown(Option<Reference>),
    ReloadPressed,
    /// Ask the service about the operation on the screen.
    QueryPressed,
    Asked(Ask),
    Closed,
    DialogPressed(Press),
    Woke,
    /// Nobody sees the page. Also said when the browser has a connection again.
    Hidden,
    /// The page is seen, and the same.
    Appeared,
    /// Show what came while the top of the list was out of sight.
    NewsPressed,
    SoundPressed,
    MarkPressed,
}

/// An event with its time and unguessable random bits for keys.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) at: Timestamp,
    pub(crate) entropy: u128,
    pub(crate) event: Event,
}

/// An effect that the component carries out.
#[derive(Debug, PartialEq)]
pub(crate) enum Effect {
    /// True for a request that no person asked for.
    Send(u32, Box<Request>, bool),
    Abort(u32),
    /// Wake after this time, or not at all; in place of any earlier one.
    Wake(Option<Duration>),
}

/// A message for a screen reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Announcement {
    SignedIn,
    SignedOut,
    /// A code is needed to go on, or was refused.
    Code(FailureKind),
    /// The key for the app is on the screen.
    EnrolmentKey,
    /// The second factor is set up, and the recovery codes are on the screen.
    Enrolled,
    Found,
    Exceptions,
    Queried,
    Cancelled,
    Refunded,
    Recorded,
    Released,
    /// A second person has to give the order free.
    OrderAsked,
    OrderReleased,
    Resolved,
    LinkMade,
    /// How far a link is that somebody ended.
    LinkEnded(LinkState),
    /// So many operations are new, and so many were paid.
    News(u32, u32),
    Failed,
}

impl Announcement {
    /// What is said of a failure: the sentence about a code, since a person may not see that it belongs to the field.
    pub(super) fn of(failure: &Failure) -> Self {
        match failure.kind {
            kind @ (FailureKind::SecondFactorRequired | FailureKind::SecondFactorRefused) => {
                Self::Code(kind)
            }
            _ => Self::Failed,
        }
    }
}

/// The element that gets the focus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Focus {
    Heading,
    Field(Field),
    Row(Reference),
    /// The first row of a page that was added to the list.
    Chunk(usize),
}
