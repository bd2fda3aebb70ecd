use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many status requests each session has held; one session must not take all places.
/// `governor` counts how often something begins, not how much goes on at once.
#[derive(Clone)]
pub(crate) struct PollPlaces {
    most: usize,
    taken: Arc<Mutex<HashMap<String, usize>>>,
}

/// A place; dropping it frees it.
pub(crate) struct PollPlace {
    holder: String,
    places: PollPlaces,
}

impl PollPlaces {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            taken: Arc::default(),
        }
    }

    /// How many places are taken.
    pub(in crate::http) fn count(&self) -> u64 {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken
            .values()
            .map(|count| u64::try_from(*count).unwrap_or(u64::MAX))
            .sum()
    }

    /// A place for this holder, if one is left.
    pub(crate) fn take(&self, holder: &str) -> Option<PollPlace> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(holder.to_owned()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(PollPlace {
            holder: holder.to_owned(),
            places: self.clone(),
        })
    }
}

impl Drop for PollPlace {
    fn drop(&mut self) {
        let mut taken = self
            .places
            .taken
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PollPlaces;

    #[test]
    fn places_are_per_holder_and_come_back() {
        let places = PollPlaces::new(2);
        let one = places.take("a").unwrap();
        let _two = places.take("a").unwrap();
        assert!(places.take("a").is_none() && places.take("b").is_some());
        assert_eq!(places.count(), 2);
        drop(one);
        assert!(places.take("a").is_some());
    }
}
