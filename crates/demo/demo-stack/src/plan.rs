//! What differs between the demo, the tests and the measurements.

use crate::own_shop::OwnShop;
use crate::ports::Ports;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The servers to be started.
pub struct Plan {
    /// Where they listen.
    pub ports: Ports,
    /// The folder of their programs.
    pub programs: PathBuf,
    /// The database, the secrets and the logs of this stack.
    pub folder: PathBuf,
    /// A shop beside this one, which signs its orders and takes the events.
    pub own_shop: Option<OwnShop>,
    /// How many nodes of the merchant's server there are. Several need a `database`.
    pub nodes: u16,
    /// The address of a database instead of a file in the folder.
    pub database: Option<String>,
    /// Starts without the orders of the last time.
    pub forget: bool,
    /// The pages that the merchant's server serves, if it serves any.
    pub pages: Option<Pages>,
}

/// The shop's pages.
pub struct Pages {
    /// Their folder, with the built elements in it.
    pub folder: PathBuf,
    /// The file with their headers: `Trunk.toml`.
    pub headers: PathBuf,
    /// The folder of the payer's element, if the server's own page of an order has it.
    pub element: Option<PathBuf>,
}

impl Plan {
    /// One node with its own database and without pages, which keeps the orders of the last time.
    pub fn new(ports: Ports, programs: PathBuf, folder: PathBuf) -> Self {
        Self {
            ports,
            programs,
            folder,
            own_shop: None,
            nodes: 1,
            database: None,
            forget: false,
            pages: None,
        }
    }
}

/// The most nodes: their ports end where those of the next stack begin.
const MOST_NODES: u16 = 6;

/// Reads how many nodes a person wants.
///
/// # Errors
/// It is no number from 1 to 6.
pub fn nodes(count: &str) -> Result<u16> {
    match count.parse() {
        Ok(count @ 1..=MOST_NODES) => Ok(count),
        _ => bail!("--nodes is `{count}`: give a number from 1 to {MOST_NODES}"),
    }
}

#[cfg(test)]
mod tests {
    use super::nodes;

    #[test]
    fn only_a_number_of_nodes_is_read() {
        assert_eq!(nodes("3").unwrap(), 3);
        for wrong in ["0", "7", "-1", "three", ""] {
            let error = nodes(wrong).unwrap_err().to_string();
            assert!(error.contains("from 1 to 6"), "{error}");
        }
    }
}
