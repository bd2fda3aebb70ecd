//! A whole program: commands, start and stop.

use crate::api_keys;
use crate::check::check;
use crate::config::{Command, Config, EventCommand, KeyCommand, Settings};
use crate::database_address::DatabaseAddress;
use crate::http::Orders;
use crate::log::Log;
use crate::maintenance::{self, Purged, purge, restored};
use crate::server::backend::{Backend, app_with};
use crate::server::connection_slots::raise_limit;
use crate::server::serve;
use crate::staff::hash_password;
use crate::webhooks::{resume, send_sample};
use axum::Router;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};

/// The routes of a merchant's own program.
#[derive(Debug, Default)]
pub struct OwnRoutes {
    /// Under `/api`, with the server's limits, defenses and log.
    pub api: Router,
    /// Pages and other files at any address outside of `/api`, exactly as this router answers them.
    pub pages: Router,
}

impl From<Router> for OwnRoutes {
    fn from(api: Router) -> Self {
        Self {
            api,
            pages: Router::new(),
        }
    }
}

/// Runs the program: serves until a signal stops it, or carries out a command. `own_routes` makes
/// the program's own routes (a [`Router`] for those under `/api`, or [`OwnRoutes`]), or returns why
/// the program cannot start. The process must have no subscriber of `tracing` yet.
pub fn run<F, R>(settings: &Settings, own_routes: F) -> ExitCode
where
    F: FnOnce(&Orders) -> Result<R, String>,
    R: Into<OwnRoutes>,
{
    let done = match &settings.command {
        Some(Command::HashPassword) => print_hash(),
        Some(Command::Check) => look(settings),
        Some(Command::Copy { from, to, abandon }) => move_database(from, to, *abandon),
        Some(Command::Restored { .. } | Command::Key { .. } | Command::SecondFactor { .. }) => {
            print_command(settings)
        }
        Some(Command::Event { command }) => manage_events(settings, command),
        Some(Command::Purge { older_than }) => forget_payers(settings, *older_than),
        None => start(settings, own_routes),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Standard error may be closed.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}

/// Reads a password from standard input, since a command line is visible to all.
fn print_hash() -> Result<(), String> {
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    read.map_err(|error| format!("the password cannot be read: {error}."))?;
    let hash = hash_password(line.trim_end_matches(['\r', '\n']))
        .map_err(|error| format!("{error}; write it on one line to the standard input."))?;
    writeln!(io::stdout(), "{hash}").map_err(|error| format!("{error}."))
}

fn look(settings: &Settings) -> Result<(), String> {
    let config = Config::read(settings).map_err(|wrong| wrong.to_string())?;
    let report = runtime()?.block_on(check(&config));
    write!(io::stdout(), "{report}").map_err(|error| format!("{error}."))?;
    match report.is_good() {
        true => Ok(()),
        false => Err("The server would not work: mend what is WRONG.".to_owned()),
    }
}

fn print_command(settings: &Settings) -> Result<(), String> {
    let printed = runtime()?.block_on(carry_out(settings))?;
    write!(io::stdout(), "{printed}").map_err(|error| format!("{error}."))
}

/// Carries out the command `restored`, `second-factor` or one of the commands about API keys, and returns what the
/// program prints on its standard output. A simulation calls it in place of an operator.
///
/// # Errors
/// A sentence that names the remedy, also for any other command.
pub async fn carry_out(settings: &Settings) -> Result<String, String> {
    let database = settings.database()?;
    match &settings.command {
        Some(Command::Restored { compared }) => {
            let told = restored(&database, *compared).await;
            told.map(|told| format!("{told}\n"))
                .map_err(|error| format!("{error}."))
        }
        Some(Command::Key { command }) => manage_keys(settings, &database, command).await,
        Some(Command::SecondFactor { name }) => permit_enrolment(settings, &database, name).await,
        _ => Err("This command prints by itself.".to_owned()),
    }
}

fn forget_payers(settings: &Settings, days: u32) -> Result<(), String> {
    let database = settings.database()?;
    let staff = settings.staff_names()?;
    let done = runtime()?.block_on(purge(&database, days, staff.as_deref()));
    let Purged { orders, left } = done.map_err(|error| format!("{error}."))?;
    writeln!(
        io::stdout(),
        "orders older than {days} days whose payers were forgotten: {orders}; left, since something about them is unfinished: {left}"
    )
    .map_err(|error| format!("{error}."))
}

/// The code is the only line on the standard output.
async fn permit_enrolment(
    settings: &Settings,
    database: &DatabaseAddress,
    name: &str,
) -> Result<String, String> {
    let config = Config::read(settings).map_err(|wrong| wrong.to_string())?;
    let permitted = maintenance::permit_enrolment(&config, database, name).await;
    let code = permitted.map_err(|error| format!("{error}."))?;
    let _ = writeln!(
        io::stderr(),
        "An enrolment code for {name}, valid once and for an hour; it is printed only now:"
    );
    Ok(format!("{code}\n"))
}

/// The secret is the only line on the standard output, so that a pipe can store it.
async fn manage_keys(
    settings: &Settings,
    database: &DatabaseAddress,
    command: &KeyCommand,
) -> Result<String, String> {
    let done = match command {
        KeyCommand::New(new) => {
            let config = Config::read(settings).map_err(|wrong| wrong.to_string())?;
            let made = api_keys::make(database, &config.stores, new).await;
            made.map(|(key, secret)| {
                let _ = writeln!(
                    io::stderr(),
                    "Key {} for store {}; its secret is printed only now:",
                    key.name,
                    key.merchant_code
                );
                format!("{secret}\n")
            })
        }
        KeyCommand::List => api_keys::list(database).await,
        KeyCommand::End { name } => {
            let ended = api_keys::end(database, name).await;
            ended.map(|()| format!("{name}: the next request with this key is refused.\n"))
        }
    };
    done.map_err(|error| format!("{error}."))
}

fn manage_events(settings: &Settings, command: &EventCommand) -> Result<(), String> {
    let runtime = runtime()?;
    let told = match command {
        EventCommand::Send { to, kind } => {
            let config = Config::read(settings).map_err(|wrong| wrong.to_string())?;
            let sent = runtime.block_on(send_sample(&config, to, *kind));
            sent.map_err(|error| format!("{error}."))?
        }
        EventCommand::Resume { receiver } => {
            let resumed = runtime.block_on(resume(&settings.database()?, receiver));
            resumed.map_err(|error| format!("{error}."))?
        }
    };
    writeln!(io::stdout(), "{told}").map_err(|error| format!("{error}."))
}

fn move_database(from: &str, to: &str, abandon: bool) -> Result<(), String> {
    let read = |name: &str, text: &str| {
        let address = DatabaseAddress::read(text.trim());
        address.map_err(|wrong| format!("{name}: {wrong}"))
    };
    let (from, to) = match (read("--from", from)?, read("--to", to)?) {
        (DatabaseAddress::File(_), DatabaseAddress::Server(to)) if to.has_password => {
            return Err("--to: holds a password, which the list of processes shows to other programs; leave it out and name a file of passwords in PGPASSFILE.".to_owned());
        }
        (DatabaseAddress::File(from), DatabaseAddress::Server(to)) => (from, to),
        (DatabaseAddress::Server(_), _) => {
            return Err("--from: only a file of SQLite can be moved; for PostgreSQL use its own pg_dump and pg_restore.".to_owned());
        }
        (_, DatabaseAddress::File(_)) => {
            return Err("--to: name a database of PostgreSQL, such as postgres://merchant@db.example/merchant.".to_owned());
        }
    };
    let done = match abandon {
        true => runtime()?.block_on(maintenance::abandon(&from, &to)),
        false => runtime()?.block_on(maintenance::copy(&from, &to)),
    };
    let told = done.map_err(|error| format!("{error}."))?;
    write!(io::stdout(), "{told}").map_err(|error| format!("{error}."))
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Runtime::new()
        .map_err(|error| format!("the system gave no threads to run on: {error}"))
}

fn start<F, R>(settings: &Settings, own_routes: F) -> Result<(), String>
where
    F: FnOnce(&Orders) -> Result<R, String>,
    R: Into<OwnRoutes>,
{
    let config = Config::read(settings).map_err(|wrong| wrong.to_string())?;
    let _log =
        Log::start().map_err(|error| format!("the system gave no thread for the log: {error}."))?;
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    if let Some(warning) = raise_limit(config.most_connections) {
        tracing::warn!("{warning}");
    }
    let listener = listen(config.listen)?;
    runtime()?.block_on(run_until_stopped(config, listener, own_routes))
}

fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => format!(
            "BACKEND_LISTEN: {address} is in use; stop the program that has it or choose another port."
        ),
        _ => format!("BACKEND_LISTEN: {address} cannot be listened on ({error}); choose another address."),
    })
}

async fn run_until_stopped<F, R>(
    config: Config,
    listener: TcpListener,
    own_routes: F,
) -> Result<(), String>
where
    F: FnOnce(&Orders) -> Result<R, String>,
    R: Into<OwnRoutes>,
{
    let address = config.listen;
    let backend = Backend::start(config)
        .await
        .map_err(|error| format!("{error}."))?;
    let served = match own_routes(&backend.orders()) {
        Ok(routes) => {
            let OwnRoutes { api, pages } = routes.into();
            let app = pages.fallback_service(app_with(&backend, api));
            tokio::spawn(stop_on_signal(backend.clone()));
            tracing::info!(%address, "listening");
            let served = serve(&backend, app, listener).await;
            served.map_err(|error| format!("BACKEND_LISTEN: {address} cannot be used: {error}."))
        }
        Err(why) => Err(why),
    };
    backend.stop().await;
    tracing::info!("stopped");
    served
}

/// Ends held requests at once, so that they do not delay the shutdown; the others may finish.
async fn stop_on_signal(backend: Backend) {
    let told = async |kind| match signal(kind) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = told(SignalKind::terminate()) => {}
        // A terminal that closes.
        () = told(SignalKind::hangup()) => {}
    }
    tracing::info!("stopping");
    backend.stop_waiting();
}
