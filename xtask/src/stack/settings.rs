//! The settings of the native servers, all as environment variables.

use super::staff::Staff;
use super::{Plan, secret};
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

/// Settings that the stack leaves at their defaults. It ignores the terminal's environment for
/// them.
const LEFT_OUT: [&str; 17] = [
    "AMOUNT_UNITS",
    "COOKIE_SECURE",
    "OPERATION_LENGTH",
    "QUERIES_PER_SECOND",
    "STARTS_PER_MINUTE",
    "PAYMENT_TIMEOUT_MS",
    "PAYMENT_TOKEN_FILE",
    "API_VERSION",
    "PAYMENT_FACILITATOR_CODE",
    "OPERATION_PREFIX",
    "MERCHANT_TIME_ZONE",
    "SETTLEMENT_DUE_HOURS",
    "STORES_FILE",
    "ORDERS_KEYS_FILE",
    "ORDERS_URL",
    "TRUSTED_PROXIES",
    "MAX_CONNECTIONS",
];

/// The payment service, simulated.
pub(crate) fn sandbox(servers: &Path, plan: &Plan, token: &str) -> Command {
    let mut command = Command::new(servers.join("payment-sandbox"));
    command
        .env(
            "SANDBOX_LISTEN",
            format!("127.0.0.1:{}", plan.ports.sandbox),
        )
        .env("SANDBOX_TOKEN", token)
        // The wallet must show the payee whom the shop announces.
        .env("SANDBOX_PAYEES", format!("{MERCHANT_CODE}={MERCHANT_NAME}"));
    command
}

/// The merchant's own system, which takes the events of the merchant's server.
pub(crate) fn receiver(servers: &Path, plan: &Plan) -> Result<Command> {
    let mut command = Command::new(servers.join("event-receiver"));
    command
        .env(
            "RECEIVER_LISTEN",
            format!("127.0.0.1:{}", plan.ports.receiver),
        )
        .env("EVENTS_SECRET", events_secret(plan)?);
    Ok(command)
}

/// The secret is kept, so that events from before a restart are valid after it.
pub(super) fn events_secret(plan: &Plan) -> Result<String> {
    secret::kept(&plan.folder.join("events.key"))
}

/// The secret of a shop that signs its orders; a shop beside the demo has it in its own settings.
pub(super) fn orders_secret(plan: &Plan) -> Result<String> {
    secret::kept(&plan.folder.join("orders.key"))
}

/// The merchant's server, which talks to the sandbox as it would to the real service.
pub(crate) fn backend(servers: &Path, plan: &Plan, token: &str, staff: &Staff) -> Result<Command> {
    let ports = plan.ports;
    let mut pages = format!("http://127.0.0.1:{}", ports.shop);
    let mut events = format!("http://127.0.0.1:{}/events", ports.receiver);
    if let Some(own) = plan.own_shop {
        pages = format!("{pages},{}", own.origin());
        events = own.events();
    }
    let mut command = Command::new(servers.join("demo-shop"));
    command
        .env("BACKEND_LISTEN", format!("127.0.0.1:{}", ports.backend))
        // The address where the payment service reaches the server. The server's own paths begin
        // with /api.
        .env(
            "PUBLIC_URL",
            format!("http://127.0.0.1:{}/api", ports.backend),
        )
        .env("DATABASE", plan.folder.join(DATABASE))
        .env("PAYMENT_URL", format!("http://127.0.0.1:{}", ports.sandbox))
        .env("PAYMENT_TOKEN", token)
        .env("MERCHANT_CODE", MERCHANT_CODE)
        .env("MERCHANT_NAME", MERCHANT_NAME)
        // The key is kept, so that payers still own the orders in the database after a restart.
        .env("COOKIE_KEY", secret::kept(&plan.folder.join("cookie.key"))?)
        .env("STAFF_FILE", &staff.file)
        .env("EVENTS_URL", events)
        .env("EVENTS_SECRET", events_secret(plan)?)
        .env("ORDERS_SECRET", orders_secret(plan)?)
        .env("REDIRECT_ALLOW", &pages)
        .env("METHOD_DETAILS", METHOD_DETAILS)
        // A person who tries the demo should not have to wait.
        .env("RELEASE_AFTER_SECONDS", "0")
        // `trunk serve` passes requests on with another Host header, so the server cannot tell by itself
        // that the page's origin is its own.
        .env("CORS_ORIGINS", &pages);
    if plan.forget {
        // The tests have hundreds of payers at one address.
        command.env("CLIENT_ORDERS_PER_MINUTE", "100000");
    } else {
        command.env_remove("CLIENT_ORDERS_PER_MINUTE");
    }
    for name in LEFT_OUT {
        command.env_remove(name);
    }
    Ok(command)
}

/// The file with the orders of a stack.
pub(crate) fn database(folder: &Path) -> PathBuf {
    folder.join(DATABASE)
}

/// Removes the orders of the last time.
pub(crate) fn forget_orders(folder: &Path) -> Result<()> {
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
    use super::{Plan, Staff};
    use crate::stack::{OwnShop, Ports, Profile};
    use fs_err as fs;
    use std::collections::{BTreeMap, BTreeSet};
    use std::ffi::OsStr;
    use std::process::Command;

    /// The settings of the server, from its source: a dependency on it would be compiled before
    /// anybody's first chore.
    const SETTINGS: &str = include_str!("../../../crates/merchant-backend/src/config/settings.rs");

    /// A stack in a folder of this test's own.
    fn plan(test: &str, own_shop: Option<OwnShop>) -> Plan {
        let folder = format!("xtask-settings-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).unwrap();
        Plan {
            ports: Ports::DEMO,
            folder,
            own_shop,
            nodes: 1,
            database: None,
            forget: false,
            pages: None,
            profile: Profile::Debug,
        }
    }

    fn backend(plan: &Plan) -> Command {
        let staff = Staff {
            file: plan.folder.join("staff.toml"),
            password: String::new(),
        };
        let command = super::backend(&plan.folder, plan, "token", &staff).unwrap();
        fs::remove_dir_all(&plan.folder).unwrap();
        command
    }

    #[test]
    fn a_shop_beside_the_demo_may_use_its_server_and_takes_its_events() {
        let check = |own_shop: Option<&str>, expected: [&str; 3]| {
            let own_shop = own_shop.map(|address| OwnShop::parse(address).unwrap());
            let command = backend(&plan("shop", own_shop));
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
    }

    #[test]
    fn the_demo_sets_or_leaves_out_each_setting_of_the_server_by_name() {
        let command = backend(&plan("all", None));
        let decided: BTreeSet<_> = command
            .get_envs()
            .map(|(name, _)| name.to_str().unwrap())
            .collect();
        let known: BTreeSet<_> = SETTINGS
            .split("env = \"")
            .skip(1)
            .filter_map(|rest| rest.split_once('"'))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(
            decided, known,
            "set it in `backend`, or name it in LEFT_OUT"
        );
    }
}
