//! Keys of two parts: reading and writing them, signatures, and making new ones, for `node:crypto`.
//!
//! What is drawn at random comes from the world, and signatures that could be drawn are computed instead
//! (RFC 6979), so that a run can be repeated.

mod forms;

use super::draws::Draws;
use super::{curves, numbers};
use crate::gate::IntoValue;
use forms::Pair;
use hemiola_engine::bytes::copy;
use hemiola_gate::Datum;
use hemiola_tls::der::{Reader, tag};
use hemiola_tls::{PublicKey, oid};
use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use rquickjs::{Array, Ctx, Function, Object, Result, TypedArray, Value};
use rsa::pkcs1::{DecodeRsaPrivateKey, EncodeRsaPrivateKey};
use rsa::traits::{PaddingScheme, PublicKeyParts};
use rsa::{BoxedUint, Oaep, Pkcs1v15Encrypt, Pkcs1v15Sign, Pss, RsaPrivateKey, RsaPublicKey};
use std::ops::RangeInclusive;

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("keyRead", Function::new(ctx.clone(), read)?)?;
    function("keyOfGroup", Function::new(ctx.clone(), of_group)?)?;
    function("keyOfPss", Function::new(ctx.clone(), of_pss)?)?;
    function("keyOfNumbers", Function::new(ctx.clone(), of_numbers)?)?;
    function("keyFacts", Function::new(ctx.clone(), facts)?)?;
    function("keySecrets", Function::new(ctx.clone(), secrets)?)?;
    function("keyOwnForm", Function::new(ctx.clone(), own_form)?)?;
    function("keySign", Function::new(ctx.clone(), sign)?)?;
    function("keyVerify", Function::new(ctx.clone(), verify)?)?;
    function("keyEncrypt", Function::new(ctx.clone(), encrypt)?)?;
    function("keyDecrypt", Function::new(ctx.clone(), decrypt)?)?;
    function("keyRecover", Function::new(ctx.clone(), recover)?)?;
    function("keyAgree", Function::new(ctx.clone(), agree)?)?;
    function("keyGenerate", Function::new(ctx.clone(), generate)?)
}

fn all(bytes: &TypedArray<'_, u8>) -> Vec<u8> {
    copy(bytes, 0, usize::MAX)
}

fn record<const N: usize>(fields: [(&str, Datum); N]) -> Datum {
    Datum::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A key with its two parts, or the code of what is wrong.
fn shown(pair: std::result::Result<Pair, &'static str>) -> Datum {
    match pair {
        Ok(Pair { private, public }) => record([
            ("private", private.map_or(Datum::Undefined, Datum::Bytes)),
            ("public", Datum::Bytes(public)),
        ]),
        Err(code) => Datum::Text(code.into()),
    }
}

/// `keyRead(bytes, form, passphrase)`: reads a key from PEM or DER.
fn read<'js>(
    ctx: Ctx<'js>,
    bytes: TypedArray<'js, u8>,
    form: String,
    passphrase: Option<TypedArray<'js, u8>>,
) -> Result<Value<'js>> {
    let (bytes, passphrase) = (all(&bytes), passphrase.as_ref().map(all));
    let pair = match form.as_str() {
        "pem" => forms::from_pem(&bytes, passphrase.as_deref()),
        form => forms::from_der(&bytes, form, passphrase.as_deref()),
    };
    shown(pair).into_js(&ctx)
}

/// `keyOfNumbers(kind, numbers)`: a key from the numbers of a JWK.
fn of_numbers<'js>(ctx: Ctx<'js>, kind: String, numbers: Array<'js>) -> Result<Value<'js>> {
    let numbers = numbers.iter::<TypedArray<'js, u8>>().map(|number| number.map(|it| all(&it)));
    let numbers = numbers.collect::<Result<Vec<_>>>()?;
    shown(forms::from_numbers(&kind, &numbers)).into_js(&ctx)
}

/// `keyOfGroup(prime, generator, secret)`: a key of Diffie and Hellman.
fn of_group<'js>(
    ctx: Ctx<'js>,
    prime: TypedArray<'js, u8>,
    generator: TypedArray<'js, u8>,
    secret: TypedArray<'js, u8>,
) -> Result<Value<'js>> {
    let group = forms::Group { prime: all(&prime), generator: all(&generator) };
    shown(forms::from_group(&group, &all(&secret))).into_js(&ctx)
}

/// `keyOfPss(private, parameters)`: a key of RSA that is for signatures of RSASSA-PSS only.
fn of_pss<'js>(
    ctx: Ctx<'js>,
    private: TypedArray<'js, u8>,
    parameters: Option<TypedArray<'js, u8>>,
) -> Result<Value<'js>> {
    let parameters = parameters.as_ref().map(all);
    shown(forms::for_pss(&all(&private), parameters.as_deref())).into_js(&ctx)
}

/// `keyFacts(public)`: of which kind a key is, and its numbers.
fn facts<'js>(ctx: Ctx<'js>, public: TypedArray<'js, u8>) -> Result<Value<'js>> {
    let public = all(&public);
    let Ok(key) = PublicKey::read(&mut Reader::new(&public)) else {
        return Datum::Undefined.into_js(&ctx);
    };
    let kind = |name: &str| ("kind", Datum::Text(name.into()));
    let facts = match key.algorithm() {
        oid::der::RSA | oid::der::RSA_PSS => {
            let Some((n, e)) = key.rsa() else { return Datum::Undefined.into_js(&ctx) };
            let name = if key.algorithm() == oid::der::RSA { "rsa" } else { "rsa-pss" };
            let bits = n.len() * 8 - n.first().map_or(0, |first| first.leading_zeros() as usize);
            let (n, e) = (Datum::Bytes(n.to_vec()), Datum::Bytes(e.to_vec()));
            let is_pss = key.algorithm() == oid::der::RSA_PSS;
            let parameters = key.parameters().filter(|_| is_pss).map(<[u8]>::to_vec);
            record([
                kind(name),
                ("bits", Datum::Number(bits as f64)),
                ("n", n),
                ("e", e),
                ("pkcs1", Datum::Bytes(key.bits.clone())),
                ("parameters", parameters.map_or(Datum::Undefined, Datum::Bytes)),
            ])
        }
        oid::der::EC => {
            let curve = key.curve().and_then(oid::curve);
            let Some((name, nist, _)) = curve else { return Datum::Undefined.into_js(&ctx) };
            let nist = Datum::Text(nist.unwrap_or(name).into());
            let point = Datum::Bytes(key.bits.clone());
            record([
                kind("ec"),
                ("curve", Datum::Text(name.into())),
                ("crv", nist),
                ("point", point),
            ])
        }
        oid::der::ED25519 => record([kind("ed25519"), ("point", Datum::Bytes(key.bits.clone()))]),
        oid::der::ED448 => record([kind("ed448")]),
        oid::der::X25519 => record([kind("x25519"), ("point", Datum::Bytes(key.bits.clone()))]),
        oid::der::DH => record([kind("dh")]),
        oid::der::X448 => record([kind("x448")]),
        _ => Datum::Undefined,
    };
    facts.into_js(&ctx)
}

/// `keySecrets(private)`: the secret numbers of a key.
fn secrets<'js>(ctx: Ctx<'js>, private: TypedArray<'js, u8>) -> Result<Value<'js>> {
    let private = all(&private);
    let numbers = forms::parts(&private).and_then(|(identifier, _, inner)| match identifier {
        oid::der::RSA | oid::der::RSA_PSS => forms::rsa_numbers(inner),
        oid::der::EC => Some(vec![forms::ec_secret(inner)?.0]),
        _ => Some(vec![forms::ed_seed(inner)?.to_vec()]),
    });
    let numbers = numbers.unwrap_or_default().into_iter().map(Datum::Bytes);
    Datum::List(numbers.collect()).into_js(&ctx)
}

/// `keyOwnForm(private)`: PKCS #1 or SEC 1, or undefined.
fn own_form<'js>(
    ctx: Ctx<'js>,
    private: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    forms::own_form(&all(&private)).map(|form| TypedArray::new(ctx, form)).transpose()
}

/// How a hash is named within a signature: the start of its DER.
fn digest_info(hash: &str, digest: &[u8]) -> Option<Vec<u8>> {
    let start: &[u8] = match hash {
        "md5" => &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 5],
        "sha1" => &[0x2b, 0x0e, 3, 2, 26],
        "ripemd160" => &[0x2b, 0x24, 3, 2, 1],
        "sha224" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 4],
        "sha256" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1],
        "sha384" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2],
        "sha512" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3],
        "sha512-224" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 5],
        "sha512-256" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 6],
        "sha3-256" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 8],
        "sha3-384" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 9],
        "sha3-512" => &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 10],
        _ => return None,
    };
    use hemiola_tls::der::{sequence, value};
    let algorithm = sequence(&[&value(tag::OID, start), &[tag::NULL, 0]]);
    Some(sequence(&[&algorithm, &value(tag::OCTET_STRING, digest)]))
}

/// A padding that needs to know its hash as a type.
macro_rules! with_hash {
    ($hash:expr, $run:ident) => {
        match $hash {
            "sha1" => $run!(sha1::Sha1),
            "sha224" => $run!(sha2::Sha224),
            "sha256" => $run!(sha2::Sha256),
            "sha384" => $run!(sha2::Sha384),
            "sha512" => $run!(sha2::Sha512),
            _ => None,
        }
    };
}

/// `keySign(private, hash, digest, padding, saltLength, isPlain)`: a signature, or undefined if this key
/// cannot sign so. Of a key of Edwards, `digest` is all that is to be signed.
fn sign<'js>(
    ctx: Ctx<'js>,
    private: TypedArray<'js, u8>,
    hash: String,
    digest: TypedArray<'js, u8>,
    padding: String,
    salt: usize,
    is_plain: bool,
) -> Result<Option<TypedArray<'js, u8>>> {
    let (private, digest) = (all(&private), all(&digest));
    let signature = signature(&private, &hash, &digest, &padding, salt, is_plain);
    signature.map(|signature| TypedArray::new(ctx, signature)).transpose()
}

fn signature(
    private: &[u8],
    hash: &str,
    digest: &[u8],
    padding: &str,
    salt: usize,
    is_plain: bool,
) -> Option<Vec<u8>> {
    let (identifier, parameters, inner) = forms::parts(private)?;
    match identifier {
        oid::der::ED25519 => {
            let key = Ed25519KeyPair::from_seed_unchecked(forms::ed_seed(inner)?).ok()?;
            Some(key.sign(digest).as_ref().to_vec())
        }
        oid::der::EC => {
            let (secret, _) = forms::ec_secret(inner)?;
            let curve = Reader::new(parameters?).expect(tag::OID).ok()?;
            curves::sign(curve, &secret, digest, is_plain)
        }
        _ => {
            let key = RsaPrivateKey::from_pkcs1_der(inner).ok()?;
            match padding {
                "pss" => {
                    macro_rules! run {
                        ($hash:ty) => {
                            key.sign_with_rng(&mut Draws, Pss::<$hash>::new_with_salt(salt), digest)
                                .ok()
                        };
                    }
                    with_hash!(hash, run)
                }
                "raw" => key.sign(Pkcs1v15Sign::new_unprefixed(), digest).ok(),
                _ => {
                    let info = digest_info(hash, digest)?;
                    key.sign(Pkcs1v15Sign::new_unprefixed(), &info).ok()
                }
            }
        }
    }
}

/// `keyVerify(public, hash, digest, padding, saltLength, isPlain, signature)`: whether it is right; a salt
/// length below zero stands for any.
fn verify<'js>(
    public: TypedArray<'js, u8>,
    hash: String,
    digest: TypedArray<'js, u8>,
    padding: String,
    salt: i32,
    is_plain: bool,
    signature: TypedArray<'js, u8>,
) -> bool {
    let (public, digest, signature) = (all(&public), all(&digest), all(&signature));
    is_right(&public, &hash, &digest, &padding, salt, is_plain, &signature).unwrap_or(false)
}

fn is_right(
    public: &[u8],
    hash: &str,
    digest: &[u8],
    padding: &str,
    salt: i32,
    is_plain: bool,
    signature: &[u8],
) -> Option<bool> {
    let key = PublicKey::read(&mut Reader::new(public)).ok()?;
    match key.algorithm() {
        oid::der::ED25519 => {
            Some(UnparsedPublicKey::new(&ED25519, &key.bits).verify(digest, signature).is_ok())
        }
        oid::der::EC => curves::verify(key.curve()?, &key.bits, digest, is_plain, signature),
        _ => {
            let modulus = key.rsa()?.0.len();
            let key = rsa_public(public)?;
            if padding != "pss" {
                let info = digest_info(hash, digest)?;
                return Some(key.verify(Pkcs1v15Sign::new_unprefixed(), &info, signature).is_ok());
            }
            // Nobody says how long the salt is: it is one of a few.
            let most = modulus.checked_sub(digest.len() + 2)?;
            let lengths = if salt < 0 { (0..=most).collect() } else { vec![salt as usize] };
            macro_rules! run {
                ($hash:ty) => {
                    Some(lengths.iter().any(|length| {
                        key.verify(Pss::<$hash>::new_with_salt(*length), digest, signature).is_ok()
                    }))
                };
            }
            with_hash!(hash, run)
        }
    }
}

/// How many bits a key of RSA may have: small ones are for tests.
const RSA_SIZES: RangeInclusive<usize> = 512..=16_384;

fn rsa_public(spki: &[u8]) -> Option<RsaPublicKey> {
    let key = PublicKey::read(&mut Reader::new(spki)).ok()?;
    let (n, e) = key.rsa()?;
    let (n, e) = (numbers::number(n), numbers::number(e));
    RsaPublicKey::new_with_size_limits(n, e, RSA_SIZES).ok()
}

/// A key of RSA that hides bytes, or one that opens what was hidden.
trait Crypts {
    fn crypt(&self, padding: impl PaddingScheme, bytes: &[u8]) -> Option<Vec<u8>>;
}

impl Crypts for RsaPublicKey {
    fn crypt(&self, padding: impl PaddingScheme, bytes: &[u8]) -> Option<Vec<u8>> {
        self.encrypt(&mut Draws, padding, bytes).ok()
    }
}

impl Crypts for RsaPrivateKey {
    fn crypt(&self, padding: impl PaddingScheme, bytes: &[u8]) -> Option<Vec<u8>> {
        self.decrypt(padding, bytes).ok()
    }
}

/// `keyEncrypt(public, padding, hash, label, bytes)`.
fn encrypt<'js>(
    ctx: Ctx<'js>,
    public: TypedArray<'js, u8>,
    padding: String,
    hash: String,
    label: TypedArray<'js, u8>,
    bytes: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    let key = rsa_public(&all(&public));
    let hidden = key.and_then(|key| padded(&key, &padding, &hash, all(&label), &all(&bytes)));
    hidden.map(|hidden| TypedArray::new(ctx, hidden)).transpose()
}

/// `keyDecrypt(private, padding, hash, label, bytes)`.
fn decrypt<'js>(
    ctx: Ctx<'js>,
    private: TypedArray<'js, u8>,
    padding: String,
    hash: String,
    label: TypedArray<'js, u8>,
    bytes: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    let private = all(&private);
    let numbers = forms::parts(&private).map(|(_, _, inner)| inner);
    let key = numbers.and_then(|numbers| RsaPrivateKey::from_pkcs1_der(numbers).ok());
    let opened = key.and_then(|key| padded(&key, &padding, &hash, all(&label), &all(&bytes)));
    opened.map(|opened| TypedArray::new(ctx, opened)).transpose()
}

/// Uses a key with the padding of that name.
fn padded(
    key: &impl Crypts,
    padding: &str,
    hash: &str,
    label: Vec<u8>,
    bytes: &[u8],
) -> Option<Vec<u8>> {
    if padding == "pkcs1" {
        return key.crypt(Pkcs1v15Encrypt, bytes);
    }
    macro_rules! run {
        ($hash:ty) => {
            key.crypt(Oaep::<$hash>::new_with_label(label), bytes)
        };
    }
    with_hash!(hash, run)
}

/// `keyRecover(public, bytes)`: what the private key was used on, with the padding of signatures.
fn recover<'js>(
    ctx: Ctx<'js>,
    public: TypedArray<'js, u8>,
    bytes: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    let (public, bytes) = (all(&public), all(&bytes));
    let recovered = rsa_public(&public).and_then(|key| {
        let size = key.size();
        let number = BoxedUint::from_be_slice(&bytes, (size * 8) as u32).ok()?;
        let padded = rsa::hazmat::rsa_encrypt(&key, &number).ok()?.to_be_bytes();
        let padded = &padded[padded.len().checked_sub(size)?..];
        let rest = padded.strip_prefix(&[0, 1])?;
        let filling = rest.iter().take_while(|byte| **byte == 0xff).count();
        rest[filling..].strip_prefix(&[0]).filter(|_| filling >= 8).map(<[u8]>::to_vec)
    });
    recovered.map(|recovered| TypedArray::new(ctx, recovered)).transpose()
}

/// `keyAgree(private, public)`: what the owners of two keys of one curve have in common, or undefined if
/// these have nothing.
fn agree<'js>(
    ctx: Ctx<'js>,
    private: TypedArray<'js, u8>,
    public: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    let common = common(&all(&private), &all(&public));
    common.map(|common| TypedArray::new(ctx, common)).transpose()
}

fn common(private: &[u8], public: &[u8]) -> Option<Vec<u8>> {
    let (identifier, parameters, inner) = forms::parts(private)?;
    let other = PublicKey::read(&mut Reader::new(public)).ok()?;
    if other.algorithm() != identifier {
        return None;
    }
    match identifier {
        oid::der::EC => {
            let (secret, _) = forms::ec_secret(inner)?;
            let curve = Reader::new(parameters?).expect(tag::OID).ok()?;
            let is_same = other.curve()? == curve;
            if is_same { curves::agree(curve, &secret, &other.bits) } else { None }
        }
        oid::der::X25519 => {
            let secret = forms::ed_seed(inner)?.try_into().ok()?;
            let common = x25519_dalek::x25519(secret, other.bits.try_into().ok()?);
            // Of a point in a small group nothing comes but zero.
            Some(common.to_vec()).filter(|common| common.iter().any(|byte| *byte != 0))
        }
        oid::der::DH => {
            let group = forms::group(parameters?)?;
            if forms::group(other.parameters()?)? != group {
                return None;
            }
            let open = Reader::new(&other.bits).expect(tag::INTEGER).ok()?;
            let secret = Reader::new(inner).expect(tag::INTEGER).ok()?;
            let number = numbers::number(open);
            let least = numbers::number(&group.prime).wrapping_sub(BoxedUint::one());
            if number <= BoxedUint::one() || number >= least {
                return None;
            }
            let common = group.power(open, secret)?;
            Some([vec![0; group.prime.len() - common.len()], common].concat())
        }
        _ => None,
    }
}

/// `keyGenerate(kind, size, exponent)`: a new pair; the size is that of an RSA key in bits.
fn generate(ctx: Ctx<'_>, kind: String, size: usize, exponent: u32) -> Result<Value<'_>> {
    let seed = |length: usize| {
        let mut bytes = vec![0; length];
        let Ok(()) = rsa::rand_core::TryRng::try_fill_bytes(&mut Draws, &mut bytes);
        bytes
    };
    let pair = match kind.as_str() {
        "rsa" => {
            let exponent = BoxedUint::from(exponent);
            RSA_SIZES
                .contains(&size)
                .then(|| RsaPrivateKey::new_with_exp_unchecked(&mut Draws, size, exponent).ok())
                .flatten()
                .and_then(|key| key.to_pkcs1_der().ok())
                .ok_or("ERR_CRYPTO_OPERATION_FAILED")
                .and_then(|der| forms::from_der(der.as_bytes(), "pkcs1", None))
        }
        "ed25519" | "x25519" => forms::from_numbers(&kind, &[seed(32)]),
        curve => match curves::named(curve).and_then(|curve| Some((curve, curves::draw(curve)?))) {
            Some((curve, secret)) => forms::from_curve(curve, &[secret]),
            None => Err("ERR_CRYPTO_INVALID_CURVE"),
        },
    };
    shown(pair).into_js(&ctx)
}
