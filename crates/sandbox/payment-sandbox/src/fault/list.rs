use super::{Fault, Happening};

/// The remaining faults, in the sequence in which tests set them.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        Self(faults)
    }

    /// Takes the first fault that matches a request to the service.
    pub(crate) fn take_for_request(&mut self, method: &str, path: &str) -> Option<Fault> {
        self.take(|fault| {
            let of_notification = matches!(
                fault.happening,
                Happening::DuplicateNotification | Happening::LoseNotification
            );
            !of_notification && fault.pattern.meets(method, path)
        })
    }

    /// Takes the first fault that matches a notification. A delay without a path matches requests only.
    pub(crate) fn take_for_notification(&mut self, path: &str) -> Option<Fault> {
        self.take(|fault| {
            let of_notification = match fault.happening {
                Happening::DuplicateNotification | Happening::LoseNotification => true,
                Happening::Delay => fault.pattern.has_path(),
                _ => false,
            };
            of_notification && fault.pattern.meets("POST", path)
        })
    }

    /// The number of remaining faults of each kind.
    pub(crate) fn left(&self) -> Vec<(&'static str, u32)> {
        self.0
            .iter()
            .map(|fault| (fault.happening.name(), fault.left))
            .collect()
    }

    fn take(&mut self, wanted: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let at = self.0.iter().position(wanted)?;
        self.0[at].left -= 1;
        let then = std::mem::take(&mut self.0[at].then);
        let fault = self.0[at].clone();
        self.0.retain(|fault| fault.left > 0);
        self.0.extend(then);
        Some(fault)
    }
}
