//! Takes functions that nobody calls out of the table.
//!
//! For each kind of closure that `js-sys` could give to JavaScript, the table has a function that only
//! told wasm-bindgen what the closure takes. JavaScript calls the closures in use by exports, so no
//! function of this kind is called through the table. wasm-opt cannot know that, and would keep them.

use super::Module;
use super::sections;
use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use wasmparser::{ElementItems, ElementKind, Operator, Parser, Payload};

/// The module of these functions, less the hash behind the crate's name. Some closures that are in use have it
/// in their names, too.
const MODULE: &str = "wasm_bindgen::convert::closures::";
/// Their name.
const NAME: &str = "invoke";

/// Takes them out of the table of the wasm in the module's workbench.
pub(crate) fn drop_dead(module: &Module) -> Result<()> {
    let path = module.workbench().join(module.wasm_file());
    let wasm = fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
    let wasm = without(&wasm).context("the table of the wasm cannot be read")?;
    fs::write(&path, wasm).with_context(|| format!("could not write {}", path.display()))
}

/// Functions that stand in the table from this place on.
struct Run {
    start: u32,
    functions: Vec<u32>,
}

fn without(wasm: &[u8]) -> Result<Vec<u8>> {
    let dead = dead(wasm)?;
    for payload in Parser::new(0).parse_all(wasm) {
        let Payload::ElementSection(section) = payload? else {
            continue;
        };
        let range = section.range();
        let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
        let mut runs = Vec::new();
        for segment in section {
            let segment = segment?;
            let (ElementKind::Active { offset_expr, .. }, ElementItems::Functions(functions)) =
                (segment.kind, segment.items)
            else {
                bail!("the table is filled in another way");
            };
            let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
                bail!("the table's functions stand at no fixed place");
            };
            let functions = functions.into_iter().collect::<Result<Vec<_>, _>>()?;
            runs.extend(alive(u32::try_from(value)?, &functions, &dead));
        }
        return replaced(wasm, range, &written(&runs)?);
    }
    Ok(wasm.to_owned())
}

/// The numbers of the functions that nobody calls through the table.
fn dead(wasm: &[u8]) -> Result<HashSet<u32>> {
    let module = sections::read(wasm)?;
    let functions = module.functions.iter().enumerate();
    functions
        .filter(|(_, function)| only_describes(&function.name))
        .map(|(at, _)| Ok(u32::try_from(module.imported + at)?))
        .collect()
}

fn only_describes(function: &str) -> bool {
    let function = without_hash(function);
    let Some(path) = function.strip_prefix(MODULE) else {
        return false;
    };
    // Each is in a block without a name, or in two.
    let mut segments = path.split("::").skip_while(|segment| *segment == "_");
    segments.next() == Some(NAME)
}

/// `a[0123]::b` as `a::b`.
fn without_hash(name: &str) -> String {
    match (name.find('['), name.find(']')) {
        (Some(start), Some(end)) if start < end => [&name[..start], &name[end + 1..]].concat(),
        _ => name.to_owned(),
    }
}

/// The rest, each at the place that it had.
fn alive(start: u32, functions: &[u32], dead: &HashSet<u32>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut gap = true;
    for (place, &function) in (start..).zip(functions) {
        if dead.contains(&function) {
            gap = true;
            continue;
        }
        match runs.last_mut() {
            Some(run) if !gap => run.functions.push(function),
            _ => runs.push(Run {
                start: place,
                functions: vec![function],
            }),
        }
        gap = false;
    }
    runs
}

/// The content of the section.
fn written(runs: &[Run]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    number(&mut bytes, u32::try_from(runs.len())?);
    for run in runs {
        // An active segment of functions for the first table, at a constant.
        bytes.extend([0x00, 0x41]);
        signed(&mut bytes, run.start);
        bytes.push(0x0b);
        number(&mut bytes, u32::try_from(run.functions.len())?);
        for function in &run.functions {
            number(&mut bytes, *function);
        }
    }
    Ok(bytes)
}

/// The module with another content of the element section.
fn replaced(wasm: &[u8], section: Range<usize>, content: &[u8]) -> Result<Vec<u8>> {
    // The length stands before the content, and the section's number before it.
    let mut length = Vec::new();
    number(&mut length, u32::try_from(section.len())?);
    let head = section
        .start
        .checked_sub(length.len())
        .context("no length before the section")?;
    if wasm[head..section.start] != length || wasm.get(head.wrapping_sub(1)) != Some(&0x09) {
        bail!("the section's length is written in another way");
    }
    let mut module = wasm[..head].to_vec();
    number(&mut module, u32::try_from(content.len())?);
    module.extend_from_slice(content);
    module.extend_from_slice(&wasm[section.end..]);
    Ok(module)
}

/// LEB128.
fn number(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(0x80 | low_bits(value));
        value >>= 7;
    }
    bytes.push(low_bits(value));
}

/// The same where a set bit 6 of the last byte would make the number negative.
fn signed(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x40 {
        bytes.push(0x80 | low_bits(value));
        value >>= 7;
    }
    bytes.push(low_bits(value));
}

fn low_bits(value: u32) -> u8 {
    value.to_le_bytes()[0] & 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with three functions in its table, at 63, 64 and 65, of which the second has `name`.
    fn module(name: &str) -> Vec<u8> {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        wasm.extend(b"\x01\x04\x01\x60\x00\x00");
        wasm.extend(b"\x03\x04\x03\x00\x00\x00");
        wasm.extend(b"\x04\x04\x01\x70\x00\x60");
        wasm.extend(b"\x09\x09\x01\x00\x41\x3f\x0b\x03\x00\x01\x02");
        wasm.extend(b"\x0a\x0a\x03\x02\x00\x0b\x02\x00\x0b\x02\x00\x0b");
        let names = [&[1, 1, u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
        let section = [
            b"\x04name\x01",
            &[u8::try_from(names.len()).unwrap()][..],
            &names,
        ]
        .concat();
        wasm.extend([0, u8::try_from(section.len()).unwrap()]);
        wasm.extend(section);
        wasm
    }

    #[test]
    fn a_function_that_only_described_leaves_the_table_and_the_others_keep_their_places() {
        // The shipped edition's form of names, and the diagnostic one's.
        for name in [
            "wasm_bindgen[a1]::convert::closures::_::invoke::<()>",
            "wasm_bindgen[a1]::convert::closures::_::_::invoke::<()>",
            "wasm_bindgen::convert::closures::_::invoke::h1dbf22d6768e75de",
        ] {
            let wasm = without(&module(name)).unwrap();
            let elements: &[u8] =
                b"\x09\x0e\x02\x00\x41\x3f\x0b\x01\x00\x00\x41\xc1\x00\x0b\x01\x02\x0a";
            let found = wasm.windows(elements.len()).any(|part| part == elements);
            assert!(found, "{name}");
            assert!(sections::read(&wasm).is_ok(), "{name}");
        }
    }

    #[test]
    fn every_other_function_stays() {
        for name in [
            "web_sys[a1]::convert::closures::_::invoke",
            // A closure that JavaScript calls once.
            "wasm_bindgen::convert::closures::<impl wasm_bindgen::closure::WasmClosureFnOnce<A>>::into_fn_mut::h1",
            "wasm_bindgen::convert::closures::_::<impl A for B>::invoke::h1",
        ] {
            let wasm = module(name);
            assert_eq!(without(&wasm).unwrap(), wasm, "{name}");
        }
    }
}
