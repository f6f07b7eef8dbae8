//! A page for the browser on this computer, and nobody else.
//!
//! Just enough of HTTP for one page: it answers `GET /` on the loopback interface. A request must name
//! this computer as its host, so that no page from elsewhere can have its name point here and read it.
//! Its address has a word that nobody guesses, so that no other user of the computer can read it. A page that goes on
//! while it is looked at asks for what is new.

use crate::random::token;
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

/// What the page of a running program may get, too: what comes from its own address.
const LIVE_POLICY: &str = "; connect-src 'self'";

/// A page with an address.
#[derive(Debug)]
pub struct PageServer {
    listener: TcpListener,
    port: u16,
    /// The path of the page, with slashes at both ends.
    root: String,
}

/// What is found at an address.
pub struct Body {
    /// Its media type.
    pub kind: &'static str,
    /// The answer.
    pub text: String,
    /// What is done when it has been sent.
    pub then: Option<Box<dyn FnOnce() + Send>>,
}

/// What is at an address below that of a page; the page itself is at none. It may take its time.
pub type Pages = dyn Fn(&str) -> Option<Body> + Send + Sync;

impl PageServer {
    /// Takes a port of the loopback interface; 0 is any that is free. The address has a word that nobody guesses.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, root: format!("/{}/", token()) })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.root)
    }

    /// Answers with the page until the process ends.
    pub fn serve(self, page: String) -> io::Error {
        self.serve_all(
            POLICY.into(),
            Arc::new(move |path| {
                // What comes after a question mark is for the page.
                let is_page = path.is_empty() || path.starts_with('?');
                is_page.then(|| Body { kind: "text/html", text: page.clone(), then: None })
            }),
        )
    }

    /// Answers with the page of a running program, and with what it asks for, until the process ends.
    pub fn serve_live(self, pages: Arc<Pages>) -> io::Error {
        self.serve_all(format!("{POLICY}{LIVE_POLICY}"), pages)
    }

    fn serve_all(self, policy: String, pages: Arc<Pages>) -> io::Error {
        let site = Arc::new(Site { port: self.port, root: self.root, policy, pages });
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    let site = Arc::clone(&site);
                    // Whoever goes away in the middle wants no answer.
                    std::thread::spawn(move || site.answer(&stream).ok());
                }
                // A connection that was given up before it was taken is not our end.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return error,
            }
        }
    }
}

/// What is served, and to whom.
struct Site {
    port: u16,
    root: String,
    policy: String,
    pages: Arc<Pages>,
}

impl Site {
    fn answer(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let Some(request) = Request::read(BufReader::new(stream))? else { return Ok(()) };
        let (status, body) = match self.find(&request) {
            Ok(body) => ("200 OK", body),
            Err(status) => (status, Body { kind: "text/plain", text: status.into(), then: None }),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nContent-Security-Policy: {}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            body.kind,
            body.text.len(),
            self.policy,
        );
        stream.write_all(head.as_bytes())?;
        if request.method == "HEAD" {
            return stream.flush();
        }
        stream.write_all(body.text.as_bytes())?;
        stream.flush()?;
        if let Some(then) = body.then {
            then();
        }
        Ok(())
    }

    fn find(&self, request: &Request) -> Result<Body, &'static str> {
        request.judge(self.port)?;
        let path = request.target.strip_prefix(&self.root);
        path.and_then(|path| (self.pages)(path)).ok_or("404 Not Found")
    }
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

    /// Whether it gets an answer; else why not.
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
        Ok(())
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
        below("/", head)
    }

    fn below(root: &str, head: &str) -> Result<(), &'static str> {
        let pages = |path: &str| {
            let body = || Body { kind: "text/plain", text: String::new(), then: None };
            ["", "?x", "data"].contains(&path).then(body)
        };
        let (root, policy, pages) = (root.into(), String::new(), Arc::new(pages));
        let site = Site { port: 4000, root, policy, pages };
        site.find(&Request::read(head.as_bytes()).unwrap().unwrap()).map(drop)
    }

    #[test]
    fn a_word_in_the_address_keeps_others_out() {
        let host = "Host: 127.0.0.1:4000\r\n\r\n";
        assert_eq!(below("/word/", &format!("GET /word/data HTTP/1.1\r\n{host}")), Ok(()));
        for target in ["/", "/data", "/word", "/sword/data", "/word/other"] {
            let asked = below("/word/", &format!("GET {target} HTTP/1.1\r\n{host}"));
            assert_eq!(asked, Err("404 Not Found"), "{target}");
        }
        let server = PageServer::bind(0).unwrap();
        let other = PageServer::bind(0).unwrap();
        assert_eq!(server.root.len(), 34);
        assert_ne!(server.root, other.root);
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
