//! The gallery: every screen of the checkout, drawn by the real views from made-up states.
//!
//! | Module | What it is |
//! |---|---|
//! | `made_up_state` | a made-up moment of a payment, from which the views draw |
//! | `screens` | the table of all of them, by name |
//! | `unusual_data` | data that any screen may have to show: long names, huge amounts |
//! | `component` | draws one screen |
//! | [`javascript_api`] | the border to the gallery's JavaScript |

mod component;
pub mod javascript_api;
mod made_up_state;
mod screens;
mod unusual_data;

pub use component::all;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
