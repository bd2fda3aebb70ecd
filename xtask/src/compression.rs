//! How large a file is when a server sends it compressed.

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;

/// The bytes after brotli at its best.
pub(crate) fn brotli(mut bytes: &[u8]) -> Result<usize> {
    let settings = BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut bytes, &mut packed, &settings).context("brotli failed")?;
    Ok(packed.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_packs_well() {
        let bytes = vec![7_u8; 10_000];
        assert!(brotli(&bytes).unwrap() < 100);
    }
}
