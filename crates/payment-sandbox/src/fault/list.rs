use super::{Fault, Happening};

/// The faults still to come, in the order in which tests wrote them.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        Self(faults)
    }

    /// Takes the first fault that a request to the service meets.
    pub(crate) fn take_for_request(&mut self, method: &str, path: &str) -> Option<Fault> {
        self.take(|fault| {
            let of_notification = matches!(
                fault.happening,
                Happening::DuplicateNotification | Happening::LoseNotification
            );
            !of_notification && fault.pattern.meets(method, path)
        })
    }

    /// Takes the first fault that a notification meets. A delay counts only with a path: without
    /// one, the first request or notification would use it up.
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

    /// The kinds of the faults still to come, each with its count.
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
