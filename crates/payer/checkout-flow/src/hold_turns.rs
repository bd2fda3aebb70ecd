/// How many requests of one page a server may hold at once. By HTTP/1.1 a browser has six connections to a host, for the
/// page's own requests, too.
const MOST: u8 = 2;

/// For how many questions a checkout leaves its place to others, if one of them was asked in vain for it.
const REST: u8 = 5;

/// The checkouts of one page, which take turns in letting the server hold their requests. The others ask as often as
/// where a server holds nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct HoldTurns {
    held: u8,
    /// True from the time at which a checkout found no place until one is taken.
    wanted: bool,
}

impl HoldTurns {
    /// True when the server may hold this request; [`HoldTurns::give_back`] has to follow. `rest` belongs to the checkout,
    /// and begins with zero.
    pub fn take(&mut self, rest: &mut u8) -> bool {
        let rests = *rest > 0;
        if self.held < MOST && !(rests && self.wanted) {
            self.held += 1;
            (self.wanted, *rest) = (false, REST);
            return true;
        }
        // A checkout that left the page never takes the place that it wanted, so the others stop resting for it.
        *rest = rest.saturating_sub(1);
        self.wanted |= !rests;
        false
    }

    /// A request that the server might hold is over.
    pub fn give_back(&mut self) {
        self.held = self.held.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::HoldTurns;

    /// Simulates one checkout for each entry of `every`: its polling interval in seconds. A held request takes 20 seconds.
    /// Returns how many requests of each were held from second `from` on, for `seconds`.
    fn held(every: &[u32], from: u32, seconds: u32) -> Vec<u32> {
        let mut turns = HoldTurns::default();
        let mut checkouts = vec![(0_u8, 0_u32, false); every.len()];
        let mut counts = vec![0; every.len()];
        for now in 0..from + seconds {
            for (index, (rest, next, holds)) in checkouts.iter_mut().enumerate() {
                if now < *next {
                    continue;
                }
                if std::mem::take(holds) {
                    turns.give_back();
                }
                *holds = turns.take(rest);
                *next = now + if *holds { 20 } else { every[index] };
                counts[index] += u32::from(*holds && now >= from);
            }
            let at_once = checkouts.iter().filter(|(.., holds)| *holds).count();
            assert!(at_once <= 2, "{at_once}");
        }
        counts
    }

    #[test]
    fn one_or_two_checkouts_are_always_held() {
        assert_eq!(held(&[2], 0, 600), [30]);
        assert_eq!(held(&[2, 15], 0, 600), [30, 30]);
    }

    #[test]
    fn of_many_checkouts_each_has_its_turn() {
        for every in [[2; 8], [10; 8], [15; 8], [2, 3, 4, 6, 10, 10, 15, 15]] {
            let counts = held(&every, 0, 600);
            assert!(
                counts.iter().all(|count| *count >= 2),
                "{every:?} {counts:?}"
            );
            // No place stays empty for long.
            assert!(counts.iter().sum::<u32>() >= 36, "{every:?} {counts:?}");
        }
    }

    #[test]
    fn who_waits_for_a_checkout_that_has_left_is_held_again_soon() {
        let mut turns = HoldTurns::default();
        let (mut first, mut second, mut gone) = (0, 0, 0);
        assert!(turns.take(&mut first) && turns.take(&mut second));
        assert!(!turns.take(&mut gone));
        turns.give_back();
        let asked = (0..10).take_while(|_| !turns.take(&mut first)).count();
        assert_eq!(asked, 5);
    }

    #[test]
    fn nothing_is_given_back_twice() {
        let mut turns = HoldTurns::default();
        turns.give_back();
        let mut checkouts = [0; 3];
        let taken = checkouts.each_mut().map(|rest| turns.take(rest));
        assert_eq!(taken, [true, true, false]);
    }
}
