//! Certificates, keys and archives, in PEM and as they are.

use super::{Verdict, hold};
use crate::rng::Rng;
use hemiola_tls::verify::{self, Role, Trust};
use hemiola_tls::{Certificate, Clock, Context, Options, pem, shown_date};
use std::sync::Arc;

/// The instant at which certificates are judged: 2025.
const NOW: i64 = 1_750_000_000;

/// Whatever the bytes are taken for, they are refused or used.
pub fn reader() -> impl FnMut(&[u8]) -> Verdict {
    let own = include_bytes!("../../given/server.pem").to_vec();
    let authority = include_bytes!("../../given/ca.pem").to_vec();
    let key = include_bytes!("../../given/server.key").to_vec();
    let trust = Trust::These(certificates(&authority));
    let clock = Arc::new(Clock::default());
    move |bytes| {
        let mut read = certificates(bytes);
        read.extend(Certificate::read(bytes));
        for certificate in &read {
            shown(certificate)?;
        }
        for role in [Role::Server, Role::Client] {
            let _ = verify::verify(&read, &trust, role, NOW);
            let _ = verify::verify(&read, &Trust::These(read.clone()), role, NOW);
        }
        let in_order = verify::in_order(&read, &trust);
        hold(in_order.len() <= read.len() + trust.certificates().len(), || {
            format!("a chain of {} is made of {}", in_order.len(), read.len())
        })?;
        let with = |options: Options| {
            drop(Context::new(&Options { oldest: 0x0303, newest: 0x0304, ..options }, &clock))
        };
        with(Options {
            certificates: vec![bytes.to_vec()],
            keys: vec![(key.clone(), None)],
            ..Options::default()
        });
        with(Options {
            certificates: vec![own.clone()],
            keys: vec![(bytes.to_vec(), Some("secret".into()))],
            ..Options::default()
        });
        with(Options { archives: vec![(bytes.to_vec(), "secret".into())], ..Options::default() });
        with(Options { authorities: Some(vec![bytes.to_vec()]), ..Options::default() });
        Ok(())
    }
}

fn certificates(bytes: &[u8]) -> Vec<Certificate> {
    pem::blocks(bytes).iter().filter_map(|block| Certificate::read(&block.der).ok()).collect()
}

/// Everything that is told of a certificate.
fn shown(certificate: &Certificate) -> Verdict {
    certificate.is_authority();
    certificate.names_issuer(certificate);
    certificate.is_signed_by(&certificate.public_key);
    certificate.public_key.curve();
    certificate.public_key.rsa();
    certificate.subject.lines();
    certificate.issuer.lines();
    shown_date(certificate.not_before);
    shown_date(certificate.not_after);
    Ok(())
}

/// The bytes of a block of PEM, or the text as it is: half of the damage is within the certificate.
pub fn unwrapped(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let blocks = pem::blocks(text);
    match blocks.is_empty() || rng.once_in(2) {
        true => text.to_vec(),
        false => rng.pick(&blocks).der.clone(),
    }
}
