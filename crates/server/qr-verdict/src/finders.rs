//! The squares in three corners of each code, along any line through whose middle ink, paper, ink, paper and ink are as
//! long as 1, 1, 3, 1 and 1.

/// The number of places that look like such a square along their row and their column.
pub(crate) fn count(
    width: usize,
    height: usize,
    is_ink: impl Fn(usize, usize) -> bool + Copy,
) -> usize {
    let in_row = |y: usize| {
        let (mut runs, mut found) = ([0; 5], 0);
        for x in 0..width {
            runs[4] += 1;
            let ends = x + 1 == width || is_ink(x, y) != is_ink(x + 1, y);
            if ends {
                if is_ink(x, y) && is_finder(runs) {
                    let stone = x + 1 - runs[4] - runs[3] - runs[2].div_ceil(2);
                    found += usize::from(is_middle(y, height, |y| is_ink(stone, y)));
                }
                runs.rotate_left(1);
                runs[4] = 0;
            }
        }
        found
    };
    (0..height).map(in_row).sum()
}

/// True if a column looks the same as the row, and the row is its middle one.
fn is_middle(y: usize, height: usize, is_ink: impl Fn(usize) -> bool + Copy) -> bool {
    let above = runs((0..y).rev().map(is_ink));
    let below = runs((y + 1..height).map(is_ink));
    let stone = above[0] + 1 + below[0];
    let column = [above[2], above[1], stone, below[1], below[2]];
    above[0] == (stone - 1) / 2 && is_finder(column)
}

/// The lengths of ink, paper and ink, in this sequence.
fn runs(pixels: impl Iterator<Item = bool>) -> [usize; 3] {
    let (mut runs, mut at) = ([0; 3], 0);
    for is_ink in pixels {
        if is_ink != (at % 2 == 0) {
            at += 1;
        }
        if at == runs.len() {
            break;
        }
        runs[at] += 1;
    }
    runs
}

/// The tolerance is that of the search.
fn is_finder(runs: [usize; 5]) -> bool {
    let module = (runs[0] + runs[1] + runs[3] + runs[4]) / 4;
    let wanted = [1, 1, 3, 1, 1].map(|modules| modules * module);
    let is_near = |(run, wanted): (&usize, usize)| run.abs_diff(wanted) <= module * 3 / 4;
    module > 0 && runs.iter().zip(wanted).all(is_near)
}
