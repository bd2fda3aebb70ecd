/// The tag of a heading of this level; of the second one where there is no such level.
pub(super) fn heading(level: u8) -> &'static str {
    match level {
        1 => "h1",
        3 => "h3",
        4 => "h4",
        5 => "h5",
        6 => "h6",
        _ => "h2",
    }
}

/// The tag of a heading below one of this level.
pub(super) fn below(level: u8) -> &'static str {
    match level {
        1..=5 => heading(level + 1),
        6 => heading(6),
        _ => heading(3),
    }
}

#[cfg(test)]
mod tests {
    use super::{below, heading};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_level_that_there_is_not_is_the_second_one() {
        let check = |level, tags| assert_eq!((heading(level), below(level)), tags, "{level}");
        check(1, ("h1", "h2"));
        check(2, ("h2", "h3"));
        check(5, ("h5", "h6"));
        check(6, ("h6", "h6"));
        check(0, ("h2", "h3"));
        check(7, ("h2", "h3"));
    }
}
