//! The slots, parts and custom properties of `<payment-checkout>`.

use crate::item::{Named, Property};

const fn named(name: &'static str, about: &'static str) -> Named {
    Named { name, about }
}

pub(crate) const fn property(
    name: &'static str,
    default: &'static str,
    about: &'static str,
) -> Property {
    Property {
        name,
        default,
        about,
    }
}

pub(crate) const SLOTS: &[Named] = &[
    named(
        "",
        "the content until the element works, and where it cannot work",
    ),
    named("choosing", "below the choice of methods"),
    named(
        "wallets",
        "the marks of the apps that pay the QR code: below their names in the choice, and below the code",
    ),
    named(
        "waiting",
        "while a code or an instruction waits on the page, above the time that is left",
    ),
    named("paid", "after a payment"),
    named(
        "paid-twice",
        "in place of `paid`, when another operation of the order is paid too",
    ),
    named("declined", "after a decline"),
    named(
        "invalid",
        "after an operation that the service could not use",
    ),
    named("cancelled", "after a cancellation"),
    named("expired", "after the deadline"),
    named("reversed", "after a payment that was given back"),
    named("failed", "below every error, `load` and `crash` included"),
];

pub(crate) const CUSTOM_PROPERTIES: &[Property] = &[
    property(
        "--checkout-accent",
        "`#0a5bb0`, `#83b9f5`",
        "buttons, links, focus",
    ),
    property(
        "--checkout-on-accent",
        "black or white, whichever reads better",
        "text on the accent",
    ),
    property(
        "--checkout-accent-text",
        "the accent, as dark or light as it takes to be read",
        "the accent as text and lines",
    ),
    property("--checkout-surface", "`#fff`, `#1c1f24`", "the card"),
    property("--checkout-text", "`#1b2128`, `#eceff3`", "text"),
    property("--checkout-muted", "`#59636f`, `#a9b2bd`", "lesser text"),
    property(
        "--checkout-border",
        "`#d5dae0`, `#3b414a`",
        "lines and outlines",
    ),
    property(
        "--checkout-good",
        "`#14713d`, `#62cf91`",
        "a confirmed payment",
    ),
    property(
        "--checkout-bad",
        "`#b3261e`, `#ff9a91`",
        "errors, canceling",
    ),
    property(
        "--checkout-radius",
        "`14px`",
        "corners, from the card down to the numbers of the steps and the bar of the time left; `0` for square ones",
    ),
    property("--checkout-font", "the system's", "font family"),
    property(
        "--checkout-font-size",
        "`max(1em, 16px)`",
        "text size; everything grows with it",
    ),
    property(
        "--checkout-padding",
        "`16px`, `24px` from 420 px on",
        "room inside the card",
    ),
    property("--checkout-gap", "`16px`", "room between the things on it"),
    property(
        "--checkout-shadow",
        "a soft one",
        "the card's shadow; `none` for none",
    ),
];

pub(crate) const PARTS: &[Named] = &[
    named("checkout", "the card"),
    named(
        "bill",
        "the seller, the order and the amount, with `merchant`, `order` and `amount` in it; a paid screen has them on its receipt",
    ),
    named("merchant", "the seller's name"),
    named("order", "the order"),
    named("amount", "the amount"),
    named(
        "notice",
        "the message above everything, as when the connection is gone",
    ),
    named(
        "heading",
        "the row with the heading of the screen, which takes its font and color but keeps size and weight",
    ),
    named("icon", "the sign beside the heading"),
    named("body", "everything below the heading"),
    named("methods", "the choice of methods"),
    named("method", "each method of the choice"),
    named("qr", "the tile around the code; keep it white"),
    named("steps", "the instructions, step by step"),
    named("step-number", "the number of a step"),
    named("waiting", "the line about the wait for the payment"),
    named("deadline", "the deadline, and the time until then"),
    named("countdown", "the time left"),
    named(
        "progress",
        "the bar of the time left: `color` is the bar, `background` the groove, `height` both",
    ),
    named(
        "operation",
        "the number of the operation, or the code to pay at, with `number` in it",
    ),
    named("number", "the number itself"),
    named("code", "the code of a cash payment"),
    named(
        "receipt",
        "the rows of a payment that was made, with `merchant`, `order`, `amount` and `operation` in them",
    ),
    named("actions", "the buttons at the end"),
    named("button", "every button and every link that looks like one"),
    named("primary-button", "the button that leads on"),
    named("quiet-button", "buttons that lead elsewhere"),
    named("danger-button", "buttons whose effect cannot be undone"),
    named("copy-button", "copies the number or the code"),
    named("enlarge-button", "enlarges the code on a phone"),
    named("print-button", "prints the cash code, or the receipt"),
    named("save-button", "saves the QR code, or the receipt"),
    named("share-button", "shares it"),
    named("help", "the link to your help"),
    named("confirm", "the question before a cancellation"),
    named("failure", "the message when the wasm does not run"),
];
