//! Sends something to a server over plain HTTP, for tools of the command line.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// A server that does not answer for so long is dead.
const PATIENCE: Duration = Duration::from_secs(10);
/// More of an answer is not read.
const MOST: u64 = 64 << 10;

/// Where to send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// As in the address, without the brackets around one with colons.
    host: String,
    port: u16,
    path: String,
}

impl Url {
    /// Reads a URL; one without a path is that of a receiver of OpenTelemetry.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let rest = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("https") => {
                return Err("https is not supported");
            }
            _ => return Err("it does not begin with http://"),
        };
        if rest.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
            return Err("it has spaces");
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let path = path.split('#').next().unwrap_or_default();
        if authority.contains('@') {
            return Err("it has a name or a password");
        }
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or("its address has no `]`")?;
                (host, port.strip_prefix(':'))
            }
            None => match authority.rsplit_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, None),
            },
        };
        if host.is_empty() {
            return Err("it names no host");
        }
        let port = match port {
            None => 80,
            Some(port) => port.parse().map_err(|_| "its port is not a number up to 65535")?,
        };
        let path = match path {
            "" | "/" => "/v1/traces".to_owned(),
            path if path.starts_with('?') => format!("/{path}"),
            path => path.to_owned(),
        };
        Ok(Self { host: host.to_owned(), port, path })
    }

    fn authority(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority(), self.path)
    }
}

/// What a server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of the status.
    pub status: u16,
    /// The beginning of its text.
    pub text: String,
}

/// Sends a text of JSON, and waits for the answer.
pub fn json(url: &Url, body: &[u8]) -> io::Result<Response> {
    let mut last = io::Error::other("the host has no address");
    for address in (url.host.as_str(), url.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return exchange(stream, url, body),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn exchange(mut stream: TcpStream, url: &Url, body: &[u8]) -> io::Result<Response> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\nUser-Agent: hemiola/{}\r\n\r\n",
        url.path,
        url.authority(),
        body.len(),
        env!("CARGO_PKG_VERSION")
    );
    stream.write_all(head.as_bytes())?;
    // A server may refuse before it has read everything; what it says then is worth more than that.
    let sent = stream.write_all(body).and_then(|()| stream.flush());
    let mut answer = Vec::new();
    let read = (&mut stream).take(MOST).read_to_end(&mut answer);
    if answer.is_empty() {
        sent?;
        read.map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                io::Error::new(io::ErrorKind::TimedOut, "it does not answer")
            }
            _ => error,
        })?;
        return Err(io::Error::other("it closed the connection without an answer"));
    }
    response(&answer).ok_or_else(|| io::Error::other("what listens there does not speak HTTP"))
}

fn response(answer: &[u8]) -> Option<Response> {
    let answer = String::from_utf8_lossy(answer);
    let (head, text) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.trim_end().lines().next()?;
    Some(Response { status: status.parse().ok()?, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_those_of_plain_http() {
        let written = |text: &str| Url::parse(text).map(|url| url.to_string());
        let cases = [
            ("http://localhost:4318", "http://localhost:4318/v1/traces"),
            ("HTTP://localhost/", "http://localhost:80/v1/traces"),
            ("http://[::1]:4318/a/b?c#d", "http://[::1]:4318/a/b?c"),
            ("http://host?x", "http://host:80/?x"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
        let wrong = [
            "",
            "localhost:4318",
            "https://x",
            "http://",
            "http://:80",
            "http://x:port",
            "http://[::1",
            "http://a b",
            "http://x/\r\nHost: y",
            "http://user@x",
            "http://x:70000",
        ];
        for wrong in wrong {
            assert!(Url::parse(wrong).is_err(), "{wrong:?} must not be a URL");
        }
    }
}
