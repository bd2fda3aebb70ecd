//! Checks a PNG as far as that is possible without decoding it.

/// The first bytes of every PNG.
pub(crate) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Width and height in pixels: the smallest QR code has 21 modules, and nothing larger is needed.
const SIDES: std::ops::RangeInclusive<u32> = 21..=4096;

/// True when these bytes are one still picture of sane size, with every chunk (length, name, body,
/// checksum) whole. Browsers show as much of a damaged picture as they can, and the payer would not
/// see why it cannot be scanned.
pub(crate) fn is_sound(png: &[u8]) -> bool {
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
pub(crate) fn checksum(name: &[u8; 4], body: &[u8]) -> u32 {
    let shift = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
    let bytes = name.iter().chain(body);
    !bytes.fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), shift)
    })
}
