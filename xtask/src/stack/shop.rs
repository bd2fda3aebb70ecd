//! The shop: Trunk builds the demo's pages and serves them.

use super::{Plan, Ports};
use crate::project;
use crate::tools::Trunk;
use crate::wasm::Edition;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// `trunk serve`, with `Trunk.toml` as it is for the demo and with a changed copy for tests.
pub(crate) fn command(trunk: &Trunk, plan: &Plan) -> Result<Command> {
    let mut command = trunk.command("serve");
    command.arg("--config").arg(configuration(plan)?);
    Ok(command)
}

fn configuration(plan: &Plan) -> Result<PathBuf> {
    let original = project::root().join("Trunk.toml");
    if plan.ports.shop == Ports::DEMO.shop {
        return Ok(original);
    }
    let text = fs::read_to_string(&original)
        .with_context(|| format!("could not read {}", original.display()))?;
    let table: toml::Table = text.parse().context("Trunk.toml is not TOML")?;
    let mut settings = serde_json::to_value(table).context("Trunk.toml cannot be copied")?;
    let backend = format!("http://127.0.0.1:{}/api", plan.ports.backend);
    let watched = watched(&settings["watch"]["watch"], plan)?;
    for (place, value) in [
        (
            "/build/target",
            json!(project::root().join("www/index.html")),
        ),
        ("/build/dist", json!(plan.folder.join("dist"))),
        ("/serve/port", json!(plan.ports.shop)),
        ("/proxies/0/backend", json!(backend)),
        ("/watch/watch", watched),
    ] {
        *settings
            .pointer_mut(place)
            .with_context(|| format!("Trunk.toml lacks the setting {place}"))? = value;
    }
    if plan.edition == Edition::Diagnostic {
        // Trunk would build the shipped elements in their place.
        let build = settings.pointer_mut("/hooks/0/command_arguments");
        let words = build.and_then(Value::as_array_mut);
        let words = words.context("Trunk.toml lacks the hook that builds the elements")?;
        words.push(json!("--diagnostic"));
    }
    let copy = plan.folder.join("Trunk.json");
    fs::write(&copy, settings.to_string())
        .with_context(|| format!("could not write {}", copy.display()))?;
    Ok(copy)
}

/// The folders to watch as absolute paths, or an empty one if nothing is built again.
fn watched(usual: &Value, plan: &Plan) -> Result<Value> {
    if !plan.watch {
        let nothing = plan.folder.join("nothing-to-watch");
        fs::create_dir_all(&nothing).context("could not make a folder to watch")?;
        return Ok(json!([nothing]));
    }
    let usual = usual.as_array().context("Trunk.toml watches nothing")?;
    Ok(usual
        .iter()
        .filter_map(Value::as_str)
        .map(|path| json!(project::root().join(path)))
        .collect())
}
