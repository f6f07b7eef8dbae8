//! A PostgreSQL server of the tests' own, on a socket in a temporary folder.

use crate::common::skip;
use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A server, as long as some test has it.
pub struct Server {
    binaries: PathBuf,
    folder: PathBuf,
    /// Ends the server when this process is no more, however it ends.
    warden: Option<Child>,
}

/// The server of all tests that run now; nothing, and a skip, where PostgreSQL is not installed.
pub fn server(test: &str) -> Option<Arc<Server>> {
    static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = shared.upgrade() {
        return Some(running);
    }
    let server = Arc::new(own_server(test)?);
    *shared = Arc::downgrade(&server);
    Some(server)
}

/// A server that no other test has.
pub fn own_server(test: &str) -> Option<Server> {
    let found = binaries();
    if found.is_none() {
        skip(test, "PostgreSQL is not installed");
    }
    found.map(Server::start)
}

/// A server of its own that also listens on a port, to encrypted connections only; its certificate for `localhost` is
/// in its folder.
pub fn encrypted_server(test: &str) -> Option<(Server, u16)> {
    let server = own_server(test)?;
    server.stop();
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("it has one").port();
    let mut certificate = server.unprivileged("openssl");
    certificate.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650"]);
    certificate.args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]);
    certificate.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    certificate.args(["-keyout", "server.key", "-out", "server.crt"]);
    let made = certificate.output().expect("openssl runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
    fs::write(server.data().join("pg_hba.conf"), rules).expect("who may connect");
    let folder = server.folder.display();
    drop(free);
    server.begin_with(&format!(
        "-c listen_addresses=127.0.0.1 -c port={port} -c ssl=on \
         -c ssl_cert_file={folder}/server.crt -c ssl_key_file={folder}/server.key"
    ));
    Some((server, port))
}

/// Debian has them where no shell looks.
fn binaries() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    found.extend(std::env::split_paths(&path));
    let has_all = |folder: &PathBuf| {
        ["initdb", "pg_ctl", "psql"].iter().all(|program| folder.join(program).exists())
    };
    found.into_iter().find(has_all)
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

impl Server {
    fn start(binaries: PathBuf) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hemiola-postgres-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder for the server");
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            assert!(owned.expect("chown runs").success());
        }
        let mut server = Self { binaries, folder, warden: None };
        let end =
            "cat > /dev/null; \"$1/pg_ctl\" stop -m immediate -D \"$2/data\"; cd /; rm -rf \"$2\"";
        let mut warden = server.unprivileged("sh");
        warden.args(["-c", end, "sh"]).arg(&server.binaries).arg(&server.folder);
        warden.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        server.warden = Some(warden.spawn().expect("a warden of the server"));
        server.control(
            "initdb",
            &["-A", "trust", "-U", "test", "--no-sync", "-E", "UTF8", "--locale=C"],
        );
        let rules = "local all locked scram-sha-256\nlocal all all trust\n";
        fs::write(server.data().join("pg_hba.conf"), rules).expect("who may connect");
        server.begin();
        server
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// A program of the server.
    fn program(&self, program: &str) -> Command {
        self.unprivileged(self.binaries.join(program))
    }

    /// A program that is not run as root, as the server refuses to be, and has no open file of whoever started the
    /// tests: it stays for longer than who waits for one may want.
    fn unprivileged(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec \"$@\"", "sh"]);
        if is_root() {
            command.args([
                "setpriv",
                "--reuid=postgres",
                "--regid=postgres",
                "--clear-groups",
                "--",
            ]);
        }
        command.arg(program).current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    fn control(&self, program: &str, words: &[&str]) {
        let mut command = self.program(program);
        command.args(words).arg("-D").arg(self.data());
        // What stays behind must not keep anybody waiting who reads what is said.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("it runs").success(), "{program} {words:?}");
    }

    /// Starts it, after it was stopped.
    pub fn begin(&self) {
        self.begin_with("-c listen_addresses=");
    }

    fn begin_with(&self, more: &str) {
        let folder = self.folder.display();
        let options = format!("-k {folder} -c fsync=off -c max_connections=60 {more}");
        let log = self.folder.join("log");
        let log = log.to_str().expect("a path that is text");
        self.control("pg_ctl", &["start", "-w", "-l", log, "-o", &options]);
    }

    /// Stops it at once: connections break.
    pub fn stop(&self) {
        self.control("pg_ctl", &["stop", "-w", "-m", "immediate"]);
    }

    /// Statements for that database; the answer as text.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let Output { status, stdout, stderr } = self
            .program("psql")
            .args([
                "-X",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-U",
                "test",
                "-d",
                database,
                "-h",
            ])
            .arg(&self.folder)
            .args(["-c", statements])
            .output()
            .expect("psql runs");
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8_lossy(&stdout).trim().to_owned()
    }

    /// A database of that name, and its address for a user.
    pub fn database(&self, name: &str) -> String {
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.address("test", name)
    }

    /// The address of a database for a user.
    pub fn address(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@/{database}?host={}", self.folder.display())
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut warden) = self.warden.take() {
            drop(warden.stdin.take());
            let _ = warden.wait();
        }
    }
}
