//! Contents of codes.

/// Fields of a content, whose checksum [`Text::content`] appends.
pub(crate) struct Text(Vec<(&'static str, String)>);

/// A request for S/ 620.00.
pub(crate) fn text() -> Text {
    let fields = [
        ("00", "01"),
        ("01", "12"),
        ("26", "0008com.demo0112482193017756"),
        ("52", "0000"),
        ("53", "604"),
        ("54", "620.00"),
        ("58", "PE"),
        ("59", "Botica Central"),
        ("60", "Lima"),
    ];
    Text(fields.map(|(tag, value)| (tag, value.to_owned())).to_vec())
}

impl Text {
    pub(crate) fn with(mut self, tag: &'static str, value: &str) -> Self {
        for field in &mut self.0 {
            if field.0 == tag {
                value.clone_into(&mut field.1);
            }
        }
        self
    }

    pub(crate) fn without(mut self, tag: &str) -> Self {
        self.0.retain(|field| field.0 != tag);
        self
    }

    pub(crate) fn and(mut self, tag: &'static str, value: &str) -> Self {
        self.0.push((tag, value.to_owned()));
        self
    }

    /// The content, with lengths in characters.
    pub(crate) fn content(&self) -> String {
        self.measured(|value| value.chars().count())
    }

    /// The content, with lengths in bytes.
    pub(crate) fn content_by_bytes(&self) -> String {
        self.measured(str::len)
    }

    /// The content in Latin-1.
    pub(crate) fn latin_content(&self) -> Vec<u8> {
        let content = self.content();
        let fields = content[..content.len() - 4].chars();
        summed(fields.map(|c| u8::try_from(c).unwrap()).collect())
    }

    fn measured(&self, length: fn(&str) -> usize) -> String {
        let fields = self.0.iter();
        let fields = fields.map(|(tag, value)| format!("{tag}{:02}{value}", length(value)));
        let fields = fields.collect::<String>() + "6304";
        String::from_utf8(summed(fields.into_bytes())).unwrap()
    }
}

/// Appends the checksum. The example of the standard has the same.
pub(crate) fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = bytes.iter().fold(0xffff_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 8, |sum, _| {
            let twice = sum << 1;
            if twice > 0xffff {
                twice ^ 0x1_1021
            } else {
                twice
            }
        })
    });
    bytes.extend(format!("{sum:04X}").bytes());
    bytes
}
