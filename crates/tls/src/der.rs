//! DER, the encoding of certificates and keys: a reader that never goes past its bytes, and a writer.

/// The bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// What a value is.
pub mod tag {
    #![allow(missing_docs, reason = "the names say it")]
    pub const BOOLEAN: u8 = 0x01;
    pub const INTEGER: u8 = 0x02;
    pub const BIT_STRING: u8 = 0x03;
    pub const OCTET_STRING: u8 = 0x04;
    pub const NULL: u8 = 0x05;
    pub const OID: u8 = 0x06;
    pub const UTF8: u8 = 0x0c;
    pub const T61: u8 = 0x14;
    pub const UTC_TIME: u8 = 0x17;
    pub const GENERALIZED_TIME: u8 = 0x18;
    pub const UNIVERSAL_STRING: u8 = 0x1c;
    pub const BMP: u8 = 0x1e;
    pub const SEQUENCE: u8 = 0x30;
    pub const SET: u8 = 0x31;
}

/// One value: its tag, what is in it, and the whole of it.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The first byte.
    pub tag: u8,
    /// The contents.
    pub body: &'a [u8],
    /// Tag, length and contents.
    pub whole: &'a [u8],
}

/// Reads values one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader of those bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tag of the next value.
    pub fn peek(&self) -> Option<u8> {
        self.0.first().copied()
    }

    /// The next value, whatever it is.
    pub fn any(&mut self) -> Result<Item<'a>, Malformed> {
        let (&tag, rest) = self.0.split_first().ok_or(Malformed)?;
        // No tag that we meet has a number that needs a second byte.
        if tag & 0x1f == 0x1f {
            return Err(Malformed);
        }
        let (&first, rest) = rest.split_first().ok_or(Malformed)?;
        let (length, body) = match first {
            0..=0x7f => (usize::from(first), rest),
            0x81..=0x84 => {
                let (digits, body) =
                    rest.split_at_checked(usize::from(first & 0x7f)).ok_or(Malformed)?;
                let length = digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit));
                (length, body)
            }
            _ => return Err(Malformed),
        };
        let body = body.get(..length).ok_or(Malformed)?;
        let (whole, rest) = self.0.split_at(self.0.len() - rest_after(self.0, body));
        self.0 = rest;
        Ok(Item { tag, body, whole })
    }

    /// The contents of the next value, which has that tag.
    pub fn expect(&mut self, tag: u8) -> Result<&'a [u8], Malformed> {
        match self.any()? {
            item if item.tag == tag => Ok(item.body),
            _ => Err(Malformed),
        }
    }

    /// The contents of the next value if it has that tag.
    pub fn optional(&mut self, tag: u8) -> Result<Option<&'a [u8]>, Malformed> {
        if self.peek() == Some(tag) { self.expect(tag).map(Some) } else { Ok(None) }
    }

    /// A reader of what is in the next value, a sequence.
    pub fn sequence(&mut self) -> Result<Reader<'a>, Malformed> {
        self.expect(tag::SEQUENCE).map(Reader)
    }

    /// The next value, a whole number that is small and not negative.
    pub fn small(&mut self) -> Result<u64, Malformed> {
        let bytes = self.expect(tag::INTEGER)?;
        small(bytes).ok_or(Malformed)
    }

    /// The next value, bits of which none is left over.
    pub fn bits(&mut self) -> Result<&'a [u8], Malformed> {
        match self.expect(tag::BIT_STRING)?.split_first() {
            Some((0, bytes)) => Ok(bytes),
            _ => Err(Malformed),
        }
    }
}

/// The number that these contents of an INTEGER are, if it is not negative and fits.
pub fn small(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 9 || bytes[0] & 0x80 != 0 {
        return None;
    }
    bytes.iter().try_fold(0u64, |sum, byte| Some(sum.checked_mul(256)? | u64::from(*byte)))
}

/// How many bytes follow `part`, which is within `whole`.
fn rest_after(whole: &[u8], part: &[u8]) -> usize {
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    whole.len() - start - part.len()
}

/// A value of that tag.
pub fn value(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    let length = body.len();
    if length < 0x80 {
        bytes.push(length as u8);
    } else {
        let digits: Vec<u8> =
            length.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
        bytes.push(0x80 | digits.len() as u8);
        bytes.extend(digits);
    }
    bytes.extend(body);
    bytes
}

/// A sequence of values.
pub fn sequence(items: &[&[u8]]) -> Vec<u8> {
    value(tag::SEQUENCE, &items.concat())
}

/// A number that is not negative, from its digits of base 256, the highest first.
pub fn integer(digits: &[u8]) -> Vec<u8> {
    let start = digits.iter().position(|digit| *digit != 0).unwrap_or(digits.len());
    let digits = &digits[start..];
    if digits.first().is_none_or(|first| first & 0x80 != 0) {
        value(tag::INTEGER, &[&[0], digits].concat())
    } else {
        value(tag::INTEGER, digits)
    }
}

/// Bytes as bits.
pub fn bit_string(bytes: &[u8]) -> Vec<u8> {
    value(tag::BIT_STRING, &[&[0], bytes].concat())
}

/// An identifier in its written form, such as `2.5.4.3`.
pub fn dotted(oid: &[u8]) -> String {
    let mut arcs: Vec<u128> = Vec::new();
    let mut arc: u128 = 0;
    for byte in oid {
        arc = arc.wrapping_shl(7) | u128::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            if arcs.is_empty() {
                let first = (arc / 40).min(2);
                arcs.push(first);
                arc -= first * 40;
            }
            arcs.push(arc);
            arc = 0;
        }
    }
    let arcs: Vec<String> = arcs.iter().map(u128::to_string).collect();
    arcs.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let long = vec![7; 300];
        let bytes = sequence(&[&integer(&[0, 0x80]), &value(tag::OCTET_STRING, &long)]);
        let mut reader = Reader::new(&bytes).sequence().expect("it is a sequence");
        assert_eq!(reader.small(), Ok(128));
        assert_eq!(reader.expect(tag::OCTET_STRING), Ok(&long[..]));
        assert!(reader.is_empty());
    }

    #[test]
    fn nothing_is_read_past_the_end() {
        for bytes in
            [&[][..], &[0x30], &[0x30, 2, 1], &[0x30, 0x84, 255, 255, 255, 255, 1], &[0x30, 0x80]]
        {
            assert!(Reader::new(bytes).any().is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn identifiers_are_written_with_dots() {
        assert_eq!(dotted(&[0x55, 4, 3]), "2.5.4.3");
        assert_eq!(
            dotted(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11]),
            "1.2.840.113549.1.1.11"
        );
    }
}
