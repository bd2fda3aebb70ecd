//! A merchant-presented code of EMVCo: fields of a tag of two digits, a length of two digits and a value, from the
//! version to a checksum.

/// The first field, which is the version of the form.
const BEGINNING: &str = "000201";
/// The last field, whose value is the checksum of all that is before it.
const CHECKSUM_TAG: &str = "63";

/// The value of tag 55 by which the payer may type a tip.
const TYPED_TIP: &str = "01";

/// What a content is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form<'a> {
    /// Not of this form.
    Other,
    /// It begins in this form, but its fields or its checksum are damaged.
    Damaged,
    /// A request for a payment.
    Payment(Payment<'a>),
}

/// The fields that a payer sees in a wallet. A tag may be there twice by mistake, and a wallet may take either field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Payment<'a> {
    /// Codes of ISO 4217; there should be one.
    pub(crate) currencies: Vec<&'a str>,
    /// Decimal texts in the currency's main unit, or none where the payer types the amount.
    pub(crate) amounts: Vec<&'a str>,
    /// True if the wallet adds a fee, so that the payer pays another amount.
    pub(crate) has_fee: bool,
    /// The payee.
    pub(crate) merchant_name: Option<&'a str>,
}

/// Reads a content.
pub(crate) fn parse(content: &str) -> Form<'_> {
    let content = content.trim_end();
    if !content.starts_with(BEGINNING) {
        return Form::Other;
    }
    // The standard counts characters, and many programs count bytes. A name with `ñ` tells them apart.
    let whole = [characters, bytes].into_iter().find_map(|end_of| {
        let fields = fields(content, end_of)?;
        ends_by_its_checksum(content, &fields).then_some(fields)
    });
    let Some(fields) = whole else {
        return Form::Damaged;
    };
    let all = |wanted: &str| {
        let values = fields.iter().filter(|(tag, _)| *tag == wanted);
        values.map(|(_, value)| *value).collect::<Vec<_>>()
    };
    Form::Payment(Payment {
        currencies: all("53"),
        amounts: all("54"),
        // The tip that a payer types is the payer's own.
        has_fee: fields.iter().any(|(tag, value)| match *tag {
            "55" => *value != TYPED_TIP,
            "56" | "57" => true,
            _ => false,
        }),
        merchant_name: all("59").first().copied(),
    })
}

/// The tags and values, if the content is nothing else.
fn fields(content: &str, end_of: fn(&str, usize) -> Option<usize>) -> Option<Vec<(&str, &str)>> {
    let (mut rest, mut fields) = (content, Vec::new());
    while !rest.is_empty() {
        let (tag, after) = rest.split_at_checked(2)?;
        let (length, after) = after.split_at_checked(2)?;
        let digits = tag.bytes().chain(length.bytes());
        if !digits.into_iter().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (value, after) = after.split_at_checked(end_of(after, length.parse().ok()?)?)?;
        fields.push((tag, value));
        rest = after;
    }
    Some(fields)
}

/// The place after so many characters.
fn characters(text: &str, count: usize) -> Option<usize> {
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.into_iter().nth(count)
}

/// The place after so many bytes.
#[expect(clippy::unnecessary_wraps, reason = "the counterpart of `characters`")]
fn bytes(_: &str, count: usize) -> Option<usize> {
    Some(count)
}

fn ends_by_its_checksum(content: &str, fields: &[(&str, &str)]) -> bool {
    let Some((CHECKSUM_TAG, digits)) = fields.last() else {
        return false;
    };
    let summed = content.strip_suffix(digits).unwrap_or_default();
    let is_sum_of = |bytes: &[u8]| format!("{:04X}", checksum(bytes)).eq_ignore_ascii_case(digits);
    // A code in Latin-1 was summed before it became UTF-8 here.
    let latin: Option<Vec<u8>> = summed.chars().map(|c| u8::try_from(c).ok()).collect();
    is_sum_of(summed.as_bytes()) || latin.is_some_and(|latin| is_sum_of(&latin))
}

/// CRC-16 with the polynomial 0x1021, which begins with 0xffff.
fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(u16::MAX, |sum, byte| {
        (0..8).fold(sum ^ (u16::from(*byte) << 8), |sum, _| {
            let carry = if sum & 0x8000 == 0 { 0 } else { 0x1021 };
            (sum << 1) ^ carry
        })
    })
}
