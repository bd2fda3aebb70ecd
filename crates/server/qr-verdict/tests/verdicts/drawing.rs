//! Pictures of codes, as services draw them.

use fast_qr::{ECL, QRBuilder};

pub(crate) type Color = [u8; 4];
pub(crate) const BLACK: Color = [0, 0, 0, 255];
pub(crate) const WHITE: Color = [255, 255, 255, 255];

/// Pixels of red, green, blue and alpha.
#[derive(Clone)]
pub(crate) struct Drawing {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<Color>,
}

impl Drawing {
    /// A code with one pixel a module and no quiet zone.
    pub(crate) fn code(content: impl AsRef<[u8]>) -> Self {
        let code = QRBuilder::new(content.as_ref())
            .ecl(ECL::M)
            .build()
            .unwrap();
        Self::draw(code.size, code.size, |x, y| {
            if code[y][x].value() { BLACK } else { WHITE }
        })
    }

    /// A code as most services draw it: eight pixels a module, and a quiet zone.
    pub(crate) fn usual(content: impl AsRef<[u8]>) -> Self {
        Self::code(content).larger(8).framed(32, WHITE)
    }

    pub(crate) fn draw(width: usize, height: usize, pixel: impl Fn(usize, usize) -> Color) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self {
            width,
            height,
            pixels: pixels.map(|(x, y)| pixel(x, y)).collect(),
        }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> Color {
        self.pixels[y * self.width + x]
    }

    pub(crate) fn larger(&self, times: usize) -> Self {
        Self::draw(self.width * times, self.height * times, |x, y| {
            self.at(x / times, y / times)
        })
    }

    pub(crate) fn framed(&self, border: usize, color: Color) -> Self {
        let (width, height) = (self.width + 2 * border, self.height + 2 * border);
        let mut framed = Self::draw(width, height, |_, _| color);
        framed.paste(self, border, border);
        framed
    }

    pub(crate) fn recolored(mut self, dark: Color, light: Color) -> Self {
        for pixel in &mut self.pixels {
            *pixel = if *pixel == BLACK { dark } else { light };
        }
        self
    }

    pub(crate) fn quarter_turn(&self) -> Self {
        Self::draw(self.height, self.width, |x, y| {
            self.at(y, self.height - 1 - x)
        })
    }

    pub(crate) fn mirrored(&self) -> Self {
        Self::draw(self.width, self.height, |x, y| {
            self.at(self.width - 1 - x, y)
        })
    }

    /// Turned about the middle by any angle, on white.
    pub(crate) fn turned(&self, degrees: f64) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (middle_x, middle_y) = (self.width as f64 / 2.0, self.height as f64 / 2.0);
        Self::draw(self.width, self.height, |x, y| {
            let (x, y) = (x as f64 - middle_x, y as f64 - middle_y);
            let (x, y) = (x * cos + y * sin + middle_x, y * cos - x * sin + middle_y);
            let is_inside = x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
            if is_inside {
                self.at(x as usize, y as usize)
            } else {
                WHITE
            }
        })
    }

    pub(crate) fn paste(&mut self, other: &Self, left: usize, top: usize) {
        for y in 0..other.height {
            for x in 0..other.width {
                self.pixels[(top + y) * self.width + left + x] = other.at(x, y);
            }
        }
    }

    /// Two pictures side by side.
    pub(crate) fn beside(&self, other: &Self) -> Self {
        let (width, height) = (self.width + other.width, self.height.max(other.height));
        let mut both = Self::draw(width, height, |_, _| WHITE);
        both.paste(self, 0, 0);
        both.paste(other, self.width, 0);
        both
    }
}
