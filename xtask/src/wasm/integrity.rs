//! Gives the wasm a name and an integrity of its own.
//!
//! The name has a hash of the content, so that a cache never gives one build's wasm to another
//! build's glue; the browser checks the integrity before it runs the wasm.

use super::Module;
use super::guard::declare;
use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha384};
use std::fs;

/// How many hexadecimal digits of the hash stand in the name.
const IN_NAME: usize = 10;

/// The facts about the wasm that its glue states.
pub(crate) struct Binary {
    /// Its file name.
    pub(crate) file: String,
    /// Its integrity, as `fetch` and `<link>` take it.
    pub(crate) integrity: String,
}

impl Binary {
    /// The facts about a module's last build.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        let path = module.workbench().join("small.wasm");
        let bytes =
            fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
        Ok(Self::named(module.name(), &bytes))
    }

    fn named(name: &str, bytes: &[u8]) -> Self {
        let hash = Sha384::digest(bytes);
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        Self {
            file: format!("{name}-{}.wasm", &digits[..IN_NAME]),
            integrity: integrity_of(bytes),
        }
    }
}

/// The integrity of a file, as `fetch`, `<link>` and `<script>` take it.
fn integrity_of(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}

/// Writes the name of its wasm into the glue in the module's workbench, so that it loads only that
/// one.
pub(crate) fn seal(module: &Module) -> Result<()> {
    let path = module.workbench().join(module.glue_file());
    let glue =
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let sealed = sealed(&glue, &module.wasm_file(), &Binary::of(module)?)?;
    fs::write(&path, sealed).with_context(|| format!("could not write {}", path.display()))?;
    declare(&path.with_extension("d.ts"), DECLARED)
}

/// The type of the constant that [`seal`] adds, for the type check of the modules that import it.
const DECLARED: &str = "export const binary: { readonly url: URL; readonly integrity: string };\n";

fn sealed(glue: &str, written: &str, binary: &Binary) -> Result<String> {
    let default = format!("new URL(\"{written}\",import.meta.url)");
    if glue.matches(&default).count() != 1 {
        bail!("the glue does not load `{written}` once: wasm-bindgen writes it in another way");
    }
    let Binary { file, integrity } = binary;
    // The element always says where the wasm is.
    let glue = glue.replace(&default, "void 0");
    // In this form bundlers find the file and include it.
    Ok(format!(
        "{glue}export const binary = {{ url: new URL('{file}', import.meta.url), \
         integrity: '{integrity}' }};\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glue_names_what_it_loads() {
        let binary = Binary::named("x", b"abc");
        let glue = "load(new URL(\"x_bg.wasm\",import.meta.url));\n";
        assert_eq!(
            sealed(glue, "x_bg.wasm", &binary).unwrap(),
            "load(void 0);\n\
             export const binary = { url: new URL('x-cb00753f45.wasm', import.meta.url), \
             integrity: 'sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn' };\n"
        );
    }

    #[test]
    fn glue_that_loads_something_else_is_refused() {
        let error = sealed("load()", "x_bg.wasm", &Binary::named("x", b"")).unwrap_err();
        assert!(error.to_string().contains("x_bg.wasm"));
    }
}
