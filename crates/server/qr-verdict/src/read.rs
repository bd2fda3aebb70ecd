//! Finds the codes of a picture.

use crate::finders;
use crate::picture::{Gray, Unreadable};
use rqrr::{Point, PreparedImage};
use std::ops::RangeInclusive;
use std::panic::catch_unwind;
use std::time::Instant;

/// A picture whose sides are shorter, in pixels, is enlarged: a module of one pixel is found by no search.
const SMALL_SIDE: usize = 300;
/// A picture with a longer side, in pixels, is searched in a smaller size: the time grows with the pixels.
const LARGE_SIDE: usize = 1200;
/// The white border around each searched picture, in pixels: a code may reach to the edge of its picture.
const BORDER: usize = 16;
/// Eight codes have so many finders. The search compares each with all pairs of others, and would take minutes for a
/// picture that is full of what looks like them.
const MOST_FINDERS: usize = 24;

/// What a picture says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// The contents of its codes, at least one, each once.
    Contents(Vec<String>),
    /// No code was read.
    Unreadable(Unreadable),
}

/// Reads the codes of a PNG. The picture is searched in several ways until one finds a code; after the deadline none is begun.
#[must_use]
pub fn read(png: &[u8], deadline: Instant) -> Read {
    match Gray::of_png(png).and_then(|picture| search(&picture, deadline)) {
        Ok(contents) => Read::Contents(contents),
        Err(why) => Read::Unreadable(why),
    }
}

fn search(picture: &Gray, deadline: Instant) -> Result<Vec<String>, Unreadable> {
    let side = picture.side();
    let resized = match side {
        0..SMALL_SIDE => Some(picture.enlarged(SMALL_SIDE.div_ceil(side.max(1)))),
        SMALL_SIDE..=LARGE_SIDE => None,
        _ => Some(picture.reduced(side.div_ceil(LARGE_SIDE))),
    };
    let sized = resized.as_ref().unwrap_or(picture);
    let papers = [
        Paper::White(sized.shade(2)),
        Paper::Black(sized.shade(2)),
        // A pale code beside something black, such as a text.
        Paper::White(sized.shade(3)),
        Paper::Black(sized.shade(1)),
    ];
    for paper in papers {
        if Instant::now() >= deadline {
            return Err(Unreadable::Late);
        }
        let contents = codes(sized, paper);
        if !contents.is_empty() {
            return Ok(contents);
        }
    }
    Err(Unreadable::NoCode)
}

/// The color on which a code is drawn, and the shade from which on a pixel is of that color.
#[derive(Clone, Copy)]
enum Paper {
    White(u8),
    Black(u8),
}

impl Paper {
    fn is_ink(self, pixel: u8) -> bool {
        match self {
            Self::White(shade) => pixel < shade,
            Self::Black(shade) => pixel >= shade,
        }
    }
}

/// The contents of all codes of a picture.
fn codes(picture: &Gray, paper: Paper) -> Vec<String> {
    let (width, height) = (picture.width, picture.height);
    let is_ink = |x: usize, y: usize| paper.is_ink(picture.pixels[y * width + x]);
    if finders::count(width, height, is_ink) > MOST_FINDERS {
        return Vec::new();
    }
    let is_ink = |x: usize, y: usize| {
        let (x, y) = (x.wrapping_sub(BORDER), y.wrapping_sub(BORDER));
        x < width && y < height && is_ink(x, y)
    };
    let (width, height) = (width + 2 * BORDER, height + 2 * BORDER);
    let (mut contents, mut areas) = (Vec::new(), Vec::<Area>::new());
    // Among several codes the search takes finders of two for those of one. Without the codes that were read it finds more.
    for _ in 0..MOST_FINDERS / 3 {
        let is_left = |x, y| is_ink(x, y) && !areas.iter().any(|area| area.has(x, y));
        // The search asserts what holds for every code, and panics where a picture only resembles one.
        let found = catch_unwind(|| find(width, height, is_left)).unwrap_or_default();
        if found.is_empty() {
            break;
        }
        for (content, area) in found {
            contents.push(content);
            areas.push(area);
        }
    }
    contents.sort();
    contents.dedup();
    contents
}

/// A rectangle around a code.
struct Area {
    columns: RangeInclusive<i32>,
    rows: RangeInclusive<i32>,
}

impl Area {
    fn around(corners: [Point; 4]) -> Self {
        let range = |places: [i32; 4]| {
            let (least, most) = (places.iter().min(), places.iter().max());
            least.copied().unwrap_or_default()..=most.copied().unwrap_or_default()
        };
        Self {
            columns: range(corners.map(|corner| corner.x)),
            rows: range(corners.map(|corner| corner.y)),
        }
    }

    fn has(&self, x: usize, y: usize) -> bool {
        let is_in = |range: &RangeInclusive<i32>, place| {
            i32::try_from(place).is_ok_and(|place| range.contains(&place))
        };
        is_in(&self.columns, x) && is_in(&self.rows, y)
    }
}

/// The codes that one search finds, with their contents.
fn find(width: usize, height: usize, is_ink: impl Fn(usize, usize) -> bool) -> Vec<(String, Area)> {
    let mut prepared = PreparedImage::prepare_from_bitmap(width, height, is_ink);
    let codes = prepared.detect_grids().into_iter();
    let decoded = codes.filter_map(|code| {
        let mut bytes = Vec::new();
        code.decode_to(&mut bytes).ok()?;
        Some((text(bytes), Area::around(code.bounds)))
    });
    decoded.collect()
}

/// The text of a code: UTF-8 if it can be, otherwise Latin-1, which is a QR code's own set of characters.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}
