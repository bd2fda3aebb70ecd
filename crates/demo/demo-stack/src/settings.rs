//! The settings of the native servers, all as environment variables.

use crate::plan::{Pages, Plan};
use crate::secret;
use crate::staff::Staff;
use anyhow::Result;
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MERCHANT_CODE: &str = "demo-merchant";
const MERCHANT_NAME: &str = "Retama y Cumbre";
const DATABASE: &str = "backend.sqlite";

/// The details in the requests for further methods. The sandbox needs nothing else for them. It
/// accepts the last two only after a test allowed them.
const METHOD_DETAILS: &str = r#"{
    "CASHCODE": {"callback_url": "{callback_url}"},
    "BANK_TRANSFER": {"redirect_url": "{redirect_url}", "callback_url": "{callback_url}"},
    "CARD": {"callback_url": "{callback_url}"},
    "WALLET": {"callback_url": "{callback_url}"}
}"#;

/// What agents take at most, in cents.
const METHOD_LIMITS: &str = r#"{"CASHCODE": {"PEN": {"most": 1000000}}}"#;

/// All that the merchant's server takes from the terminal: a setting that is left there would change the demo.
const FROM_THE_TERMINAL: [&str; 5] = ["HOME", "PATH", "RUST_BACKTRACE", "RUST_LOG", "TMPDIR"];

fn at(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// The payment service, simulated.
pub(crate) fn sandbox(plan: &Plan, token: &str) -> Command {
    let mut command = Command::new(plan.programs.join("payment-sandbox"));
    command
        .env("SANDBOX_LISTEN", at(plan.ports.sandbox))
        .env("SANDBOX_TOKEN", token)
        // The wallet must show the payee whom the shop announces.
        .env("SANDBOX_PAYEES", format!("{MERCHANT_CODE}={MERCHANT_NAME}"));
    command
}

/// The merchant's own system, which takes the events of the merchant's server.
pub(crate) fn receiver(plan: &Plan) -> Result<Command> {
    let mut command = Command::new(plan.programs.join("event-receiver"));
    command
        .env("RECEIVER_LISTEN", at(plan.ports.receiver))
        .env("EVENTS_SECRET", events_secret(plan)?);
    Ok(command)
}

/// The secret is kept, so that events from before a restart are valid after it. Its hexadecimal digits are base64,
/// too, so that libraries for Standard Webhooks read it as they read every secret.
pub(crate) fn events_secret(plan: &Plan) -> Result<String> {
    let digits = secret::kept(&plan.folder.join("events.key"))?;
    Ok(format!("whsec_{digits}"))
}

/// The secret of a shop that signs its orders; a shop beside the demo has it in its own settings.
pub(crate) fn orders_secret(plan: &Plan) -> Result<String> {
    secret::kept(&plan.folder.join("orders.key"))
}

/// The merchant's server, which talks to the sandbox as it would to the real service.
pub(crate) fn backend(plan: &Plan, token: &str, staff: &Staff) -> Result<Command> {
    let ports = plan.ports;
    let mut pages = format!("http://{}", at(ports.shop));
    let mut events = format!("http://{}/events", at(ports.receiver));
    if let Some(own) = plan.own_shop {
        pages = format!("{pages},{}", own.origin());
        events = own.events();
    }
    let mut command = Command::new(plan.programs.join("demo-shop"));
    let kept = FROM_THE_TERMINAL.iter();
    let kept = kept.filter_map(|name| Some((name, std::env::var_os(name)?)));
    command
        .env_clear()
        .envs(kept)
        .env("BACKEND_LISTEN", at(ports.backend))
        // The address where the payment service reaches the server. The server's own paths begin
        // with /api.
        .env("PUBLIC_URL", format!("http://{}/api", at(ports.backend)))
        .env("DATABASE", plan.folder.join(DATABASE))
        .env("PAYMENT_URL", format!("http://{}", at(ports.sandbox)))
        .env("PAYMENT_TOKEN", token)
        .env("MERCHANT_CODE", MERCHANT_CODE)
        .env("MERCHANT_NAME", MERCHANT_NAME)
        // The key is kept, so that payers still own the orders in the database after a restart.
        .env("COOKIE_KEY", secret::kept(&plan.folder.join("cookie.key"))?)
        .env("STAFF_FILE", &staff.file)
        // A visitor of the demo signs in by the printed password alone.
        .env("STAFF_SECOND_FACTOR", "optional")
        .env("EVENTS_URL", events)
        .env("EVENTS_SECRET", events_secret(plan)?)
        .env("ORDERS_SECRET", orders_secret(plan)?)
        .env("REDIRECT_ALLOW", &pages)
        .env("METHOD_DETAILS", METHOD_DETAILS)
        .env("METHOD_LIMITS", METHOD_LIMITS)
        // A person who tries the demo should not have to wait.
        .env("RELEASE_AFTER_SECONDS", "0")
        // `trunk serve` passes requests on with another Host header, so the server cannot tell by itself
        // that the page's origin is its own.
        .env("CORS_ORIGINS", &pages);
    if let Some(database) = &plan.database {
        command.env("DATABASE", database);
    }
    if let Some(Pages {
        folder,
        headers,
        element,
    }) = &plan.pages
    {
        command
            .env("SHOP_PAGES", folder)
            .env("SHOP_HEADERS", headers);
        command.envs(element.iter().map(|element| ("PAY_PAGE_ELEMENT", element)));
    }
    if plan.forget {
        // The tests have hundreds of payers at one address.
        command.env("CLIENT_ORDERS_PER_MINUTE", "100000");
    }
    Ok(command)
}

/// The file with the orders of a stack.
pub fn database(folder: &Path) -> PathBuf {
    folder.join(DATABASE)
}

/// Removes the orders of the last time.
///
/// # Errors
/// A file cannot be removed.
pub fn forget_orders(folder: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let file = folder.join(format!("{DATABASE}{suffix}"));
        if file.exists() {
            fs::remove_file(&file)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Staff, backend};
    use crate::{OwnShop, Plan, Ports};
    use std::collections::BTreeMap;
    use std::ffi::OsStr;
    use std::fs;

    #[test]
    fn a_shop_beside_the_demo_may_use_its_server_and_takes_its_events() {
        let folder =
            std::env::temp_dir().join(format!("demo-stack-settings-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let check = |own_shop: Option<&str>, expected: [&str; 3]| {
            let own_shop = own_shop.map(|address| OwnShop::parse(address).unwrap());
            let plan = Plan {
                own_shop,
                ..Plan::new(Ports::DEMO, folder.clone(), folder.clone())
            };
            let staff = Staff {
                file: folder.join("staff.toml"),
                password: String::new(),
            };
            let command = backend(&plan, "token", &staff).unwrap();
            let set: BTreeMap<_, _> = command.get_envs().collect();
            let names = ["CORS_ORIGINS", "REDIRECT_ALLOW", "EVENTS_URL"];
            let values = names.map(|name| set[OsStr::new(name)].unwrap().to_str().unwrap());
            assert_eq!(values, expected);
        };
        let demo = "http://127.0.0.1:8080";
        check(None, [demo, demo, "http://127.0.0.1:8083/events"]);
        let both = "http://127.0.0.1:8080,http://127.0.0.1:8000";
        let events = "http://127.0.0.1:8000/events";
        check(Some("http://127.0.0.1:8000"), [both, both, events]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
