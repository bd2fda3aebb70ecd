//! Writes the JavaScript glue with wasm-bindgen, and adapts it: brands, guards, the integrity of its wasm.
//!
//! An adaptation that replaces an exact text fails when wasm-bindgen or Yew write it in another way.

use super::module::Module;
use super::{Build, Edition};
use super::{compile, imports};
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

/// The texts that are replaced for the guards (`www/shared/guards.ts`), and the new ones. The glue keeps imports and
/// exports of an instance to itself, so it hands them to guards first. A closure of an instance that was replaced is
/// called by whatever kept it, such as a timer, for which that is no error.
const GUARDED: [(&str, &str); 5] = [
    (":import0}", ":(guards=newGuards()).imports(import0,kinds)}"),
    (
        "wasm=instance.exports;",
        "wasm=guards.exports(instance.exports);",
    ),
    (
        "new WebAssembly.Instance(wasmModule,__wbg_get_imports())",
        "another",
    ),
    (
        ":function(arg0,arg1){const ret=setTimeout(",
        ":function(arg0,arg1){const ret=yieldTo(",
    ),
    (
        "throw new Error(\"Cannot invoke closure from previous WASM instance\")",
        "return",
    ),
];

/// What stands in the glue for the guards, and what makes an instance of a compiled module, without the code for other
/// forms of a wasm that the glue has. Another instance, too, is made without blocking: older browsers refuse to make one of a
/// large module at once. A page may have replaced the first two functions by others that throw, on which
/// libraries panic; the glue, and nothing else, takes these in their place. Yew lets the browser work by the third one, and
/// draws nothing more until it is called back, which a timer of the page may never do.
const GUARDS: &str = "let guards,newGuards=()=>({imports:(all)=>all,exports:(all)=>all});\
    export const guardWith=(given)=>{newGuards=given};\
    export const instantiate=async(module)=>{\
    __wbg_finalize_init(await WebAssembly.instantiate(module,__wbg_get_imports()),module)};\
    let another;export const makeAnother=async()=>{\
    const{exports}=await WebAssembly.instantiate(wasmModule,__wbg_get_imports()),made={exports:guards.exports(exports)};\
    return()=>{another=made;__wbg_reset_state()}};\
    const queueMicrotask=async(act)=>{await 0;act()};\
    const setTimeout=(act,millis)=>{try{return globalThis.setTimeout(act,millis)}catch{}};\
    const yieldTo=(act)=>{const{port1,port2}=new MessageChannel;\
    port1.onmessage=()=>{port1.close();act()};port2.postMessage(0)};\n";

/// How an import returns a text or a list, and how one throws that is a panic.
const RETURNS_PLACE: &str = "setInt32((arg0>>>0)+4*1,len1,true)";
const THROWS: &str = "{throw new Error(getStringFromWasm0(arg0,arg1))}";

/// The number of hexadecimal digits of the hash in the file name of the wasm.
const DIGITS_IN_NAME: usize = 10;

/// Writes the glue and the wasm that goes with them into the module's work folder.
pub(super) fn write(build: &Build, module: &Module) -> Result<()> {
    let work = build.work(module);
    let compiled = work.join("compiled.wasm");
    if build.edition == Edition::Shipped {
        let bytes = fs::read(&compiled);
        compile::check_features(&bytes?)?;
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
    )?;
    let text = fs::read_to_string(&glue)?;
    // A wasm for development imports further functions, such as `console.createTask`.
    if build.edition == Edition::Shipped {
        imports::check(&text)?;
    }
    Ok(fs::write(&glue, started_once(&text))?)
}

/// The call of what a wasm does first. A shipped wasm has no such function, which the glue knows where it makes the first
/// instance, and not where it makes another one.
const START: &str = "wasm.__wbindgen_start()";

fn started_once(glue: &str) -> String {
    if glue.matches(START).count() > 1 {
        return glue.to_owned();
    }
    glue.replace(&format!(";{START}"), "")
}

/// Adapts the glue to the finished wasm.
pub(super) fn adapt(build: &Build, module: &Module) -> Result<()> {
    let path = build.work(module).join(module.glue_file());
    let glue = fs::read_to_string(&path)?;
    let glue = branded(&glue, module.glue, project::VERSION)?;
    let glue = guarded(&glue)? + GUARDS + &kinds(&glue)?;
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
    let mut text = glue.to_owned();
    for (old, new) in GUARDED {
        if !text.contains(old) {
            bail!("the glue has no `{old}`: wasm-bindgen writes it in another way");
        }
        text = text.replace(old, new);
    }
    Ok(text)
}

/// The imports that the guards treat in their own way, by their names. One that returns a text or a list writes its place
/// and its length to the address in its first parameter; one that throws on purpose is a panic.
fn kinds(glue: &str) -> Result<String> {
    let named = |sign: &str| {
        let pieces: Vec<&str> = glue.split(":function(").collect();
        let each = pieces.windows(2).filter(|pair| pair[1].contains(sign));
        let names = each.filter_map(|pair| pair[0].rsplit(['{', ',']).next());
        names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>()
    };
    let (texts, panics) = (named(RETURNS_PLACE), named(THROWS));
    if texts.is_empty() || panics.len() != 1 {
        bail!("the glue has no `{RETURNS_PLACE}`, or no single `{THROWS}`");
    }
    let (texts, panics) = (texts.join(","), panics.join(","));
    Ok(format!(
        "const kinds={{texts:[{texts}],panics:[{panics}]}};\n"
    ))
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
    fn an_instance_calls_what_the_wasm_does_first_if_there_is_that() {
        let reset = format!("wasm=wasmInstance.exports;{START}}}");
        assert_eq!(started_once(&reset), "wasm=wasmInstance.exports}");
        let both = format!("wasm=instance.exports;{START};{reset}");
        assert_eq!(started_once(&both), both);
    }

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
        let written: String = GUARDED.iter().map(|(old, _)| *old).collect();
        let expected: String = GUARDED.iter().map(|(_, new)| *new).collect();
        assert_eq!(guarded(&written).unwrap(), expected);
        for (old, _) in GUARDED {
            assert!(guarded(&written.replace(old, "")).is_err(), "{old}");
        }
    }

    #[test]
    fn imports_that_return_texts_and_those_that_panic_are_named() {
        let text =
            format!("{{a:function(arg0){{return 1}},b:function(arg0,arg1){{{RETURNS_PLACE}}}");
        let glue = format!("{text},c:function(arg0,arg1){THROWS}}}");
        let expected = "const kinds={texts:[\"b\"],panics:[\"c\"]};\n";
        assert_eq!(kinds(&glue).unwrap(), expected);
        assert!(kinds(&text).is_err());
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
