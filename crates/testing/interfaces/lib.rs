//! Snapshots of the public items of the crates that others build on, so that a review sees when an
//! interface changes. `public_items.rs` compares them.
