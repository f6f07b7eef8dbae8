//! A page for the browser on this computer, and nobody else.
//!
//! Just enough of HTTP for one page: it answers `GET /` on the loopback interface. A request must name
//! this computer as its host, so that no page from elsewhere can have its name point here and read it.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Longer heads are not sent by browsers to us.
const MOST_BYTES: u64 = 64 * 1024;

/// Browsers open connections that they may need later; such a one is not waited for longer than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// The page needs nothing but what is in it, and may get nothing else.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// A page with an address.
#[derive(Debug)]
pub struct PageServer {
    listener: TcpListener,
    port: u16,
}

impl PageServer {
    /// Takes a port of the loopback interface; 0 is any that is free.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the process ends.
    pub fn serve(self, page: String) -> io::Error {
        let page = Arc::<str>::from(page);
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    let (page, port) = (Arc::clone(&page), self.port);
                    // Whoever goes away in the middle wants no answer.
                    std::thread::spawn(move || answer(&stream, port, &page).ok());
                }
                // A connection that was given up before it was taken is not our end.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return error,
            }
        }
    }
}

fn answer(stream: &TcpStream, port: u16, page: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let Some(request) = Request::read(BufReader::new(stream))? else { return Ok(()) };
    let (status, kind, body) = match request.judge(port) {
        Ok(()) => ("200 OK", "text/html", page),
        Err(status) => (status, "text/plain", status),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    if request.method != "HEAD" {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

/// What of a request matters.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    method: String,
    target: String,
    hosts: Vec<String>,
}

impl Request {
    /// Reads the head of a request; nothing if the connection ends without one.
    fn read(input: impl BufRead) -> io::Result<Option<Self>> {
        let mut input = input.take(MOST_BYTES);
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let first = String::from_utf8_lossy(&line).into_owned();
        let mut words = first.split_ascii_whitespace().map(str::to_owned);
        let mut next = || words.next().unwrap_or_default();
        let mut request = Self { method: next(), target: next(), hosts: Vec::new() };
        loop {
            line.clear();
            input.read_until(b'\n', &mut line)?;
            let field = String::from_utf8_lossy(&line);
            let field = field.trim_end();
            if field.is_empty() {
                return Ok(Some(request));
            }
            if let Some((name, value)) = field.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                request.hosts.push(value.trim().to_owned());
            }
        }
    }

    /// Whether it gets the page; else why not.
    fn judge(&self, port: u16) -> Result<(), &'static str> {
        if !matches!(self.method.as_str(), "GET" | "HEAD") {
            return Err("405 Method Not Allowed");
        }
        let is_here = |host: &String| {
            ["127.0.0.1", "localhost"].iter().any(|name| *host == format!("{name}:{port}"))
        };
        match self.hosts.as_slice() {
            [host] if is_here(host) => {}
            _ => return Err("421 Misdirected Request"),
        }
        match self.target.split(['?', '#']).next() {
            Some("/") => Ok(()),
            _ => Err("404 Not Found"),
        }
    }
}

/// Shows an address in the user's browser, if there is a screen; says whether it was tried.
pub fn open_browser(address: &str) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let opener = match std::env::consts::OS {
        "macos" => "open",
        _ if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") => "xdg-open",
        _ => return false,
    };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(head: &str) -> Result<(), &'static str> {
        Request::read(head.as_bytes()).unwrap().unwrap().judge(4000)
    }

    #[test]
    fn the_page_is_for_this_computer() {
        assert_eq!(judge("GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n"), Ok(()));
        assert_eq!(judge("HEAD /?x HTTP/1.1\r\nhost:localhost:4000\r\n\r\n"), Ok(()));
        let misdirected = Err("421 Misdirected Request");
        assert_eq!(judge("GET / HTTP/1.1\r\nHost: evil.example:4000\r\n\r\n"), misdirected);
        assert_eq!(judge("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), misdirected);
        assert_eq!(judge("GET / HTTP/1.1\r\n\r\n"), misdirected);
        let two = "GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nHost: evil.example\r\n\r\n";
        assert_eq!(judge(two), misdirected);
    }

    #[test]
    fn nothing_else_is_answered() {
        let host = "Host: 127.0.0.1:4000\r\n\r\n";
        assert_eq!(judge(&format!("POST / HTTP/1.1\r\n{host}")), Err("405 Method Not Allowed"));
        assert_eq!(judge(&format!("GET /etc/passwd HTTP/1.1\r\n{host}")), Err("404 Not Found"));
        assert_eq!(judge("\u{0}\u{1}\r\n\r\n"), Err("405 Method Not Allowed"));
        assert_eq!(Request::read(&b""[..]).unwrap(), None);
    }

    #[test]
    fn a_head_without_an_end_ends() {
        let long = "GET / HTTP/1.1\r\n".to_owned() + &"x".repeat(1 << 20);
        assert!(Request::read(long.as_bytes()).unwrap().is_some());
    }
}
