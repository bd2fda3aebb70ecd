/// A QR code as a PNG data URI that was checked before a browser sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrImage(String);

const PREFIX: &str = "data:image/png;base64,";
/// The most that an image may weigh, in bytes.
const HEAVIEST: usize = 512 * 1024;
/// The first bytes of every PNG.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Width and height in pixels: the smallest QR code has 21 modules, and nothing larger is needed.
const SIDES: std::ops::RangeInclusive<u32> = 21..=4096;

impl QrImage {
    /// Checks a `qr_image`: a base64 PNG data URI with a PNG signature, whole and undamaged chunks
    /// from `IHDR` to `IEND`, sides of 21 to 4096 pixels, no animation and at most 512 KiB. Only
    /// the browser can tell if the pixels can be decoded.
    #[must_use]
    pub fn parse(uri: &str) -> Option<Self> {
        let base64 = uri.strip_prefix(PREFIX)?;
        if base64.len() > HEAVIEST.div_ceil(3) * 4 {
            return None;
        }
        let png = decode_base64(base64)?;
        (png.len() <= HEAVIEST && is_sound_png(&png)).then(|| Self(uri.to_owned()))
    }

    /// The bytes of the PNG.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let base64 = self.0.strip_prefix(PREFIX);
        base64.and_then(decode_base64).unwrap_or_default()
    }

    /// The data URI as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Base64 with its padding and nothing else in it. Twenty lines instead of a crate, since
/// every byte of the wasm is downloaded by a payer.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(4) {
        return None;
    }
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            let [.., byte] = (bits >> held).to_be_bytes();
            bytes.push(byte);
        }
    }
    Some(bytes)
}

/// True when these bytes are one still picture of sane size, with every chunk (length, name, body,
/// checksum) whole. Browsers show as much of a damaged picture as they can, and the payer would not
/// see why it cannot be scanned.
fn is_sound_png(png: &[u8]) -> bool {
    let Some(mut rest) = png.strip_prefix(&SIGNATURE) else {
        return false;
    };
    let (mut first, mut pixels) = (true, false);
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let Some((name, after)) = after.split_first_chunk::<4>() else {
            return false;
        };
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let Some((body, after)) = after.split_at_checked(length) else {
            return false;
        };
        let Some((sum, next)) = after.split_first_chunk::<4>() else {
            return false;
        };
        if checksum(name, body).to_be_bytes() != *sum {
            return false;
        }
        match name {
            b"IHDR" if first && has_sane_sides(body) => {}
            b"IDAT" if !first => pixels = true,
            b"IEND" => return pixels && next.is_empty(),
            b"IHDR" | b"acTL" => return false,
            _ if first => return false,
            _ => {}
        }
        first = false;
        rest = next;
    }
    false
}

fn has_sane_sides(header: &[u8]) -> bool {
    let Some((width, rest)) = header.split_first_chunk::<4>() else {
        return false;
    };
    let Some((height, rest)) = rest.split_first_chunk::<4>() else {
        return false;
    };
    rest.len() == 5
        && [width, height]
            .iter()
            .all(|side| SIDES.contains(&u32::from_be_bytes(**side)))
}

/// The CRC-32 of a chunk's name and body, bit by bit: a table would weigh more than it saves.
fn checksum(name: &[u8; 4], body: &[u8]) -> u32 {
    let shift = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
    let bytes = name.iter().chain(body);
    !bytes.fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), shift)
    })
}

#[cfg(test)]
mod tests {
    use super::{QrImage, SIGNATURE, checksum, decode_base64};
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use proptest::prelude::*;

    fn encode(bytes: &[u8]) -> String {
        BASE64_STANDARD.encode(bytes)
    }

    fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [
            &u32::try_from(body.len()).unwrap().to_be_bytes(),
            name.as_slice(),
            body,
            &checksum(name, body).to_be_bytes(),
        ]
        .concat()
    }

    fn header(width: u32, height: u32) -> Vec<u8> {
        chunk(
            b"IHDR",
            &[
                &width.to_be_bytes()[..],
                &height.to_be_bytes(),
                &[1, 0, 0, 0, 0],
            ]
            .concat(),
        )
    }

    fn uri(chunks: &[Vec<u8>]) -> String {
        format!(
            "data:image/png;base64,{}",
            encode(&[&SIGNATURE[..], &chunks.concat()].concat())
        )
    }

    fn a_qr_image() -> String {
        uri(&[header(29, 29), chunk(b"IDAT", &[0; 9]), chunk(b"IEND", &[])])
    }

    #[test]
    fn a_png_of_sane_size_passes() {
        assert_eq!(
            QrImage::parse(&a_qr_image()).unwrap().as_str(),
            a_qr_image()
        );
        let with_a_text = uri(&[
            header(29, 29),
            chunk(b"tEXt", b"x"),
            chunk(b"IDAT", &[0; 9]),
            chunk(b"IEND", &[]),
        ]);
        assert!(QrImage::parse(&with_a_text).is_some());
    }

    #[test]
    fn everything_else_is_refused() {
        let (pixels, end) = (chunk(b"IDAT", &[0; 9]), chunk(b"IEND", &[]));
        let check = |what: &str, text: &str| assert!(QrImage::parse(text).is_none(), "{what}");
        check("empty", "");
        check("address", "https://evil.example/qr.png");
        check("svg", "data:image/svg+xml;base64,PHN2Zy8+");
        check("html", "data:text/html;base64,PGI+");
        check("capitals", &a_qr_image().replace("png", "PNG"));
        check("parameters", &a_qr_image().replace("png;", "png;a=b;"));
        check(
            "gif as png",
            &format!("data:image/png;base64,{}", encode(b"GIF89a-------")),
        );
        check(
            "bad base64",
            &a_qr_image().replace("data:image/png;base64,i", "data:image/png;base64,*"),
        );
        check("white space", &format!("{}\n", a_qr_image()));
        check(
            "one pixel",
            &uri(&[header(1, 1), pixels.clone(), end.clone()]),
        );
        check(
            "a bomb",
            &uri(&[header(20_000, 20_000), pixels.clone(), end.clone()]),
        );
        check(
            "one long side",
            &uri(&[header(29, 5000), pixels.clone(), end.clone()]),
        );
        check("no pixels", &uri(&[header(29, 29), end.clone()]));
        check("no end", &uri(&[header(29, 29), pixels.clone()]));
        check(
            "more after the end",
            &uri(&[header(29, 29), pixels.clone(), end.clone(), pixels.clone()]),
        );
        check(
            "two headers",
            &uri(&[header(29, 29), header(29, 29), pixels.clone(), end.clone()]),
        );
        check(
            "animation",
            &uri(&[
                header(29, 29),
                chunk(b"acTL", &[0; 8]),
                pixels.clone(),
                end.clone(),
            ]),
        );
        check(
            "header later",
            &uri(&[
                chunk(b"tEXt", b"x"),
                header(29, 29),
                pixels.clone(),
                end.clone(),
            ]),
        );
        check("pixels first", &uri(&[pixels.clone(), end.clone()]));
        check("no header", &uri(&[chunk(b"tEXt", b"x"), pixels, end]));
        let damaged = a_qr_image().replace("AAAAAAA", "AAAABAA");
        assert_ne!(damaged, a_qr_image());
        check("a flipped bit", &damaged);
        check("cut", &a_qr_image()[..a_qr_image().len() - 8]);
    }

    #[test]
    fn half_a_megabyte_is_the_most() {
        // Signature, header, and the frames of the two other chunks.
        let frames = 8 + 25 + 12 + 12;
        let weighing = |bytes: usize| {
            let pixels = chunk(b"IDAT", &vec![0; bytes - frames]);
            uri(&[header(29, 29), pixels, chunk(b"IEND", &[])])
        };
        assert!(QrImage::parse(&weighing(512 * 1024)).is_some());
        // Three bytes are four letters, so that the next two bytes have no letters of their own.
        for over in 1..=3 {
            assert!(QrImage::parse(&weighing(512 * 1024 + over)).is_none());
        }
    }

    #[test]
    fn base64_is_read_to_the_letter() {
        for bytes in [&b"a"[..], b"ab", b"abc", b"abcd", &[0xff; 31]] {
            assert_eq!(decode_base64(&encode(bytes)).unwrap(), bytes);
        }
        for wrong in ["", "a", "abc", "ab=c", "====", "a===", "ab\n=", "ab-_"] {
            assert_eq!(decode_base64(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn base64_is_read_as_a_kept_reader_does(text in "[A-Za-z0-9+/=_ -]{0,24}", bytes: Vec<u8>) {
            prop_assert_eq!(decode_base64(&encode(&bytes)).unwrap_or_default(), bytes);
            // Ours takes what the other one takes, and also stray bits behind the last byte.
            if let Ok(expected) = BASE64_STANDARD.decode(&text) && !text.is_empty() {
                prop_assert_eq!(decode_base64(&text), Some(expected));
            }
        }
    }
}
