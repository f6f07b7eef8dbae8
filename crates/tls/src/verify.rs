//! Whether a peer is to be believed: the chain from its certificate to one that is trusted.
//!
//! The order of the questions is OpenSSL's, and so is that the last one which was answered badly gives
//! its name to the whole: programs ask for these names.

use crate::names::GeneralName;
use crate::x509::{Certificate, MAY_SIGN_CERTIFICATES};
use std::sync::OnceLock;

/// Certificates that are believed.
#[derive(Clone, Debug)]
pub enum Trust {
    /// Those that come with Hemiola.
    BuiltIn,
    /// These.
    These(Vec<Certificate>),
}

/// The certificates of authorities that come with Hemiola: Mozilla's list.
pub fn built_in() -> &'static [Certificate] {
    static ALL: OnceLock<Vec<Certificate>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter();
        all.filter_map(|der| Certificate::read(der).ok()).collect()
    })
}

impl Trust {
    /// All of them.
    pub fn certificates(&self) -> &[Certificate] {
        match self {
            Self::BuiltIn => built_in(),
            Self::These(these) => these,
        }
    }
}

/// What a peer is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The one that is called.
    Server,
    /// The one that calls.
    Client,
}

/// Why a peer is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// OpenSSL's name for it, as Node shows it.
    pub code: &'static str,
    /// In OpenSSL's words.
    pub message: &'static str,
}

macro_rules! doubts {
    ($($name:ident $code:literal $message:literal)*) => {
        $(const $name: Doubt = Doubt { code: $code, message: $message };)*
    };
}

doubts! {
    NO_ISSUER "UNABLE_TO_GET_ISSUER_CERT" "unable to get issuer certificate"
    BAD_SIGNATURE "CERT_SIGNATURE_FAILURE" "certificate signature failure"
    TOO_EARLY "CERT_NOT_YET_VALID" "certificate is not yet valid"
    TOO_LATE "CERT_HAS_EXPIRED" "certificate has expired"
    SELF_SIGNED "DEPTH_ZERO_SELF_SIGNED_CERT" "self-signed certificate"
    SELF_SIGNED_ABOVE "SELF_SIGNED_CERT_IN_CHAIN" "self-signed certificate in certificate chain"
    NO_LOCAL_ISSUER "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" "unable to get local issuer certificate"
    UNVERIFIED "UNABLE_TO_VERIFY_LEAF_SIGNATURE" "unable to verify the first certificate"
    TOO_LONG "CERT_CHAIN_TOO_LONG" "certificate chain too long"
    NOT_AUTHORITY "INVALID_CA" "invalid CA certificate"
    TOO_DEEP "PATH_LENGTH_EXCEEDED" "path length constraint exceeded"
    UNSUITABLE "INVALID_PURPOSE" "unsuitable certificate purpose"
    UNKNOWN_DEMAND "UNSPECIFIED" "unhandled critical extension"
    NOT_PERMITTED "UNSPECIFIED" "permitted subtree violation"
    EXCLUDED "UNSPECIFIED" "excluded subtree violation"
}

/// What is thought of a peer that shows no certificate.
pub const NOBODY: Doubt = NO_ISSUER;

/// How long a chain may be.
const LONGEST: usize = 100;

/// The certificates from the peer's up as far as they are known, and whether the last is trusted.
struct Chain<'a> {
    links: Vec<&'a Certificate>,
    /// How many of them the peer sent.
    from_peer: usize,
    is_trusted: bool,
}

/// Whether the peer that showed these certificates, its own first, is to be believed at that time, in
/// seconds since 1970.
pub fn verify(shown: &[Certificate], trust: &Trust, role: Role, now: i64) -> Result<(), Doubt> {
    let Some(leaf) = shown.first() else { return Err(NOBODY) };
    let chain = build(leaf, &shown[1..], trust.certificates(), now);
    let links = &chain.links;
    let mut doubt = None;
    if !chain.is_trusted {
        let is_self_signed = links.last().is_some_and(|last| last.is_self_issued());
        doubt = Some(match (is_self_signed, links.len()) {
            _ if links.len() > LONGEST => TOO_LONG,
            (true, 1) => SELF_SIGNED,
            (true, _) => SELF_SIGNED_ABOVE,
            (false, length) if chain.from_peer < length => NO_ISSUER,
            (false, _) => NO_LOCAL_ISSUER,
        });
    }
    doubt = extensions(links, role).or(doubt);
    doubt = signatures_and_dates(links, now).or(doubt);
    doubt = constraints(links).or(doubt);
    doubt.map_or(Ok(()), Err)
}

/// The peer's certificates in order, the issuer after each, as far as they are known.
pub fn in_order<'a>(shown: &'a [Certificate], trust: &'a Trust) -> Vec<&'a Certificate> {
    let Some(leaf) = shown.first() else { return Vec::new() };
    let mut links = vec![leaf];
    while let Some(last) = links.last()
        && !last.is_self_issued()
        && links.len() <= LONGEST
    {
        let known = shown[1..].iter().chain(trust.certificates());
        let known = known.filter(|one| !links.iter().any(|link| link.der == one.der));
        let Some(issuer) = known.into_iter().find(|one| last.names_issuer(one)) else { break };
        links.push(issuer);
    }
    links
}

fn build<'a>(
    leaf: &'a Certificate,
    others: &'a [Certificate],
    trusted: &'a [Certificate],
    now: i64,
) -> Chain<'a> {
    let mut chain = Chain { links: vec![leaf], from_peer: 1, is_trusted: false };
    while let Some(&last) = chain.links.last()
        && chain.links.len() <= LONGEST
    {
        if last.is_self_issued() {
            chain.is_trusted = trusted.iter().any(|one| one.der == last.der);
            break;
        }
        let unused = |one: &&Certificate| !chain.links.iter().any(|link| link.der == one.der);
        let find = |all: &'a [Certificate]| {
            let candidates = || all.iter().filter(|one| last.names_issuer(one)).filter(unused);
            let holds = |one: &&Certificate| (one.not_before..=one.not_after).contains(&now);
            candidates().find(holds).or_else(|| candidates().max_by_key(|one| one.not_after))
        };
        if let Some(issuer) = find(trusted) {
            chain.links.push(issuer);
        } else if chain.from_peer == chain.links.len()
            && let Some(issuer) = find(others)
        {
            chain.links.push(issuer);
            chain.from_peer += 1;
        } else {
            break;
        }
    }
    chain
}

/// The last doubt about what the certificates say of themselves.
fn extensions(links: &[&Certificate], role: Role) -> Option<Doubt> {
    let mut doubt = None;
    let mut between = 0;
    for (at, link) in links.iter().enumerate() {
        let is_above = at > 0;
        if link.extensions.unknown_demand {
            doubt = Some(UNKNOWN_DEMAND);
        }
        if is_above && !may_sign(link) {
            doubt = Some(NOT_AUTHORITY);
        }
        if !suits(link, role, is_above) {
            doubt = Some(UNSUITABLE);
        }
        let depth = link.extensions.authority.and_then(|(_, depth)| depth);
        if is_above && depth.is_some_and(|depth| between > depth) {
            doubt = Some(TOO_DEEP);
        }
        // An authority that signed itself anew takes no room, and the leaf counts for nobody.
        if is_above && !link.is_self_issued() {
            between += 1;
        }
    }
    doubt
}

fn may_sign(link: &Certificate) -> bool {
    let may = |usage| usage & MAY_SIGN_CERTIFICATES != 0;
    match (link.extensions.key_usage, link.extensions.authority) {
        (Some(usage), _) if !may(usage) => false,
        (_, Some((is_authority, _))) => is_authority,
        (Some(_), None) => true,
        // Those of old had no way to say it.
        (None, None) => link.is_self_issued(),
    }
}

fn suits(link: &Certificate, role: Role, is_above: bool) -> bool {
    const SIGN: u16 = 1 << 15;
    const ENCIPHER: u16 = 1 << 13;
    const AGREE: u16 = 1 << 11;
    let (purpose, usages) = match role {
        Role::Server => ("1.3.6.1.5.5.7.3.1", SIGN | ENCIPHER | AGREE),
        Role::Client => ("1.3.6.1.5.5.7.3.2", SIGN | AGREE),
    };
    let purposes = link.extensions.purposes.as_ref();
    if purposes.is_some_and(|all| !all.iter().any(|one| one == purpose)) {
        return false;
    }
    if is_above {
        return may_sign(link);
    }
    link.extensions.key_usage.is_none_or(|usage| usage & usages != 0)
}

/// The last doubt about signatures and dates, from the top down.
fn signatures_and_dates(links: &[&Certificate], now: i64) -> Option<Doubt> {
    let mut doubt = None;
    let last = links.len() - 1;
    let mut from = last;
    if !links[last].is_self_issued() {
        if last == 0 {
            doubt = Some(UNVERIFIED);
        } else {
            from = last - 1;
        }
    }
    for at in (0..=from).rev() {
        if let Some(issuer) = links.get(at + 1)
            && !links[at].is_signed_by(&issuer.public_key)
        {
            doubt = Some(BAD_SIGNATURE);
        }
        if now < links[at].not_before {
            doubt = Some(TOO_EARLY);
        }
        if now > links[at].not_after {
            doubt = Some(TOO_LATE);
        }
    }
    doubt
}

/// Whether the names of the leaf are ones that those above it may sign for.
fn constraints(links: &[&Certificate]) -> Option<Doubt> {
    let names = links[0].extensions.alternatives.as_deref().unwrap_or_default();
    for link in &links[1..] {
        let Some((permitted, excluded)) = &link.extensions.constraints else { continue };
        for name in names {
            if excluded.iter().any(|tree| is_within(name, tree) == Some(true)) {
                return Some(EXCLUDED);
            }
            let mut rules = permitted.iter().filter_map(|tree| is_within(name, tree)).peekable();
            if rules.peek().is_some() && !rules.any(|within| within) {
                return Some(NOT_PERMITTED);
            }
        }
    }
    None
}

/// Whether a name is in a part of all names; nothing if they are of different forms.
fn is_within(name: &GeneralName, tree: &GeneralName) -> Option<bool> {
    match (name, tree) {
        (GeneralName::Dns(name), GeneralName::Dns(tree)) => {
            let (name, tree) = (name.to_ascii_lowercase(), tree.to_ascii_lowercase());
            let Some(front) = name.strip_suffix(&tree[..]) else { return Some(false) };
            let whole = front.is_empty() || tree.is_empty();
            Some(whole || front.ends_with(b".") || tree.starts_with(b"."))
        }
        (GeneralName::Email(name), GeneralName::Email(tree)) => {
            let (name, tree) = (name.to_ascii_lowercase(), tree.to_ascii_lowercase());
            let host = name.rsplit(|byte| *byte == b'@').next().unwrap_or_default();
            Some(name == tree || host == tree || tree.starts_with(b".") && host.ends_with(&tree))
        }
        (GeneralName::Ip(address), GeneralName::Ip(tree)) => {
            if tree.len() != 2 * address.len() {
                return Some(false);
            }
            let (base, mask) = tree.split_at(address.len());
            let same = |at: usize| address[at] & mask[at] == base[at] & mask[at];
            Some((0..address.len()).all(same))
        }
        (GeneralName::Directory(name), GeneralName::Directory(tree)) => {
            Some(name.groups.starts_with(&tree.groups))
        }
        _ => None,
    }
}
