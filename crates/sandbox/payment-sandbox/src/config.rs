use crate::limits::Limits;
use crate::qr_content::QrForm;
use clap::Parser;
use std::net::SocketAddr;

/// The default of `--token`. It is no secret: the control interface of the sandbox needs no token at all.
pub(crate) const USUAL_TOKEN: &str = "sandbox-token";

/// The payment service, simulated over real HTTP, for demos and tests. It keeps all data in memory, and every
/// client that can reach it can change everything: use a loopback address only.
#[derive(Parser)]
#[command(version, about)]
pub(crate) struct Config {
    /// The address to listen on.
    #[arg(
        long,
        env = "SANDBOX_LISTEN",
        default_value = "127.0.0.1:8082",
        value_name = "IP:PORT"
    )]
    pub(crate) listen: SocketAddr,

    /// The token that requests to the service must carry.
    // Checked by `token` below, since clap would print an invalid token.
    #[arg(long, env = "SANDBOX_TOKEN", hide_env_values = true, default_value = USUAL_TOKEN)]
    token: String,

    /// The address at which payers reach the sandbox, for continue URLs and QR codes; `http://` and
    /// the address it listens on by default. For a phone in the same network: this machine's
    /// address there.
    #[arg(long, env = "SANDBOX_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub(crate) public_url: Option<String>,

    /// The name under which wallets know a merchant, as `code=name`; several are separated by
    /// semicolons. A merchant without one is shown by its code.
    #[arg(
        long = "payee",
        env = "SANDBOX_PAYEES",
        value_name = "CODE=NAME",
        value_delimiter = ';',
        value_parser = payee
    )]
    pub(crate) payees: Vec<(String, String)>,

    /// Time to pay of QR operations, in seconds.
    #[arg(
        long,
        env = "SANDBOX_QR_EXPIRES_S",
        default_value_t = 900,
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u32).range(1..=31_536_000)
    )]
    pub(crate) qr_expires_s: u32,

    /// Lets the last two digits of an amount decide what happens to its operation: 01 is declined, 07
    /// is paid, and so on, by the table in the guide of the sandbox.
    #[arg(long, env = "SANDBOX_TEST_AMOUNTS")]
    pub(crate) test_amounts: bool,

    /// What QR codes say.
    #[arg(long, env = "SANDBOX_QR_FORM", value_enum, default_value_t)]
    pub(crate) qr_form: QrForm,

    /// What payers' wallets, lenders and agents take, as JSON in the currency's smallest unit, such as
    /// `{"QR": {"PEN": {"least": 600, "most": 50000}}}`. Everything by default.
    #[arg(
        long,
        env = "SANDBOX_LIMITS",
        value_name = "JSON",
        default_value = "{}",
        hide_default_value = true
    )]
    pub(crate) limits: Limits,
}

impl Config {
    /// The token, if a header can carry it.
    ///
    /// # Errors
    /// A sentence that names the setting.
    pub(crate) fn token(&self) -> Result<&str, String> {
        let visible =
            !self.token.is_empty() && self.token.bytes().all(|byte| byte.is_ascii_graphic());
        visible.then_some(self.token.as_str()).ok_or_else(|| {
            "SANDBOX_TOKEN (or --token) must be one word of visible ASCII characters, as a header carries it".to_owned()
        })
    }
}

fn public_url(text: &str) -> Result<String, &'static str> {
    let bare = text.trim_end_matches('/');
    if bare.starts_with("http://") || bare.starts_with("https://") {
        Ok(bare.to_owned())
    } else {
        Err("it must begin with http:// or https://")
    }
}

fn payee(text: &str) -> Result<(String, String), &'static str> {
    let (code, name) = text
        .split_once('=')
        .ok_or("it must be a code, =, and a name")?;
    let (code, name) = (code.trim(), name.trim());
    if code.is_empty() || name.is_empty() {
        return Err("neither the code nor the name may be empty");
    }
    Ok((code.to_owned(), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::Config;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_flags_are_consistent() {
        Config::command().debug_assert();
    }

    #[test]
    fn a_wrong_setting_is_named_and_the_token_is_not_shown() {
        let check = |arguments: &[&str], expected: &str| {
            let all = ["payment-sandbox", "--token", "kept-secret"]
                .iter()
                .chain(arguments);
            let error = Config::try_parse_from(all).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains("kept-secret"), "{error}");
        };
        check(&["--listen", "localhost"], "--listen");
        check(&["--public-url", "192.168.1.20"], "--public-url");
        check(&["--qr-expires-s", "0"], "--qr-expires-s");
        check(&["--payee", "Retama"], "--payee");
        check(&["--payee", "shop=Retama; =x"], "--payee");
        check(&["--qr-form", "svg"], "--qr-form");
        check(&["--limits", r#"{"QR": {"PEN": 1}}"#], "--limits");
        let config = Config::try_parse_from(["payment-sandbox", "--token", "two words"]).unwrap();
        let error = config.token().unwrap_err();
        assert!(error.contains("SANDBOX_TOKEN") && !error.contains("two words"));
        let help = Config::command().render_long_help().to_string();
        assert!(help.contains("SANDBOX_TOKEN") && !help.contains("SANDBOX_TOKEN="));
    }
}
