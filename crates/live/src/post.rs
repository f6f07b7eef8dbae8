//! Sends something to a server over plain HTTP, for tools of the command line.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// A server that does not answer for so long is dead.
const PATIENCE: Duration = Duration::from_secs(10);
/// What takes longer than that in all is given up, however busy the server is.
const LIMIT: Duration = Duration::from_secs(60);
/// More of an answer is not read.
const MOST: usize = 64 << 10;

/// Where to send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// As in the address, without the brackets around one with colons.
    host: String,
    port: u16,
    path: String,
}

impl Url {
    /// Reads a URL; one without a path gets that one.
    pub fn parse(text: &str, default: &str) -> Result<Self, &'static str> {
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
            "" | "/" => default.to_owned(),
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
    within(LIMIT, url, body)
}

fn within(limit: Duration, url: &Url, body: &[u8]) -> io::Result<Response> {
    let deadline = Deadline(Instant::now() + limit);
    let mut last = io::Error::other("the host has no address");
    for address in (url.host.as_str(), url.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, deadline.left()?) {
            Ok(stream) => return exchange(stream, &deadline, url, body),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Until when all must have been said.
struct Deadline(Instant);

impl Deadline {
    /// How long the next step may take.
    fn left(&self) -> io::Result<Duration> {
        let left = self.0.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(late()) } else { Ok(left.min(PATIENCE)) }
    }

    fn send(&self, stream: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            stream.set_write_timeout(Some(self.left()?))?;
            match stream.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads until an answer is whole, or nothing more comes. What came before it failed is kept.
    fn receive(&self, stream: &mut TcpStream, answer: &mut Vec<u8>) -> io::Result<()> {
        let mut bytes = [0; 4096];
        while answer.len() < MOST && !Answer::last(answer).is_some_and(|last| last.is_whole()) {
            stream.set_read_timeout(Some(self.left()?))?;
            match stream.read(&mut bytes) {
                Ok(0) => return Ok(()),
                Ok(received) => answer.extend_from_slice(&bytes[..received]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time")
}

fn exchange(
    mut stream: TcpStream,
    deadline: &Deadline,
    url: &Url,
    body: &[u8],
) -> io::Result<Response> {
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\nUser-Agent: hemiola/{}\r\n\r\n",
        url.path,
        url.authority(),
        body.len(),
        env!("CARGO_PKG_VERSION")
    );
    deadline.send(&mut stream, head.as_bytes())?;
    // A server may refuse before it has read everything; what it says then is worth more than that.
    let sent = deadline.send(&mut stream, body);
    let mut answer = Vec::new();
    let read = deadline.receive(&mut stream, &mut answer);
    match Answer::last(&answer) {
        Some(last) => Ok(last.response()),
        None if Answer::may_follow(&answer) => {
            sent?;
            read.map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => late(),
                _ => error,
            })?;
            Err(io::Error::other("it closed the connection without an answer"))
        }
        None => Err(io::Error::other("what listens there does not speak HTTP")),
    }
}

/// The head of an answer, and what has come after it.
struct Answer<'a> {
    status: u16,
    fields: &'a str,
    rest: &'a [u8],
}

impl<'a> Answer<'a> {
    fn first(bytes: &'a [u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|end| end == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let (line, fields) = head.split_once("\r\n").unwrap_or((head, ""));
        let status = line.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
        Some(Self { status, fields, rest: &bytes[end + 4..] })
    }

    /// The answer that counts: those before it, such as `100 Continue`, only say that it is to come.
    fn last(bytes: &'a [u8]) -> Option<Self> {
        let mut answer = Self::first(bytes)?;
        while (100..200).contains(&answer.status) {
            answer = Self::first(answer.rest)?;
        }
        Some(answer)
    }

    /// Whether what came so far is nothing, the beginning of an answer, or only such as come before it.
    fn may_follow(bytes: &'a [u8]) -> bool {
        let mut rest = bytes;
        while let Some(answer) = Self::first(rest) {
            rest = answer.rest;
        }
        let start = b"HTTP/1.";
        rest.len() < start.len() && start.starts_with(rest) || rest.starts_with(start)
    }

    fn field(&self, name: &str) -> Option<&'a str> {
        let mut fields = self.fields.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    fn is_chunked(&self) -> bool {
        self.field("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"))
    }

    fn is_whole(&self) -> bool {
        if self.is_chunked() {
            return self.rest == b"0\r\n\r\n" || self.rest.ends_with(b"\r\n0\r\n\r\n");
        }
        let length = self.field("content-length").and_then(|length| length.parse().ok());
        length.is_some_and(|length: usize| self.rest.len() >= length)
    }

    fn response(&self) -> Response {
        let bytes = if self.is_chunked() { joined(self.rest) } else { self.rest.to_vec() };
        Response { status: self.status, text: String::from_utf8_lossy(&bytes).into_owned() }
    }
}

/// The bytes of chunks, as far as they came.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(end) = rest.windows(2).position(|end| end == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).ok().and_then(|line| line.split(';').next());
        let size = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok());
        let Some(size) = size.filter(|&size| size > 0) else { break };
        let after = &rest[end + 2..];
        let taken = size.min(after.len());
        bytes.extend_from_slice(&after[..taken]);
        rest = after[taken..].strip_prefix(b"\r\n").unwrap_or_default();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn urls_are_those_of_plain_http() {
        let written = |text: &str| Url::parse(text, "/v1/traces").map(|url| url.to_string());
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
            assert!(Url::parse(wrong, "/").is_err(), "{wrong:?} must not be a URL");
        }
    }

    /// What a server makes of a request that it has read, and then of the connection.
    fn served(limit: Duration, serve: fn(&mut TcpStream)) -> io::Result<Response> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
        let port = listener.local_addr().expect("it has an address").port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("somebody connects");
            let mut request = Vec::new();
            let mut byte = [0];
            while !request.ends_with(b"{}") {
                stream.read_exact(&mut byte).expect("a request comes");
                request.push(byte[0]);
            }
            serve(&mut stream);
        });
        let url = Url::parse(&format!("http://127.0.0.1:{port}"), "/").expect("it is one");
        let response = within(limit, &url, b"{}");
        server.join().expect("the server ends");
        response
    }

    /// Keeps the connection until the other side gives up.
    fn hold(stream: &mut TcpStream) {
        let _ = stream.read_to_end(&mut Vec::new());
    }

    #[test]
    fn what_comes_before_an_answer_is_not_it() {
        let response = served(LIMIT, |stream| {
            let said = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n\
                        HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno";
            stream.write_all(said.as_bytes()).expect("the other side reads");
            hold(stream);
        });
        let expected = Response { status: 400, text: "no".into() };
        assert_eq!(response.expect("it answers"), expected);
        let response = served(LIMIT, |stream| {
            let said = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n";
            stream.write_all(said.as_bytes()).expect("the other side reads");
            hold(stream);
        });
        let expected = Response { status: 200, text: "abc".into() };
        assert_eq!(response.expect("it answers"), expected);
        let response = served(LIMIT, |stream| {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").expect("the other side reads");
        });
        let reason = response.expect_err("it has not answered").to_string();
        assert_eq!(reason, "it closed the connection without an answer");
        let response = served(LIMIT, |stream| {
            stream.write_all(b"SSH-2.0\r\n\r\n").expect("the other side reads");
        });
        let reason = response.expect_err("it has not answered").to_string();
        assert_eq!(reason, "what listens there does not speak HTTP");
    }

    #[test]
    fn a_server_that_never_comes_to_an_end_is_given_up() {
        let limit = Duration::from_millis(300);
        let serves: [fn(&mut TcpStream); 2] = [hold, |stream| {
            // A byte at a time, as long as anybody listens.
            let mut line = b"HTTP/1.1 200 OK\r\nX: ".to_vec();
            while stream.write_all(&line).is_ok() {
                line = b"x".to_vec();
                std::thread::sleep(Duration::from_millis(1));
            }
        }];
        for serve in serves {
            let error = served(limit, serve).expect_err("it never answers");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            assert_eq!(error.to_string(), "it does not answer in time");
        }
    }
}
