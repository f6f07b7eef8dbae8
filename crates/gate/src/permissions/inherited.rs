//! Permissions that a program hands on to the programs of ours that it starts.
//!
//! A program may not do through another what it may not do itself: what it starts is told what it may do, in
//! the environment, and flags and variables can only take away from that.

use super::network;
use super::{Names, Permissions};
use crate::grant::Grant;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// The variable by which a program of ours is told what it may do at most.
pub const INHERITED: &str = "HEMIOLA_PERMISSION";

/// What stands for everything.
const ALL: &str = "*";

impl Permissions {
    /// All of it in one line: words of a scope, each with one thing that is allowed in it.
    pub fn to_text(&self) -> String {
        let mut words = Vec::new();
        let mut tell = |scope: &str, things: Option<Vec<&[u8]>>| match things {
            None => words.push(format!("{scope}={ALL}")),
            Some(things) => {
                words.extend(things.into_iter().map(|thing| format!("{scope}={}", encoded(thing))));
            }
        };
        for (scope, grant) in [("read", &self.read), ("write", &self.write)] {
            tell(
                scope,
                match grant {
                    Grant::All => None,
                    Grant::Under(roots) => {
                        Some(roots.iter().map(|root| root.as_os_str().as_bytes()).collect())
                    }
                },
            );
        }
        let names =
            [("net", &self.net), ("run", &self.run), ("env", &self.env), ("worker", &self.worker)];
        for (scope, names) in names {
            tell(
                scope,
                match names {
                    Names::All => None,
                    Names::Only(names) => Some(names.iter().map(String::as_bytes).collect()),
                },
            );
        }
        words.join(" ")
    }

    /// What [`Permissions::to_text`] has written; nothing if something else is there.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut found = Self::none();
        for word in text.split_whitespace() {
            let (scope, thing) = word.split_once('=')?;
            let thing = if thing == ALL { None } else { Some(decoded(thing)?) };
            match scope {
                "read" => allow_under(&mut found.read, thing),
                "write" => allow_under(&mut found.write, thing),
                "net" => allow(&mut found.net, thing)?,
                "run" => allow(&mut found.run, thing)?,
                "env" => allow(&mut found.env, thing)?,
                "worker" => allow(&mut found.worker, thing)?,
                _ => return None,
            }
        }
        Some(found)
    }

    /// Nothing at all.
    pub fn none() -> Self {
        let (files, names) = (|| Grant::Under(Vec::new()), || Names::NONE);
        Self {
            read: files(),
            write: files(),
            net: names(),
            run: names(),
            env: names(),
            worker: names(),
        }
    }

    /// What both allow.
    #[must_use]
    pub fn narrowed_by(&self, other: &Self) -> Self {
        let same = |one: &str, other: &str| (one == other).then(|| one.to_owned());
        Self {
            read: in_both(&self.read, &other.read),
            write: in_both(&self.write, &other.write),
            net: of_both(&self.net, &other.net, network::narrower),
            run: of_both(&self.run, &other.run, same),
            env: of_both(&self.env, &other.env, same),
            worker: of_both(&self.worker, &other.worker, same),
        }
    }
}

fn allow_under(grant: &mut Grant, root: Option<Vec<u8>>) {
    match (root, grant) {
        (None, grant) => *grant = Grant::All,
        (Some(root), Grant::Under(roots)) => roots.push(PathBuf::from(OsString::from_vec(root))),
        (Some(_), Grant::All) => {}
    }
}

fn allow(names: &mut Names, name: Option<Vec<u8>>) -> Option<()> {
    match (name, names) {
        (None, names) => *names = Names::All,
        (Some(name), Names::Only(names)) => names.push(String::from_utf8(name).ok()?),
        (Some(_), Names::All) => {}
    }
    Some(())
}

/// The files that are in both.
fn in_both(one: &Grant, other: &Grant) -> Grant {
    match (one, other) {
        (Grant::All, grant) | (grant, Grant::All) => grant.clone(),
        (Grant::Under(ones), Grant::Under(others)) => {
            let within = |roots: &[PathBuf], grant: &Grant| -> Vec<PathBuf> {
                roots.iter().filter(|root| grant.covers(root)).cloned().collect()
            };
            let mut roots = within(ones, other);
            roots.extend(within(others, one));
            roots.sort_unstable();
            roots.dedup();
            Grant::Under(roots)
        }
    }
}

/// The names that are in both; `common` gives what two of them have in common.
fn of_both(one: &Names, other: &Names, common: impl Fn(&str, &str) -> Option<String>) -> Names {
    match (one, other) {
        (Names::All, names) | (names, Names::All) => names.clone(),
        (Names::Only(ones), Names::Only(others)) => {
            let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
            let mut names: Vec<String> =
                pairs.filter_map(|(one, other)| common(one, other)).collect();
            names.sort_unstable();
            names.dedup();
            Names::Only(names)
        }
    }
}

/// Bytes as a word: what is no letter, digit or plain sign is written as two digits of sixteen.
fn encoded(bytes: &[u8]) -> String {
    let mut word = String::new();
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/._-:[]".contains(&byte) {
            word.push(byte.into());
        } else {
            word.push_str(&format!("%{byte:02X}"));
        }
    }
    word
}

fn decoded(word: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = word.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                (16 * high + low) as u8
            }
            byte => byte,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under(paths: &[&str]) -> Grant {
        Grant::Under(paths.iter().map(Into::into).collect())
    }

    fn only(names: &[&str]) -> Names {
        Names::Only(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn what_is_handed_on_is_what_was_had() {
        let some = Permissions {
            read: under(&["/a b/%*", "/\u{fc}", "/"]),
            net: only(&["example.com:80", "[::1]:443", "*", ""]),
            env: only(&["A=B C"]),
            ..Permissions::none()
        };
        let odd = Grant::Under(vec![OsString::from_vec(b"/\xff\n".to_vec()).into()]);
        let odd = Permissions { write: odd, run: only(&["/bin/sh"]), ..Permissions::none() };
        for permissions in [Permissions::default(), Permissions::none(), some, odd] {
            assert_eq!(Permissions::from_text(&permissions.to_text()), Some(permissions));
        }
        for wrong in ["read", "all=*", "env=%FF", "read=%1", "read=%+1", "env=%G0"] {
            assert_eq!(Permissions::from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nobody_gets_more_than_both_allow() {
        let all = Permissions::default();
        let one = Permissions {
            read: under(&["/a", "/b/c"]),
            net: only(&["example.com", "127.0.0.1:80", "other"]),
            env: only(&["A", "B"]),
            worker: Names::All,
            ..Permissions::none()
        };
        let other = Permissions {
            read: under(&["/a/b", "/b", "/c"]),
            net: only(&["EXAMPLE.com:443", "127.0.0.1:81"]),
            env: only(&["B", "C"]),
            run: Names::All,
            ..Permissions::none()
        };
        let both = Permissions {
            read: under(&["/a/b", "/b/c"]),
            net: only(&["EXAMPLE.com:443"]),
            env: only(&["B"]),
            ..Permissions::none()
        };
        assert_eq!(one.narrowed_by(&other), both);
        assert_eq!(other.narrowed_by(&one), both);
        assert_eq!(one.narrowed_by(&all), one);
        assert_eq!(all.narrowed_by(&one), one);
        assert_eq!(one.narrowed_by(&Permissions::none()), Permissions::none());
    }
}
