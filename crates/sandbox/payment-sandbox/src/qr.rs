//! Draws QR codes.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fast_qr::{ECL, QRBuilder};

/// The light border that scanners need.
const QUIET_ZONE_MODULES: usize = 4;
/// Sharp on a phone's screen, and large enough in print.
const PIXELS_PER_MODULE: usize = 8;

/// A QR code that cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoQr {
    #[error("the QR's content is too long: {0}")]
    TooLong(String),
    #[error("the QR's picture could not be written: {0}")]
    Unwritable(#[from] png::EncodingError),
}

/// Draws a QR code as the data URI of a PNG.
pub(crate) fn data_uri(content: &str) -> Result<String, NoQr> {
    let picture = BASE64_STANDARD.encode(picture(content)?);
    Ok(format!("data:image/png;base64,{picture}"))
}

/// Draws a QR code as a black and white PNG with one bit for each pixel.
fn picture(content: &str) -> Result<Vec<u8>, NoQr> {
    let code = QRBuilder::new(content)
        .ecl(ECL::M)
        .build()
        .map_err(|error| NoQr::TooLong(error.to_string()))?;
    let side = (code.size + 2 * QUIET_ZONE_MODULES) * PIXELS_PER_MODULE;
    let row_bytes = side.div_ceil(8);
    let mut pixels = vec![0xff_u8; row_bytes * side];
    for y in 0..code.size * PIXELS_PER_MODULE {
        for x in 0..code.size * PIXELS_PER_MODULE {
            if code[y / PIXELS_PER_MODULE][x / PIXELS_PER_MODULE].value() {
                let (row, column) = (
                    y + QUIET_ZONE_MODULES * PIXELS_PER_MODULE,
                    x + QUIET_ZONE_MODULES * PIXELS_PER_MODULE,
                );
                pixels[row * row_bytes + column / 8] &= !(0x80 >> (column % 8));
            }
        }
    }
    let mut file = Vec::new();
    let side = u32::try_from(side).map_err(|error| NoQr::TooLong(error.to_string()))?;
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::picture;
    use qr_verdict::{Read, read};
    use std::time::{Duration, Instant};

    /// The width of the picture, and its pixels with one byte each.
    fn pixels(file: &[u8]) -> (usize, Vec<u8>) {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.width, info.height);
        (info.width as usize, bytes)
    }

    #[test]
    fn the_picture_scans() {
        for content in [
            "http://192.168.1.20:8082/phone?qr=5c0d",
            &"a/b?c".repeat(60),
            "x",
        ] {
            let soon = Instant::now() + Duration::from_secs(60);
            let found = read(&picture(content).unwrap(), soon);
            assert_eq!(found, Read::Contents(vec![content.to_owned()]));
        }
    }

    #[test]
    fn the_code_has_its_quiet_zone_and_whole_modules() {
        let (side, pixels) = pixels(&picture("http://192.168.1.20:8082/phone?qr=5c0d").unwrap());
        let dark = |x: usize, y: usize| pixels[y * side + x] < 128;
        let (border, scale) = (4 * 8, 8);
        assert_eq!(side % scale, 0);
        for along in 0..side {
            for across in 0..border {
                assert!(!dark(along, across) && !dark(across, along));
                assert!(!dark(along, side - 1 - across) && !dark(side - 1 - across, along));
            }
        }
        // The finder pattern begins right after the quiet zone and is seven modules wide.
        assert!((border..border + 7 * scale).all(|x| dark(x, border)));
        assert!(!dark(border + 7 * scale, border));
    }

    #[test]
    fn too_much_content_is_an_error() {
        assert!(picture(&"x".repeat(5000)).is_err());
    }
}
