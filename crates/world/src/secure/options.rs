//! What requests for TLS say, and how its answers are written.

use hemiola_gate::{Answer, Datum, Fault};
use hemiola_tls::{Agreement, Ask, ClientOptions, Failure, Hello, Options, Refusal, ServerOptions};

const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;

/// Bytes, or the bytes of a text.
fn bytes(datum: &Datum) -> Option<Vec<u8>> {
    match datum {
        Datum::Bytes(bytes) => Some(bytes.clone()),
        Datum::Text(text) => Some(text.as_bytes().to_vec()),
        _ => None,
    }
}

fn text(datum: &Datum, name: &str) -> Option<String> {
    datum.field(name).and_then(Datum::as_text).map(str::to_owned)
}

fn is_set(datum: &Datum, name: &str) -> bool {
    datum.field(name) == Some(&Datum::Bool(true))
}

fn items<'a>(datum: &'a Datum, name: &str) -> Option<&'a [Datum]> {
    match datum.field(name)? {
        Datum::List(items) => Some(items),
        _ => None,
    }
}

fn all_bytes(datum: &Datum, name: &str) -> Option<Vec<Vec<u8>>> {
    Some(items(datum, name)?.iter().filter_map(bytes).collect())
}

/// Things that may have a passphrase: records with the thing under `name`.
fn with_passphrase(
    datum: &Datum,
    list: &str,
    name: &str,
) -> impl Iterator<Item = (Vec<u8>, Option<String>)> {
    let items = items(datum, list).unwrap_or_default().iter();
    items.filter_map(move |item| Some((bytes(item.field(name)?)?, text(item, "passphrase"))))
}

/// `tls.context [{keys, certificates, archives, authorities, oldest, newest, ciphers, curves}]`.
pub(super) fn context(datum: &Datum) -> Options {
    let version = |name, default| {
        datum.field(name).and_then(Datum::as_number).map_or(default, |number| number as u16)
    };
    let archives = with_passphrase(datum, "archives", "pfx");
    Options {
        keys: with_passphrase(datum, "keys", "pem").collect(),
        certificates: all_bytes(datum, "certificates").unwrap_or_default(),
        archives: archives.map(|(pfx, passphrase)| (pfx, passphrase.unwrap_or_default())).collect(),
        authorities: all_bytes(datum, "authorities"),
        oldest: version("oldest", TLS12),
        newest: version("newest", TLS13),
        ciphers: text(datum, "ciphers"),
        curves: text(datum, "curves"),
    }
}

/// `tls.start` of a client: `{servername, protocols}`.
pub(super) fn client(datum: &Datum) -> ClientOptions {
    ClientOptions {
        servername: text(datum, "servername"),
        protocols: all_bytes(datum, "protocols").unwrap_or_default(),
        session: None,
    }
}

/// `tls.start` of a server: `{protocols, requestCert, rejectUnauthorized}`.
pub(super) fn server(datum: &Datum) -> ServerOptions {
    ServerOptions {
        protocols: all_bytes(datum, "protocols").unwrap_or_default(),
        ask: match (is_set(datum, "requestCert"), is_set(datum, "rejectUnauthorized")) {
            (false, _) => Ask::Nobody,
            (true, false) => Ask::Whoever,
            (true, true) => Ask::Everybody,
        },
    }
}

fn record<const N: usize>(fields: [(&str, Datum); N]) -> Datum {
    Datum::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn optional(text: Option<String>) -> Datum {
    text.map_or(Datum::Bool(false), Datum::Text)
}

/// The text of a protocol's name, one letter for each byte.
fn protocol(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// What a client said first.
pub(super) fn hello(hello: Hello) -> Datum {
    let protocols = hello.protocols.iter().map(|one| Datum::Text(protocol(one)));
    record([
        ("servername", optional(hello.servername)),
        ("protocols", Datum::List(protocols.collect())),
    ])
}

/// What two sides agreed on.
pub(super) fn agreement(agreement: Agreement) -> Datum {
    let certificates = agreement.certificates.into_iter().map(Datum::Bytes);
    let group = agreement.group.map_or(Datum::Null, |(name, size)| {
        record([("name", Datum::Text(name.into())), ("size", Datum::Number(size.into()))])
    });
    let doubt = agreement.doubt.map_or(Datum::Null, |doubt| {
        record([
            ("code", Datum::Text(doubt.code.into())),
            ("message", Datum::Text(doubt.message.into())),
        ])
    });
    record([
        ("version", Datum::Text(agreement.version.into())),
        ("cipher", Datum::Text(agreement.cipher.0.into())),
        ("standardCipher", Datum::Text(agreement.cipher.1)),
        ("protocol", optional(agreement.protocol.as_deref().map(protocol))),
        ("servername", optional(agreement.servername)),
        ("reused", Datum::Bool(agreement.reused)),
        ("group", group),
        ("certificates", Datum::List(certificates.collect())),
        ("doubt", doubt),
    ])
}

pub(super) fn failed(failure: Failure) -> Fault {
    Fault::new(failure.code, failure.message)
}

/// Why there is no context. What has no name says that it is none of the system's.
pub(super) fn refused(refusal: Refusal) -> Answer {
    let code = if refusal.code.is_empty() { "ERR_TLS_CONTEXT" } else { refusal.code };
    Err(Fault::new(code, refusal.message))
}
