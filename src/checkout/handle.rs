use super::Checkout;
use super::message::Message;
use checkout_flow::Event;
use payment_model::PaymentMethodName;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use yew::html::Scope;
use yew::{hook, use_memo};

/// What your page can do with a checkout: the buttons of your own, outside of it.
///
/// Take one by [`use_checkout_handle`], and give it to the checkout. Before the checkout is on the page, and after it has left,
/// the methods do nothing.
///
/// ```no_run
/// use payment_checkout::{CheckoutCard, OrderRequest, use_checkout_handle};
/// use yew::{Callback, Html, component, html};
///
/// #[component]
/// fn Pay() -> Html {
///     let handle = use_checkout_handle();
///     let cancel = {
///         let handle = handle.clone();
///         Callback::from(move |_| handle.cancel())
///     };
///     html! {
///         <>
///             <CheckoutCard base_url="/api" request={OrderRequest::order("1001")} {handle} />
///             <button onclick={cancel}>{ "Cancel the order" }</button>
///         </>
///     }
/// }
/// ```
#[derive(Clone, Default)]
pub struct CheckoutHandle(Rc<RefCell<Option<Scope<Checkout>>>>);

/// A handle for the checkout of this component, the same one in each rendering.
#[hook]
pub fn use_checkout_handle() -> CheckoutHandle {
    (*use_memo((), |()| CheckoutHandle::default())).clone()
}

impl CheckoutHandle {
    /// Asks the payer whether to cancel the waiting operation; does nothing without one.
    pub fn cancel(&self) {
        self.send(Event::CancelPressed);
    }

    /// Does the same as the button *try again* or *new code*: sends the same attempt again, or asks for a new code.
    pub fn retry(&self) {
        self.send(Event::RetryPressed);
    }

    /// Starts a payment by this method, which has to be one of `methods`. While an operation waits, the payer is asked
    /// whether to leave it, as by *another way*; then start again.
    pub fn start(&self, method: PaymentMethodName) {
        self.send(Event::StartRequested(method));
    }

    /// Moves the focus to the heading of the screen.
    pub fn focus(&self) {
        self.send(Message::Focus);
    }

    pub(super) fn attach(&self, scope: Scope<Checkout>) {
        *self.0.borrow_mut() = Some(scope);
    }

    pub(super) fn detach(&self) {
        *self.0.borrow_mut() = None;
    }

    fn send(&self, message: impl Into<Message>) {
        if let Some(scope) = self.0.borrow().as_ref() {
            scope.send_message(message);
        }
    }
}

impl PartialEq for CheckoutHandle {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for CheckoutHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CheckoutHandle")
    }
}
