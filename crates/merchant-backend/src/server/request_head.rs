//! Checks the lines of a request's head before the parser reads them.
//!
//! The parser takes a line feed without its carriage return for the end of a line, and of two
//! lengths it takes one. A server may do both. A proxy in front may read the same bytes in another
//! way, and then the two see different requests. So such heads do not reach the parser.

/// The longest name that matters, and its colon.
const LONGEST: usize = "transfer-encoding:".len();

/// The part of a head that was seen so far.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// The beginning of the line, in lower case.
    line: Vec<u8>,
    /// True after a line that is not empty.
    begun: bool,
    /// True when the last byte was a carriage return.
    returned: bool,
    has_length: bool,
    has_chunks: bool,
}

/// The result of checking some bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The head goes on after all of them.
    Part,
    /// The head ends with so many of them.
    Whole(usize),
    /// The parser must not see the last of so many bytes.
    Wrong(usize),
}

impl Head {
    pub(super) fn see(&mut self, bytes: &[u8]) -> Seen {
        for (at, &byte) in bytes.iter().enumerate() {
            let returned = std::mem::replace(&mut self.returned, byte == b'\r');
            match byte {
                b'\n' if !returned => return Seen::Wrong(at + 1),
                b'\n' if self.line.is_empty() && self.begun => {
                    let both = self.has_length && self.has_chunks;
                    let seen = if both { Seen::Wrong } else { Seen::Whole };
                    return seen(at + 1);
                }
                b'\n' => self.end_line(),
                b'\r' => {}
                _ if self.line.len() < LONGEST => self.line.push(byte.to_ascii_lowercase()),
                _ => {}
            }
        }
        Seen::Part
    }

    fn end_line(&mut self) {
        self.begun |= !self.line.is_empty();
        self.has_length |= self.line.starts_with(b"content-length:");
        self.has_chunks |= self.line.starts_with(b"transfer-encoding:");
        self.line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Head, Seen};

    #[test]
    fn a_head_ends_with_an_empty_line_however_it_is_cut() {
        for (text, seen) in [
            ("GET / HTTP/1.1\r\n\r\nrest", Seen::Whole(18)),
            ("\r\n\r\nGET / HTTP/1.1\r\n\r\n", Seen::Whole(22)),
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", Seen::Whole(27)),
            ("GET / HTTP/1.1\r\nHost: x\r\n\r", Seen::Part),
            ("GET / HTTP/1.1\n", Seen::Wrong(15)),
            ("\nGET", Seen::Wrong(1)),
            ("GET / HTTP/1.1\r\nA: b\nC: d", Seen::Wrong(21)),
            ("GET / HTTP/1.1\r\nA: b\r\n\n", Seen::Wrong(23)),
            (
                "A / B\r\nContent-Length: 1\r\nA: b\r\n\r\n",
                Seen::Whole(34),
            ),
            (
                "A / B\r\nTransfer-Encoding: chunked\r\n\r\n",
                Seen::Whole(37),
            ),
            (
                "A / B\r\nContent-Length: 1\r\ntransfer-encoding:chunked\r\n\r\n",
                Seen::Wrong(55),
            ),
            (
                "A / B\r\nTRANSFER-ENCODING: chunked\r\ncontent-length: 1\r\n\r\n",
                Seen::Wrong(56),
            ),
            (
                "A / B\r\nX-Content-Length: 1\r\nTransfer-Encoding: a\r\n\r\n",
                Seen::Whole(52),
            ),
        ] {
            assert_eq!(Head::default().see(text.as_bytes()), seen, "{text:?}");
            let mut by_the_byte = Head::default();
            let mut at = 0;
            let last = loop {
                match text.as_bytes().get(at) {
                    None => break Seen::Part,
                    Some(_) => at += 1,
                }
                match by_the_byte.see(&text.as_bytes()[at - 1..at]) {
                    Seen::Part => {}
                    Seen::Whole(_) => break Seen::Whole(at),
                    Seen::Wrong(_) => break Seen::Wrong(at),
                }
            };
            assert_eq!(last, seen, "{text:?}");
        }
    }
}
