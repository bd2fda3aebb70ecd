//! `<payment-operations>`, the element of the merchant's staff.

use crate::item::{Attribute, Element, Event, Named, Property, Values};
use crate::looks::property;

/// `<payment-operations>`.
pub const OPERATIONS: Element = Element {
    tag: "payment-operations",
    class: "PaymentOperations",
    about: "Lets the merchant's staff look operations up, cancel, reverse and refund them. The content of the tag is \
            shown until the element works, and if it cannot work. The merchant's server decides about an account's \
            permissions; `permissions` can only remove some. The element is dark or light as the page's \
            `color-scheme` is; set that on the element to choose.",
    attributes: ATTRIBUTES,
    properties: &[],
    methods: &[],
    events: EVENTS,
    slots: &[Named {
        name: "",
        about: "the content until the element works, and where it cannot work",
    }],
    parts: PARTS,
    custom_properties: CUSTOM_PROPERTIES,
};

const ATTRIBUTES: &[Attribute] = &[
    Attribute {
        name: "base-url",
        about: "the staff's addresses of your server, on the page's own origin: they answer no other one",
        absent: "an error",
        values: Values::Text("string"),
        is_identity: true,
    },
    Attribute {
        name: "locale",
        about: "the language, with Spanish in place of any other",
        absent: "the nearest `lang`",
        values: Values::Open("OperationsLocale", &["es-PE", "en"]),
        is_identity: false,
    },
    Attribute {
        name: "operation",
        about: "the operation on the screen, as in `100000001/482193017756`. The element keeps it up to date; set it to \
                open one, also before the sign-in, and remove it to go back",
        absent: "the list",
        values: Values::Text("OperationPath"),
        is_identity: false,
    },
    Attribute {
        name: "permissions",
        about: "the permissions that the page uses, with spaces between: `cancel` (which also releases blocked orders), \
                `refund`, `link` (payment links); empty for none. It can only remove permissions; your server decides",
        absent: "all permissions of the account",
        values: Values::Words(
            "OperationsPermissions",
            &[
                "cancel",
                "refund",
                "link",
                "cancel refund",
                "cancel link",
                "refund link",
                "cancel refund link",
            ],
        ),
        is_identity: false,
    },
];

const EVENTS: &[Event] = &[
    Event {
        name: "operations-signed-in",
        typescript: "CustomEvent<null>",
        when: "an account is signed in; the event has no name",
        about_detail: "`null`",
    },
    Event {
        name: "operations-signed-out",
        typescript: "CustomEvent<null>",
        when: "the account is signed out",
        about_detail: "`null`",
    },
    Event {
        name: "operations-opened",
        typescript: "CustomEvent<OperationsOpenedDetail | null>",
        when: "an operation is on the screen; with `null`, none is any more",
        about_detail: "`merchant_code`, `merchant_operation_number`, or `null`",
    },
    Event {
        name: "operations-error",
        typescript: "CustomEvent<OperationsErrorDetail>",
        when: "the element cannot run",
        about_detail: "`code`: `load` or `crash`; `retryable`",
    },
];

const CUSTOM_PROPERTIES: &[Property] = &[
    property(
        "--operations-accent",
        "`#0a5bb0`, `#83b9f5`",
        "buttons, links, focus",
    ),
    property(
        "--operations-on-accent",
        "`#fff`, `#0b1420`",
        "text on the accent",
    ),
    property("--operations-surface", "`#fff`, `#1c1f24`", "the page"),
    property("--operations-text", "`#1b2128`, `#eceff3`", "text"),
    property("--operations-muted", "`#59636f`, `#a9b2bd`", "lesser text"),
    property(
        "--operations-border",
        "`#d5dae0`, `#3b414a`",
        "lines and outlines",
    ),
    property(
        "--operations-good",
        "`#14713d`, `#62cf91`",
        "a payment, a refund that was registered",
    ),
    property(
        "--operations-bad",
        "`#b3261e`, `#ff9a91`",
        "errors, canceling, reversing",
    ),
    property(
        "--operations-radius",
        "`10px`",
        "corners; `0` for square ones",
    ),
    property("--operations-font", "the system's", "font family"),
];

const fn part(name: &'static str, about: &'static str) -> Named {
    Named { name, about }
}

const PARTS: &[Named] = &[
    part("operations", "everything"),
    part("head", "the row above everything, with sign-out"),
    part("tab", "each of the places to go to"),
    part("sign-in", "the form to sign in with"),
    part("selection", "what can be done with the chosen operations"),
    part("summary", "an operation at a glance"),
    part("payer", "who pays"),
    part("transaction", "each transaction of an operation"),
    part("timeline", "the events of an operation, with their times"),
    part("refunds", "the refunds of an operation"),
    part("refund", "each refund"),
    part("exception", "each exception"),
    part("dialog", "the question before an action"),
    part("trouble", "the message about a trouble"),
    part("button", "every button"),
    part("primary-button", "the button that leads on"),
    part("quiet-button", "buttons that lead elsewhere"),
    part("danger-button", "buttons whose effect cannot be undone"),
];
