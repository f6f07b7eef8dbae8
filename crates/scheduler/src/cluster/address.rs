//! The address of a database: `postgres://user:password@host:port/database?sslmode=…`.

use std::fmt;

const PORT: u16 = 5432;
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];
const MODES: [&str; 4] = ["disable", "prefer", "require", "verify-full"];
const PARAMETERS: [&str; 4] = ["host", "port", "sslmode", "sslrootcert"];

/// Which database, and as whom. Its password stands alone: it is in no message and in no recording.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// The name of the host, or the directory of its socket.
    pub host: String,
    /// On which port.
    pub port: u16,
    /// As whom.
    pub user: String,
    /// With what.
    pub password: Option<String>,
    /// Which of its databases.
    pub database: String,
    /// How much is encrypted and verified.
    pub sslmode: &'static str,
    /// The file with certificates of authorities, if one is named.
    pub sslrootcert: Option<String>,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label())
    }
}

impl Address {
    /// Whether a store is a database that several nodes share; else it is a file.
    pub fn is_one(store: &str) -> bool {
        SCHEMES.iter().any(|scheme| store.starts_with(scheme))
    }

    /// Reads an address. What it does not say of the user is what the environment does. Says what is wrong with it
    /// without its password.
    pub fn read(text: &str, user: Option<&str>, password: Option<&str>) -> Result<Self, String> {
        let scheme = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
        let rest = scheme.ok_or_else(no_address)?;
        if rest.contains(|c: char| c.is_control() || c == ' ') {
            return Err(no_address());
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (who, place) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (own_user, own_password) = who.split_once(':').unwrap_or((who, ""));
        let (mut host, mut port) = host_and_port(place)?;
        let (mut sslmode, mut sslrootcert) = ("prefer", None);
        for (name, value) in query.split('&').filter(|pair| !pair.is_empty()).map(pair) {
            let value = decoded(value)?;
            match name {
                "host" => host = value,
                "port" => port = port_of(&value)?,
                "sslrootcert" => sslrootcert = Some(value),
                "sslmode" => {
                    let known = MODES.into_iter().find(|mode| *mode == value);
                    sslmode =
                        known.ok_or_else(|| format!("sslmode is one of {}", MODES.join(", ")))?;
                }
                name => {
                    let known = PARAMETERS.join(", ");
                    return Err(format!("there is no parameter {name}; there are {known}"));
                }
            }
        }
        let or = |own: String, other: Option<&str>| match own.as_str() {
            "" => other.filter(|other| !other.is_empty()).map(str::to_owned),
            _ => Some(own),
        };
        let user = or(decoded(own_user)?, user)
            .ok_or("it names no user: write postgres://user@host/database")?;
        let database = or(decoded(database)?, Some(&user)).unwrap_or_default();
        let password = or(decoded(own_password)?, password);
        if host.is_empty() {
            host = "localhost".into();
        }
        Ok(Self { host, port, user, password, database, sslmode, sslrootcert })
    }

    /// The path of the socket, if it is reached by one.
    pub fn socket(&self) -> Option<String> {
        let Self { host, port, .. } = self;
        host.starts_with('/').then(|| format!("{host}/.s.PGSQL.{port}"))
    }

    /// The address without the password, for messages.
    pub fn label(&self) -> String {
        let Self { user, database, host, port, .. } = self;
        match self.socket() {
            Some(path) => format!("postgres://{user}@{path}/{database}"),
            None => format!("postgres://{user}@{host}:{port}/{database}"),
        }
    }
}

/// The address itself may have a password in it.
fn no_address() -> String {
    "it is no address such as postgres://user@host:5432/database".into()
}

fn pair(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or((text, ""))
}

fn host_and_port(place: &str) -> Result<(String, u16), String> {
    // The colons of an address of IPv6 stand in brackets.
    let (host, port) = match place.strip_prefix('[').map(|rest| rest.split_once(']')) {
        Some(Some((host, rest))) => (host, rest.strip_prefix(':').unwrap_or(rest)),
        Some(None) => return Err(no_address()),
        None => place.split_once(':').unwrap_or((place, "")),
    };
    let port = if port.is_empty() { PORT } else { port_of(port)? };
    Ok((decoded(host)?, port))
}

fn port_of(text: &str) -> Result<u16, String> {
    let port = text.parse().ok().filter(|port| *port > 0);
    port.ok_or_else(|| "the port is a number from 1 to 65535".into())
}

/// A part with its percent signs read.
fn decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        if first == b'%' {
            let digits = more.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
            let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            bytes.push(byte.ok_or_else(no_address)?);
            rest = &more[2..];
        } else {
            bytes.push(first);
            rest = more;
        }
    }
    String::from_utf8(bytes).map_err(|_| no_address())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Address, String> {
        Address::read(text, Some("me"), None)
    }

    #[test]
    fn addresses_are_read_as_other_clients_read_them() {
        let all =
            read("postgresql://ann:s%40e%2Fcret@db.example:6543/shop?sslmode=require").unwrap();
        assert_eq!(all.label(), "postgres://ann@db.example:6543/shop");
        assert_eq!((all.password.as_deref(), all.sslmode), (Some("s@e/cret"), "require"));
        assert!(!format!("{all:?}").contains("cret"));
        let socket = read("postgres:///shop?host=/run/pg&port=5433").unwrap();
        assert_eq!(socket.socket().as_deref(), Some("/run/pg/.s.PGSQL.5433"));
        assert_eq!(read("postgres://").unwrap().label(), "postgres://me@localhost:5432/me");
        assert_eq!(read("postgres://ann@/x").unwrap().host, "localhost");
        assert_eq!(read("postgres://ann@[::1]:7/x").unwrap().host, "::1");
        assert_eq!(read("postgres://a@h/x#note").unwrap().database, "x");
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said_without_its_password() {
        for (text, part) in [
            ("mysql://a:pw@h/x", "no address"),
            ("postgres://a:pw@h/x?pool=3", "no parameter pool"),
            ("postgres://a:pw@h/x?sslmode=maybe", "sslmode is one of"),
            ("postgres://a:pw@h:0/x", "from 1 to 65535"),
            ("postgres://a:pw@h:99999/x", "from 1 to 65535"),
            ("postgres://a:pw%@h/x", "no address"),
            ("postgres://a:pw@[::1/x", "no address"),
            ("postgres://a:p w@h/x", "no address"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part) && !error.contains("pw"), "{text}: {error}");
        }
        assert!(Address::read("postgres://h/x", None, None).unwrap_err().contains("no user"));
    }
}
