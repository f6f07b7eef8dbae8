//! What is attacked: one target for everything that reads what others wrote.

use crate::damage::Material;
use crate::readers::{self, Reader};
use crate::rng::Rng;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Declares the targets, so that none can be left out of a list of them.
macro_rules! targets {
    ($($(#[$about:meta])* $target:ident = $name:literal,)*) => {
        /// A reader that is attacked. Whoever adds a reader adds a target: the compiler then asks for its corpus,
        /// its words, and what reads it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Target {
            $($(#[$about])* $target,)*
        }

        impl Target {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$target,)*];

            /// What it is called on the command line and in the corpus.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$target => $name,)*
                }
            }
        }
    };
}

targets! {
    /// JavaScript and TypeScript: our transforms, and the engine's parser on what they make.
    Programs = "programs",
    /// Programs in L.
    L = "l",
    /// Programs in λasync.
    Lasync = "lasync",
    /// Properties.
    Specs = "specs",
    /// Theories.
    Theories = "theories",
    /// Traces of schedulers that somebody wrote down.
    Stories = "stories",
    /// Cron expressions, with a zone and an instant.
    Cron = "cron",
    /// Schedules as `explore` prints them.
    Schedules = "schedules",
    /// Traces, and everything that is made of them.
    Traces = "traces",
    /// Recordings in a directory, and their replay.
    Recordings = "recordings",
    /// Recordings in one file.
    Packed = "packed",
    /// The scheduler's stores.
    Stores = "stores",
    /// The Debug Adapter Protocol.
    Dap = "dap",
    /// Requests to an HTTP server.
    HttpServer = "http-server",
    /// Responses to an HTTP client.
    HttpClient = "http-client",
    /// What a server sends on a WebSocket.
    WebSocket = "websocket",
    /// Certificates, keys and archives for TLS.
    Certificates = "certificates",
    /// `package.json`.
    Packages = "packages",
    /// Fleets.
    Fleets = "fleets",
    /// No reader: words that make it fail in every way, so that a test sees whether failures are found.
    Traps = "traps",
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Target {
    /// Those that are attacked when all are.
    pub fn readers() -> Vec<Self> {
        Self::ALL.iter().copied().filter(|&target| target != Self::Traps).collect()
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|target| target.name() == name)
    }

    /// What reads it.
    pub fn reader(self) -> Reader {
        match self {
            Self::Programs => Reader::each(readers::programs::reader()),
            Self::L => Reader::each(readers::calculus::l),
            Self::Lasync => Reader::each(readers::calculus::lasync),
            Self::Specs => Reader::each(readers::monitor::spec),
            Self::Theories => Reader::each(readers::monitor::theory()),
            Self::Stories => Reader::each(readers::monitor::story()),
            Self::Cron => Reader::each(readers::scheduler::cron),
            Self::Schedules => Reader::each(readers::scheduler::schedule),
            Self::Traces => Reader::each(readers::traces::trace),
            Self::Recordings => Reader::each(readers::recordings::directory()),
            Self::Packed => Reader::each(readers::recordings::packed()),
            Self::Stores => Reader::each(readers::scheduler::store()),
            Self::Dap => Reader::each(readers::dap::session),
            Self::HttpServer => Reader::Engine("http-server.js"),
            Self::HttpClient => Reader::Engine("http-client.js"),
            Self::WebSocket => Reader::Engine("websocket.js"),
            Self::Certificates => Reader::each(readers::certificates::reader()),
            Self::Packages => Reader::Engine("packages.js"),
            Self::Fleets => Reader::each(readers::fleets::fleet),
            Self::Traps => Reader::each(readers::traps::spring),
        }
    }

    /// Files of the repository that are inputs as they are, besides those in `fuzz/corpus`: folders, and how the
    /// names of the files end.
    fn elsewhere(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Programs => &[
                ("examples", ".js"),
                ("examples/races", ".js"),
                ("crates/transform/tests", "golden.txt"),
            ],
            Self::L => &[("examples/l", ".l")],
            Self::Lasync => &[("examples/lasync", ".la")],
            Self::Theories => &[("theories", ".theory")],
            Self::Stories => &[("crates/monitor/tests/golden", ".json")],
            Self::Certificates => &[
                ("crates/cli/tests/tls/certificates", ".pem"),
                ("crates/cli/tests/tls/certificates", ".key"),
                ("crates/cli/tests/tls/certificates", ".pfx"),
            ],
            Self::Packed => &[("fuzz/corpus/recordings", ".jsonl")],
            Self::Specs
            | Self::Cron
            | Self::Schedules
            | Self::Traces
            | Self::Recordings
            | Self::Stores
            | Self::Dap
            | Self::HttpServer
            | Self::HttpClient
            | Self::WebSocket
            | Self::Packages
            | Self::Fleets
            | Self::Traps => &[],
        }
    }

    /// Words that mean something to the reader, so that damage can be understood.
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Programs => &[
                "await ",
                "async ",
                "yield ",
                "import ",
                "export default ",
                "class A extends B {",
                "enum E { A = 1 }",
                "namespace N {",
                "type T = ",
                "interface I {",
                " as const",
                " satisfies T",
                "<T>",
                "declare ",
                "static {",
                "for await (const x of y) ",
                "label: ",
                "using x = ",
                "#private",
                "?.",
                "??=",
                "**",
                "...",
                "=>",
                "`${",
                "/(?:a+)+$/v",
                "0n",
                "setTimeout",
                "eval",
                "arguments",
                "new.target",
                "import.meta",
                "super",
                "with (a) ",
                "@decorator ",
                "abstract ",
                "private x",
                "export = ",
                "import x = require('y')",
                "accessor ",
                "let ",
            ],
            Self::L => &[
                "listen",
                "emit",
                "setImmediate",
                "nextTick",
                "setTimeout",
                "promise",
                "async",
                "await",
                "def",
                "if",
                "while",
                "obs",
                "print",
                "call",
                "let",
                "new",
                "on",
                "then",
                "resolve",
                "reject",
                "function",
                "return",
            ],
            Self::Lasync => &[
                "promise ",
                "resolve ",
                "then ",
                "register ",
                "io ",
                "timer ",
                "def ",
                "call ",
                "log ",
                "->",
                "tick ",
                "immediate ",
                "all ",
                "p",
                "q",
                "{",
                "}",
                "if",
                "else",
                "loop",
            ],
            Self::Specs => &[
                "infinitely often ",
                "^x",
                "x",
                "$",
                "|",
                "*",
                "+",
                "?",
                "()",
                "\"a\"",
                ".",
                "-1",
                "(a | b)*",
                "x'",
            ],
            Self::Theories => &[
                "param ",
                "let ",
                "axiom ",
                "each x: ",
                "each c: ",
                "always ",
                "after ",
                "eventually ",
                "within lin(list)",
                "voided by ",
                " until ",
                " unless ",
                "infinitely often ",
                " or never ",
                "not ",
                " and ",
                " or ",
                " -> ",
                "previous ",
                " since ",
                "once ",
                "historically ",
                "some x: ",
                "full x: ",
                "balance(",
                "expired(~x, ",
                "Due(x)",
                "Due(~x)",
                "of scheduler",
                "of environment",
            ],
            Self::Stories => &[
                "\"InitStart\"",
                "\"InitSuccess\"",
                "\"RunStart\"",
                "\"RunEnd\"",
                "\"Crash\"",
                "\"Due\"",
                "\"StopCall\"",
                "\"t\":",
                "\"x\":",
                "\"call\":",
                "\"rd\":",
                "\"lists\":",
                "\"tasks\":",
                "\"loop\":",
                "\"concurrency\":",
                "\"granted\":",
            ],
            Self::Cron => &[
                "*",
                "*/5",
                "0",
                "59",
                "60",
                "L",
                "W",
                "15W",
                "LW",
                "#",
                "5#3",
                "MON",
                "JAN",
                "?",
                "@daily",
                "@reboot",
                "1-5",
                "5-1",
                "Europe/Berlin",
                "America/New_York",
                "UTC",
                "Asia/Kathmandu",
                "31",
                "29",
                "2",
                "-62135596800",
            ],
            Self::Schedules => &["0:1", "1:2,4:1", ":", ",", "-", "~", "x3"],
            Self::Traces => &[
                "{\"ev\":\"opened\",\"domain\":1,\"label\":\"a\",\"origin\":0}\n",
                "\"ev\":\"task\"",
                "\"ev\":\"ran\"",
                "\"ev\":\"ended\"",
                "\"ev\":\"released\"",
                "\"ev\":\"queued\"",
                "\"ev\":\"choice\"",
                "\"ev\":\"asked\"",
                "\"ev\":\"answered\"",
                "\"ev\":\"out\"",
                "\"by\":",
                "\"link\":",
                "\"cause\":",
                "\"tag\":",
                "\"release\":",
                "\"domain\":",
                "\"ev\":\"accessed\"",
                "null",
            ],
            Self::Recordings | Self::Packed => &[
                "\"record\":",
                "\"hex\":",
                "\"utf8\":",
                "\"bits\":",
                "\"undefined\":true",
                "\"now\":",
                "\"random\":",
                "\"answer\":",
                "\"fault\":",
                "\"errno\":",
                "\"look\":",
                "\"module\":",
                "null",
                "\"inputs\":",
                "\"stackLimit\":",
                "\"words\":",
                "\"env\":",
            ],
            Self::Stores => {
                &["{\"", "CREATE TABLE", "tasks", "runs", "sqlite_master", "state", "null"]
            }
            Self::Dap => &[
                "\"initialize\"",
                "\"launch\"",
                "\"configurationDone\"",
                "\"setBreakpoints\"",
                "\"stackTrace\"",
                "\"scopes\"",
                "\"variables\"",
                "\"evaluate\"",
                "\"next\"",
                "\"stepIn\"",
                "\"stepBack\"",
                "\"reverseContinue\"",
                "\"continue\"",
                "\"goto\"",
                "\"dataBreakpointInfo\"",
                "\"setDataBreakpoints\"",
                "\"source\"",
                "\"disconnect\"",
                "\"threadId\":",
                "\"frameId\":",
                "\"hitCondition\":",
                "\"condition\":",
                "\"logMessage\":",
                "\"variablesReference\":",
                "\"line\":",
                "Content-Length: ",
            ],
            Self::HttpServer => &[
                "GET ",
                "POST ",
                "CONNECT ",
                "OPTIONS * ",
                " HTTP/1.1\r\n",
                " HTTP/1.0\r\n",
                "Host: a\r\n",
                "Content-Length: 5\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Transfer-Encoding: gzip, chunked\r\n",
                "Expect: 100-continue\r\n",
                "Connection: Upgrade\r\nUpgrade: x\r\n",
                "Connection: close\r\n",
                "Connection: keep-alive\r\n",
                "\r\n\r\n",
                "0\r\n\r\n",
                "5;a=b\r\n",
                "Trailer: x\r\n",
                "Keep-Alive: timeout=5\r\n",
                "\r\n x: folded\r\n",
                "Cookie: a=b\r\n",
                ":",
            ],
            Self::HttpClient => &[
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n",
                "HTTP/1.1 204 N\r\n",
                "HTTP/1.1 304 N\r\n",
                "HTTP/1.1 302 F\r\nLocation: /\r\n",
                "Content-Length: 5\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Content-Encoding: gzip\r\n",
                "Content-Encoding: br\r\n",
                "Content-Encoding: deflate\r\n",
                "Connection: close\r\n",
                "Set-Cookie: a=b\r\n",
                "Trailer: x\r\n",
                "\r\n\r\n",
                "0\r\n\r\n",
                "5\r\nhello\r\n",
                "Keep-Alive: timeout=1\r\n",
            ],
            Self::WebSocket => &[
                "\u{1}\u{2}hi",
                "\u{9}\u{0}",
                "\u{8}\u{2}",
                "HTTP/1.1 101 Switching Protocols\r\n",
                "Sec-WebSocket-Accept: x\r\n",
                "Sec-WebSocket-Extensions: permessage-deflate\r\n",
                "Upgrade: websocket\r\n",
                "Connection: Upgrade\r\n",
                "\r\n\r\n",
            ],
            Self::Certificates => &[
                "-----BEGIN CERTIFICATE-----\n",
                "-----END CERTIFICATE-----\n",
                "-----BEGIN PRIVATE KEY-----\n",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\n",
                "Proc-Type: 4,ENCRYPTED\n",
                "DEK-Info: AES-256-CBC,",
                "0\u{1e}",
                "\u{6}\u{3}U\u{4}\u{3}",
                "\u{c}",
                "\u{17}\r",
            ],
            Self::Packages => &[
                "\"exports\":",
                "\"imports\":",
                "\"main\":",
                "\"type\":\"module\"",
                "\"type\":\"commonjs\"",
                "\"name\":\"p\"",
                "\"./*\":",
                "\"#x\":",
                "\"import\":",
                "\"require\":",
                "\"default\":",
                "\"node\":",
                "null",
                "\"./index.js\"",
                "\"../x\"",
                "\".\":",
                "[",
                "\"./a/*.js\"",
            ],
            Self::Fleets => &[
                "\"hosts\":",
                "\"b\": { \"program\": \"b.js\" },",
                "\"programs\": [\"a.js\"]",
                "\"disk\": \"disk\"",
                "\"clock\": { \"offset\": \"-1h\", \"drift\": 100 }",
                "\"steps\": [{ \"at\": \"1s\", \"by\": -1 }]",
                "\"commands\": { \"git\": \"git.js\" }",
                "\"link\": { \"latency\": \"1ms..20ms\", \"loss\": 0.1 }",
                "\"links\": [{ \"between\": [\"a\", \"b\"] }]",
                "\"bandwidth\": 1000",
                "\"crash\": \"2/h\"",
                "\"deaf\": \"1000/s\"",
                "\"crash a at 1s for 2s\"",
                "\"cut a, b at 3s for 10s\"",
                "\"clock b at 5s by -1h\"",
                "\"drop at 1s for 1ms\"",
                "\"a/2\"",
                "\"until\": \"9000000000s\"",
                "\"eventually\": [{ \"host\": \"a\", \"obs\": 1 }]",
                "\"restart\": \"always\"",
                "\"mayFail\": true",
                "\"invariant\": \"missing.mjs\"",
                "none",
                "=",
            ],
            Self::Traps => &["panic", "abort", "overflow", "wrong"],
        }
    }

    /// Its corpus, in the order of names: what an input is follows from its seed and number.
    pub fn corpus(self) -> io::Result<Vec<Vec<u8>>> {
        let own = root().join("fuzz/corpus").join(self.name());
        let elsewhere = self.elsewhere().iter().map(|(folder, end)| (root().join(folder), *end));
        let mut seeds = Vec::new();
        for (folder, end) in std::iter::once((own, "")).chain(elsewhere) {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let mut files =
                entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
            files.retain(|file| file.to_string_lossy().ends_with(end) && file.is_file());
            files.sort();
            for file in files {
                seeds.push(fs::read(file)?);
            }
        }
        match seeds.is_empty() {
            true => Err(io::Error::other(format!(
                "{} has no corpus: add files to fuzz/corpus/{0}",
                self.name()
            ))),
            false => Ok(seeds),
        }
    }

    /// The input of that number: a function of the corpus, the seed and the number.
    pub fn input(self, seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
        let mut rng = Rng::of_input(self.name(), seed, number);
        let material = Material { seeds, words: self.words() };
        match self.form() {
            Form::Plain => material.damaged(&mut rng),
            Form::Wrapped(wrap) if rng.once_in(4) => {
                let whole: &Vec<u8> = rng.pick(seeds);
                let wrapped = [wrap(whole, &mut rng)];
                Material { seeds: &wrapped, words: self.words() }.damaged(&mut rng)
            }
            Form::Wrapped(wrap) => wrap(&material.damaged(&mut rng), &mut rng),
        }
    }

    /// How an input is made of what is in the corpus.
    fn form(self) -> Form {
        match self {
            Self::Recordings => Form::Wrapped(readers::recordings::as_directory),
            Self::Packed => Form::Wrapped(readers::recordings::as_packed),
            Self::Dap => Form::Wrapped(readers::dap::framed),
            Self::Certificates => Form::Wrapped(readers::certificates::unwrapped),
            Self::Programs
            | Self::L
            | Self::Lasync
            | Self::Specs
            | Self::Theories
            | Self::Stories
            | Self::Cron
            | Self::Schedules
            | Self::Traces
            | Self::Stores
            | Self::HttpServer
            | Self::HttpClient
            | Self::WebSocket
            | Self::Packages
            | Self::Fleets
            | Self::Traps => Form::Plain,
        }
    }
}

/// How an input is made of what is in the corpus.
enum Form {
    /// It is one.
    Plain,
    /// It is wrapped: in lengths, checksums, compression. It is damaged before that most of the time, so that
    /// damage gets further than to the wrapper, and after it else.
    Wrapped(fn(&[u8], &mut Rng) -> Vec<u8>),
}
