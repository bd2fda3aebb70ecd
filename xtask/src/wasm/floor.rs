//! The WebAssembly features that the oldest supported browsers run without faults.
//!
//! Safari 15 compiles modules with reference types, and then some of their calls trap. The standard
//! library as it is shipped declares them, and several results of one function, without using either.
//! So our crates are compiled without both, and the compiled module no longer declares them: then
//! wasm-bindgen keeps JavaScript's values in an array, and wasm-opt refuses a module that needs more.

use anyhow::{Context, Result};
use std::ops::Range;
use wasmparser::{BinaryReader, Parser, Payload};

/// The features that the compiler may use no more, as `rustc` and the module name them.
const WITHOUT: [&str; 2] = ["reference-types", "multivalue"];

/// The features that are left, as wasm-opt names them. Every browser has had them since 2021.
pub(crate) const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
];

/// The compiler's flag.
pub(crate) fn flag() -> String {
    let without: Vec<String> = WITHOUT.iter().map(|name| format!("-{name}")).collect();
    format!("-Ctarget-feature={}", without.join(","))
}

/// Marks the features in a compiled module as forbidden, where it declares them.
pub(crate) fn forbid(module: &mut [u8]) -> Result<()> {
    for at in declarations(module).context("the compiled wasm's features cannot be read")? {
        if WITHOUT
            .iter()
            .any(|name| name.as_bytes() == &module[at.name.clone()])
        {
            module[at.prefix] = b'-';
        }
    }
    Ok(())
}

/// Places of one declared feature in the module.
struct Declaration {
    prefix: usize,
    name: Range<usize>,
}

/// The declarations in the section `target_features`: a count, and for each a prefix and a name.
fn declarations(module: &[u8]) -> Result<Vec<Declaration>> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(section) = payload? else {
            continue;
        };
        if section.name() != "target_features" {
            continue;
        }
        let mut reader = BinaryReader::new(section.data(), section.data_offset());
        for _ in 0..reader.read_var_u32()? {
            let prefix = usize::try_from(reader.original_position())?;
            reader.read_u8()?;
            let length = usize::try_from(reader.read_var_u32()?)?;
            let start = usize::try_from(reader.original_position())?;
            reader.read_bytes(length)?;
            found.push(Declaration {
                prefix,
                name: start..start + length,
            });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_old_browsers_lack_is_forbidden() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        let section = b"\x0ftarget_features\x02+\x0freference-types+\x08sign-ext";
        module.push(0);
        module.push(u8::try_from(section.len()).unwrap());
        module.extend_from_slice(section);
        forbid(&mut module).unwrap();
        let text = String::from_utf8_lossy(&module);
        assert!(text.contains("-\x0freference-types"), "{text:?}");
        assert!(text.contains("+\x08sign-ext"), "{text:?}");
    }
}
