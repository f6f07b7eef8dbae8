//! What rustls asks of us during a handshake: certificates to show, and whether those of the peer are
//! what they claim. Whether a peer is believed is asked afterwards, as in OpenSSL: see [`crate::verify`].

use crate::verify::Trust;
use crate::x509::Certificate;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{
    ClientSessionStore, ResolvesClientCert, Tls12ClientSessionValue, Tls13ClientSessionValue,
};
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::time_provider::TimeProvider;
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, NamedGroup, SignatureScheme,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The time of the world, in seconds since 1970: whoever moves a connection sets it before.
#[derive(Debug, Default)]
pub struct Clock(AtomicU64);

impl Clock {
    /// Sets the time.
    pub fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::Relaxed);
    }

    /// The time.
    pub fn seconds(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl TimeProvider for Clock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(Duration::from_secs(self.seconds())))
    }
}

fn algorithms() -> &'static WebPkiSupportedAlgorithms {
    static ALL: OnceLock<WebPkiSupportedAlgorithms> = OnceLock::new();
    ALL.get_or_init(|| rustls::crypto::ring::default_provider().signature_verification_algorithms)
}

/// Whether the peer has the key that is in its certificate.
fn check(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
) -> Result<HandshakeSignatureValid, Error> {
    let bad = |why| Err(Error::InvalidCertificate(why));
    let Ok(certificate) = Certificate::read(certificate) else {
        return bad(CertificateError::BadEncoding);
    };
    let key = &certificate.public_key;
    let scheme = algorithms().mapping.iter().find(|(scheme, _)| *scheme == signed.scheme);
    let fits = scheme.is_some_and(|(_, all)| {
        all.iter().any(|algorithm| {
            algorithm.public_key_alg_id().as_ref() == key.algorithm
                && algorithm.verify_signature(&key.bits, message, signed.signature()).is_ok()
        })
    });
    if fits {
        Ok(HandshakeSignatureValid::assertion())
    } else {
        bad(CertificateError::BadSignature)
    }
}

/// Takes any certificate of a server.
#[derive(Debug)]
pub(crate) struct AnyServer;

impl AnyServer {
    /// The one: sessions can be resumed only under the same.
    pub(crate) fn shared() -> Arc<Self> {
        static ONE: OnceLock<Arc<AnyServer>> = OnceLock::new();
        Arc::clone(ONE.get_or_init(|| Arc::new(AnyServer)))
    }
}

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        check(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        check(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        algorithms().supported_schemes()
    }
}

/// Takes any certificate of a client.
#[derive(Debug)]
pub(crate) struct AnyClient {
    /// Whether it may not come without one.
    mandatory: bool,
    /// Authorities that it may like to know of.
    hints: Vec<DistinguishedName>,
}

impl AnyClient {
    pub(crate) fn new(mandatory: bool, trust: &Trust) -> Self {
        let hints = match trust {
            Trust::BuiltIn => Vec::new(),
            Trust::These(these) => {
                these.iter().map(|one| DistinguishedName::from(one.subject.der.clone())).collect()
            }
        };
        Self { mandatory, hints }
    }
}

impl ClientCertVerifier for AnyClient {
    fn client_auth_mandatory(&self) -> bool {
        self.mandatory
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.hints
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        check(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        check(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        algorithms().supported_schemes()
    }
}

/// Shows the first identity that the peer can check.
#[derive(Debug)]
pub(crate) struct Identities(pub(crate) Vec<Arc<CertifiedKey>>);

impl Identities {
    /// One without any, the same for all: sessions can be resumed only under the same.
    pub(crate) fn none() -> Arc<Self> {
        static ONE: OnceLock<Arc<Identities>> = OnceLock::new();
        Arc::clone(ONE.get_or_init(|| Arc::new(Self(Vec::new()))))
    }

    fn find(&self, schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.0.iter().find(|one| one.key.choose_scheme(schemes).is_some()).cloned()
    }
}

impl ResolvesServerCert for Identities {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.find(hello.signature_schemes())
    }
}

impl ResolvesClientCert for Identities {
    fn resolve(&self, _: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.find(schemes)
    }

    fn has_certs(&self) -> bool {
        !self.0.is_empty()
    }
}

/// What lets a client go on where an earlier connection ended, once.
#[derive(Debug)]
pub enum Session {
    /// Of TLS 1.2.
    Old(Box<Tls12ClientSessionValue>),
    /// Of TLS 1.3.
    New(Box<Tls13ClientSessionValue>),
}

/// The sessions of one connection: one that it was given, and those that it got.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    given: Option<Session>,
    got: Vec<Session>,
}

impl Sessions {
    pub(crate) fn new(given: Option<Session>) -> Self {
        Self(Mutex::new(Kept { given, got: Vec::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Whoever panicked while holding it left it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sessions that came since the last time.
    pub(crate) fn take(&self) -> Vec<Session> {
        std::mem::take(&mut self.lock().got)
    }
}

impl ClientSessionStore for Sessions {
    fn set_kx_hint(&self, _: ServerName<'static>, _: NamedGroup) {}

    fn kx_hint(&self, _: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }

    fn set_tls12_session(&self, _: ServerName<'static>, value: Tls12ClientSessionValue) {
        self.lock().got.push(Session::Old(Box::new(value)));
    }

    fn tls12_session(&self, _: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        match &self.lock().given {
            Some(Session::Old(value)) => Some((**value).clone()),
            _ => None,
        }
    }

    fn remove_tls12_session(&self, _: &ServerName<'static>) {
        self.lock().given = None;
    }

    fn insert_tls13_ticket(&self, _: ServerName<'static>, value: Tls13ClientSessionValue) {
        self.lock().got.push(Session::New(Box::new(value)));
    }

    fn take_tls13_ticket(&self, _: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        let mut kept = self.lock();
        match kept.given.take() {
            Some(Session::New(value)) => Some(*value),
            other => {
                kept.given = other;
                None
            }
        }
    }
}
