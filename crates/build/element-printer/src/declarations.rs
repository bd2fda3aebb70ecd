//! TypeScript declarations of attributes, members and events. What no table can say is written by hand over
//! these names in `npm/element/types`: which attributes belong together, whole cents, each method once.

use crate::HEADER;
use crate::declaration::{Declaration, result_detail, sentence};
use checkout_texts::Locale;
use element_surface::events::{
    ActionDetail, ChooseDetail, ErrorDetail, RedirectDetail, StartDetail, StateDetail, StatusDetail,
};
use element_surface::{
    Attribute, CHECKOUT, Element, Member, OPERATIONS, Values, actions, error_codes, states,
};
use tsify::Tsify;

const CHECKOUT_IMPORTS: &str = "
import type { CheckoutLocale, HeadingLevel, MethodList, OfferedMethod, WholeCents } from './attributes.js';
import type { Messages } from './element.js';
import type { CheckoutState, ResultDetail } from './events.js';
import type { Currency, MerchantCode, MerchantOperationNumber, TransactionId } from './payment-model.js';
";

const OPERATIONS_IMPORTS: &str = "
import type {
  OperationPath,
  OperationsErrorDetail,
  OperationsLocale,
  OperationsOpenedDetail,
  OperationsPermissions,
} from './element.js';
";

const EVENTS_IMPORTS: &str = "
import type { OfferedMethod } from './attributes.js';
import type { CheckoutStartEvent } from './start.js';
import type {
  Amount,
  Currency,
  MerchantCode,
  MerchantOperationNumber,
  Outcome,
  PaymentMethodName,
  TransactionId,
  TransactionState,
} from './payment-model.js';
";

/// Attributes, properties and methods of `<payment-checkout>`.
pub(super) fn checkout() -> String {
    [
        HEADER,
        CHECKOUT_IMPORTS,
        &union(
            "The languages of the element.",
            "LocaleTag",
            Locale::ALL
                .iter()
                .map(|locale| (locale.tag(), locale.own_name())),
        ),
        &attributes(&CHECKOUT, "Checkout"),
        &members(&CHECKOUT, "Checkout"),
    ]
    .concat()
}

/// Attributes, members and events of `<payment-operations>`.
pub(super) fn operations() -> String {
    [
        HEADER,
        OPERATIONS_IMPORTS,
        &attributes(&OPERATIONS, "Operations"),
        &members(&OPERATIONS, "Operations"),
        &event_map(&OPERATIONS, "Operations"),
    ]
    .concat()
}

/// The words of `<payment-checkout>`, the details of its events, and the events.
pub(super) fn events() -> String {
    let details = [
        Declaration::of(StatusDetail::DECL),
        result_detail(),
        Declaration::of(StartDetail::DECL),
        Declaration::of(ChooseDetail::DECL),
        Declaration::of(RedirectDetail::DECL),
        Declaration::of(StateDetail::DECL),
        Declaration::of(ActionDetail::DECL),
        Declaration::of(ErrorDetail::DECL),
    ];
    let details = details.map(|declaration| detail(&declaration));
    [
        HEADER.to_owned(),
        EVENTS_IMPORTS.to_owned(),
        union(
            "The kind of the screen that the payer sees.",
            "CheckoutState",
            states().iter().map(|word| (word.name, word.about)),
        ),
        union(
            "The codes of errors: a closed list.",
            "CheckoutErrorCode",
            error_codes().iter().map(|word| (word.name, word.cause)),
        ),
        union(
            "The decisions of a payer: a closed list.",
            "CheckoutAction",
            actions().iter().map(|word| (word.name, word.about)),
        ),
        details.concat(),
        event_map(&CHECKOUT, "Checkout"),
    ]
    .concat()
}

fn attributes(element: &Element, prefix: &str) -> String {
    let fields = element.attributes.iter().map(|attribute| {
        let absent = match attribute.absent {
            "" => String::new(),
            absent => format!(" {}", sentence(&format!("if absent: {absent}"))),
        };
        let name = match attribute.name.contains('-') {
            true => format!("'{}'", attribute.name),
            false => attribute.name.to_owned(),
        };
        comment(&(sentence(&attribute.described()) + &absent))
            + &format!("  {name}: {};\n", typescript(attribute))
    });
    let tag = element.tag;
    interface(
        &format!("The attributes of `<{tag}>`, each with the type of its value."),
        &format!("{prefix}AttributeValues"),
        fields,
    )
}

fn members(element: &Element, prefix: &str) -> String {
    let reflected = element.attributes.iter().map(|attribute| {
        let kind = match attribute.values {
            Values::Switch => "boolean".to_owned(),
            _ => format!("{} | null", typescript(attribute)),
        };
        comment(&sentence(&attribute.described()))
            + &format!("  {}: {kind};\n", attribute.property())
    });
    let own = element.properties.iter().map(|member| {
        let read_only = if member.is_read_only { "readonly " } else { "" };
        comment(&sentence(member.about))
            + &format!("  {read_only}{}: {};\n", member.name, member.typescript)
    });
    let method = |member: &Member| {
        comment(&sentence(member.about)) + &format!("  {}{};\n", member.name, member.typescript)
    };
    let tag = element.tag;
    interface(
        &format!("The properties and methods of `<{tag}>`."),
        &format!("{prefix}Members"),
        reflected
            .chain(own)
            .chain(element.methods.iter().map(method)),
    )
}

fn event_map(element: &Element, prefix: &str) -> String {
    let events = element.events.iter().map(|event| {
        comment(&sentence(event.when))
            + &format!(
                "  '{}': {};
",
                event.name, event.typescript
            )
    });
    let tag = element.tag;
    interface(
        &format!("The events of `<{tag}>`. All bubble, and cross shadow roots."),
        &format!("{prefix}EventMap"),
        events,
    )
}

fn interface(about: &str, name: &str, fields: impl Iterator<Item = String>) -> String {
    let fields: String = fields.collect();
    format!("\n/** {about} */\nexport interface {name} {{\n{fields}}}\n")
}

/// The detail of an event.
fn detail(declaration: &Declaration<'_>) -> String {
    let fields = declaration.fields.iter().map(|field| {
        comment(&sentence(&field.about)) + &format!("  {}: {};\n", field.name, field.typescript)
    });
    interface(&sentence(&declaration.about), declaration.head, fields)
}

fn union<'a>(about: &str, name: &str, words: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let words: String = words
        .map(|(word, about)| format!("\n{}  | '{word}'", comment(&sentence(about))))
        .collect();
    format!("\n/** {about} */\nexport type {name} ={words};\n")
}

fn typescript(attribute: &Attribute) -> &'static str {
    match attribute.values {
        Values::Text(kind) | Values::Words(kind, _) | Values::Open(kind, _) => kind,
        Values::Switch => "boolean",
    }
}

fn comment(text: &str) -> String {
    format!("  /** {text} */\n")
}
