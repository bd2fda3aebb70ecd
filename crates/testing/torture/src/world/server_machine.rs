//! The machine of the server: its clocks, random bytes, disk and network.

use super::machine::{Ahead, WorldTime};
use super::network::{Network, NodeNetwork};
use crate::shared::lock;
use merchant_backend::simulation::{Machine, NoRandomness, Simulation};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// The machine of one life of the server.
pub(super) struct ServerMachine {
    time: WorldTime,
    ahead: Ahead,
    random: Mutex<fastrand::Rng>,
    network: Arc<NodeNetwork>,
}

impl ServerMachine {
    pub(super) fn new(network: &Network, seed: u64) -> Self {
        Self {
            time: network.time(),
            ahead: network.ahead().clone(),
            random: Mutex::new(fastrand::Rng::with_seed(seed)),
            network: Arc::new(NodeNetwork::new(network.clone())),
        }
    }
}

impl Machine for ServerMachine {
    fn wall(&self) -> SystemTime {
        self.ahead.on(self.time.wall())
    }

    fn steady(&self) -> Duration {
        self.time.passed()
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        let mut random = lock(&self.random);
        random.fill(bytes);
        Ok(())
    }

    fn simulation(&self) -> Option<Arc<dyn Simulation>> {
        Some(Arc::clone(&self.network) as Arc<dyn Simulation>)
    }
}
