//! What a page sees of the two custom elements, declared once: attributes, properties, methods, events and
//! their details, words, slots, parts and custom properties.
//!
//! The wasm of the payer's element uses the structs of this crate. The program `element-printer` prints
//! everything else from its tables: lists for the elements' scripts, TypeScript declarations, data for editors,
//! and the tables of the guides. So a new attribute is written down here, and where it takes effect.
//!
//! ```text
//! item        the kinds of things that an element has
//! attributes  the attributes of `<payment-checkout>`
//! options     the struct in which its script passes them to the wasm, with what else it knows
//! members     its properties and methods
//! events      its events, and the structs of their details
//! words       its states, its actions and the codes of its errors
//! looks       its slots, parts and custom properties
//! operations  `<payment-operations>`
//! ```

pub mod attributes;
pub mod events;
mod item;
mod looks;
mod members;
mod operations;
pub mod options;
mod words;

pub use item::{Attribute, Element, Event, Member, Named, Property, Values};
pub use operations::OPERATIONS;
pub use words::{ErrorWord, actions, error_codes, states};

/// `<payment-checkout>`.
pub const CHECKOUT: Element = Element {
    tag: "payment-checkout",
    class: "PaymentCheckout",
    about: "Takes a payment through the merchant's own server. The content of the tag is shown until the element \
            works, and if it cannot work. The element is dark or light as the page's `color-scheme` is; set that on \
            the element to choose.",
    attributes: attributes::ATTRIBUTES,
    properties: members::PROPERTIES,
    methods: members::METHODS,
    events: events::EVENTS,
    slots: looks::SLOTS,
    parts: looks::PARTS,
    custom_properties: looks::CUSTOM_PROPERTIES,
};
