//! The properties and methods of `<payment-checkout>`, but for the properties of its attributes.

use crate::item::Member;

const fn property(name: &'static str, typescript: &'static str, about: &'static str) -> Member {
    Member {
        name,
        typescript,
        is_read_only: false,
        about,
    }
}

const fn read_only(name: &'static str, typescript: &'static str, about: &'static str) -> Member {
    Member {
        is_read_only: true,
        ..property(name, typescript, about)
    }
}

pub(crate) const PROPERTIES: &[Member] = &[
    property(
        "request",
        "object | undefined",
        "your own fields of the body that starts a payment, as in `{ order_id: '1001' }`; any JSON. The element adds \
         `payment_method` and nothing else. Give a new object to change it. In the field `order` a [signed \
         order](server.md#orders-of-your-shop) (JWS) counts by its `order_id`: signed anew, it is the same order",
    ),
    property(
        "messages",
        "Messages | undefined",
        "texts in place of ours, by key, and a language of their own: see [Texts](#texts)",
    ),
    read_only(
        "state",
        "CheckoutState",
        "the kind of the present screen, one of the words below",
    ),
    read_only(
        "version",
        "string",
        "the version of the package; `PaymentCheckout.version` has it too",
    ),
];

pub(crate) const METHODS: &[Member] = &[
    property(
        "cancel",
        "(): void",
        "asks the payer whether to cancel the waiting operation; does nothing without one",
    ),
    property(
        "retry",
        "(): void",
        "does the same as the button *try again* or *new code*: loads again, sends the same attempt again, or asks for \
         a new code",
    ),
    property(
        "start",
        "(method: OfferedMethod): void",
        "starts a payment by this method, one of `methods`: for a [choice of your own](#a-choice-of-your-own). While an \
         operation waits, the payer is asked whether to leave it; then call it again. Before the element works, it waits",
    ),
    property(
        "whenFinal",
        "(): Promise<ResultDetail>",
        "a promise of this checkout's first `checkout-result`, however long it takes; a later correction is an event \
         only. When the element is given another checkout, it rejects with an `AbortError`. Call it after the import",
    ),
    property(
        "focus",
        "(options?: FocusOptions): void",
        "moves the focus to the heading of the screen, or of the first one while the element is loading",
    ),
];
