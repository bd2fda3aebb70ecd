//! A process of its own, since the part measures the memory and records the panics of its process.

use std::time::Duration;
use torture::input::run_some;
use torture::report::Budget;

#[test]
fn no_request_makes_the_server_fail_or_moves_money_without_a_right() {
    let part = run_some(&Budget::new(7, Duration::from_mins(5)), 1_500);
    assert!(part.found.is_empty(), "{part}");
    assert!(part.skipped.is_empty(), "{part}");
    assert_eq!(part.times, 1_500);
}
