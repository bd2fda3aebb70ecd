//! Odd contents and pictures that are right.

use crate::drawing::{BLACK, Drawing, WHITE};
use crate::emvco_text::text;
use crate::png_file::{file, gray, gray_alpha, palette, rgb, rgba};
use crate::{soon, verdict, verdict_of, verdict_of_content};
use payment_model::Currency;
use qr_verdict::{Expected, Verdict, judge, read};

fn right(merchant_name: &str) -> Verdict {
    Verdict::Right {
        merchant_name: Some(merchant_name.to_owned()),
    }
}

/// The example of the standard, whose name in another language shows that lengths count characters.
const EXAMPLE: &str = "00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST \
    TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A600866709\
    02ME91320016A0112233449988770708123456786304A13A";

#[test]
fn the_example_of_the_standard_is_read() {
    let expect = |amount_cents, currency| {
        let currency = Currency::new(currency);
        let read = read(&file(&Drawing::usual(EXAMPLE), gray(1)), soon());
        let expected = Expected {
            amount_cents,
            currency: &currency,
        };
        judge(&read, expected)
    };
    assert_eq!(expect(2372, "CNY"), right("BEST TRANSPORT"));
    assert_ne!(expect(2373, "CNY"), right("BEST TRANSPORT"));
}

#[test]
fn contents_may_be_written_in_many_ways() {
    let check = |what, content: &str| {
        assert_eq!(
            verdict_of_content(content),
            right("Botica Central"),
            "{what}"
        );
    };
    check("usual", &text().content());
    check("no amount", &text().without("54").content());
    check("whole", &text().with("54", "620").content());
    check("one decimal", &text().with("54", "620.0").content());
    check("a point and nothing", &text().with("54", "620.").content());
    check("leading zeros", &text().with("54", "00620.00").content());
    check("more zeros", &text().with("54", "620.0000").content());
    check(
        "letters of the currency",
        &text().with("53", "PEN").content(),
    );
    check("the amount twice", &text().and("54", "620.00").content());
    check("fields that nobody knows", &text().and("80", "x").content());
    check("an empty field", &text().and("62", "").content());
    check("a line end", &format!("{}\r\n", text().content()));
    let content = text().content();
    let (fields, sum) = content.split_at(content.len() - 4);
    check(
        "small letters in the sum",
        &format!("{fields}{}", sum.to_lowercase()),
    );
}

#[test]
fn a_name_with_other_letters_is_right_however_it_is_measured_and_encoded() {
    let name = "Botica Ñuñoa";
    let text = text().with("59", name);
    assert_eq!(verdict_of_content(text.content()), right(name));
    assert_eq!(verdict_of_content(text.content_by_bytes()), right(name));
    assert_eq!(verdict_of_content(text.latin_content()), right(name));
}

#[test]
fn a_code_without_a_name_is_right() {
    let content = text().without("59").content();
    let nameless = Verdict::Right {
        merchant_name: None,
    };
    assert_eq!(verdict_of_content(content), nameless);
}

#[test]
fn every_kind_of_png_is_read() {
    let usual = Drawing::usual(text().content());
    for (what, kind) in [
        ("1 bit", gray(1)),
        ("2 bits", gray(2)),
        ("4 bits", gray(4)),
        ("8 bits", gray(8)),
        ("16 bits", gray(16)),
        ("gray with alpha", gray_alpha(8)),
        ("gray with alpha, 16 bits", gray_alpha(16)),
        ("color", rgb(8)),
        ("color, 16 bits", rgb(16)),
        ("color with alpha", rgba(8)),
        ("color with alpha, 16 bits", rgba(16)),
        ("palette, 1 bit", palette(1)),
        ("palette, 4 bits", palette(4)),
        ("palette, 8 bits", palette(8)),
    ] {
        assert_eq!(verdict(&usual, kind), right("Botica Central"), "{what}");
        let interlaced = verdict(&usual, kind.interlaced());
        assert_eq!(interlaced, right("Botica Central"), "{what}, interlaced");
    }
    let clear = usual.recolored(BLACK, [0, 0, 0, 0]);
    for (what, kind) in [
        ("alpha", rgba(8)),
        ("palette", palette(1)),
        ("gray", gray_alpha(8)),
    ] {
        assert_eq!(
            verdict(&clear, kind),
            right("Botica Central"),
            "transparent {what}"
        );
    }
}

#[test]
fn odd_pictures_are_read() {
    let check = |what, drawing: &Drawing| {
        assert_eq!(verdict(drawing, rgba(8)), right("Botica Central"), "{what}");
    };
    let code = Drawing::code(text().content());
    let usual = Drawing::usual(text().content());
    check("one pixel a module", &code.framed(4, WHITE));
    check("one pixel a module and no quiet zone", &code);
    check("two pixels a module", &code.larger(2).framed(4, WHITE));
    check("three pixels a module", &code.larger(3));
    check("no quiet zone", &code.larger(8));
    check("large", &code.larger(40).framed(160, WHITE));
    check(
        "a small part of a large page",
        &code.larger(4).framed(900, WHITE),
    );
    check("at the foot of a long page", &{
        let mut page = Drawing::draw(600, 1400, |_, _| WHITE);
        page.paste(&code.larger(5), 40, 1100);
        page
    });
    for turn in 1..4 {
        let turned = (0..turn).fold(usual.clone(), |drawing, _| drawing.quarter_turn());
        check("turned by quarters", &turned);
    }
    for degrees in [-7.0, -2.0, 1.0, 3.0, 5.0, 12.0] {
        check("turned", &usual.turned(degrees));
    }
    check("mirrored", &usual.mirrored());
    check("light on dark", &usual.clone().recolored(WHITE, BLACK));
    check(
        "light on dark, no quiet zone",
        &code.larger(6).recolored(WHITE, BLACK),
    );
    check(
        "blue on yellow",
        &usual
            .clone()
            .recolored([20, 30, 160, 255], [255, 240, 150, 255]),
    );
    check(
        "pale",
        &usual
            .clone()
            .recolored([150, 150, 150, 255], [190, 190, 190, 255]),
    );
    check(
        "half transparent",
        &usual.clone().recolored([0, 0, 0, 110], [0, 0, 0, 0]),
    );
    check(
        "a dark page around it",
        &usual.framed(60, [30, 30, 40, 255]),
    );
    check("a gray code beside a black bar", &{
        let pale = usual.clone().recolored([140, 140, 140, 255], WHITE);
        pale.beside(&Drawing::draw(80, pale.height, |_, _| BLACK))
    });
    check("a light code on gray beside a black bar", &{
        let light = usual.clone().recolored(WHITE, [100, 100, 100, 255]);
        light.beside(&Drawing::draw(80, light.height, |_, _| BLACK))
    });
    check("a logo over its middle", &{
        let (mut with_logo, side) = (usual.clone(), usual.width / 8);
        let logo = Drawing::draw(side, side, |_, _| [120, 20, 140, 255]);
        let at = (usual.width - side) / 2;
        with_logo.paste(&logo, at, at);
        with_logo
    });
}

#[test]
fn several_right_codes_and_codes_of_another_form_do_no_harm() {
    let usual = Drawing::usual(text().content());
    let check = |what, other: &str| {
        let both = usual.beside(&Drawing::usual(other));
        assert_eq!(verdict(&both, gray(1)), right("Botica Central"), "{what}");
    };
    check("the same twice", &text().content());
    check(
        "another number of the same payee",
        &text().with("26", "0004demo").content(),
    );
    check("an address", "https://wallet.example/install");
}

#[test]
fn decimals_are_the_currencys() {
    let check = |code, amount, amount_cents, is_right| {
        let content = text().with("53", code).with("54", amount).content();
        let currency = Currency::new(code);
        let expected = Expected {
            amount_cents,
            currency: &currency,
        };
        let read = read(&file(&Drawing::usual(content), gray(1)), soon());
        assert_eq!(
            judge(&read, expected) == right("Botica Central"),
            is_right,
            "{code} {amount}"
        );
    };
    check("152", "62000", 62_000, true);
    check("152", "62000.00", 62_000, true);
    check("152", "620.00", 62_000, false);
    check("048", "62.000", 62_000, true);
    check("048", "620.00", 62_000, false);
    check("604", "0", 0, true);
}

#[test]
fn a_picture_with_text_chunks_is_read() {
    let whole = file(&Drawing::usual(text().content()), gray(1));
    let end_of_header = 8 + 25;
    let (header, rest) = whole.split_at(end_of_header);
    let note = crate::png_file::chunk(b"tEXt", b"Software\0drawn");
    let with_note = [header, &note, rest].concat();
    assert_eq!(verdict_of(&with_note), right("Botica Central"));
}
