//! Certificates: what is in them.

use crate::der::{self, Malformed, Reader, tag};
use crate::names::{GeneralName, Name};
use crate::oid;

/// A certificate, read.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The whole of it.
    pub der: Vec<u8>,
    /// What is signed.
    pub(crate) signed: Vec<u8>,
    /// The algorithm of the signature: the contents of its sequence.
    pub(crate) signature_algorithm: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    /// The number that the issuer gave it, in bytes.
    pub serial: Vec<u8>,
    /// Who signed it.
    pub issuer: Name,
    /// Whose it is.
    pub subject: Name,
    /// From when it holds, in seconds since 1970.
    pub not_before: i64,
    /// Until when.
    pub not_after: i64,
    /// The key that it is for.
    pub public_key: PublicKey,
    /// What else it says.
    pub extensions: Extensions,
}

/// A public key.
#[derive(Clone, Debug)]
pub struct PublicKey {
    /// All of it, in DER.
    pub der: Vec<u8>,
    /// Its algorithm: the contents of the sequence.
    pub(crate) algorithm: Vec<u8>,
    /// The key itself.
    pub bits: Vec<u8>,
}

/// What a certificate of version 3 may add.
#[derive(Clone, Debug, Default)]
pub struct Extensions {
    /// Whether it may sign others, and how many may stand between it and a leaf.
    pub authority: Option<(bool, Option<u64>)>,
    /// What its key may be used for, the first bit being the highest.
    pub key_usage: Option<u16>,
    /// What it may be used for: identifiers with dots.
    pub purposes: Option<Vec<String>>,
    /// Other names of the subject.
    pub alternatives: Option<Vec<GeneralName>>,
    /// Where more is to be found: the method, and the place.
    pub access: Option<Vec<(String, GeneralName)>>,
    /// Names that it may sign for, and those that it may not.
    pub(crate) constraints: Option<(Vec<GeneralName>, Vec<GeneralName>)>,
    pub(crate) subject_key: Option<Vec<u8>>,
    pub(crate) authority_key: Option<Vec<u8>>,
    /// Whether it demands something that we do not know.
    pub(crate) unknown_demand: bool,
}

/// The bit of [`Extensions::key_usage`] that lets a key sign certificates.
pub(crate) const MAY_SIGN_CERTIFICATES: u16 = 1 << (15 - 5);

impl Certificate {
    /// Reads one from DER; what follows it does not count.
    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let whole = Reader::new(bytes).any()?;
        let mut outer = Reader::new(whole.whole).sequence()?;
        let signed = outer.any()?;
        let signature_algorithm = outer.expect(tag::SEQUENCE)?.to_vec();
        let signature = outer.bits()?.to_vec();
        if signed.tag != tag::SEQUENCE {
            return Err(Malformed);
        }
        let mut inner = Reader::new(signed.body);
        inner.optional(0xa0)?;
        let serial = inner.expect(tag::INTEGER)?.to_vec();
        inner.sequence()?;
        let issuer = Name::read(&mut inner)?;
        let mut dates = inner.sequence()?;
        let (not_before, not_after) = (date(&mut dates)?, date(&mut dates)?);
        let subject = Name::read(&mut inner)?;
        let public_key = PublicKey::read(&mut inner)?;
        inner.optional(0x81)?;
        inner.optional(0x82)?;
        let extensions = match inner.optional(0xa3)? {
            Some(bytes) => Extensions::read(bytes)?,
            None => Extensions::default(),
        };
        Ok(Self {
            der: whole.whole.to_vec(),
            signed: signed.whole.to_vec(),
            signature_algorithm,
            signature,
            serial,
            issuer,
            subject,
            not_before,
            not_after,
            public_key,
            extensions,
        })
    }

    /// Whether it names itself as its issuer.
    pub(crate) fn is_self_issued(&self) -> bool {
        self.subject.is_same(&self.issuer)
    }

    /// Whether `issuer` may have signed it, as far as names tell.
    pub fn names_issuer(&self, issuer: &Self) -> bool {
        let keys = (&self.extensions.authority_key, &issuer.extensions.subject_key);
        let same_key = match keys {
            (Some(wanted), Some(key)) => wanted == key,
            _ => true,
        };
        same_key && self.issuer.is_same(&issuer.subject)
    }

    /// Whether that key made its signature.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let all = rustls::crypto::ring::default_provider().signature_verification_algorithms.all;
        all.iter().any(|algorithm| {
            algorithm.signature_alg_id().as_ref() == self.signature_algorithm
                && algorithm.public_key_alg_id().as_ref() == key.algorithm
                && algorithm.verify_signature(&key.bits, &self.signed, &self.signature).is_ok()
        })
    }

    /// Whether it says that it may sign others.
    pub fn is_authority(&self) -> bool {
        self.extensions.authority.is_some_and(|(is, _)| is)
    }
}

impl PublicKey {
    /// Reads a key with its algorithm.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let item = reader.any()?;
        if item.tag != tag::SEQUENCE {
            return Err(Malformed);
        }
        let mut parts = Reader::new(item.body);
        let algorithm = parts.expect(tag::SEQUENCE)?.to_vec();
        let bits = parts.bits()?.to_vec();
        Reader::new(&algorithm).expect(tag::OID)?;
        Ok(Self { der: item.whole.to_vec(), algorithm, bits })
    }

    /// The identifier of the algorithm.
    pub fn algorithm(&self) -> &[u8] {
        Reader::new(&self.algorithm).expect(tag::OID).unwrap_or_default()
    }

    /// What else is to be known of the algorithm, in DER.
    pub fn parameters(&self) -> Option<&[u8]> {
        let mut parts = Reader::new(&self.algorithm);
        parts.expect(tag::OID).ok()?;
        parts.any().ok().map(|item| item.whole)
    }

    /// The identifier of the curve, of a key on one.
    pub fn curve(&self) -> Option<&[u8]> {
        let mut parts = Reader::new(&self.algorithm);
        let algorithm = parts.expect(tag::OID).ok()?;
        if algorithm == oid::der::EC { parts.expect(tag::OID).ok() } else { None }
    }

    /// Modulus and exponent of an RSA key, without zeros before them.
    pub fn rsa(&self) -> Option<(&[u8], &[u8])> {
        if !matches!(self.algorithm(), oid::der::RSA | oid::der::RSA_PSS) {
            return None;
        }
        let mut parts = Reader::new(&self.bits).sequence().ok()?;
        let mut number = || {
            let bytes = parts.expect(tag::INTEGER).ok()?;
            Some(&bytes[bytes.iter().take_while(|byte| **byte == 0).count()..])
        };
        Some((number()?, number()?))
    }
}

impl Extensions {
    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut all = Reader::new(bytes).sequence()?;
        let mut found = Self::default();
        while !all.is_empty() {
            let mut one = all.sequence()?;
            let identifier = der::dotted(one.expect(tag::OID)?);
            let is_demand = one.optional(tag::BOOLEAN)?.is_some_and(|value| value != [0]);
            let value = one.expect(tag::OCTET_STRING)?;
            found.add(&identifier, is_demand, value)?;
        }
        Ok(found)
    }

    fn add(&mut self, identifier: &str, is_demand: bool, value: &[u8]) -> Result<(), Malformed> {
        let mut reader = Reader::new(value);
        match identifier {
            "2.5.29.14" => self.subject_key = Some(reader.expect(tag::OCTET_STRING)?.to_vec()),
            "2.5.29.15" => {
                let bits = reader.expect(tag::BIT_STRING)?;
                let byte = |at: usize| u16::from(bits.get(at).copied().unwrap_or(0));
                self.key_usage = Some(byte(1) << 8 | byte(2));
            }
            "2.5.29.17" => self.alternatives = Some(GeneralName::read_all(value)?),
            "2.5.29.19" => {
                let mut parts = reader.sequence()?;
                let is = parts.optional(tag::BOOLEAN)?.is_some_and(|value| value != [0]);
                let depth = if parts.is_empty() { None } else { Some(parts.small()?) };
                self.authority = Some((is, depth));
            }
            "2.5.29.30" => {
                let mut parts = reader.sequence()?;
                let mut names = |tag| -> Result<Vec<GeneralName>, Malformed> {
                    let mut trees = Reader::new(parts.optional(tag)?.unwrap_or_default());
                    let mut all = Vec::new();
                    while !trees.is_empty() {
                        all.push(GeneralName::read(&mut trees.sequence()?)?);
                    }
                    Ok(all)
                };
                self.constraints = Some((names(0xa0)?, names(0xa1)?));
            }
            "2.5.29.35" => {
                self.authority_key = reader.sequence()?.optional(0x80)?.map(<[u8]>::to_vec);
            }
            "2.5.29.37" => {
                let mut parts = reader.sequence()?;
                let mut purposes = Vec::new();
                while !parts.is_empty() {
                    purposes.push(der::dotted(parts.expect(tag::OID)?));
                }
                self.purposes = Some(purposes);
            }
            "1.3.6.1.5.5.7.1.1" => {
                let mut parts = reader.sequence()?;
                let mut places = Vec::new();
                while !parts.is_empty() {
                    let mut place = parts.sequence()?;
                    let method = der::dotted(place.expect(tag::OID)?);
                    places.push((method, GeneralName::read(&mut place)?));
                }
                self.access = Some(places);
            }
            // Policies are not looked at, as nobody asks for any.
            "2.5.29.32" | "2.5.29.33" | "2.5.29.36" | "2.5.29.54" => {}
            _ => self.unknown_demand |= is_demand,
        }
        Ok(())
    }
}

/// A date, in seconds since 1970.
fn date(reader: &mut Reader<'_>) -> Result<i64, Malformed> {
    let item = reader.any()?;
    let text = std::str::from_utf8(item.body).map_err(|_| Malformed)?;
    let digits = text.strip_suffix('Z').ok_or(Malformed)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Malformed);
    }
    let number = |from: usize, to: usize| -> Result<i64, Malformed> {
        digits.get(from..to).and_then(|part| part.parse().ok()).ok_or(Malformed)
    };
    let (year, rest) = match (item.tag, digits.len()) {
        (tag::UTC_TIME, 12) => {
            let year = number(0, 2)?;
            (if year < 50 { 2000 + year } else { 1900 + year }, 2)
        }
        (tag::GENERALIZED_TIME, 14) => (number(0, 4)?, 4),
        _ => return Err(Malformed),
    };
    let part = |at: usize| number(rest + 2 * at, rest + 2 * at + 2);
    let (month, day) = (part(0)?, part(1)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return Err(Malformed);
    }
    Ok(days(year, month, day) * 86_400 + part(2)? * 3_600 + part(3)? * 60 + part(4)?)
}

/// How many days lie between the start of 1970 and that one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin with March have their leap day at the end.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A date as OpenSSL writes it.
pub fn shown_date(seconds: i64) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let name = MONTHS[((month + 2) % 12) as usize];
    let year = era * 400 + year + i64::from(month >= 10);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{name} {day:2} {hour:02}:{minute:02}:{:02} {year} GMT", second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_counted_and_written() {
        for (year, month, day, text) in [
            (1970, 1, 1, "Jan  1 00:00:00 1970 GMT"),
            (2000, 2, 29, "Feb 29 00:00:00 2000 GMT"),
            (2024, 12, 31, "Dec 31 00:00:00 2024 GMT"),
            (2100, 3, 1, "Mar  1 00:00:00 2100 GMT"),
        ] {
            assert_eq!(shown_date(days(year, month, day) * 86_400), text);
        }
        assert_eq!(days(2024, 1, 1) * 86_400, 1_704_067_200);
    }
}
