//! Writes the JavaScript glue with wasm-bindgen, and adapts it: brands, a guard, the integrity of its wasm.
//!
//! An adaptation that replaces an exact text fails when wasm-bindgen or Yew write it in another way.

use super::baseline;
use super::module::Module;
use super::{Build, Edition};
use crate::{child, project};
use anyhow::{Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fs_err as fs;
use sha2::{Digest, Sha384};
use std::process::Command;

/// Yew brands DOM nodes with three properties and counts their values from 1 in each wasm. Two Yew
/// modules on one page would read each other's brands, and a click in one would fire the handlers of the
/// other. Only the glue has these names, so they are changed there, to names with the module and its
/// version.
const BRANDS: [&str; 3] = [
    "__yew_subtree_id",
    "__yew_subtree_cache_key",
    "__yew_listener_id",
];

/// The text that is replaced for the guard, and the new one. JavaScript enters the wasm only through its exports: at calls of the element, and also when a timer
/// fires, an answer arrives or the payer presses something. The glue keeps the exports to itself, so it gets
/// a function that hands them to a guard first (`www/shared/guarded-exports.ts`).
const GUARD: (&str, &str) = ("wasm=instance.exports;", "wasm=guard(instance.exports);");
const GUARD_SETTER: &str =
    "let guard=(exports)=>exports;export const guardWith=(given)=>{guard=given};\n";

/// The number of hexadecimal digits of the hash in the file name of the wasm.
const DIGITS_IN_NAME: usize = 10;

/// Writes the glue and the wasm that goes with them into the module's work folder.
pub(super) fn write(build: &Build, module: &Module) -> Result<()> {
    let work = build.work(module);
    let compiled = work.join("compiled.wasm");
    if build.edition == Edition::Shipped {
        let bytes = fs::read(&compiled);
        baseline::check(&bytes?)?;
    }
    let mut bindgen = Command::new(&build.tools.bindgen);
    child::run_ok(bindgen.arg(&compiled).arg(module.glue).arg(&work))?;
    // The adaptations look for names in the glue, and its comments name other things.
    let glue = work.join(module.glue_file());
    child::run_ok(
        build
            .tools
            .node
            .command("esbuild")
            .args(["--allow-overwrite", "--log-level=warning"])
            .arg("--minify-whitespace")
            .arg(format!("--outfile={}", glue.display()))
            .arg(&glue),
    )
}

/// Adapts the glue to the finished wasm.
pub(super) fn adapt(build: &Build, module: &Module) -> Result<()> {
    let path = build.work(module).join(module.glue_file());
    let glue = fs::read_to_string(&path)?;
    let glue = branded(&glue, module.glue, project::VERSION)?;
    let glue = guarded(&glue)? + GUARD_SETTER;
    let glue = glue + &sealed(&Binary::of(build, module)?);
    Ok(fs::write(&path, glue)?)
}

/// The facts about a finished wasm that its glue and the lines that preload it state. The name has a hash
/// of the content, so that a cache never gives one build's wasm to another build's glue; the browser checks
/// the integrity before it runs the wasm.
pub(super) struct Binary {
    pub(super) file: String,
    /// As `fetch` and `<link>` take it.
    integrity: String,
}

impl Binary {
    pub(super) fn of(build: &Build, module: &Module) -> Result<Self> {
        let path = build.work(module).join("finished.wasm");
        let bytes = fs::read(&path)?;
        Ok(Self::named(module.name(), &bytes))
    }

    fn named(name: &str, bytes: &[u8]) -> Self {
        let hash = Sha384::digest(bytes);
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        Self {
            file: format!("{name}-{}.wasm", &digits[..DIGITS_IN_NAME]),
            integrity: format!("sha384-{}", STANDARD.encode(hash)),
        }
    }
}

fn branded(glue: &str, name: &str, version: &str) -> Result<String> {
    let own = format!("__{name}_{version}").replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut text = glue.to_owned();
    for brand in BRANDS {
        if !text.contains(brand) {
            bail!(
                "the glue does not mention `{brand}`: this version of Yew brands its nodes in \
                 another way; find out how, and keep two Yew modules on one page apart again"
            );
        }
        text = text.replace(brand, &brand.replacen("__yew", &own, 1));
    }
    Ok(text)
}

fn guarded(glue: &str) -> Result<String> {
    let (old, new) = GUARD;
    if glue.matches(old).count() != 1 {
        bail!("the glue has no single `{old}`: wasm-bindgen writes it in another way");
    }
    Ok(glue.replace(old, new))
}

/// Names the one wasm that the element loads, in a form in which bundlers find the file and include it.
fn sealed(Binary { file, integrity }: &Binary) -> String {
    format!(
        "export const binary = {{ url: new URL('{file}', import.meta.url), integrity: '{integrity}' }};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_brand_gets_the_module_and_version() {
        let glue = "a.__yew_subtree_id; b.__yew_subtree_cache_key = c; d.__yew_listener_id";
        let own = branded(glue, "payment-checkout-wasm", "0.1.0-rc.1").unwrap();
        assert_eq!(
            own,
            "a.__payment_checkout_wasm_0_1_0_rc_1_subtree_id; \
             b.__payment_checkout_wasm_0_1_0_rc_1_subtree_cache_key = c; \
             d.__payment_checkout_wasm_0_1_0_rc_1_listener_id"
        );
    }

    #[test]
    fn glue_without_a_brand_is_refused() {
        let error = branded("a.__yew_subtree_id", "x", "1.0.0").unwrap_err();
        assert!(error.to_string().contains("__yew_subtree_cache_key"));
    }

    #[test]
    fn glue_that_is_written_in_another_way_is_refused() {
        assert!(guarded("wasm=exports;").is_err());
        assert_eq!(
            guarded("x;wasm=instance.exports;y").unwrap(),
            "x;wasm=guard(instance.exports);y"
        );
    }

    #[test]
    fn the_glue_names_what_it_loads() {
        assert_eq!(
            sealed(&Binary::named("x", b"abc")),
            "export const binary = { url: new URL('x-cb00753f45.wasm', import.meta.url), \
             integrity: 'sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn' };\n"
        );
    }
}
