//! Identifiers that we know.

/// The contents of identifiers in DER.
pub mod der {
    #![allow(missing_docs, reason = "the names say it")]
    pub const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
    pub const RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 10];
    pub const EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
    pub const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
    pub const ED448: &[u8] = &[0x2b, 0x65, 0x71];
    pub const X25519: &[u8] = &[0x2b, 0x65, 0x6e];
    pub const X448: &[u8] = &[0x2b, 0x65, 0x6f];
    pub const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
    pub const P384: &[u8] = &[0x2b, 0x81, 4, 0, 34];
    pub const P521: &[u8] = &[0x2b, 0x81, 4, 0, 35];
    pub const SECP256K1: &[u8] = &[0x2b, 0x81, 4, 0, 10];

    pub const DH: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 3, 1];
    pub const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];
    pub const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12];
    pub const HMAC_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 7];
    pub const HMAC_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9];
    pub const HMAC_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 10];
    pub const HMAC_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 11];
    pub const DES_EDE3_CBC: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 3, 7];
    pub const AES128_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 2];
    pub const AES192_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 22];
    pub const AES256_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42];
}

/// The short name of a kind of attribute in a name, such as `CN`.
pub fn attribute(dotted: &str) -> Option<&'static str> {
    Some(match dotted {
        "2.5.4.3" => "CN",
        "2.5.4.4" => "SN",
        "2.5.4.5" => "serialNumber",
        "2.5.4.6" => "C",
        "2.5.4.7" => "L",
        "2.5.4.8" => "ST",
        "2.5.4.9" => "street",
        "2.5.4.10" => "O",
        "2.5.4.11" => "OU",
        "2.5.4.12" => "title",
        "2.5.4.13" => "description",
        "2.5.4.15" => "businessCategory",
        "2.5.4.17" => "postalCode",
        "2.5.4.41" => "name",
        "2.5.4.42" => "GN",
        "2.5.4.43" => "initials",
        "2.5.4.44" => "generationQualifier",
        "2.5.4.45" => "x500UniqueIdentifier",
        "2.5.4.46" => "dnQualifier",
        "2.5.4.65" => "pseudonym",
        "2.5.4.97" => "organizationIdentifier",
        "0.9.2342.19200300.100.1.1" => "UID",
        "0.9.2342.19200300.100.1.25" => "DC",
        "1.2.840.113549.1.9.1" => "emailAddress",
        "1.2.840.113549.1.9.2" => "unstructuredName",
        "1.3.6.1.4.1.311.60.2.1.1" => "jurisdictionL",
        "1.3.6.1.4.1.311.60.2.1.2" => "jurisdictionST",
        "1.3.6.1.4.1.311.60.2.1.3" => "jurisdictionC",
        _ => return None,
    })
}

/// What OpenSSL and NIST call a curve, and how many bits it has.
pub fn curve(oid: &[u8]) -> Option<(&'static str, Option<&'static str>, u32)> {
    Some(match oid {
        der::P256 => ("prime256v1", Some("P-256"), 256),
        der::P384 => ("secp384r1", Some("P-384"), 384),
        der::P521 => ("secp521r1", Some("P-521"), 521),
        der::SECP256K1 => ("secp256k1", None, 256),
        _ => return None,
    })
}
