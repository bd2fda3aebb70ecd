//! Chooses the pages that the program has inside: the folder `DEMO_PAGES`, which `cargo xtask release` fills.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=DEMO_PAGES");
    let filled = env::var_os("DEMO_PAGES").map(PathBuf::from);
    let pages = filled.unwrap_or_else(|| {
        let empty = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("no-pages");
        if let Err(error) = fs::create_dir_all(&empty) {
            println!("cargo::error={} cannot be made: {error}", empty.display());
        }
        empty
    });
    println!("cargo::rerun-if-changed={}", pages.display());
    println!("cargo::rustc-env=DEMO_PAGES={}", pages.display());
}
