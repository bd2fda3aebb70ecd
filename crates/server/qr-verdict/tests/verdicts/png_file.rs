//! Writes PNGs of every kind. The kept encoder writes no interlaced ones, and would share its mistakes with the decoder.

use crate::drawing::{BLACK, Color, Drawing};

const GRAY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GRAY_ALPHA: u8 = 4;
const RGBA: u8 = 6;
/// First column, first row, and the steps between columns and rows of each pass.
const ADAM7: [[usize; 4]; 7] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
];

/// How samples are written.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    color: u8,
    bits: u8,
    interlaced: bool,
}

pub(crate) const fn gray(bits: u8) -> Kind {
    kind(GRAY, bits)
}
pub(crate) const fn gray_alpha(bits: u8) -> Kind {
    kind(GRAY_ALPHA, bits)
}
pub(crate) const fn rgb(bits: u8) -> Kind {
    kind(RGB, bits)
}
pub(crate) const fn rgba(bits: u8) -> Kind {
    kind(RGBA, bits)
}
/// The palette has the two colors black and, transparent or not, white.
pub(crate) const fn palette(bits: u8) -> Kind {
    kind(PALETTE, bits)
}
const fn kind(color: u8, bits: u8) -> Kind {
    Kind {
        color,
        bits,
        interlaced: false,
    }
}

impl Kind {
    pub(crate) const fn interlaced(mut self) -> Self {
        self.interlaced = true;
        self
    }

    fn samples(self, [red, green, blue, alpha]: Color) -> Vec<u16> {
        let deep = |sample: u8| match self.bits {
            16 => u16::from(sample) << 8 | u16::from(sample),
            bits => u16::from(sample >> (8 - bits)),
        };
        match self.color {
            PALETTE => vec![u16::from([red, green, blue, alpha] != BLACK)],
            GRAY => vec![deep(red)],
            GRAY_ALPHA => vec![deep(red), deep(alpha)],
            RGB => [red, green, blue].map(deep).to_vec(),
            _ => [red, green, blue, alpha].map(deep).to_vec(),
        }
    }
}

/// The file of a drawing.
pub(crate) fn file(drawing: &Drawing, kind: Kind) -> Vec<u8> {
    let passes: &[[usize; 4]] = if kind.interlaced {
        &ADAM7
    } else {
        &[[0, 0, 1, 1]]
    };
    let mut rows = Vec::new();
    for [left, top, right, down] in passes {
        for y in (*top..drawing.height).step_by(*down) {
            let pixels = (*left..drawing.width).step_by(*right);
            let row: Vec<u16> = pixels
                .flat_map(|x| kind.samples(drawing.at(x, y)))
                .collect();
            if !row.is_empty() {
                rows.push(0);
                rows.extend(packed(&row, kind.bits));
            }
        }
    }
    let mut chunks = header(drawing.width, drawing.height, kind);
    if kind.color == PALETTE {
        let light = drawing
            .pixels
            .iter()
            .find(|pixel| **pixel != BLACK)
            .unwrap();
        chunks.extend(chunk(b"PLTE", &[0, 0, 0, light[0], light[1], light[2]]));
        chunks.extend(chunk(b"tRNS", &[255, light[3]]));
    }
    chunks.extend(chunk(b"IDAT", &stored(&rows)));
    chunks.extend(chunk(b"IEND", &[]));
    chunks
}

/// The beginning of a file.
pub(crate) fn header(width: usize, height: usize, kind: Kind) -> Vec<u8> {
    let side = |side: usize| u32::try_from(side).unwrap().to_be_bytes();
    let form = [kind.bits, kind.color, 0, 0, u8::from(kind.interlaced)];
    let body = [&side(width)[..], &side(height), &form].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &body)].concat()
}

pub(crate) fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let named = [&name[..], body].concat();
    let sum = !named.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    });
    let length = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&length[..], &named, &sum.to_be_bytes()].concat()
}

fn packed(samples: &[u16], bits: u8) -> Vec<u8> {
    if bits == 16 {
        return samples
            .iter()
            .flat_map(|sample| sample.to_be_bytes())
            .collect();
    }
    let each = usize::from(8 / bits);
    let byte = |group: &[u16]| {
        let placed = group.iter().enumerate().map(|(at, sample)| {
            let shift = 8 - usize::from(bits) * (at + 1);
            u8::try_from(sample << shift).unwrap()
        });
        placed.fold(0, |byte, sample| byte | sample)
    };
    samples.chunks(each).map(byte).collect()
}

/// A zlib stream that compresses nothing.
pub(crate) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = bytes.chunks(0xffff).count();
    for (at, block) in bytes.chunks(0xffff).enumerate() {
        let length = u16::try_from(block.len()).unwrap();
        stream.push(u8::from(at + 1 == blocks));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (one, two) = bytes.iter().fold((1_u32, 0_u32), |(one, two), byte| {
        let one = (one + u32::from(*byte)) % 65_521;
        (one, (two + one) % 65_521)
    });
    stream.extend((two << 16 | one).to_be_bytes());
    stream
}
