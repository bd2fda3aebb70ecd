//! Pixels of a PNG, in any size.

use std::io::Cursor;

/// The most pixels of a picture: 4096 by 4096.
pub const MOST_PIXELS: u64 = 4096 * 4096;
/// The most bytes of a picture's pixels before they become gray: 64 MiB.
pub const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The reason why no code was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// The bytes are no whole PNG.
    NotPng,
    /// The picture has more than [`MOST_PIXELS`] or [`MOST_BYTES`].
    TooLarge,
    /// There is no code in it, or none that can be read.
    NoCode,
    /// The deadline passed before a code was found.
    Late,
}

impl From<png::DecodingError> for Unreadable {
    fn from(error: png::DecodingError) -> Self {
        match error {
            png::DecodingError::LimitsExceeded => Self::TooLarge,
            _ => Self::NotPng,
        }
    }
}

/// A gray picture: a byte for each pixel, 0 is black.
pub(crate) struct Gray {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

impl Gray {
    /// Reads a PNG of any kind. What is transparent becomes white, as on paper and on most pages.
    ///
    /// # Errors
    /// The bytes are no whole PNG, or its pixels are too many to be held in memory.
    pub(crate) fn of_png(png: &[u8]) -> Result<Self, Unreadable> {
        let limits = png::Limits { bytes: MOST_BYTES };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(png), limits);
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let (width, height) = decoder.read_header_info()?.size();
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(Unreadable::TooLarge);
        }
        let mut reader = decoder.read_info()?;
        let bytes = reader.output_buffer_size();
        let bytes = bytes.filter(|bytes| *bytes <= MOST_BYTES);
        let mut samples = vec![0; bytes.ok_or(Unreadable::TooLarge)?];
        let frame = reader.next_frame(&mut samples)?;
        let gray = |pixel: &[u8]| match *pixel {
            [gray, alpha] => on_white(gray, alpha),
            [red, green, blue] => luminance(red, green, blue),
            [red, green, blue, alpha] => on_white(luminance(red, green, blue), alpha),
            [gray, ..] => gray,
            [] => u8::MAX,
        };
        Ok(Self {
            width: frame.width as usize,
            height: frame.height as usize,
            pixels: samples
                .chunks_exact(frame.color_type.samples())
                .map(gray)
                .collect(),
        })
    }

    /// The length of the longer side.
    pub(crate) fn side(&self) -> usize {
        self.width.max(self.height)
    }

    /// The shade that lies so many quarters of the way from the darkest to the lightest pixel, and above the darkest.
    pub(crate) fn shade(&self, quarters: u8) -> u8 {
        let darkest = self.pixels.iter().min().copied().unwrap_or_default();
        let lightest = self.pixels.iter().max().copied().unwrap_or_default();
        let way = u16::from(lightest - darkest) * u16::from(quarters) / 4;
        darkest.saturating_add(u8::try_from(way).unwrap_or(u8::MAX).max(1))
    }

    /// Each pixel becomes a square of pixels.
    pub(crate) fn enlarged(&self, times: usize) -> Self {
        Self::draw(self.width * times, self.height * times, |x, y| {
            self.pixels[y / times * self.width + x / times]
        })
    }

    /// Each square of pixels becomes its average. Pixels beyond the last whole square are left out.
    pub(crate) fn reduced(&self, times: usize) -> Self {
        Self::draw(self.width / times, self.height / times, |x, y| {
            let rows = self.pixels.chunks_exact(self.width);
            let rows = rows.skip(y * times).take(times);
            let squares = rows.flat_map(|row| &row[x * times..(x + 1) * times]);
            let sum: usize = squares.map(|pixel| usize::from(*pixel)).sum();
            u8::try_from(sum / (times * times)).unwrap_or(u8::MAX)
        })
    }

    fn draw(width: usize, height: usize, pixel: impl Fn(usize, usize) -> u8) -> Self {
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            pixels.extend((0..width).map(|x| pixel(x, y)));
        }
        Self {
            width,
            height,
            pixels,
        }
    }
}

fn on_white(gray: u8, alpha: u8) -> u8 {
    let (gray, alpha, white) = (u16::from(gray), u16::from(alpha), u16::from(u8::MAX));
    u8::try_from((gray * alpha + white * (white - alpha)) / white).unwrap_or(u8::MAX)
}

/// The weights of Rec. 601, in thousandths.
fn luminance(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    u8::try_from(sum / 1000).unwrap_or(u8::MAX)
}
