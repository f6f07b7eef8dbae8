//! Secrets that a passphrase hides: encrypted keys, and PKCS #12 archives of keys and certificates.

use crate::der::{Malformed, Reader, tag};
use crate::oid;
use cbc::cipher::{BlockModeDecrypt, KeyIvInit, block_padding::Pkcs7};
use md5::{Digest, Md5};
use ring::{hmac, pbkdf2};
use std::num::NonZeroU32;

/// Why a secret could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// The bytes are not what they should be.
    Malformed,
    /// It is hidden in a way that we do not know.
    Unsupported,
    /// The passphrase is wrong.
    Wrong,
}

impl From<Malformed> for Hidden {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// A cipher in CBC mode.
#[derive(Clone, Copy)]
enum Cipher {
    Aes128,
    Aes192,
    Aes256,
    TripleDes,
}

impl Cipher {
    fn key_length(self) -> usize {
        match self {
            Self::Aes128 => 16,
            Self::Aes192 | Self::TripleDes => 24,
            Self::Aes256 => 32,
        }
    }

    fn block_length(self) -> usize {
        if matches!(self, Self::TripleDes) { 8 } else { 16 }
    }
}

fn decrypted(cipher: Cipher, key: &[u8], start: &[u8], hidden: &[u8]) -> Result<Vec<u8>, Hidden> {
    fn open<C: BlockModeDecrypt + KeyIvInit>(
        key: &[u8],
        start: &[u8],
        hidden: &[u8],
    ) -> Result<Vec<u8>, Hidden> {
        let cipher = C::new_from_slices(key, start).map_err(|_| Hidden::Malformed)?;
        cipher.decrypt_padded_vec::<Pkcs7>(hidden).map_err(|_| Hidden::Wrong)
    }
    match cipher {
        Cipher::Aes128 => open::<cbc::Decryptor<aes::Aes128>>(key, start, hidden),
        Cipher::Aes192 => open::<cbc::Decryptor<aes::Aes192>>(key, start, hidden),
        Cipher::Aes256 => open::<cbc::Decryptor<aes::Aes256>>(key, start, hidden),
        Cipher::TripleDes => open::<cbc::Decryptor<des::TdesEde3>>(key, start, hidden),
    }
}

/// What an `EncryptedPrivateKeyInfo` hides: a key in PKCS #8.
pub(crate) fn encrypted_key(der: &[u8], passphrase: &[u8]) -> Result<Vec<u8>, Hidden> {
    let mut parts = Reader::new(der).sequence()?;
    let algorithm = parts.expect(tag::SEQUENCE)?;
    open(algorithm, passphrase, parts.expect(tag::OCTET_STRING)?)
}

/// Opens what was hidden by PBES2.
fn open(algorithm: &[u8], passphrase: &[u8], hidden: &[u8]) -> Result<Vec<u8>, Hidden> {
    let mut algorithm = Reader::new(algorithm);
    if algorithm.expect(tag::OID)? != oid::der::PBES2 {
        return Err(Hidden::Unsupported);
    }
    let mut parameters = algorithm.sequence()?;
    let mut derivation = parameters.sequence()?;
    if derivation.expect(tag::OID)? != oid::der::PBKDF2 {
        return Err(Hidden::Unsupported);
    }
    let mut derivation = derivation.sequence()?;
    let salt = derivation.expect(tag::OCTET_STRING)?;
    let rounds = derivation.small()?;
    if derivation.peek() == Some(tag::INTEGER) {
        derivation.small()?;
    }
    let hash = match derivation.optional(tag::SEQUENCE)? {
        None => pbkdf2::PBKDF2_HMAC_SHA1,
        Some(hash) => match Reader::new(hash).expect(tag::OID)? {
            oid::der::HMAC_SHA1 => pbkdf2::PBKDF2_HMAC_SHA1,
            oid::der::HMAC_SHA256 => pbkdf2::PBKDF2_HMAC_SHA256,
            oid::der::HMAC_SHA384 => pbkdf2::PBKDF2_HMAC_SHA384,
            oid::der::HMAC_SHA512 => pbkdf2::PBKDF2_HMAC_SHA512,
            _ => return Err(Hidden::Unsupported),
        },
    };
    let mut algorithm = parameters.sequence()?;
    let cipher = match algorithm.expect(tag::OID)? {
        oid::der::AES128_CBC => Cipher::Aes128,
        oid::der::AES192_CBC => Cipher::Aes192,
        oid::der::AES256_CBC => Cipher::Aes256,
        oid::der::DES_EDE3_CBC => Cipher::TripleDes,
        _ => return Err(Hidden::Unsupported),
    };
    let start = algorithm.expect(tag::OCTET_STRING)?;
    // More rounds than anybody uses would keep us busy for hours.
    let rounds = u32::try_from(rounds).ok().filter(|rounds| *rounds <= 100_000_000);
    let rounds = rounds.and_then(NonZeroU32::new).ok_or(Hidden::Malformed)?;
    let mut key = vec![0; cipher.key_length()];
    pbkdf2::derive(hash, rounds, salt, passphrase, &mut key);
    decrypted(cipher, &key, start, hidden)
}

/// What a PEM block with a `DEK-Info` header hides, which says how.
pub(crate) fn old_key(how: &str, passphrase: &[u8], hidden: &[u8]) -> Result<Vec<u8>, Hidden> {
    let (name, start) = how.split_once(',').ok_or(Hidden::Malformed)?;
    let cipher = match name {
        "AES-128-CBC" => Cipher::Aes128,
        "AES-192-CBC" => Cipher::Aes192,
        "AES-256-CBC" => Cipher::Aes256,
        "DES-EDE3-CBC" => Cipher::TripleDes,
        _ => return Err(Hidden::Unsupported),
    };
    let length = cipher.key_length();
    let digit = |at: usize| u8::from_str_radix(start.get(at..at + 2)?, 16).ok();
    let start: Option<Vec<u8>> = (0..start.len()).step_by(2).map(digit).collect();
    let start =
        start.filter(|start| start.len() == cipher.block_length()).ok_or(Hidden::Malformed)?;
    let (mut key, mut last) = (Vec::new(), Vec::new());
    while key.len() < length {
        last = Md5::new()
            .chain_update(&last)
            .chain_update(passphrase)
            .chain_update(&start[..8])
            .finalize()
            .to_vec();
        key.extend_from_slice(&last);
    }
    decrypted(cipher, &key[..length], &start, hidden)
}

/// What is in an archive: keys in PKCS #8, and certificates.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    pub(crate) keys: Vec<Vec<u8>>,
    pub(crate) certificates: Vec<Vec<u8>>,
}

const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
const ENCRYPTED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 6];
const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];

/// Opens a PKCS #12 archive of the kind that is made today: AES, and SHA-256 for its seal.
pub(crate) fn archive(der: &[u8], passphrase: &str) -> Result<Archive, Hidden> {
    let mut outer = Reader::new(der).sequence()?;
    outer.small()?;
    let contents = content(&mut outer.sequence()?)?;
    let mut seal = outer.sequence()?;
    let mut digest = seal.sequence()?;
    if Reader::new(digest.expect(tag::SEQUENCE)?).expect(tag::OID)? != SHA256 {
        return Err(Hidden::Unsupported);
    }
    let expected = digest.expect(tag::OCTET_STRING)?;
    let salt = seal.expect(tag::OCTET_STRING)?;
    let rounds = if seal.is_empty() { 1 } else { seal.small()? };
    let key = hmac::Key::new(hmac::HMAC_SHA256, &seal_key(passphrase, salt, rounds));
    hmac::verify(&key, contents, expected).map_err(|_| Hidden::Wrong)?;

    let mut archive = Archive::default();
    let mut safes = Reader::new(contents).sequence()?;
    while !safes.is_empty() {
        let mut safe = safes.sequence()?;
        let kind = safe.clone().expect(tag::OID)?;
        if kind == DATA {
            archive.bags(content(&mut safe)?, passphrase)?;
        } else if kind == ENCRYPTED_DATA {
            safe.expect(tag::OID)?;
            let mut data = Reader::new(safe.expect(0xa0)?).sequence()?;
            data.small()?;
            let mut data = data.sequence()?;
            data.expect(tag::OID)?;
            let algorithm = data.expect(tag::SEQUENCE)?;
            let opened = open(algorithm, passphrase.as_bytes(), data.expect(0x80)?)?;
            archive.bags(&opened, passphrase)?;
        }
    }
    Ok(archive)
}

/// The bytes of a part that is not hidden.
fn content<'a>(part: &mut Reader<'a>) -> Result<&'a [u8], Hidden> {
    if part.expect(tag::OID)? != DATA {
        return Err(Hidden::Unsupported);
    }
    Ok(Reader::new(part.expect(0xa0)?).expect(tag::OCTET_STRING)?)
}

impl Archive {
    fn bags(&mut self, bytes: &[u8], passphrase: &str) -> Result<(), Hidden> {
        const BAG: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 10, 1];
        let mut bags = Reader::new(bytes).sequence()?;
        while !bags.is_empty() {
            let mut bag = bags.sequence()?;
            let kind = bag.expect(tag::OID)?.strip_prefix(BAG);
            let mut value = Reader::new(bag.expect(0xa0)?);
            match kind {
                Some([1]) => self.keys.push(value.any()?.whole.to_vec()),
                Some([2]) => {
                    let hidden = value.any()?.whole;
                    self.keys.push(encrypted_key(hidden, passphrase.as_bytes())?);
                }
                Some([3]) => {
                    let mut certificate = value.sequence()?;
                    certificate.expect(tag::OID)?;
                    let bytes = Reader::new(certificate.expect(0xa0)?).expect(tag::OCTET_STRING)?;
                    self.certificates.push(bytes.to_vec());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The key of an archive's seal: appendix B of RFC 7292 for SHA-256, whose blocks have 64 bytes. One
/// output is as long as the key, so that no second one is made.
fn seal_key(passphrase: &str, salt: &[u8], rounds: u64) -> Vec<u8> {
    const BLOCK: usize = 64;
    const FOR_SEALS: u8 = 3;
    let fill = |bytes: &[u8]| -> Vec<u8> {
        let length = bytes.len().div_ceil(BLOCK) * BLOCK;
        bytes.iter().copied().cycle().take(length).collect()
    };
    let mut letters: Vec<u8> = passphrase.encode_utf16().flat_map(u16::to_be_bytes).collect();
    letters.extend([0, 0]);
    let input = [vec![FOR_SEALS; BLOCK], fill(salt), fill(&letters)].concat();
    let mut key = ring::digest::digest(&ring::digest::SHA256, &input);
    for _ in 1..rounds.min(100_000_000) {
        key = ring::digest::digest(&ring::digest::SHA256, key.as_ref());
    }
    key.as_ref().to_vec()
}
