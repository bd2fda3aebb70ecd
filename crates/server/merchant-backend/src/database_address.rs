//! The place of the database: a file of SQLite, or a database of a PostgreSQL server.

use secrecy::SecretString;
use std::fmt;
use std::path::PathBuf;
use url::Url;

/// The parameters that an address may have after its `?`.
const PARAMETERS: [&str; 13] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

/// The place of the database. Its text never holds a user or a password.
#[derive(Debug, Clone)]
pub enum DatabaseAddress {
    /// A file of SQLite.
    File(PathBuf),
    /// A database of PostgreSQL.
    Server(ServerAddress),
}

/// The address of a database on a server.
#[derive(Debug, Clone)]
pub struct ServerAddress {
    /// The server and the database, for messages.
    name: String,
    pub(crate) address: SecretString,
    /// True when the text holds a password.
    pub(crate) has_password: bool,
}

impl DatabaseAddress {
    /// Reads the setting; the error says what is wrong with it, without repeating it.
    ///
    /// # Errors
    /// It begins as an address of PostgreSQL and is none.
    pub fn read(text: &str) -> Result<Self, String> {
        if !(text.starts_with("postgres://") || text.starts_with("postgresql://")) {
            return Ok(Self::File(PathBuf::from(text)));
        }
        // The text may hold a password, so that no part of it is repeated.
        let url = Url::parse(text).map_err(|error| format!("is no address ({error})"))?;
        let database = url.path().trim_start_matches('/');
        if database.is_empty() {
            return Err("names no database of the server".to_owned());
        }
        let known = |name: &str| PARAMETERS.contains(&name) || name.starts_with("options[");
        if !url.query_pairs().all(|(name, _)| known(&name)) {
            // The driver would write its name and value to the log and go on.
            let known = PARAMETERS.join(", ");
            return Err(format!("has a parameter that is none of {known}"));
        }
        let host = url.host_str().unwrap_or_default();
        let port = url.port().map(|port| format!(":{port}"));
        let port = port.unwrap_or_default();
        // Without them, the place behind a socket would be anybody's.
        let place = |name: &str| ["dbname", "host", "hostaddr", "port"].contains(&name);
        let places = url.query_pairs().filter(|(name, _)| place(name));
        let places: Vec<String> = places
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let places = match places.as_slice() {
            [] => String::new(),
            places => format!("?{}", places.join("&")),
        };
        Ok(Self::Server(ServerAddress {
            name: format!("postgres://{host}{port}/{database}{places}"),
            address: SecretString::from(text),
            has_password: url.password().is_some()
                || url.query_pairs().any(|(name, _)| name == "password"),
        }))
    }
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(server) => server.fmt(f),
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseAddress;

    #[test]
    fn no_text_of_an_address_holds_its_user_or_password() {
        let secret = "postgres://canary:canary2@db.example:6543/shop?password=canary3";
        let address = DatabaseAddress::read(secret).unwrap();
        assert_eq!(address.to_string(), "postgres://db.example:6543/shop");
        assert!(!format!("{address:?}").contains("canary"));
        let socket = "postgres:///shop?user=canary&host=/run/postgresql&port=6543&password=canary";
        let address = DatabaseAddress::read(socket).unwrap();
        let shown = "postgres:///shop?host=/run/postgresql&port=6543";
        assert_eq!(address.to_string(), shown);
        for wrong in [
            "postgres://canary:canary@db.example:port/shop",
            "postgresql://canary:canary@db.example/",
            "postgres://db.example/shop?passwort=canary",
            "postgres://db.example/shop?canary",
        ] {
            let error = DatabaseAddress::read(wrong).unwrap_err();
            assert!(!error.contains("canary"), "{error}");
        }
    }

    #[test]
    fn everything_else_is_a_path() {
        for path in ["data/merchant.db", "postgres.db", "/srv/postgres:/x"] {
            let address = DatabaseAddress::read(path).unwrap();
            assert!(matches!(address, DatabaseAddress::File(_)));
            assert_eq!(address.to_string(), path);
        }
    }
}
