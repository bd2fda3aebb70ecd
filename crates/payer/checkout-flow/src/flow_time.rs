use std::time::Duration;

/// An instant of the flow's own time, which begins with the first event and never runs backwards.
///
/// All plans of the flow are such instants. Instants of the browser's clocks and of the server's clock are other
/// types, which [`crate::time::Timeline`] converts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct FlowTime {
    millis: u64,
}

impl FlowTime {
    /// The instant after a duration.
    #[inline(never)]
    pub(crate) fn saturating_add(self, time: Duration) -> Self {
        let millis = self.millis.saturating_add(whole_millis(time));
        Self { millis }
    }

    /// The time since an earlier instant; zero when that one is later.
    #[inline(never)]
    pub(crate) fn duration_since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.millis.saturating_sub(earlier.millis))
    }
}

/// The whole milliseconds of a duration, which are the unit of the browser's timers.
#[inline(never)]
pub(crate) fn whole_millis(time: Duration) -> u64 {
    // Not `as_millis`, whose arithmetic of 128 bits would be code to download.
    let most = u64::MAX / 1_000 - 1;
    time.as_secs().min(most) * 1_000 + u64::from(time.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::whole_millis;
    use std::time::Duration;

    #[test]
    fn any_length_of_time_is_whole_milliseconds() {
        assert_eq!(whole_millis(Duration::from_micros(1_999)), 1);
        assert_eq!(whole_millis(Duration::from_millis(61_234)), 61_234);
        // No sum overflows; what is cut off are the last seconds of 584 million years.
        assert!(whole_millis(Duration::MAX) > u64::MAX - 2_000);
    }
}
