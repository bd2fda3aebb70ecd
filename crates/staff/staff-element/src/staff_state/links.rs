//! Payment links: their list, and the dialogs that make, show and end one.

use super::amount::{self, AmountProblem};
use super::forms::Submission;
use super::second_factor::Secret;
use super::{
    Announcement, Answer, Ask, Dialog, Failure, FailureKind, Field, Focus, Page, Purpose,
    Reference, Request, StaffState,
};
use payment_model::{IdempotencyKey, Timestamp};
use staff_model::{
    LONGEST_LINK_DAYS, LinkState, LinksQuery, MakeLink, PaymentLink, Permission, StaffStore,
};
use std::rc::Rc;
use std::time::Duration;

pub(crate) const LONGEST_LABEL_CHARS: usize = 40;
pub(crate) const LONGEST_CUSTOMER_CHARS: usize = 60;

const DAY: Duration = Duration::from_secs(86_400);
/// By how much the clock of the desk may be ahead of the server's, where a link is for as long as it may be.
const CLOCKS_APART: Duration = Duration::from_secs(3_600);

/// The links, the newest first.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pub(crate) list: Option<Vec<Rc<PaymentLink>>>,
    pub(crate) next: Option<String>,
    pub(crate) running: bool,
    pub(crate) failure: Option<Failure>,
}

/// A link that is to be made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LinkForm {
    pub(crate) stores: Vec<StaffStore>,
    /// The place of the store that sells.
    pub(crate) store: usize,
    pub(crate) amount: String,
    pub(crate) label: Secret,
    pub(crate) customer: Secret,
    /// For how many days; 0 until the end of today.
    pub(crate) days: u32,
    pub(crate) wrong: LinkWrong,
    pub(crate) submission: Submission<()>,
    /// The sent request, while it runs or its outcome is unknown.
    sent: Option<Request>,
    is_unsure: bool,
}

/// The mistakes in a form.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct LinkWrong {
    pub(crate) amount: Option<AmountProblem>,
    pub(crate) label: bool,
    pub(crate) customer: bool,
}

impl LinkWrong {
    fn first(&self) -> Option<Field> {
        let amount = self.amount.map(|_| Field::Amount(0));
        let label = self.label.then_some(Field::Label);
        amount
            .or(label)
            .or_else(|| self.customer.then_some(Field::Customer))
    }
}

/// A link that is shown, or that is to end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OneLink {
    pub(crate) link: Rc<PaymentLink>,
    /// Whether to end it is asked.
    pub(crate) ends: bool,
    /// The language of the text to send; empty for that of the desk.
    pub(crate) language: String,
    pub(crate) submission: Submission<()>,
}

impl LinkForm {
    fn new(stores: Vec<StaffStore>) -> Self {
        Self {
            stores,
            store: 0,
            amount: String::new(),
            label: Secret::default(),
            customer: Secret::default(),
            days: 1,
            wrong: LinkWrong::default(),
            submission: Submission::Open(None),
            sent: None,
            is_unsure: false,
        }
    }

    /// True while it can still be changed. It cannot while the server may have made the link.
    pub(crate) fn is_open(&self) -> bool {
        self.sent.is_none() && matches!(self.submission, Submission::Open(_))
    }

    pub(super) fn type_in(&mut self, field: Field, text: String) {
        if !self.is_open() {
            return;
        }
        match field {
            Field::Amount(_) => {
                self.amount = text;
                self.wrong.amount = None;
                // What was refused was the amount, or is tried again.
                self.submission = Submission::Open(None);
            }
            Field::Label => {
                self.label.0 = text;
                self.wrong.label = false;
            }
            Field::Customer => {
                self.customer.0 = text;
                self.wrong.customer = false;
            }
            Field::Until => self.days = text.parse().unwrap_or(1),
            Field::Store => self.store = text.parse().unwrap_or_default(),
            _ => {}
        }
    }

    /// The request, once however often it is pressed; a repetition is the same request. `tonight` is when today ends.
    fn send(
        &mut self,
        at: Timestamp,
        tonight: Option<Timestamp>,
        entropy: u128,
    ) -> Option<Request> {
        if !matches!(self.submission, Submission::Open(_)) {
            return None;
        }
        if self.sent.is_none() {
            let store = self.stores.get(self.store)?;
            let amount = amount::read(&self.amount, amount::decimals(&store.currency));
            let label = line(&self.label.0, LONGEST_LABEL_CHARS).filter(|label| !label.is_empty());
            let customer = line(&self.customer.0, LONGEST_CUSTOMER_CHARS);
            self.wrong = LinkWrong {
                amount: amount.err(),
                label: label.is_none(),
                customer: customer.is_none(),
            };
            let end = at.saturating_add(DAY.saturating_mul(self.days));
            let made = MakeLink {
                merchant_code: store.merchant_code.clone(),
                amount: amount.ok()?,
                label: label?,
                pay_until: match self.days {
                    0 => tonight?,
                    LONGEST_LINK_DAYS => end.saturating_sub(CLOCKS_APART),
                    _ => end,
                },
                customer_name: Some(customer?).filter(|name| !name.is_empty()),
            };
            self.sent = Some(Request::MakeLink(
                made,
                IdempotencyKey::from_entropy(entropy),
            ));
        }
        self.submission = Submission::Sending;
        self.sent.clone()
    }

    fn refuse(&mut self, failure: Failure) {
        self.is_unsure = failure.leaves_unsure(self.is_unsure);
        if !self.is_unsure {
            self.sent = None;
        }
        self.submission = Submission::Open(Some(failure));
    }
}

impl OneLink {
    fn dialog(link: Rc<PaymentLink>, ends: bool, submission: Submission<()>) -> Dialog {
        Dialog::Link(Box::new(Self {
            link,
            ends,
            language: String::new(),
            submission,
        }))
    }

    /// True once it has ended. A code that its payer has may still be paid.
    pub(crate) fn has_ended(&self) -> bool {
        self.ends && matches!(self.submission, Submission::Done(()))
    }
}

/// Puts the newest links into a list: changed ones in their places, and new ones on top.
fn renew(list: &mut Vec<Rc<PaymentLink>>, newest: Vec<PaymentLink>) {
    for link in newest.into_iter().rev() {
        let is_same = |one: &&mut Rc<PaymentLink>| named(one) == named(&link);
        match list.iter_mut().find(is_same) {
            Some(listed) => *listed = Rc::new(link),
            None => list.insert(0, Rc::new(link)),
        }
    }
}

/// A text of one line without blanks around it; `None` for one that is too long.
fn line(typed: &str, longest: usize) -> Option<String> {
    let text = typed.trim();
    let sound = text.chars().count() <= longest && !text.contains(char::is_control);
    sound.then(|| text.to_owned())
}

fn named(link: &PaymentLink) -> Reference {
    Reference {
        merchant_code: link.merchant_code.clone(),
        number: link.order_id.clone(),
    }
}

impl StaffState {
    /// The stores that links can be made for; none on a server without links.
    pub(crate) fn stores(&self) -> &[StaffStore] {
        let session = self.sign_in.session.as_ref();
        session.map_or(&[], |session| &session.stores)
    }

    /// Asks for the links after a cursor, or anew.
    pub(super) fn load_links(&mut self, cursor: String) {
        self.abort(&Purpose::Links);
        self.links.running = true;
        self.send(Purpose::Links, Request::Links(LinksQuery { cursor }));
    }

    /// Asks for more of the list on the screen.
    pub(super) fn list_on(&mut self) {
        if self.page != Page::Links {
            self.search_on();
        } else if let Some(cursor) = self.links.next.clone() {
            self.load_links(cursor);
        }
    }

    /// Loads the links on the screen again without a person, since some of them changed.
    pub(super) fn renew_links(&mut self) {
        self.send(Purpose::Links, Request::Links(LinksQuery::default()));
    }

    pub(super) fn links_answered(&mut self, request: &Request, answer: Result<Answer, Failure>) {
        let links = &mut self.links;
        links.running = false;
        links.failure = None;
        let anew = matches!(request, Request::Links(query) if query.cursor.is_empty());
        match answer {
            Ok(Answer::Links(page)) => {
                let list = links.list.get_or_insert_default();
                if self.unattended && !list.is_empty() {
                    return renew(list, page.links);
                }
                if anew {
                    list.clear();
                }
                list.extend(page.links.into_iter().map(Rc::new));
                links.next = page.next_cursor;
                // The button that was pressed is gone.
                if !anew && links.next.is_none() {
                    self.focus = Some(Focus::Heading);
                }
            }
            Err(_) if self.unattended => self.news.has_old_links = true,
            Ok(_) => links.failure = Some(FailureKind::Unreadable.into()),
            Err(failure) => {
                links.failure = Some(failure);
                if self.page == Page::Links {
                    self.announce(Announcement::Failed);
                }
            }
        }
    }

    pub(super) fn ask_about_link(&mut self, ask: Ask) -> Option<Dialog> {
        if !self.may(Permission::Link) {
            return None;
        }
        match ask {
            Ask::MakeLink if !self.stores().is_empty() => {
                let form = LinkForm::new(self.stores().to_vec());
                Some(Dialog::MakeLink(Box::new(form)))
            }
            Ask::ShowLink(link) => {
                self.send(Purpose::Line, Request::Link(named(&link)));
                Some(OneLink::dialog(link, false, Submission::Sending))
            }
            Ask::EndLink(link) => Some(OneLink::dialog(link, true, Submission::Open(None))),
            _ => None,
        }
    }

    /// Sends what a dialog about a link asks for.
    pub(super) fn press_about_link(&mut self, at: Timestamp, entropy: u128) {
        let tonight = self.today(at).map(|(_, tonight)| tonight);
        match &mut self.dialog {
            Some(Dialog::MakeLink(form)) => {
                if let Some(request) = form.send(at, tonight, entropy) {
                    self.send(Purpose::Dialog, request);
                } else if let Some(wrong) = form.wrong.first() {
                    self.focus = Some(Focus::Field(wrong));
                }
            }
            Some(Dialog::Link(one)) if matches!(one.submission, Submission::Open(_)) => {
                one.submission = Submission::Sending;
                let (named, ends) = (named(&one.link), one.ends);
                if ends {
                    self.send(Purpose::Dialog, Request::EndLink(named));
                } else {
                    self.send(Purpose::Line, Request::Link(named));
                }
            }
            _ => {}
        }
    }

    /// Takes what became of a link.
    pub(super) fn link_answered(&mut self, answer: Result<Answer, Failure>) {
        let answer = answer.and_then(|answer| match answer {
            Answer::Link(link) => Ok(Rc::new(*link)),
            _ => Err(FailureKind::Unreadable.into()),
        });
        match (&mut self.dialog, answer) {
            (Some(Dialog::MakeLink(_)), Ok(link)) => {
                self.dialog = Some(OneLink::dialog(link, false, Submission::Done(())));
                self.announce(Announcement::LinkMade);
            }
            (Some(Dialog::MakeLink(form)), Err(failure)) => {
                if failure.kind == FailureKind::LinkRefused {
                    self.focus = Some(Focus::Field(Field::Amount(0)));
                }
                form.refuse(failure);
                self.announce(Announcement::Failed);
            }
            (Some(Dialog::Link(one)), Ok(link)) => {
                let state = link.state;
                one.link = link;
                one.submission = Submission::Done(());
                if one.ends {
                    let said = Announcement::LinkEnded(state);
                    // A payment that came before the end, or may still come, is said in the dialog.
                    if matches!(state, LinkState::Waiting | LinkState::Paid) {
                        self.announce(said);
                    } else {
                        self.late = Some(said);
                        self.close();
                    }
                }
            }
            (Some(Dialog::Link(one)), Err(failure)) => {
                one.submission = Submission::Open(Some(failure));
                self.announce(Announcement::Failed);
            }
            _ => {}
        }
    }
}
