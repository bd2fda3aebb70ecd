//! The WebAssembly features that the oldest supported browsers run without faults.
//!
//! Safari 15 compiles modules with reference types, and then some of their calls trap. The standard
//! library as it is installed declares them, and several results of one function; the shipped edition
//! compiles its own without both. Then wasm-bindgen keeps JavaScript's values in an array.

use anyhow::{Result, bail};

/// The features that the compiler may not use, as `rustc` and the module name them.
const WITHOUT: [&str; 2] = ["reference-types", "multivalue"];

/// The features that are left, as wasm-opt names them. Every browser has had them since 2021.
pub(super) const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
];

/// The compiler's flag.
pub(super) fn flag() -> String {
    let without = WITHOUT.map(|name| format!("-{name}"));
    format!("-Ctarget-feature={}", without.join(","))
}

/// Fails for a compiled module that declares one of the features.
pub(super) fn check(module: &[u8]) -> Result<()> {
    for name in WITHOUT {
        // A declaration is a prefix, the length of the name, and the name.
        let length = u8::try_from(name.len())?;
        let declared = [b"+", &[length][..], name.as_bytes()].concat();
        if module.windows(declared.len()).any(|part| part == declared) {
            bail!("the compiled wasm declares {name}, which the oldest browsers do not run well");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_feature_that_old_browsers_lack_is_found() {
        let section = b"\x0ftarget_features\x02+\x0freference-types+\x08sign-ext";
        assert!(check(section).is_err());
        assert!(check(b"\x0ftarget_features\x02-\x0freference-types+\x08sign-ext").is_ok());
    }
}
