//! Certificates as a program sees them, for `node:tls` and `node:crypto`.

use crate::gate::IntoValue;
use hemiola_engine::bytes::copy;
use hemiola_gate::Datum;
use hemiola_tls::{Certificate, Name, PublicKey, cipher_names, oid, pem, shown_date, verify};
use rquickjs::{Ctx, Function, Object, Result, TypedArray, Value};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("certificateRead", Function::new(ctx.clone(), read)?)?;
    function("certificateIsSignedBy", Function::new(ctx.clone(), is_signed_by)?)?;
    function("certificateNamesIssuer", Function::new(ctx.clone(), names_issuer)?)?;
    function("rootCertificates", Function::new(ctx.clone(), roots)?)?;
    function("tlsCiphers", Function::new(ctx.clone(), ciphers)?)
}

/// A certificate in DER, or the first one of a text in PEM.
fn certificate(bytes: &[u8]) -> Option<Certificate> {
    if let Ok(certificate) = Certificate::read(bytes) {
        return Some(certificate);
    }
    let blocks = pem::blocks(bytes).into_iter();
    let mut blocks = blocks.filter(|block| block.label.ends_with("CERTIFICATE"));
    Certificate::read(&blocks.next()?.der).ok()
}

/// `certificateRead(bytes)`: what a certificate says, or undefined if it is none.
fn read<'js>(ctx: Ctx<'js>, bytes: TypedArray<'js, u8>) -> Result<Value<'js>> {
    let certificate = certificate(&copy(&bytes, 0, usize::MAX));
    certificate.map_or(Datum::Undefined, |one| described(&one)).into_js(&ctx)
}

/// `certificateIsSignedBy(certificate, key)`: whether that public key, in DER, signed it.
fn is_signed_by<'js>(bytes: TypedArray<'js, u8>, key: TypedArray<'js, u8>) -> bool {
    let key = copy(&key, 0, usize::MAX);
    let key = PublicKey::read(&mut hemiola_tls::der::Reader::new(&key));
    let certificate = certificate(&copy(&bytes, 0, usize::MAX));
    matches!((certificate, key), (Some(one), Ok(key)) if one.is_signed_by(&key))
}

/// `certificateNamesIssuer(certificate, other)`: whether the other may have signed it, by its names.
fn names_issuer<'js>(bytes: TypedArray<'js, u8>, other: TypedArray<'js, u8>) -> bool {
    let read = |bytes: &TypedArray<'js, u8>| certificate(&copy(bytes, 0, usize::MAX));
    matches!((read(&bytes), read(&other)), (Some(one), Some(other)) if one.names_issuer(&other))
}

/// `rootCertificates()`: the built-in authorities, in PEM.
fn roots() -> Vec<String> {
    let text = |one: &Certificate| pem::text("CERTIFICATE", &one.der).trim_end().to_owned();
    verify::built_in().iter().map(text).collect()
}

/// `tlsCiphers()`: the names of all ciphers.
fn ciphers() -> Vec<&'static str> {
    cipher_names().collect()
}

fn texts(all: impl IntoIterator<Item = String>) -> Datum {
    Datum::List(all.into_iter().map(Datum::Text).collect())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The attributes of a name: kinds and values by turns.
fn attributes(name: &Name) -> Datum {
    texts(name.attributes().flat_map(|one| [one.kind.clone(), one.value.clone()]))
}

fn described(certificate: &Certificate) -> Datum {
    let extensions = &certificate.extensions;
    let mut fields = vec![
        ("subject", Datum::Text(certificate.subject.lines())),
        ("subjectAttributes", attributes(&certificate.subject)),
        ("issuer", Datum::Text(certificate.issuer.lines())),
        ("issuerAttributes", attributes(&certificate.issuer)),
        ("validFrom", Datum::Text(shown_date(certificate.not_before))),
        ("validTo", Datum::Text(shown_date(certificate.not_after))),
        ("serialNumber", Datum::Text(serial(&certificate.serial))),
        ("ca", Datum::Bool(certificate.is_authority())),
        ("der", Datum::Bytes(certificate.der.clone())),
        ("publicKey", Datum::Bytes(certificate.public_key.der.clone())),
    ];
    if let Some(names) = &extensions.alternatives {
        let names: Vec<String> = names.iter().map(|name| name.shown()).collect();
        fields.push(("subjectAltName", Datum::Text(names.join(", "))));
    }
    if let Some(places) = &extensions.access {
        let place = |(method, name): &(String, hemiola_tls::GeneralName)| {
            let method = match method.as_str() {
                "1.3.6.1.5.5.7.48.1" => "OCSP",
                "1.3.6.1.5.5.7.48.2" => "CA Issuers",
                other => other,
            };
            format!("{method} - {}", name.shown())
        };
        fields.push(("infoAccess", texts(places.iter().map(place))));
    }
    if let Some(purposes) = &extensions.purposes {
        fields.push(("purposes", texts(purposes.iter().cloned())));
    }
    fields.extend(key(&certificate.public_key));
    Datum::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The number as OpenSSL writes it.
fn serial(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let text = hex(&bytes[zeros..]);
    if text.is_empty() { "00".to_owned() } else { text }
}

/// What is shown of a key.
fn key(key: &PublicKey) -> Vec<(&'static str, Datum)> {
    if let Some((modulus, exponent)) = key.rsa() {
        let zeros = modulus.first().map_or(0, |first| first.leading_zeros() as usize);
        let bits = (modulus.len() * 8 - zeros) as f64;
        let exponent = hex(exponent).trim_start_matches('0').to_lowercase();
        return vec![
            ("modulus", Datum::Text(hex(modulus))),
            ("bits", Datum::Number(bits)),
            ("exponent", Datum::Text(format!("0x{exponent}"))),
        ];
    }
    let Some((name, nist, bits)) = key.curve().and_then(oid::curve) else { return Vec::new() };
    let mut fields = vec![
        ("bits", Datum::Number(bits.into())),
        ("point", Datum::Bytes(key.bits.clone())),
        ("asn1Curve", Datum::Text(name.into())),
    ];
    if let Some(nist) = nist {
        fields.push(("nistCurve", Datum::Text(nist.into())));
    }
    fields
}
