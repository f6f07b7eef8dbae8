//! The forms of keys: what comes in is brought into one, PKCS #8 for private keys and SPKI for public
//! ones, and goes out in any.

use super::{curves, numbers};
use hemiola_tls::der::{self, Reader, tag};
use hemiola_tls::{Certificate, PublicKey, oid, pem, private_key};

/// A private key in PKCS #8, if there is one, and its public key in SPKI.
pub(super) struct Pair {
    pub(super) private: Option<Vec<u8>>,
    pub(super) public: Vec<u8>,
}

/// Why there is no key: Node's code.
pub(super) type Reason = &'static str;

const UNSUPPORTED: Reason = "ERR_OSSL_UNSUPPORTED";
const MALFORMED: Reason = "ERR_OSSL_ASN1_HEADER_TOO_LONG";

/// A key from a text.
pub(super) fn from_pem(text: &[u8], passphrase: Option<&[u8]>) -> Result<Pair, Reason> {
    let blocks = pem::blocks(text);
    let known = |label: &str| {
        label.ends_with("PRIVATE KEY")
            || label.ends_with("PUBLIC KEY")
            || label.ends_with("CERTIFICATE")
    };
    let block = blocks.into_iter().find(|block| known(&block.label)).ok_or(UNSUPPORTED)?;
    if block.label.ends_with("CERTIFICATE") {
        let certificate = Certificate::read(&block.der).map_err(|_| MALFORMED)?;
        return Ok(Pair { private: None, public: certificate.public_key.der });
    }
    if block.label == "RSA PUBLIC KEY" {
        return from_der(&block.der, "pkcs1-public", None);
    }
    if block.label.ends_with("PUBLIC KEY") {
        return from_der(&block.der, "spki", None);
    }
    let is_hidden = block.label.starts_with("ENCRYPTED") || !block.headers.is_empty();
    if is_hidden && passphrase.is_none() {
        return Err("ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED");
    }
    use rustls_pki_types::PrivateKeyDer;
    match private_key(text, passphrase.unwrap_or_default()).map_err(|refusal| refusal.code)? {
        PrivateKeyDer::Pkcs1(key) => from_der(key.secret_pkcs1_der(), "pkcs1", None),
        PrivateKeyDer::Sec1(key) => from_der(key.secret_sec1_der(), "sec1", None),
        PrivateKeyDer::Pkcs8(key) => from_der(key.secret_pkcs8_der(), "pkcs8", None),
        _ => Err(UNSUPPORTED),
    }
}

/// A key from DER of that form.
pub(super) fn from_der(
    bytes: &[u8],
    form: &str,
    passphrase: Option<&[u8]>,
) -> Result<Pair, Reason> {
    match form {
        "spki" => {
            let key = PublicKey::read(&mut Reader::new(bytes)).map_err(|_| MALFORMED)?;
            if let Some(curve) = key.curve().filter(|curve| curves::width(curve).is_some()) {
                // Of all forms that a point has, keys have one, so that equal ones are equal.
                let point = curves::read_point(curve, &key.bits).ok_or(MALFORMED)?;
                let curve = der::value(tag::OID, curve);
                return Ok(Pair {
                    private: None,
                    public: spki(oid::der::EC, Some(&curve), &point),
                });
            }
            Ok(Pair { private: None, public: key.der })
        }
        "pkcs1-public" => {
            Reader::new(bytes).sequence().map_err(|_| MALFORMED)?;
            Ok(Pair { private: None, public: rsa_public(bytes) })
        }
        "pkcs1" => {
            // The same name is used for both; a public key has two numbers.
            if rsa_numbers(bytes).is_none() {
                return from_der(bytes, "pkcs1-public", None);
            }
            pair(wrap(&algorithm(oid::der::RSA, Some(&[tag::NULL, 0])), bytes))
        }
        "sec1" => {
            let mut parts = Reader::new(bytes).sequence().map_err(|_| MALFORMED)?;
            let read = |parts: &mut Reader<'_>| {
                parts.small()?;
                let secret = parts.expect(tag::OCTET_STRING)?.to_vec();
                let curve = parts.optional(0xa0)?.map(<[u8]>::to_vec);
                let point = parts.optional(0xa1)?.map(<[u8]>::to_vec);
                Ok((secret, curve, point))
            };
            let (secret, curve, point) = read(&mut parts).map_err(|_: der::Malformed| MALFORMED)?;
            let curve = curve.ok_or(MALFORMED)?;
            pair(wrap(&algorithm(oid::der::EC, Some(&curve)), &ec_inner(&secret, None, point)))
        }
        "pkcs8" => {
            let parts = Reader::new(bytes).sequence().map_err(|_| MALFORMED)?;
            if parts.peek() == Some(tag::SEQUENCE) {
                let Some(passphrase) = passphrase else {
                    return Err("ERR_MISSING_PASSPHRASE");
                };
                let text = pem::text("ENCRYPTED PRIVATE KEY", bytes);
                return from_pem(text.as_bytes(), Some(passphrase));
            }
            pair(bytes.to_vec())
        }
        _ => Err(UNSUPPORTED),
    }
}

fn algorithm(identifier: &[u8], parameters: Option<&[u8]>) -> Vec<u8> {
    der::sequence(&[&der::value(tag::OID, identifier), parameters.unwrap_or_default()])
}

fn wrap(algorithm: &[u8], key: &[u8]) -> Vec<u8> {
    der::sequence(&[&der::integer(&[0]), algorithm, &der::value(tag::OCTET_STRING, key)])
}

fn ec_inner(secret: &[u8], curve: Option<&[u8]>, point: Option<Vec<u8>>) -> Vec<u8> {
    let curve = curve.map(|curve| der::value(0xa0, curve)).unwrap_or_default();
    let point = point.map(|point| der::value(0xa1, &point)).unwrap_or_default();
    der::sequence(&[&der::integer(&[1]), &der::value(tag::OCTET_STRING, secret), &curve, &point])
}

fn rsa_public(pkcs1: &[u8]) -> Vec<u8> {
    let algorithm = algorithm(oid::der::RSA, Some(&[tag::NULL, 0]));
    der::sequence(&[&algorithm, &der::bit_string(pkcs1)])
}

fn spki(identifier: &[u8], parameters: Option<&[u8]>, bits: &[u8]) -> Vec<u8> {
    der::sequence(&[&algorithm(identifier, parameters), &der::bit_string(bits)])
}

/// The parts of a private key in PKCS #8: which algorithm it is for, what more is to be known of that, and
/// the key itself.
type Parts<'a> = (&'a [u8], Option<&'a [u8]>, &'a [u8]);

/// Takes a private key in PKCS #8 apart.
pub(super) fn parts(pkcs8: &[u8]) -> Option<Parts<'_>> {
    let mut outer = Reader::new(pkcs8).sequence().ok()?;
    outer.small().ok()?;
    let mut algorithm = outer.sequence().ok()?;
    let identifier = algorithm.expect(tag::OID).ok()?;
    let parameters = if algorithm.is_empty() { None } else { Some(algorithm.any().ok()?.whole) };
    Some((identifier, parameters, outer.expect(tag::OCTET_STRING).ok()?))
}

/// The eight numbers of a private RSA key in PKCS #1: n, e, d, p, q, dp, dq, qi.
pub(super) fn rsa_numbers(pkcs1: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut reader = Reader::new(pkcs1).sequence().ok()?;
    if reader.small().ok()? != 0 {
        return None;
    }
    let mut number = || {
        let bytes = reader.expect(tag::INTEGER).ok()?;
        Some(bytes[bytes.iter().take_while(|byte| **byte == 0).count()..].to_vec())
    };
    (0..8).map(|_| number()).collect()
}

/// The secret number of a key on a curve, and its point if that is there.
pub(super) fn ec_secret(inner: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    let mut reader = Reader::new(inner).sequence().ok()?;
    reader.small().ok()?;
    let secret = reader.expect(tag::OCTET_STRING).ok()?.to_vec();
    reader.optional(0xa0).ok()?;
    let point = reader.optional(0xa1).ok()?;
    let point = point.and_then(|bits| Reader::new(bits).bits().ok()).map(<[u8]>::to_vec);
    Some((secret, point))
}

/// The seed of a key of Edwards, or the secret of one of Montgomery.
pub(super) fn ed_seed(inner: &[u8]) -> Option<&[u8]> {
    Reader::new(inner).expect(tag::OCTET_STRING).ok().filter(|seed| seed.len() == 32)
}

/// A private key in PKCS #8 with its public key.
fn pair(pkcs8: Vec<u8>) -> Result<Pair, Reason> {
    let (identifier, parameters, inner) = parts(&pkcs8).ok_or(MALFORMED)?;
    let public = match identifier {
        oid::der::RSA | oid::der::RSA_PSS => {
            let numbers = rsa_numbers(inner).ok_or(MALFORMED)?;
            let pkcs1 = der::sequence(&[&der::integer(&numbers[0]), &der::integer(&numbers[1])]);
            spki(identifier, parameters, &pkcs1)
        }
        oid::der::EC => {
            let curve = parameters.ok_or(MALFORMED)?;
            let identifier = Reader::new(curve).expect(tag::OID).map_err(|_| UNSUPPORTED)?;
            let (secret, point) = ec_secret(inner).ok_or(MALFORMED)?;
            let point = point.or_else(|| curves::point(identifier, &secret)).ok_or(UNSUPPORTED)?;
            let public = spki(oid::der::EC, Some(curve), &point);
            // Keys without their point get it, so that equal keys are written in the same way.
            let algorithm = algorithm(oid::der::EC, Some(curve));
            let whole = wrap(&algorithm, &ec_inner(&secret, None, Some(der::bit_string(&point))));
            return Ok(Pair { private: Some(whole), public });
        }
        oid::der::ED25519 => {
            let seed = ed_seed(inner).ok_or(MALFORMED)?;
            use ring::signature::{Ed25519KeyPair, KeyPair};
            let key = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| MALFORMED)?;
            spki(oid::der::ED25519, None, key.public_key().as_ref())
        }
        oid::der::X25519 => {
            let secret = ed_seed(inner).and_then(|seed| seed.try_into().ok()).ok_or(MALFORMED)?;
            let point = x25519_dalek::x25519(secret, x25519_dalek::X25519_BASEPOINT_BYTES);
            spki(oid::der::X25519, None, &point)
        }
        oid::der::DH => {
            let secret = Reader::new(inner).expect(tag::INTEGER).map_err(|_| MALFORMED)?;
            let group = parameters.and_then(group).ok_or(MALFORMED)?;
            let open = group.power(&group.generator, secret).ok_or(MALFORMED)?;
            spki(oid::der::DH, parameters, &der::integer(&open))
        }
        _ => return Err(UNSUPPORTED),
    };
    Ok(Pair { private: Some(pkcs8), public })
}

/// A prime, and the number whose powers are taken.
#[derive(PartialEq, Eq)]
pub(super) struct Group {
    pub(super) prime: Vec<u8>,
    pub(super) generator: Vec<u8>,
}

impl Group {
    /// A power in the group; nothing if its prime is none.
    pub(super) fn power(&self, base: &[u8], exponent: &[u8]) -> Option<Vec<u8>> {
        let modulus = Option::from(numbers::number(&self.prime).into_odd())?;
        let power = numbers::power(&numbers::number(base), &numbers::number(exponent), &modulus);
        Some(numbers::digits(&power))
    }
}

/// The group that a key of Diffie and Hellman is of, from the parameters of its algorithm.
pub(super) fn group(parameters: &[u8]) -> Option<Group> {
    let mut reader = Reader::new(parameters).sequence().ok()?;
    let mut number = || {
        let bytes = reader.expect(tag::INTEGER).ok()?;
        Some(bytes[bytes.iter().take_while(|byte| **byte == 0).count()..].to_vec())
    };
    Some(Group { prime: number()?, generator: number()? })
}

/// A private key of a group.
pub(super) fn from_group(group: &Group, secret: &[u8]) -> Result<Pair, Reason> {
    let parameters = der::sequence(&[&der::integer(&group.prime), &der::integer(&group.generator)]);
    pair(wrap(&algorithm(oid::der::DH, Some(&parameters)), &der::integer(secret)))
}

/// A private key of RSA as one of RSASSA-PSS.
pub(super) fn for_pss(pkcs8: &[u8], parameters: Option<&[u8]>) -> Result<Pair, Reason> {
    let (_, _, inner) = parts(pkcs8).ok_or(MALFORMED)?;
    pair(wrap(&algorithm(oid::der::RSA_PSS, parameters), inner))
}

/// A private key of a JWK's numbers: of RSA eight, on a curve the secret alone.
pub(super) fn from_numbers(kind: &str, numbers: &[Vec<u8>]) -> Result<Pair, Reason> {
    let integers = |numbers: &[Vec<u8>]| -> Vec<u8> {
        numbers.iter().flat_map(|number| der::integer(number)).collect()
    };
    match (kind, numbers) {
        ("rsa", [n, e]) => {
            from_der(&der::sequence(&[&der::integer(n), &der::integer(e)]), "pkcs1-public", None)
        }
        ("rsa", numbers) if numbers.len() == 8 => {
            from_der(&der::sequence(&[&der::integer(&[0]), &integers(numbers)]), "pkcs1", None)
        }
        ("ed25519", [seed]) => {
            let inner = der::value(tag::OCTET_STRING, seed);
            pair(wrap(&algorithm(oid::der::ED25519, None), &inner))
        }
        ("x25519", [secret]) => {
            let inner = der::value(tag::OCTET_STRING, secret);
            pair(wrap(&algorithm(oid::der::X25519, None), &inner))
        }
        ("ed25519-public", [point]) if point.len() == 32 => {
            Ok(Pair { private: None, public: spki(oid::der::ED25519, None, point) })
        }
        ("x25519-public", [point]) if point.len() == 32 => {
            Ok(Pair { private: None, public: spki(oid::der::X25519, None, point) })
        }
        ("ed25519-public" | "x25519-public", _) => Err(MALFORMED),
        (curve, numbers) => {
            let curve = match curve {
                "P-256" => oid::der::P256,
                "P-384" => oid::der::P384,
                "P-521" => oid::der::P521,
                "secp256k1" => oid::der::SECP256K1,
                _ => return Err("ERR_CRYPTO_INVALID_CURVE"),
            };
            from_curve(curve, numbers)
        }
    }
}

/// A key on a curve: of its secret number, or of the two coordinates of its point.
pub(super) fn from_curve(curve: &[u8], numbers: &[Vec<u8>]) -> Result<Pair, Reason> {
    let identifier = der::value(tag::OID, curve);
    let wide = |number: &[u8]| curves::wide(curve, number).ok_or(MALFORMED);
    match numbers {
        [secret] => {
            let algorithm = algorithm(oid::der::EC, Some(&identifier));
            pair(wrap(&algorithm, &ec_inner(&wide(secret)?, None, None)))
        }
        [x, y] => {
            let point = [vec![4], wide(x)?, wide(y)?].concat();
            let point = curves::read_point(curve, &point).ok_or(MALFORMED)?;
            Ok(Pair { private: None, public: spki(oid::der::EC, Some(&identifier), &point) })
        }
        _ => Err(MALFORMED),
    }
}

/// A private key in the form that only its kind has: PKCS #1 or SEC 1.
pub(super) fn own_form(pkcs8: &[u8]) -> Option<Vec<u8>> {
    let (identifier, parameters, inner) = parts(pkcs8)?;
    match identifier {
        oid::der::RSA => Some(inner.to_vec()),
        oid::der::EC => {
            let (secret, point) = ec_secret(inner)?;
            Some(ec_inner(&secret, parameters, point.map(|point| der::bit_string(&point))))
        }
        _ => None,
    }
}
