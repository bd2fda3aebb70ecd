//! The program: its settings, its log, its start and its end.

use crate::config::{Config, USUAL_TOKEN};
use crate::{Sandbox, Setup, app};
use clap::Parser;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tracing_subscriber::EnvFilter;

/// After the stop signal, running requests may finish within this time.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// The program `payment-sandbox`, with its settings from the command line and the environment.
#[must_use]
#[tokio::main]
pub async fn program() -> ExitCode {
    let config = Config::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Internal errors would be printed to the standard error, which panics when it is closed.
        .log_internal_errors(false);
    // A terminal has a reader, and everything else a program that reads it.
    if io::stdout().is_terminal() {
        log.with_target(false).init();
    } else {
        log.json().init();
    }
    match serve(config).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            complain(&reason);
            ExitCode::from(2)
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "whoever starts the program reads this, not the log"
)]
fn complain(reason: &str) {
    eprintln!("error: {reason}");
}

async fn serve(config: Config) -> Result<(), String> {
    let token = config.token()?.to_owned();
    if token == USUAL_TOKEN {
        tracing::info!(
            "requests to the service must carry the header `Authorization: Bearer {USUAL_TOKEN}`"
        );
    }
    let address = config.listen;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        format!("could not listen on {address} (SANDBOX_LISTEN or --listen): {error}")
    })?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    let public_url = config
        .public_url
        .unwrap_or_else(|| format!("http://{bound}"));
    if bound.ip().is_unspecified() && public_url == format!("http://{bound}") {
        tracing::warn!(
            "SANDBOX_PUBLIC_URL or --public-url is not set: the QR codes name {public_url}, which no other machine reaches; \
             name this machine's address, such as http://192.168.1.20:{}",
            bound.port()
        );
    }
    let mut setup = Setup::new(token, public_url.clone());
    setup.qr_expires_in_s = config.qr_expires_s;
    setup.test_amounts = config.test_amounts;
    setup.qr_form = config.qr_form;
    setup.limits = config.limits;
    setup.payees = config.payees.into_iter().collect();
    let sandbox = Sandbox::new(setup);
    let background = tokio::spawn(sandbox.clone().run());
    tracing::info!(
        %bound,
        seen = format!("{public_url}/seen"),
        wallet = format!("{public_url}/phone"),
        "payment-sandbox is listening"
    );

    let (stopping, stopped) = oneshot::channel();
    let asked_to_stop = asked_to_stop()?;
    let server = axum::serve(
        listener,
        app(sandbox).into_make_service_with_connect_info::<SocketAddr>(),
    )
    .with_graceful_shutdown(async move {
        asked_to_stop.await;
        tracing::info!("payment-sandbox is stopping");
        // The channel is closed if the server has already stopped.
        let _ = stopping.send(());
    });
    let drained = async {
        if stopped.await.is_ok() {
            tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    let ended = tokio::select! {
        ended = async { server.await } => ended.map_err(|error| format!("could not serve: {error}")),
        () = drained => Ok(()),
    };
    background.abort();
    ended
}

/// Ends with the first signal to stop.
#[cfg(unix)]
fn asked_to_stop() -> Result<impl Future<Output = ()>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let watch =
        |kind| signal(kind).map_err(|error| format!("could not watch for signals: {error}"));
    let mut interrupt = watch(SignalKind::interrupt())?;
    let mut terminate = watch(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ends with Ctrl-C.
#[cfg(not(unix))]
fn asked_to_stop() -> Result<impl Future<Output = ()>, String> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
