use crate::{base64, png};

/// A QR code as a PNG data URI that was checked before a browser sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrImage(String);

const PREFIX: &str = "data:image/png;base64,";
/// The most that an image may weigh, in bytes.
const HEAVIEST: usize = 512 * 1024;

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
        let png = base64::decode(base64)?;
        (png.len() <= HEAVIEST && png::is_sound(&png)).then(|| Self(uri.to_owned()))
    }

    /// The data URI as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::QrImage;
    use crate::base64::tests::encode;
    use crate::png::{SIGNATURE, checksum};

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

    pub(crate) fn a_qr_image() -> String {
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
}
