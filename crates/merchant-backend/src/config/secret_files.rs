//! Secrets in files, each in place of its setting: other programs can easily read an environment.

use super::Settings;

/// The settings with the secrets of all files in them, or everything that is wrong with the files.
pub(super) fn with_secrets_of_files(given: &Settings) -> Result<Settings, Vec<String>> {
    let mut settings = given.clone();
    let read = [
        take(
            "COOKIE_KEY",
            &mut settings.cookie_key,
            given.cookie_key_file.as_deref(),
        ),
        take(
            "ORDERS_SECRET",
            &mut settings.orders_secret,
            given.orders_secret_file.as_deref(),
        ),
        take(
            "EVENTS_SECRET",
            &mut settings.events_secret,
            given.events_secret_file.as_deref(),
        ),
    ];
    let wrongs: Vec<_> = read.into_iter().filter_map(Result::err).collect();
    if wrongs.is_empty() {
        Ok(settings)
    } else {
        Err(wrongs)
    }
}

fn take(name: &str, secret: &mut Option<String>, file: Option<&str>) -> Result<(), String> {
    let Some(file) = file.map(str::trim) else {
        return Ok(());
    };
    if secret.is_some() {
        return Err(format!(
            "{name}_FILE and {name} are both set: leave one out."
        ));
    }
    let hint = "name a file with the secret in it and nothing else";
    match std::fs::read_to_string(file) {
        Ok(text) if text.trim().is_empty() => Err(format!("{name}_FILE: {file} is empty: {hint}.")),
        Ok(text) => {
            *secret = Some(text.trim().to_owned());
            Ok(())
        }
        Err(error) => {
            let kind = error.kind();
            Err(format!(
                "{name}_FILE: {file} cannot be read ({kind}): {hint}."
            ))
        }
    }
}
