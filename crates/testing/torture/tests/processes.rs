//! A test beside the program, which is the server that is killed.

use std::path::Path;
use std::time::Duration;
use torture::processes::run_few;
use torture::report::Budget;

#[test]
#[allow(
    clippy::print_stderr,
    reason = "whoever runs the test reads why it tries less"
)]
fn a_few_kills_and_mishaps_of_nodes_break_no_promise() {
    let program = Path::new(env!("CARGO_BIN_EXE_torture"));
    let part = run_few(&Budget::new(7, Duration::from_mins(5)), program);
    assert!(part.found.is_empty(), "{part}");
    for reason in &part.skipped {
        eprintln!("skipped: {reason}");
    }
    // A blow that hits nobody shows nothing.
    assert!(
        !part
            .skipped
            .iter()
            .any(|reason| reason.contains("met nobody"))
    );
    assert!(part.times == 5 || !part.skipped.is_empty(), "{part}");
}
