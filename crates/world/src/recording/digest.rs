//! A number that differs when what it was made of does.

use hemiola_gate::Datum;

/// In the manner of FNV-1a, eight bytes at a time: the same on every machine and in every version. It
/// shows that something was changed, not that nobody wanted to hide it.
#[derive(Clone, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes in a text.
    pub fn text(&mut self, text: &[u8]) {
        self.sized(9, text);
    }

    /// The number for all that was taken in.
    pub fn number(&self) -> u64 {
        self.0
    }

    /// The same, as it is written.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.word(word.try_into().expect("it is of eight bytes"));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.word(word);
        }
    }

    fn word(&mut self, word: [u8; 8]) {
        self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn sized(&mut self, kind: u8, bytes: &[u8]) {
        self.bytes(&[kind]);
        self.bytes(&bytes.len().to_le_bytes());
        self.bytes(bytes);
    }

    pub(super) fn datum(&mut self, datum: &Datum) {
        match datum {
            Datum::Undefined => self.bytes(&[0]),
            Datum::Null => self.bytes(&[1]),
            Datum::Bool(flag) => self.bytes(&[2, u8::from(*flag)]),
            Datum::Number(number) => self.sized(3, &number.to_bits().to_le_bytes()),
            Datum::Text(text) => self.sized(4, text.as_bytes()),
            Datum::Bytes(bytes) => self.sized(5, bytes),
            Datum::Held(bytes) => self.sized(5, bytes),
            Datum::List(items) => {
                self.sized(6, &items.len().to_le_bytes());
                items.iter().for_each(|item| self.datum(item));
            }
            Datum::Record(fields) => {
                self.sized(7, &fields.len().to_le_bytes());
                for (name, value) in fields {
                    self.sized(8, name.as_bytes());
                    self.datum(value);
                }
            }
        }
    }
}
