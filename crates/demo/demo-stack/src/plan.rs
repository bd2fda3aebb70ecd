//! What differs between the demo, the tests and the measurements.

use crate::own_shop::OwnShop;
use crate::ports::Ports;
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
