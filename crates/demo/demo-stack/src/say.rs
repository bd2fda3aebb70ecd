//! Prints the messages for the person at the terminal, all in one form.

use std::fmt::Arguments;
use std::io::{Write, stdout};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// `println!` that goes on when the reader of a pipe (`… | head`) is gone.
#[macro_export]
macro_rules! say {
    () => { $crate::say::line(format_args!("")) };
    ($($text:tt)*) => { $crate::say::line(format_args!($($text)*)) };
}

/// When the last line was printed.
static LAST_LINE: Mutex<Option<Instant>> = Mutex::new(None);

/// Prints a line, for `say!`.
pub fn line(text: Arguments<'_>) {
    let _ = writeln!(stdout(), "{text}");
    *LAST_LINE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
}

/// How long no line was printed.
pub fn silence() -> Duration {
    let last = *LAST_LINE.lock().unwrap_or_else(PoisonError::into_inner);
    last.map_or(Duration::ZERO, |last| last.elapsed())
}

/// One line about the progress, for example `tools: trunk 0.21.14 is there`.
pub fn progress(topic: &str, text: impl AsRef<str>) {
    say!("{topic}: {}", text.as_ref());
}

/// A step of a chore that takes minutes the first time: what it does, and how long that usually takes.
pub fn step(number: usize, of: usize, what: &str, usually: &str) {
    say!("[{number}/{of}] {what} (usually {usually})");
}

/// The title of a step of a longer chore.
pub fn heading(title: &str) {
    say!("\n== {title}");
}

/// A duration in words: `0.4 s`, `12 s`, `7 min 5 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_a_person_says_them() {
        assert_eq!(duration(Duration::from_millis(420)), "0.4 s");
        assert_eq!(duration(Duration::from_secs(12)), "12 s");
        assert_eq!(duration(Duration::from_secs(425)), "7 min 5 s");
    }
}
