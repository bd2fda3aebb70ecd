//! Files that are no picture of a code, and how long they may take.

use crate::drawing::{BLACK, Drawing, WHITE};
use crate::emvco_text::text;
use crate::png_file::{chunk, file, gray, header, rgba, stored};
use crate::soon;
use proptest::prelude::*;
use qr_verdict::Unreadable::{Late, NoCode, NotPng, TooLarge};
use qr_verdict::{Read, Unreadable, read};
use std::time::{Duration, Instant};

fn check(what: &str, file: &[u8], why: Unreadable) {
    assert_eq!(read(file, soon()), Read::Unreadable(why), "{what}");
}

#[test]
fn what_is_no_png_is_unreadable() {
    let whole = file(&Drawing::usual(text().content()), gray(1));
    check("nothing", b"", NotPng);
    check(
        "a JPEG",
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01",
        NotPng,
    );
    check("a page", b"<!doctype html>", NotPng);
    check("cut", &whole[..whole.len() / 2], NotPng);
    let mut damaged = whole.clone();
    damaged[200] ^= 0x55;
    check("damaged", &damaged, NotPng);
    check("a signature", &whole[..8], NotPng);
}

#[test]
fn a_picture_without_a_code_is_unreadable() {
    check(
        "white",
        &file(&Drawing::draw(300, 300, |_, _| WHITE), gray(1)),
        NoCode,
    );
    check(
        "black",
        &file(&Drawing::draw(300, 300, |_, _| BLACK), gray(1)),
        NoCode,
    );
    check(
        "one pixel",
        &file(&Drawing::draw(1, 1, |_, _| BLACK), rgba(8)),
        NoCode,
    );
    check(
        "a line",
        &file(
            &Drawing::draw(4000, 1, |x, _| if x % 2 == 0 { BLACK } else { WHITE }),
            gray(1),
        ),
        NoCode,
    );
    let half = Drawing::usual(text().content());
    let half = Drawing::draw(half.width / 2, half.height, |x, y| half.at(x, y));
    check("half a code", &file(&half, gray(1)), NoCode);
}

#[test]
fn a_picture_that_would_fill_the_memory_is_refused_by_its_header() {
    let bomb = |width, height, kind| {
        let pixels = chunk(b"IDAT", &stored(&[0; 16]));
        [header(width, height, kind), pixels, chunk(b"IEND", &[])].concat()
    };
    check("too many pixels", &bomb(4097, 4096, gray(1)), TooLarge);
    check(
        "sides beyond any",
        &bomb(0x7fff_ffff, 0x7fff_ffff, rgba(16)),
        TooLarge,
    );
    check("only too short", &bomb(4096, 4096, gray(1)), NotPng);
}

#[test]
fn a_picture_full_of_finders_is_given_up_at_once() {
    let finder = Drawing::draw(7, 7, |x, y| {
        let ring = x.abs_diff(3).max(y.abs_diff(3));
        if ring == 2 { WHITE } else { BLACK }
    });
    let mut page = Drawing::draw(540, 540, |_, _| WHITE);
    for place in 0..900 {
        page.paste(&finder.larger(2), place % 30 * 18 + 2, place / 30 * 18 + 2);
    }
    let (page, begun) = (file(&page, gray(1)), Instant::now());
    check("finders", &page, NoCode);
    // The search itself takes a quarter of a minute.
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[test]
fn four_codes_are_read_at_once() {
    let numbers = ["1", "2", "3", "4"];
    let codes = numbers.map(|number| Drawing::usual(text().with("60", number).content()));
    let mut page = Drawing::draw(2 * codes[0].width, 2 * codes[0].height, |_, _| WHITE);
    for (at, code) in codes.iter().enumerate() {
        page.paste(code, at % 2 * code.width, at / 2 * code.height);
    }
    match read(&file(&page, gray(1)), soon()) {
        Read::Contents(contents) => assert_eq!(contents.len(), 4),
        unreadable => panic!("{unreadable:?}"),
    }
}

#[test]
fn nothing_is_searched_after_the_deadline() {
    let whole = file(&Drawing::usual(text().content()), gray(1));
    assert_eq!(read(&whole, Instant::now()), Read::Unreadable(Late));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        prop_assert_eq!(read(&bytes, soon()), Read::Unreadable(NotPng));
    }

    #[test]
    fn no_pixels_make_it_panic(width in 1..60_usize, height in 1..60_usize, times in 1..5_usize, seed: u64) {
        let noise = Drawing::draw(width, height, |x, y| {
            let mixed = (seed ^ (x * 64 + y) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            if mixed >> 63 == 0 { BLACK } else { WHITE }
        });
        check("noise", &file(&noise.larger(times), gray(1)), NoCode);
    }

    #[test]
    fn spots_on_a_code_change_no_content(spots in prop::collection::vec((0..20_usize, 0..20_usize), 0..4)) {
        let mut drawing = Drawing::usual(text().content());
        let middle = drawing.width / 2;
        for (x, y) in spots {
            drawing.paste(&Drawing::draw(8, 8, |_, _| BLACK), middle + 8 * x / 4, middle + 8 * y / 4);
        }
        let found = read(&file(&drawing, gray(1)), soon());
        prop_assert_eq!(found, Read::Contents(vec![text().content()]));
    }
}
