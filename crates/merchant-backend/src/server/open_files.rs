//! The limit of open files, which each connection counts towards.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files besides connections of clients: the database, requests to others, the log.
const OTHERS: u64 = 100;

/// Raises the limit of this process as far as the system permits, up to two files for each connection, since its request
/// may wait for one of ours to the payment service. Returns a sentence if the limit is too low for all connections.
pub(crate) fn raise_limit(most_connections: usize) -> Option<String> {
    let connections = most_connections as u64;
    let (least, enough) = (connections + OTHERS, 2 * connections + OTHERS);
    let permitted = || getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if permitted() < enough {
        let maximum = getrlimit(Resource::Nofile).maximum;
        let current = Some(maximum.map_or(enough, |maximum| maximum.min(enough)));
        // Where the system refuses, the limit stays as it is.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
    let permitted = permitted();
    (permitted < least).then(|| {
        format!(
            "MAX_CONNECTIONS is {connections}, for which the process needs {least} open files, and the system permits {permitted}: raise the limit (LimitNOFILE= of systemd, --ulimit nofile= of a container, ulimit -n of a shell), or lower MAX_CONNECTIONS"
        )
    })
}
