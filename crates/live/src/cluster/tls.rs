//! Encrypted connections to a database: as much as its address asks for.
//!
//! `verify-full` believes a server that shows a certificate for its name, from an authority that is known or given;
//! `require` and `prefer` encrypt and believe any, as other clients of PostgreSQL do.

use hemiola_gate::Fault;
use hemiola_tls::{pem, verify};
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Encrypted;

/// How to encrypt.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

impl Tls {
    /// With a server that is verified or not; `ca` has authorities that are believed instead of the known ones.
    pub(super) fn new(verifies: bool, ca: Option<&str>) -> Result<Self, Fault> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("the provider has the usual versions");
        if !verifies {
            let any = Arc::new(AnyServer(provider));
            let config = builder.dangerous().with_custom_certificate_verifier(any);
            return Ok(Self(Arc::new(config.with_no_client_auth())));
        }
        let mut roots = RootCertStore::empty();
        match ca {
            Some(ca) => {
                let given = pem::blocks(ca.as_bytes()).into_iter().map(|block| block.der.into());
                roots.add_parsable_certificates(given);
            }
            None => {
                let known = verify::built_in().iter().map(|one| one.der.clone().into());
                roots.add_parsable_certificates(known);
            }
        }
        if roots.is_empty() {
            let message = "sslrootcert has no certificate that could be read";
            return Err(Fault::new("ERR_STORE_TLS", message));
        }
        Ok(Self(Arc::new(builder.with_root_certificates(roots).with_no_client_auth())))
    }
}

/// Believes any server: what is said to it is encrypted all the same.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Stream<S>;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Handshake> {
        // The path of a socket is no name; nothing is encrypted there.
        let name = ServerName::try_from(domain.to_owned())
            .or_else(|_| ServerName::try_from("localhost"))
            .map_err(io::Error::other)?;
        Ok(Handshake(TlsConnector::from(Arc::clone(&self.0)), name))
    }
}

/// A connection that is about to be encrypted.
pub(super) struct Handshake(TlsConnector, ServerName<'static>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Stream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let failed = |error| io::Error::other(format!("TLS: {error}"));
            self.0.connect(self.1, stream).await.map(Stream).map_err(failed)
        })
    }
}

/// A connection that is encrypted.
pub(super) struct Stream<S>(Encrypted<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Stream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
