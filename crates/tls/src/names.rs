//! Names in certificates: of subjects and issuers, and the alternatives.

use crate::der::{self, Malformed, Reader, tag};
use crate::oid;

/// Who something is: attributes in groups, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The groups; most have one attribute.
    pub groups: Vec<Vec<Attribute>>,
    /// In DER.
    pub der: Vec<u8>,
}

/// One part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Of which kind: a short name, or numbers with dots.
    pub kind: String,
    /// What it says.
    pub value: String,
}

impl Name {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let item = reader.any()?;
        if item.tag != tag::SEQUENCE {
            return Err(Malformed);
        }
        let mut groups = Vec::new();
        let mut sets = Reader::new(item.body);
        while !sets.is_empty() {
            let mut set = Reader::new(sets.expect(tag::SET)?);
            let mut group = Vec::new();
            while !set.is_empty() {
                let mut pair = set.sequence()?;
                let kind = der::dotted(pair.expect(tag::OID)?);
                let value = pair.any()?;
                let kind = oid::attribute(&kind).map_or(kind, str::to_owned);
                group.push(Attribute { kind, value: text(value.tag, value.body) });
            }
            groups.push(group);
        }
        Ok(Self { groups, der: item.whole.to_vec() })
    }

    /// All attributes.
    pub fn attributes(&self) -> impl DoubleEndedIterator<Item = &Attribute> {
        self.groups.iter().flatten()
    }

    /// Whether both name the same: neither case nor the number of spaces counts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.der == other.der || self.canonical() == other.canonical()
    }

    fn canonical(&self) -> Vec<Vec<(&str, String)>> {
        self.groups.iter().map(|group| canonical(group)).collect()
    }

    /// One attribute in each line, as OpenSSL writes them for Node.
    pub fn lines(&self) -> String {
        let group = |group: &Vec<Attribute>| -> String {
            let all: Vec<String> = group.iter().map(Attribute::escaped).collect();
            all.join(" + ")
        };
        let lines: Vec<String> = self.groups.iter().map(group).collect();
        lines.join("\n")
    }

    /// In one line, the last first, as RFC 2253 has it.
    fn one_line(&self) -> String {
        let group = |group: &Vec<Attribute>| -> String {
            let all: Vec<String> = group.iter().map(Attribute::escaped).collect();
            all.join("+")
        };
        let groups: Vec<String> = self.groups.iter().rev().map(group).collect();
        groups.join(",")
    }
}

fn canonical(group: &[Attribute]) -> Vec<(&str, String)> {
    let one = |attribute: &Attribute| {
        let words = attribute.value.split_ascii_whitespace();
        words.map(str::to_ascii_lowercase).collect::<Vec<String>>().join(" ")
    };
    let mut all: Vec<(&str, String)> = group.iter().map(|it| (&*it.kind, one(it))).collect();
    all.sort();
    all
}

impl Attribute {
    /// With a backslash before what would else mean something.
    fn escaped(&self) -> String {
        let mut text = format!("{}=", self.kind);
        let last = self.value.chars().count().saturating_sub(1);
        for (at, letter) in self.value.chars().enumerate() {
            let is_special = matches!(letter, ',' | '+' | '"' | '\\' | '<' | '>' | ';')
                || at == 0 && matches!(letter, '#' | ' ')
                || at == last && letter == ' ';
            if letter < ' ' || letter == '\x7f' {
                text.push_str(&format!("\\{:02X}", u32::from(letter)));
                continue;
            }
            if is_special {
                text.push('\\');
            }
            text.push(letter);
        }
        text
    }
}

/// What a text of that tag says.
fn text(tag: u8, body: &[u8]) -> String {
    let latin = || body.iter().map(|byte| char::from(*byte)).collect();
    match tag {
        tag::BMP => {
            let units: Vec<u16> =
                body.chunks_exact(2).map(|two| u16::from_be_bytes([two[0], two[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        tag::UNIVERSAL_STRING => body
            .chunks_exact(4)
            .map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
            .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
        tag::T61 => latin(),
        _ => String::from_utf8(body.to_vec()).unwrap_or_else(|_| latin()),
    }
}

/// An alternative name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeneralName {
    /// An address for mail.
    Email(Vec<u8>),
    /// The name of a host.
    Dns(Vec<u8>),
    /// An address.
    Uri(Vec<u8>),
    /// Four or sixteen bytes; within constraints, twice as many.
    Ip(Vec<u8>),
    /// A name like that of the subject.
    Directory(Name),
    /// An identifier.
    Registered(String),
    /// The identifier of a form of names, and the text if it is one.
    Other(String, Option<(bool, Vec<u8>)>),
    /// A form that nobody uses.
    Unsupported(&'static str),
}

impl GeneralName {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let item = reader.any()?;
        let bytes = || item.body.to_vec();
        Ok(match item.tag {
            0xa0 => {
                let mut parts = Reader::new(item.body);
                let form = der::dotted(parts.expect(tag::OID)?);
                let value = Reader::new(parts.expect(0xa0)?).any()?;
                let is_text = matches!(value.tag, tag::UTF8 | 0x16);
                let value = is_text.then(|| (value.tag == tag::UTF8, value.body.to_vec()));
                Self::Other(form, value)
            }
            0x81 => Self::Email(bytes()),
            0x82 => Self::Dns(bytes()),
            0xa3 => Self::Unsupported("X400Name"),
            0xa4 => Self::Directory(Name::read(&mut Reader::new(item.body))?),
            0xa5 => Self::Unsupported("EdiPartyName"),
            0x86 => Self::Uri(bytes()),
            0x87 => Self::Ip(bytes()),
            0x88 => Self::Registered(der::dotted(item.body)),
            _ => return Err(Malformed),
        })
    }

    pub(crate) fn read_all(bytes: &[u8]) -> Result<Vec<Self>, Malformed> {
        let mut reader = Reader::new(bytes).sequence()?;
        let mut all = Vec::new();
        while !reader.is_empty() {
            all.push(Self::read(&mut reader)?);
        }
        Ok(all)
    }

    /// As Node writes it.
    pub fn shown(&self) -> String {
        match self {
            Self::Email(value) => format!("email:{}", alternative(value, false)),
            Self::Dns(value) => format!("DNS:{}", alternative(value, false)),
            Self::Uri(value) => format!("URI:{}", alternative(value, false)),
            Self::Ip(value) => match address(value) {
                Some(address) => format!("IP Address:{address}"),
                None => "IP Address:<invalid>".to_owned(),
            },
            Self::Directory(name) => {
                format!("DirName:{}", alternative(name.one_line().as_bytes(), true))
            }
            Self::Registered(identifier) => format!("Registered ID:{identifier}"),
            Self::Other(form, value) => {
                // The forms that have a text, and which kind of text.
                let known = match form.as_str() {
                    "1.3.6.1.4.1.311.20.2.3" => Some(("UPN", true)),
                    "1.3.6.1.5.5.7.8.9" => Some(("SmtpUTF8Mailbox", true)),
                    "1.3.6.1.5.5.7.8.5" => Some(("XmppAddr", true)),
                    "1.3.6.1.5.5.7.8.7" => Some(("SRVName", false)),
                    "1.3.6.1.5.5.7.8.8" => Some(("NAIRealm", true)),
                    _ => None,
                };
                match (known, value) {
                    (Some((name, utf8)), Some((is_utf8, value))) if utf8 == *is_utf8 => {
                        format!("othername:{name}:{}", alternative(value, utf8))
                    }
                    _ => "othername:<unsupported>".to_owned(),
                }
            }
            Self::Unsupported(what) => format!("{what}:<unsupported>"),
        }
    }
}

/// An address as OpenSSL writes it: nothing is left out.
fn address(bytes: &[u8]) -> Option<String> {
    match bytes.len() {
        4 => {
            let parts: Vec<String> = bytes.iter().map(u8::to_string).collect();
            Some(parts.join("."))
        }
        16 => {
            let group = |two: &[u8]| format!("{:X}", u16::from_be_bytes([two[0], two[1]]));
            let groups: Vec<String> = bytes.chunks_exact(2).map(group).collect();
            Some(groups.join(":"))
        }
        _ => None,
    }
}

/// A value in the list of alternatives: in quotes if it could be taken for more than one.
fn alternative(value: &[u8], is_utf8: bool) -> String {
    let is_plain = |byte: u8| {
        let ends = if is_utf8 { byte == 0x7f } else { byte > b'~' };
        !(matches!(byte, b'"' | b'\\' | b',' | b'\'') || byte < b' ' || ends)
    };
    if value.iter().all(|byte| is_plain(*byte)) {
        return String::from_utf8_lossy(value).into_owned();
    }
    let mut text = vec![b'"'];
    for &byte in value {
        if matches!(byte, b'"' | b'\\') {
            text.extend([b'\\', byte]);
        } else if (b' '..=b'~').contains(&byte) && byte != b',' || is_utf8 && byte >= 0x80 {
            text.push(byte);
        } else {
            text.extend(format!("\\u{byte:04x}").into_bytes());
        }
    }
    text.push(b'"');
    String::from_utf8_lossy(&text).into_owned()
}
