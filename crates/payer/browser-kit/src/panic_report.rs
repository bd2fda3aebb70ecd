//! Reports to JavaScript where the wasm panicked.

/// Has every panic thrown to JavaScript as an error that names the place in the source, never what was
/// being worked on. Nothing in the wasm works any more afterwards.
///
/// Panics that are traps come out as errors anyway, and no place is known.
pub fn throw_places() {
    #[cfg(not(panic = "immediate-abort"))]
    yew::set_custom_panic_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        wasm_bindgen::throw_str(&place.unwrap_or_default());
    }));
}
