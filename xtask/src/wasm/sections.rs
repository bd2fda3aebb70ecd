//! The functions of a wasm, with their names and code.

use anyhow::Result;
use std::ops::Range;
use wasmparser::{KnownCustom, Name, NameSectionReader, Parser, Payload, TypeRef};

/// The parts of a module that the build needs.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) functions: Vec<Function>,
    /// How many functions are imported. Their numbers come first.
    pub(crate) imported: usize,
    /// The places of the constants.
    pub(crate) data: Vec<Range<usize>>,
}

/// A function's name, if it kept one, and the place of its code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) code: Range<usize>,
}

/// Splits a module into its parts.
pub(crate) fn read(bytes: &[u8]) -> Result<Module> {
    let mut module = Module::default();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    module.imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => {
                let name = format!("function {}", module.functions.len());
                let code = place(body.range())?;
                module.functions.push(Function { name, code });
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    module.data.push(place(segment?.range)?);
                }
            }
            Payload::CustomSection(custom) => {
                if let KnownCustom::Name(names) = custom.as_known() {
                    name_functions(&mut module.functions, module.imported, names)?;
                }
            }
            _ => {}
        }
    }
    Ok(module)
}

fn place(range: Range<u64>) -> Result<Range<usize>> {
    Ok(usize::try_from(range.start)?..usize::try_from(range.end)?)
}

fn name_functions(
    functions: &mut [Function],
    imported: usize,
    names: NameSectionReader<'_>,
) -> Result<()> {
    for subsection in names {
        let Name::Function(names) = subsection? else {
            continue;
        };
        for naming in names {
            let naming = naming?;
            let at = usize::try_from(naming.index)?.checked_sub(imported);
            if let Some(function) = at.and_then(|at| functions.get_mut(at)) {
                naming.name.clone_into(&mut function.name);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_get_their_names_and_sizes() {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        // One imported function `a.b`, so that the first body has the index 1.
        wasm.extend(b"\x02\x07\x01\x01a\x01b\x00\x00");
        // One function, and its body of three bytes.
        wasm.extend(b"\x03\x02\x01\x00");
        wasm.extend(b"\x0a\x05\x01\x03\x00\x01\x0b");
        // The custom section `name` with one function name.
        wasm.extend(b"\x00\x0e\x04name\x01\x07\x01\x01\x04main");
        let module = read(&wasm).unwrap();
        let main = Function {
            name: "main".to_owned(),
            code: 25..28,
        };
        assert_eq!(module.functions, [main]);
    }

    #[test]
    fn rubbish_is_refused() {
        assert!(read(b"MZ, not wasm").is_err());
        assert!(read(b"\0asm\x01\0\0\0\x0a\xff").is_err());
    }
}
