use anyhow::{Context, Result, bail};

/// The flags of `cargo xtask bench page`.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    /// How often each page is visited in each way.
    pub(super) rounds: usize,
    /// How many times slower the emulated processor is than this machine's.
    pub(super) slower: f64,
    /// The commit whose element is compared with that of the working tree.
    pub(super) against: String,
}

/// The element before the work on its speed: the commit that measured 129977 bytes of it.
const BEFORE: &str = "6b2a16a91c7828d5a287356bb3daa8ac789e22f3";

impl Options {
    /// Reads `--rounds N`, `--slower N` and `--against COMMIT`.
    pub(crate) fn parse(flags: &[&str]) -> Result<Self> {
        let mut options = Self {
            rounds: 7,
            slower: 4.0,
            against: BEFORE.to_owned(),
        };
        for pair in flags.chunks(2) {
            match pair {
                ["--rounds", rounds] => {
                    options.rounds = rounds
                        .parse()
                        .ok()
                        .filter(|rounds| *rounds > 0)
                        .with_context(|| format!("`--rounds {rounds}` is no number of rounds"))?;
                }
                ["--slower", times] => {
                    options.slower = times
                        .parse()
                        .ok()
                        .filter(|times| (1.0..=20.0).contains(times))
                        .with_context(|| format!("`--slower {times}` is no number from 1 to 20"))?;
                }
                ["--against", commit] => options.against = (*commit).to_owned(),
                _ => bail!(
                    "`bench page` takes `--rounds N`, `--slower N` and `--against COMMIT`, not `{}`",
                    pair.join(" ")
                ),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::{BEFORE, Options};

    #[test]
    fn flags_are_read_in_any_order() {
        let options = Options::parse(&["--against", "abc", "--rounds", "3"]).unwrap();
        assert_eq!((options.rounds, options.against.as_str()), (3, "abc"));
        let faster = Options::parse(&["--slower", "2.8"]).unwrap();
        assert_eq!(faster.slower.to_string(), "2.8");
        let usual = Options::parse(&[]).unwrap();
        assert_eq!(usual.slower.to_string(), "4");
        assert_eq!((usual.rounds, usual.against.as_str()), (7, BEFORE));
    }

    #[test]
    fn wrong_flags_are_named() {
        for wrong in [
            &["--rounds"][..],
            &["--rounds", "0"],
            &["--rounds", "many"],
            &["--slower", "0.5"],
            &["--slower", "NaN"],
            &["fast"],
        ] {
            let message = Options::parse(wrong).unwrap_err().to_string();
            assert!(message.contains(wrong[0]), "{message}");
        }
    }
}
