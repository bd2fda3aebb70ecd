//! The gallery: every screen of the checkout, drawn by the real views from made-up states.
//!
//! | Module | What it is |
//! |---|---|
//! | `exhibit` | a made-up moment of a payment, from which the views draw |
//! | `specimens` | the table of all of them, by name |
//! | `surprise` | what else may be odd about one: long names, huge amounts |
//! | `component` | draws one |
//! | `element` | the border to the gallery's JavaScript |

mod component;
pub mod element;
mod exhibit;
mod specimens;
mod surprise;
