//! Carries out the flow's commands.

use super::before_start::{BeforeStart, StartError};
use super::message::Message;
#[cfg(feature = "languages")]
use super::notice::Notice;
use super::notice::{self, ErrorNotice};
use super::{Checkout, CheckoutProps, authorize_body, views};
#[cfg(feature = "languages")]
use crate::browser::console;
use crate::browser::{api_client, navigation};
use browser_kit::timer;
use checkout_flow::{CallId, Command, Event, Failure, PageAnswer};
use payment_model::PaymentMethodName;
use yew::Context;
use yew::platform::spawn_local;

/// After its answer the page is drawn this often beyond the first time: an effect may make the order of what it drew.
const DRAWINGS_FOR_EFFECTS: u8 = 1;

impl Checkout {
    /// Carries out a command of the flow. Returns what the flow has to know at once.
    pub(super) fn carry_out(&mut self, ctx: &Context<Self>, command: Command) -> Option<Event> {
        let props = ctx.props();
        let addresses = props.addresses();
        let report = ctx.link().callback(Message::Event);
        let answers = ctx.link().callback(|answer: Message| answer);
        match command {
            Command::AskPage { call, method, .. } => return self.ask_page(ctx, call, method),
            Command::Authorize {
                call,
                key,
                method,
                replaces,
                timeout,
            } => {
                let redirect_url = if may_leave(&method) {
                    Some(self.redirect_url(props, key.as_str()))
                } else {
                    self.forget_redirect_url();
                    None
                };
                match authorize_body::authorize(props, &method, redirect_url.as_deref()) {
                    Some(body) => {
                        let request =
                            api_client::authorize(&addresses, &key, replaces.as_ref(), body);
                        let answered = |call, answer, exchange: &mut _| {
                            let answer = api_client::content(answer, exchange);
                            Event::AuthorizeAnswered { call, answer }
                        };
                        self.calls.start(call, request, timeout, answered, &answers);
                    }
                    None => report.emit(Event::AuthorizeAnswered {
                        call,
                        answer: Err(Failure::Unusable),
                    }),
                }
            }
            Command::QueryStatus {
                call,
                operation,
                wait,
                known,
                fresh,
                timeout,
            } => {
                let token = self.stored.token.as_deref();
                let known = known.as_deref();
                let wait = wait.filter(|_| self.calls.may_be_held(call));
                let timeout = timeout.saturating_add(wait.unwrap_or_default());
                let request = api_client::status(&addresses, &operation, wait, known, fresh, token);
                let answered = |call, answer, exchange: &mut _| {
                    let answer = api_client::content(answer, exchange);
                    Event::StatusAnswered { call, answer }
                };
                self.calls.start(call, request, timeout, answered, &answers);
            }
            Command::QueryLive { call, timeout } => {
                let asked = props.live_url.as_deref().zip(props.request.to_json().ok());
                // The flow asks only if the page gave the address and a usable request.
                if let Some((url, body)) = asked {
                    let request = api_client::live(url, body.to_owned());
                    let answered = |call, answer, exchange: &mut _| {
                        let (answer, offer) = api_client::live_content(answer, exchange);
                        Event::LiveAnswered {
                            call,
                            answer,
                            offer,
                        }
                    };
                    self.calls.start(call, request, timeout, answered, &answers);
                }
            }
            Command::Cancel {
                call,
                operation,
                timeout,
            } => {
                let request = api_client::cancel(&addresses, &operation);
                let answered = |call, answer, exchange: &mut _| {
                    let answer = api_client::content(answer, exchange);
                    Event::CancelAnswered { call, answer }
                };
                self.calls.start(call, request, timeout, answered, &answers);
            }
            Command::Abort { call } => self.calls.end(call),
            Command::Leave { url, .. } => {
                // A payer who is kept here has the link on the screen.
                if !(props.on_redirect.emit(url.clone()) && navigation::leave(&url)) {
                    report.emit(Event::KeptHere);
                }
            }
            Command::Save(snapshot) => {
                self.stored.flow = Some(snapshot);
                self.storage.save(&self.stored);
            }
            Command::Forget => {
                // An attempt that is over is not repeated by a checkout that is put back.
                if let Some(snapshot) = &mut self.stored.flow {
                    snapshot.attempt = None;
                }
                self.storage.forget(&self.stored);
                // The token stays in memory: later answers need it as much as this one did.
                (self.stored.flow, self.stored.redirect_url) = (None, None);
            }
            Command::Report(notice) => {
                let (exchange, answer) = (self.last_exchange.as_deref(), self.flow.page_answer());
                let error = |code| ErrorNotice::new(code, exchange, props.mistake(), answer);
                let reason = || views::reason(&self.flow.view(), &self.inputs(ctx));
                let notice = notice::complete(notice, error, reason);
                #[cfg(feature = "languages")]
                if let Notice::Error(error) = &notice {
                    console::warn(&error.message);
                }
                props.on_notice.emit(notice);
            }
            Command::Wake { after } => {
                self.wake = Some(timer::after(after, move || report.emit(Event::Woke)));
            }
        }
        None
    }

    /// Asks the page whether an attempt may begin. Returns its answer, unless the page takes time.
    fn ask_page(
        &self,
        ctx: &Context<Self>,
        call: CallId,
        method: PaymentMethodName,
    ) -> Option<Event> {
        let asked = ctx.props().on_start.as_ref();
        let answer = match asked.map_or(BeforeStart::Begin, |on_start| on_start.emit(method)) {
            BeforeStart::Begin => PageAnswer::Begin,
            BeforeStart::Stay => PageAnswer::Stay,
            BeforeStart::Wait(prepared) => {
                let link = ctx.link().clone();
                spawn_local(async move {
                    let answer = match prepared.await {
                        Ok(()) => PageAnswer::Begin,
                        Err(StartError::Refused(text)) => PageAnswer::Refused(text),
                        Err(StartError::Failed) => PageAnswer::Failed,
                    };
                    link.send_message(Message::Prepared {
                        answer: Event::PageAnswered { call, answer },
                        drawings: DRAWINGS_FOR_EFFECTS,
                    });
                });
                return None;
            }
        };
        Some(Event::PageAnswered { call, answer })
    }

    /// The address that the payer of this attempt comes back to. It is stored with the attempt's key:
    /// two requests of an attempt have to be the same, and the page's address may change between
    /// them.
    fn redirect_url(&mut self, props: &CheckoutProps, key: &str) -> String {
        if let Some((of, url)) = &self.stored.redirect_url
            && of == key
        {
            return url.clone();
        }
        let given = props.redirect_url.as_deref();
        let given = given.and_then(navigation::absolute);
        let url = given.or_else(navigation::here).unwrap_or_default();
        self.stored.redirect_url = Some((key.to_owned(), url.clone()));
        self.storage.save(&self.stored);
        url
    }

    /// Deletes the stored address, which this attempt does not need.
    fn forget_redirect_url(&mut self) {
        if self.stored.redirect_url.take().is_some() {
            self.storage.save(&self.stored);
        }
    }
}

/// True when the payer may have to leave the page, and needs an address to return to. A payer with a code
/// stays.
fn may_leave(method: &PaymentMethodName) -> bool {
    !matches!(method, PaymentMethodName::Qr | PaymentMethodName::CashCode)
}
