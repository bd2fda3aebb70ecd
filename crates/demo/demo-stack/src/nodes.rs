//! How many nodes of the merchant's server there are.

use anyhow::{Result, bail};

/// The most nodes: their ports end where those of the next stack begin.
const MOST: u16 = 6;

/// Reads how many nodes a person wants.
pub fn nodes(count: &str) -> Result<u16> {
    match count.parse() {
        Ok(count @ 1..=MOST) => Ok(count),
        _ => bail!("--nodes is `{count}`: give a number from 1 to {MOST}"),
    }
}

#[cfg(test)]
mod tests {
    use super::nodes;

    #[test]
    fn only_a_number_of_nodes_is_read() {
        assert_eq!(nodes("3").unwrap(), 3);
        for wrong in ["0", "7", "-1", "three", ""] {
            let error = nodes(wrong).unwrap_err().to_string();
            assert!(error.contains("from 1 to 6"), "{error}");
        }
    }
}
