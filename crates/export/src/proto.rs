//! Messages of Protocol Buffers, as far as a trace needs them: fields are appended in the order of calls.

/// A message that is being written.
#[derive(Debug, Default)]
pub(crate) struct Message {
    bytes: Vec<u8>,
}

/// How a field is written.
#[derive(Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Delimited = 2,
}

impl Message {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets all fields, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// A field of type `uint64`, `int32` from zero on, `bool` or an enumeration.
    pub(crate) fn number(&mut self, field: u32, value: u64) {
        self.key(field, Wire::Varint);
        self.varint(value);
    }

    /// A field of type `fixed64`.
    pub(crate) fn fixed(&mut self, field: u32, value: u64) {
        self.key(field, Wire::Fixed64);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, field: u32, text: &str) {
        self.delimited(field, text.as_bytes());
    }

    pub(crate) fn message(&mut self, field: u32, message: &Message) {
        self.delimited(field, &message.bytes);
    }

    fn delimited(&mut self, field: u32, bytes: &[u8]) {
        self.key(field, Wire::Delimited);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    fn key(&mut self, field: u32, wire: Wire) {
        self.varint(u64::from(field) << 3 | wire as u64);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_encoding_says() {
        let mut inner = Message::new();
        inner.number(1, 150);
        let mut message = Message::new();
        message.text(2, "testing");
        message.message(3, &inner);
        message.fixed(60, 1);
        message.number(1, u64::MAX);
        let expected = [
            b"\x12\x07testing".as_slice(),
            b"\x1a\x03\x08\x96\x01",
            b"\xe1\x03\x01\0\0\0\0\0\0\0",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        ];
        assert_eq!(message.bytes(), expected.concat());
    }
}
