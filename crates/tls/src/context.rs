//! What a side of a connection brings along: its keys and certificates, whom it trusts, and which
//! protocols and ciphers it speaks.

use crate::connection::Shared;
use crate::der::{Reader, tag};
use crate::peers::{Clock, Identities};
use crate::pem;
use crate::secrets::{self, Hidden};
use crate::verify::Trust;
use crate::x509::Certificate;
use rustls::crypto::CryptoProvider;
use rustls::crypto::ring as provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::sign::{CertifiedKey, SigningKey};
use rustls::{SupportedCipherSuite, SupportedProtocolVersion};
use std::sync::Arc;

/// What a context is made of.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Keys in PEM, each with its passphrase if it has one.
    pub keys: Vec<(Vec<u8>, Option<String>)>,
    /// Chains of certificates in PEM, the own one first.
    pub certificates: Vec<Vec<u8>>,
    /// PKCS #12 archives, each with its passphrase.
    pub archives: Vec<(Vec<u8>, String)>,
    /// Certificates of authorities in PEM that are trusted in place of those that are built in.
    pub authorities: Option<Vec<Vec<u8>>>,
    /// The oldest version: 0x0301 for TLS 1.0 and so on.
    pub oldest: u16,
    /// The newest version.
    pub newest: u16,
    /// Ciphers in OpenSSL's form: names between colons.
    pub ciphers: Option<String>,
    /// Curves for the exchange of keys, in OpenSSL's form.
    pub curves: Option<String>,
}

/// Why there is no context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Node's or OpenSSL's name for it; may be empty.
    pub code: &'static str,
    /// In words.
    pub message: String,
    /// The part of OpenSSL that says so.
    pub library: &'static str,
    /// In OpenSSL's words.
    pub reason: &'static str,
}

impl Refusal {
    fn openssl(
        code: &'static str,
        number: u32,
        library: &'static str,
        reason: &'static str,
    ) -> Self {
        let message = format!("error:{number:08X}:{library}::{reason}");
        Self { code, message, library, reason }
    }

    fn plain(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), library: "", reason: "" }
    }

    fn unsupported() -> Self {
        Self::openssl("ERR_OSSL_UNSUPPORTED", 0x1e08_010c, "DECODER routines", "unsupported")
    }
}

impl From<Hidden> for Refusal {
    fn from(hidden: Hidden) -> Self {
        match hidden {
            Hidden::Malformed | Hidden::Unsupported => Self::unsupported(),
            Hidden::Wrong => Self::openssl(
                "ERR_OSSL_BAD_DECRYPT",
                0x1c80_0064,
                "Provider routines",
                "bad decrypt",
            ),
        }
    }
}

/// What one or more connections share.
#[derive(Debug)]
pub struct Context {
    /// Certificates with their keys.
    pub(crate) identities: Vec<Arc<CertifiedKey>>,
    /// Who is believed.
    pub trust: Trust,
    pub(crate) provider: Arc<CryptoProvider>,
    pub(crate) versions: Vec<&'static SupportedProtocolVersion>,
    pub(crate) clock: Arc<Clock>,
    pub(crate) shared: Shared,
}

impl Context {
    /// A context of those parts, in a world that has this clock.
    pub fn new(options: &Options, clock: &Arc<Clock>) -> Result<Self, Refusal> {
        let mut keys = Vec::new();
        for (pem, passphrase) in &options.keys {
            keys.push(private_key(pem, passphrase.as_deref().unwrap_or_default().as_bytes())?);
        }
        let mut chains = Vec::new();
        for pem in &options.certificates {
            chains.push(chain(pem)?);
        }
        let mut also_trusted = Vec::new();
        for (bytes, passphrase) in &options.archives {
            add_archive(bytes, passphrase, &mut keys, &mut chains, &mut also_trusted)?;
        }
        let keys = keys.iter().map(signing_key).collect::<Result<Vec<_>, _>>()?;
        let identities = identities(chains, &keys)?;
        let trust = match &options.authorities {
            None if also_trusted.is_empty() => Trust::BuiltIn,
            // The authorities of an archive are added to the others.
            None => {
                let all = crate::verify::built_in().iter().cloned().chain(also_trusted);
                Trust::These(all.collect())
            }
            Some(all) => {
                let blocks = all.iter().flat_map(|pem| pem::blocks(pem));
                let blocks = blocks.filter(|block| is_certificate(&block.label));
                let read = blocks.filter_map(|block| Certificate::read(&block.der).ok());
                Trust::These(read.chain(also_trusted).collect())
            }
        };
        let shared = Shared::new(&Identities(identities.clone()));
        Ok(Self {
            identities,
            trust,
            provider: Arc::new(provider_for(options)?),
            versions: versions(options)?,
            clock: Arc::clone(clock),
            shared,
        })
    }

    /// The certificate that it shows, in DER.
    pub fn own_certificate(&self) -> Option<&[u8]> {
        Some(self.identities.first()?.cert.first()?.as_ref())
    }
}

fn is_certificate(label: &str) -> bool {
    matches!(label, "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE")
}

/// A key in PKCS #8, PKCS #1 or SEC 1 from PEM.
pub fn private_key(pem: &[u8], passphrase: &[u8]) -> Result<PrivateKeyDer<'static>, Refusal> {
    let mut blocks = pem::blocks(pem).into_iter();
    let block = blocks.find(|block| block.label.ends_with("PRIVATE KEY"));
    let mut block = block.ok_or_else(Refusal::unsupported)?;
    let how = block.headers.iter().find(|(name, _)| name == "DEK-Info");
    if let Some((_, how)) = how {
        block.der = secrets::old_key(how, passphrase, &block.der)?;
    }
    match block.label.as_str() {
        "RSA PRIVATE KEY" => Ok(PrivateKeyDer::Pkcs1(block.der.into())),
        "EC PRIVATE KEY" => Ok(PrivateKeyDer::Sec1(block.der.into())),
        "PRIVATE KEY" => Ok(PrivateKeyDer::Pkcs8(block.der.into())),
        "ENCRYPTED PRIVATE KEY" if passphrase.is_empty() => Err(Refusal::unsupported()),
        "ENCRYPTED PRIVATE KEY" => {
            let opened = secrets::encrypted_key(&block.der, passphrase)?;
            Ok(PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(opened)))
        }
        _ => Err(Refusal::unsupported()),
    }
}

fn signing_key(key: &PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Refusal> {
    // Its bytes must be a key before it can be one of a kind that is not supported.
    let der = key.secret_der();
    if Reader::new(der).sequence().and_then(|mut parts| parts.expect(tag::INTEGER)).is_err() {
        return Err(Refusal::unsupported());
    }
    provider::sign::any_supported_type(key).map_err(|_| {
        Refusal::plain(
            "ERR_TLS_UNSUPPORTED_KEY",
            "this private key cannot be used for TLS: use RSA with 2048 to 8192 bits, an EC key on P-256 or P-384, or Ed25519",
        )
    })
}

fn chain(pem: &[u8]) -> Result<Vec<Certificate>, Refusal> {
    let blocks = pem::blocks(pem).into_iter().filter(|block| is_certificate(&block.label));
    let read: Result<Vec<_>, _> = blocks.map(|block| Certificate::read(&block.der)).collect();
    let read = read.map_err(|_| {
        let (library, reason) = ("asn1 encoding routines", "header too long");
        Refusal::openssl("ERR_OSSL_ASN1_HEADER_TOO_LONG", 0x0680_007b, library, reason)
    })?;
    if read.is_empty() {
        let (library, reason) = ("PEM routines", "no start line");
        return Err(Refusal::openssl("ERR_OSSL_PEM_NO_START_LINE", 0x0480_006c, library, reason));
    }
    Ok(read)
}

fn add_archive(
    bytes: &[u8],
    passphrase: &str,
    keys: &mut Vec<PrivateKeyDer<'static>>,
    chains: &mut Vec<Vec<Certificate>>,
    also_trusted: &mut Vec<Certificate>,
) -> Result<(), Refusal> {
    let opened = secrets::archive(bytes, passphrase).map_err(|hidden| match hidden {
        Hidden::Malformed => Refusal::plain("", "not enough data"),
        Hidden::Wrong => Refusal::plain("", "mac verify failure"),
        Hidden::Unsupported => Refusal::plain(
            "ERR_TLS_UNSUPPORTED_PFX",
            "this PFX archive is hidden in a way that is not supported: make it anew with AES-256-CBC and SHA-256, as OpenSSL 3 does",
        ),
    })?;
    keys.extend(opened.keys.into_iter().map(|der| PrivateKeyDer::Pkcs8(der.into())));
    let read = opened.certificates.iter().map(|der| Certificate::read(der));
    let read: Vec<Certificate> =
        read.collect::<Result<_, _>>().map_err(|_| Refusal::plain("", "not enough data"))?;
    also_trusted.extend(read.iter().skip(1).cloned());
    if !read.is_empty() {
        chains.push(read);
    }
    Ok(())
}

/// Puts each chain together with the key that it is for. A key or a chain alone is no identity.
fn identities(
    chains: Vec<Vec<Certificate>>,
    keys: &[Arc<dyn SigningKey>],
) -> Result<Vec<Arc<CertifiedKey>>, Refusal> {
    let mut found = Vec::new();
    for chain in chains {
        let public = &chain[0].public_key;
        let spki = |key: &Arc<dyn SigningKey>| key.public_key().map(|key| key.as_ref().to_vec());
        let key = keys.iter().find(|key| spki(key).as_deref() == Some(&public.der));
        let Some(key) = key else {
            // A key of another kind may wait for another certificate; one of the same kind is wrong.
            let kind = |der: &[u8]| -> Option<Vec<u8>> {
                let mut parts = Reader::new(der).sequence().ok()?.sequence().ok()?;
                parts.expect(tag::OID).ok().map(<[u8]>::to_vec)
            };
            let same = |key: &Arc<dyn SigningKey>| {
                spki(key).is_some_and(|der| kind(&der) == kind(&public.der))
            };
            if keys.iter().any(same) {
                let (library, reason) = ("x509 certificate routines", "key values mismatch");
                let code = "ERR_OSSL_X509_KEY_VALUES_MISMATCH";
                return Err(Refusal::openssl(code, 0x0580_0074, library, reason));
            }
            continue;
        };
        let chain = chain.into_iter().map(|one| CertificateDer::from(one.der)).collect();
        found.push(Arc::new(CertifiedKey::new(chain, Arc::clone(key))));
    }
    Ok(found)
}

fn versions(options: &Options) -> Result<Vec<&'static SupportedProtocolVersion>, Refusal> {
    const TLS12: u16 = 0x0303;
    const TLS13: u16 = 0x0304;
    let mut versions = Vec::new();
    if (options.oldest..=options.newest).contains(&TLS13) {
        versions.push(&rustls::version::TLS13);
    }
    if (options.oldest..=options.newest).contains(&TLS12) {
        versions.push(&rustls::version::TLS12);
    }
    if versions.is_empty() && options.newest < TLS12 && options.oldest <= options.newest {
        let message =
            "TLS 1.0 and TLS 1.1 are not supported: allow TLSv1.2 or TLSv1.3 by maxVersion";
        return Err(Refusal::plain("ERR_TLS_INVALID_PROTOCOL_VERSION", message));
    }
    Ok(versions)
}

/// OpenSSL's name of a cipher, and ours for it, in the order in which Node prefers them.
pub(crate) const CIPHERS: &[(&str, &SupportedCipherSuite)] = &[
    ("TLS_AES_256_GCM_SHA384", &provider::cipher_suite::TLS13_AES_256_GCM_SHA384),
    ("TLS_CHACHA20_POLY1305_SHA256", &provider::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256),
    ("TLS_AES_128_GCM_SHA256", &provider::cipher_suite::TLS13_AES_128_GCM_SHA256),
    ("ECDHE-RSA-AES128-GCM-SHA256", &provider::cipher_suite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256),
    (
        "ECDHE-ECDSA-AES128-GCM-SHA256",
        &provider::cipher_suite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    ),
    ("ECDHE-RSA-AES256-GCM-SHA384", &provider::cipher_suite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384),
    (
        "ECDHE-ECDSA-AES256-GCM-SHA384",
        &provider::cipher_suite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    ),
    (
        "ECDHE-ECDSA-CHACHA20-POLY1305",
        &provider::cipher_suite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    ),
    (
        "ECDHE-RSA-CHACHA20-POLY1305",
        &provider::cipher_suite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ),
];

/// The names of all ciphers that there are.
pub fn cipher_names() -> impl Iterator<Item = &'static str> {
    CIPHERS.iter().map(|(name, _)| *name)
}

/// The ciphers of an OpenSSL list; nothing if none of them is known.
fn ciphers(list: &str) -> Option<Vec<SupportedCipherSuite>> {
    let words: Vec<&str> =
        list.split([':', ',', ' ']).map(str::trim).filter(|word| !word.is_empty()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut is_known = false;
    for word in &words {
        let (mode, word) = match word.as_bytes()[0] {
            sign @ (b'!' | b'-' | b'+') => (Some(sign), &word[1..]),
            _ => (None, *word),
        };
        let matches = |name: &str| {
            let is_new = name.starts_with("TLS_");
            if is_new { name == word } else { word.split('+').all(|part| covers(part, name)) }
        };
        let found: Vec<usize> = (0..CIPHERS.len()).filter(|at| matches(CIPHERS[*at].0)).collect();
        match mode {
            None => {
                is_known |= !found.is_empty() || is_openssl_name(word);
                chosen.extend(found.iter().filter(|at| !chosen.contains(at)).collect::<Vec<_>>());
            }
            Some(b'+') => {}
            Some(_) => chosen.retain(|at| !found.contains(at)),
        }
    }
    if !words.is_empty() && !is_known {
        return None;
    }
    // Those of TLS 1.3 are named, or all are meant.
    if !chosen.iter().any(|at| CIPHERS[*at].0.starts_with("TLS_")) {
        chosen.splice(0..0, (0..CIPHERS.len()).filter(|at| CIPHERS[*at].0.starts_with("TLS_")));
    }
    Some(chosen.into_iter().map(|at| *CIPHERS[at].1).collect())
}

/// Whether a word of a list stands for that cipher, among others.
fn covers(word: &str, name: &str) -> bool {
    match word {
        "ALL"
        | "DEFAULT"
        | "COMPLEMENTOFDEFAULT"
        | "HIGH"
        | "ECDHE"
        | "EECDH"
        | "kECDHE"
        | "kEECDH"
        | "TLSv1.2"
        | "AEAD" => true,
        "AES" => name.contains("AES"),
        "AES128" => name.contains("AES128"),
        "AES256" => name.contains("AES256"),
        "AESGCM" => name.contains("GCM"),
        "CHACHA20" => name.contains("CHACHA20"),
        "SHA256" => name.ends_with("SHA256"),
        "SHA384" => name.ends_with("SHA384"),
        "RSA" | "aRSA" => name.contains("-RSA-"),
        "ECDSA" | "aECDSA" => name.contains("-ECDSA-"),
        _ => word == name,
    }
}

/// Whether OpenSSL may know a cipher of that name that we do not have: it is no reason to refuse.
fn is_openssl_name(word: &str) -> bool {
    let parts = ["AES", "CAMELLIA", "ARIA", "DHE", "PSK", "CBC", "SHA", "CHACHA20", "@SECLEVEL"];
    parts.iter().any(|part| word.contains(part))
}

fn provider_for(options: &Options) -> Result<CryptoProvider, Refusal> {
    let mut provider = provider::default_provider();
    provider.cipher_suites = CIPHERS.iter().map(|(_, suite)| **suite).collect();
    if let Some(list) = &options.ciphers {
        provider.cipher_suites = ciphers(list).ok_or_else(|| {
            let (library, reason) = ("SSL routines", "no cipher match");
            Refusal::openssl("ERR_SSL_NO_CIPHER_MATCH", 0x0a00_00b9, library, reason)
        })?;
    }
    if let Some(list) = options.curves.as_deref().filter(|list| *list != "auto") {
        let mut groups = Vec::new();
        for word in list.split(':') {
            groups.push(match word {
                "X25519" => provider::kx_group::X25519,
                "P-256" | "prime256v1" | "secp256r1" => provider::kx_group::SECP256R1,
                "P-384" | "secp384r1" => provider::kx_group::SECP384R1,
                // OpenSSL has them, and others of the list will do.
                "P-521" | "secp521r1" | "X448" | "secp256k1" => continue,
                _ => {
                    let message = "Failed to set ECDH curve";
                    return Err(Refusal::plain("ERR_CRYPTO_OPERATION_FAILED", message));
                }
            });
        }
        if !groups.is_empty() {
            provider.kx_groups = groups;
        }
    }
    Ok(provider)
}
