//! What went wrong on a connection, by the names that OpenSSL has for it: programs ask for these.

use rustls::{AlertDescription, CertificateError, Error, InvalidMessage, PeerIncompatible};

/// Why a connection cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Such as `ERR_SSL_WRONG_VERSION_NUMBER`.
    pub code: String,
    /// In OpenSSL's words, such as `wrong version number`.
    pub reason: String,
    /// As Node shows it.
    pub message: String,
}

impl Failure {
    /// A failure of OpenSSL's number and words.
    pub(crate) fn new(number: u32, reason: &str) -> Self {
        Self::with_end(number, reason, "")
    }

    fn with_end(number: u32, reason: &str, end: &str) -> Self {
        Self {
            code: format!("ERR_SSL_{}", reason.to_uppercase().replace([' ', '-'], "_")),
            reason: reason.to_owned(),
            message: format!("error:0A{number:06X}:SSL routines::{reason}{end}"),
        }
    }

    /// The peer said that it cannot go on.
    fn alert(alert: AlertDescription) -> Self {
        let number = u8::from(alert);
        let words = match number {
            10 => "sslv3 alert unexpected message",
            20 => "sslv3 alert bad record mac",
            21 => "tlsv1 alert decryption failed",
            22 => "tlsv1 alert record overflow",
            30 => "sslv3 alert decompression failure",
            40 => "sslv3 alert handshake failure",
            41 => "sslv3 alert no certificate",
            42 => "sslv3 alert bad certificate",
            43 => "sslv3 alert unsupported certificate",
            44 => "sslv3 alert certificate revoked",
            45 => "sslv3 alert certificate expired",
            46 => "sslv3 alert certificate unknown",
            47 => "sslv3 alert illegal parameter",
            48 => "tlsv1 alert unknown ca",
            49 => "tlsv1 alert access denied",
            50 => "tlsv1 alert decode error",
            51 => "tlsv1 alert decrypt error",
            70 => "tlsv1 alert protocol version",
            71 => "tlsv1 alert insufficient security",
            80 => "tlsv1 alert internal error",
            86 => "tlsv1 alert inappropriate fallback",
            90 => "tlsv1 alert user cancelled",
            100 => "tlsv1 alert no renegotiation",
            109 => "tlsv13 alert missing extension",
            110 => "tlsv1 unsupported extension",
            112 => "tlsv1 unrecognized name",
            115 => "tlsv1 alert unknown psk identity",
            116 => "tlsv13 alert certificate required",
            120 => "tlsv1 alert no application protocol",
            _ => "reason(0)",
        };
        Self::with_end(1000 + u32::from(number), words, &format!(":SSL alert number {number}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (number, reason) = match error {
            Error::AlertReceived(alert) => return Self::alert(alert),
            Error::NoApplicationProtocol => (0xeb, "no application protocol"),
            Error::NoCertificatesPresented => (0xc7, "peer did not return a certificate"),
            Error::InvalidCertificate(CertificateError::BadSignature) => (0x7b, "bad signature"),
            Error::InvalidCertificate(_) => (0x86, "certificate verify failed"),
            Error::DecryptError => (0x119, "decryption failed or bad record mac"),
            Error::PeerSentOversizedRecord => (0xc6, "packet length too long"),
            Error::PeerIncompatible(why) => match why {
                PeerIncompatible::NoCipherSuitesInCommon
                | PeerIncompatible::NoKxGroupsInCommon
                | PeerIncompatible::NoEcPointFormatsInCommon => (0xc1, "no shared cipher"),
                PeerIncompatible::NoSignatureSchemesInCommon
                | PeerIncompatible::NoCertificateRequestSignatureSchemesInCommon => {
                    (0x76, "no suitable signature algorithm")
                }
                PeerIncompatible::NullCompressionRequired => (0xbb, "no compression specified"),
                PeerIncompatible::ExtendedMasterSecretExtensionRequired => {
                    (0x68, "inconsistent extms")
                }
                _ => (0x102, "unsupported protocol"),
            },
            Error::InvalidMessage(why) => match why {
                InvalidMessage::MessageTooShort | InvalidMessage::MissingData(_) => {
                    (0xa0, "length too short")
                }
                InvalidMessage::UnknownProtocolVersion => (0x10b, "wrong version number"),
                InvalidMessage::MessageTooLarge => (0xc6, "packet length too long"),
                InvalidMessage::InvalidContentType => (0x10b, "wrong version number"),
                _ => (0x9f, "length mismatch"),
            },
            // The one thing that our resolver may refuse is to give a certificate.
            Error::General(_) => (0x76, "no suitable signature algorithm"),
            Error::InappropriateMessage { .. } | Error::InappropriateHandshakeMessage { .. } => {
                (0xf4, "unexpected message")
            }
            Error::PeerMisbehaved(_) => (0xf4, "unexpected message"),
            _ => (0xc0103, "internal error"),
        };
        Self::new(number, reason)
    }
}
