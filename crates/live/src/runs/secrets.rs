//! Variables of the environment that a recording keeps: their values, or of those that look like secrets a digest.

use crate::random::Random;
use hemiola_world::recording::{Kept, Tape, Variable};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Parts of names that tell of a secret, in capitals.
const PARTS: [&str; 11] = [
    "SECRET",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "COOKIE",
    "PRIVATE",
    "APIKEY",
    "SIGNATURE",
    "WEBHOOK",
];
/// Words of names that do, between underscores.
const WORDS: [&str; 8] = ["KEY", "KEYS", "PASS", "PW", "PWD", "AUTH", "DSN", "PAT"];

/// Whether a variable looks as if it held a secret: by its name, or because its value has a password or a key in it.
pub fn is_secret(name: &str, value: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let by_word = || {
        upper
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .any(|word| WORDS.contains(&word))
    };
    // The current directory is none.
    let is_own = matches!(upper.as_str(), "PWD" | "OLDPWD");
    let by_name = !is_own && (PARTS.iter().any(|part| upper.contains(part)) || by_word());
    by_name || value.contains("PRIVATE KEY-----") || has_password(value)
}

/// Whether that is an address with a user and a password in it.
fn has_password(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((user, _)) = authority.rsplit_once('@') else { return false };
    user.split_once(':').is_some_and(|(_, password)| !password.is_empty())
}

/// Notes the variables that a program reads.
pub struct Reads {
    tape: Tape,
    env: Vec<(String, String)>,
    with_secrets: bool,
    /// Which of them it has read.
    noted: Mutex<BTreeSet<usize>>,
}

impl Reads {
    pub(super) fn new(tape: Tape, env: Vec<(String, String)>, with_secrets: bool) -> Self {
        Self { tape, env, with_secrets, noted: Mutex::default() }
    }

    /// Notes the variable with that index.
    pub fn note(&self, at: usize) {
        let Some((name, value)) = self.env.get(at) else { return };
        if !self.noted.lock().unwrap_or_else(PoisonError::into_inner).insert(at) {
            return;
        }
        let kept = match is_secret(name, value) && !self.with_secrets {
            true => digested(value),
            false => Kept::Value(value.clone()),
        };
        self.tape.read(Variable { at: at as u64, name: name.clone(), kept });
    }

    /// Whether a variable has the value that it had in the beginning; then it has been noted.
    pub fn is_inherited(&self, name: &str, value: &str) -> bool {
        let at = self.env.iter().position(|(other, inherited)| other == name && inherited == value);
        if let Some(at) = at {
            self.note(at);
        }
        at.is_some()
    }
}

/// What is kept of a value that is not.
pub(super) fn digested(value: &str) -> Kept {
    let mut random = Random::default();
    let salt = format!("{:016x}{:016x}", random.next(), random.next());
    let digest = digest(&salt, value);
    Kept::Digest { salt, digest }
}

/// Whether that is the value of which the digest was kept.
pub(super) fn is_value(kept: &Kept, value: &str) -> bool {
    match kept {
        Kept::Value(kept) => kept == value,
        Kept::Digest { salt, digest } => self::digest(salt, value) == *digest,
    }
}

fn digest(salt: &str, value: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(salt.as_bytes());
    hash.update(value.as_bytes());
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The environment of a recorded run as far as it was kept, in the order that it had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Names and values.
    pub all: Vec<(String, String)>,
    /// The names of those whose value is not known: it was not kept, and is another one here.
    pub missing: Vec<String>,
}

impl Variables {
    /// The variables that were kept. What was kept as a digest has the value from `here`, if that is the one.
    pub fn of<'a>(kept: impl IntoIterator<Item = &'a Variable>, here: &[(String, String)]) -> Self {
        let mut kept: Vec<&Variable> = kept.into_iter().collect();
        kept.sort_by_key(|variable| variable.at);
        kept.dedup_by_key(|variable| variable.at);
        let mut variables = Self::default();
        for Variable { name, kept, .. } in kept {
            let same = |(other, value): &&(String, String)| other == name && is_value(kept, value);
            let value = match (kept, here.iter().find(same)) {
                (Kept::Value(value), _) | (Kept::Digest { .. }, Some((_, value))) => value.clone(),
                (Kept::Digest { .. }, None) => {
                    variables.missing.push(name.clone());
                    format!("<the value of {name} was not recorded>")
                }
            };
            variables.all.push((name.clone(), value));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_one() {
        for name in [
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "DB_PASSWORD",
            "db_pass",
            "API_KEY",
            "STRIPE_KEY",
            "PGPASSWORD",
            "SSH_AUTH_SOCK",
            "SENTRY_DSN",
            "SESSION_COOKIE",
            "NPM_CONFIG__AUTH",
            "Secret",
            "AWS_ACCESS_KEY_ID",
            "DB_PWD",
        ] {
            assert!(is_secret(name, "x"), "{name}");
        }
        for name in [
            "PATH", "HOME", "PWD", "OLDPWD", "TERM", "NODE_ENV", "KEYBOARD", "MONKEY", "TZ",
            "LANG", "AUTHOR", "COMPASS", "PORT",
        ] {
            assert!(!is_secret(name, "x"), "{name}");
        }
        assert!(is_secret("DATABASE_URL", "postgres://user:word@host/base"));
        assert!(!is_secret("DATABASE_URL", "postgres://user@host:5432/base"));
        assert!(!is_secret("PAGE", "http://host/a:b@c"));
        assert!(is_secret("CERT", "-----BEGIN PRIVATE KEY-----\n"));
    }

    #[test]
    fn a_digest_knows_its_value_and_does_not_tell_it() {
        let kept = digested("the value");
        assert!(is_value(&kept, "the value") && !is_value(&kept, "another"));
        assert!(!format!("{kept:?}").contains("value\""));
        assert_ne!(kept, digested("the value"), "each has a salt of its own");
        let variable = |at, name: &str, kept| Variable { at, name: name.into(), kept };
        let all = [
            variable(5, "B", digested("secret")),
            variable(2, "A", Kept::Value("plain".into())),
            variable(7, "C", digested("secret")),
        ];
        let here = [("B".to_owned(), "secret".to_owned()), ("C".to_owned(), "other".to_owned())];
        let Variables { all, missing } = Variables::of(&all, &here);
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["A", "B", "C"]);
        assert_eq!((all[1].1.as_str(), missing), ("secret", vec!["C".to_owned()]));
        assert!(!all[2].1.contains("secret"));
    }
}
