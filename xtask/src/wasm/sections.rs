//! Just enough of the wasm format to know how large each function is.

use anyhow::{Context, Result, bail};

/// The parts of a module that the build needs.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) functions: Vec<Function>,
    /// Bytes of constants.
    pub(crate) data: usize,
}

/// A function's name, if it kept one, and the bytes of its code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) size: usize,
}

/// Takes a module apart.
pub(crate) fn read(bytes: &[u8]) -> Result<Module> {
    let mut input = Input(bytes);
    if input.take(8)? != b"\0asm\x01\0\0\0" {
        bail!("this is no wasm module");
    }
    let mut module = Module::default();
    let mut imported = 0;
    let mut names = Vec::new();
    while !input.0.is_empty() {
        let kind = input.byte()?;
        let length = input.number()?;
        let mut section = Input(input.take(length)?);
        match kind {
            0 if section.text()? == "name" => names = function_names(section)?,
            2 => imported = imported_functions(section)?,
            10 => module.functions = bodies(section)?,
            11 => module.data = length,
            _ => {}
        }
    }
    for (index, name) in names {
        // Names count imported functions first; those have no body.
        if let Some(function) = index
            .checked_sub(imported)
            .and_then(|index| module.functions.get_mut(index))
        {
            function.name = name;
        }
    }
    Ok(module)
}

fn bodies(mut section: Input<'_>) -> Result<Vec<Function>> {
    (0..section.number()?)
        .map(|index| {
            let size = section.number()?;
            section.take(size)?;
            let name = format!("function {index}");
            Ok(Function { name, size })
        })
        .collect()
}

fn function_names(mut section: Input<'_>) -> Result<Vec<(usize, String)>> {
    while !section.0.is_empty() {
        let kind = section.byte()?;
        let length = section.number()?;
        let mut map = Input(section.take(length)?);
        if kind == 1 {
            return (0..map.number()?)
                .map(|_| Ok((map.number()?, map.text()?.to_owned())))
                .collect();
        }
    }
    Ok(Vec::new())
}

fn imported_functions(mut section: Input<'_>) -> Result<usize> {
    let mut functions = 0;
    for _ in 0..section.number()? {
        section.text()?;
        section.text()?;
        match section.byte()? {
            0 => {
                section.number()?;
                functions += 1;
            }
            // A table: type, then limits.
            1 => {
                section.byte()?;
                section.limits()?;
            }
            2 => section.limits()?,
            3 => drop(section.take(2)?),
            4 => {
                section.byte()?;
                section.number()?;
            }
            kind => bail!("an import of the unknown kind {kind}"),
        }
    }
    Ok(functions)
}

/// The bytes that are left to read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .context("the module ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// An unsigned LEB128 number.
    fn number(&mut self) -> Result<usize> {
        let mut number = 0_usize;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        bail!("a number is too long")
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        str::from_utf8(self.take(length)?).context("a name is no text")
    }

    fn limits(&mut self) -> Result<()> {
        let has_maximum = self.byte()? & 1 == 1;
        self.number()?;
        if has_maximum {
            self.number()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_get_their_names_and_sizes() {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        // One imported function `a.b`, so that the first body has the index 1.
        wasm.extend(b"\x02\x07\x01\x01a\x01b\x00\x00");
        // One body of three bytes.
        wasm.extend(b"\x0a\x05\x01\x03\x00\x01\x0b");
        // The custom section `name` with one function name.
        wasm.extend(b"\x00\x0e\x04name\x01\x07\x01\x01\x04main");
        let module = read(&wasm).unwrap();
        let main = Function {
            name: "main".to_owned(),
            size: 3,
        };
        assert_eq!(module.functions, [main]);
    }

    #[test]
    fn rubbish_is_refused() {
        assert!(read(b"MZ, not wasm").is_err());
        assert!(read(b"\0asm\x01\0\0\0\x0a\xff").is_err());
    }
}
