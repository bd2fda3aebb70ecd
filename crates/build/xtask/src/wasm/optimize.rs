//! Runs wasm-opt, which makes the wasm as small as possible.

use super::baseline;
use super::module::Module;
use crate::child;
use crate::tools::BuildTools;
use anyhow::Result;
use std::path::Path;

/// The flags for the wasm that browsers load.
const FLAGS: &[&str] = &[
    // Once before, so that flattening has less to take apart; twice because the control flow that is
    // built anew leaves more to remove.
    "-Oz",
    "--flatten",
    "--rereloop",
    "-Oz",
    "--converge",
    // The first two store a value once to use it twice, the third moves code to its only use: fewer bytes, but
    // numbers of locals that compress worse than the same code again (0.8 KB of the download on 2026-11-22).
    "--skip-pass=local-cse",
    "--skip-pass=simplify-locals",
    "--skip-pass=code-pushing",
    // Large functions with one caller stay apart: merged ones have many more locals, whose
    // numbers compress badly (5 % of the download on 2026-11-21).
    "--one-caller-inline-max-function-size=15",
    // Every access claims no alignment, which is a hint that no engine needs: one byte less that differs
    // from place to place (0.4 KB of the download on 2026-11-23).
    "--dealign",
    "--reorder-locals",
];

/// Flags that remove names and other data that only people read.
const STRIP: &[&str] = &[
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Makes the wasm that browsers load.
pub(super) fn run(tools: &BuildTools, work: &Path, module: &Module) -> Result<()> {
    child::run_ok(
        tools
            .node
            .command("wasm-opt")
            // With `--all-features` wasm-opt writes imports in a form that no browser reads yet.
            .args(baseline::FEATURES)
            .args(FLAGS)
            .args(STRIP)
            .arg(work.join(module.wasm_file()))
            .arg("--output")
            .arg(work.join("finished.wasm")),
    )
}
