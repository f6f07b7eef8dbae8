//! One side of a connection: bytes of the peer go in, bytes for the peer come out.

use crate::context::{CIPHERS, Context};
use crate::failure::Failure;
use crate::peers::{AnyClient, AnyServer, Identities, Session, Sessions};
use crate::verify::{self, Doubt, Role};
use crate::x509::Certificate;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::server::{Accepted, Acceptor, ServerSessionMemoryCache, StoresServerSessions};
use rustls::{ClientConfig, ClientConnection, HandshakeKind, ProtocolVersion, ServerConfig};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What the connections of one context have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The sessions that clients may come back to.
    sessions: Arc<dyn StoresServerSessions>,
    clients: Arc<Identities>,
    servers: Mutex<Vec<(ServerOptions, Arc<ServerConfig>)>>,
}

/// How many sessions a server remembers.
const SESSIONS: usize = 1024;

impl Shared {
    pub(crate) fn new(identities: &Identities) -> Self {
        let clients = match identities.0.as_slice() {
            [] => Identities::none(),
            some => Arc::new(Identities(some.to_vec())),
        };
        let sessions = ServerSessionMemoryCache::new(SESSIONS);
        Self { sessions, clients, servers: Mutex::default() }
    }
}

/// How a client connects.
#[derive(Debug, Default)]
pub struct ClientOptions {
    /// The name of the server that it asks for.
    pub servername: Option<String>,
    /// Protocols that it speaks, the best first.
    pub protocols: Vec<Vec<u8>>,
    /// A session to go on with.
    pub session: Option<Session>,
}

/// Whether a server wants to know who calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ask {
    /// No.
    #[default]
    Nobody,
    /// Whoever wants to tell.
    Whoever,
    /// Nobody comes in without a certificate.
    Everybody,
}

/// How a server answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerOptions {
    /// Protocols that it speaks, the best first.
    pub protocols: Vec<Vec<u8>>,
    /// Whether it asks for a certificate.
    pub ask: Ask,
}

/// What a client says first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// The name of the server that it wants.
    pub servername: Option<String>,
    /// Protocols that it speaks.
    pub protocols: Vec<Vec<u8>>,
}

/// What the two sides agreed on.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// Such as `TLSv1.3`.
    pub version: &'static str,
    /// The cipher by OpenSSL's name, and by that of the standard.
    pub cipher: (&'static str, String),
    /// The protocol that both want to speak.
    pub protocol: Option<Vec<u8>>,
    /// The name that the client asked for.
    pub servername: Option<String>,
    /// Whether it goes on with an earlier session.
    pub reused: bool,
    /// The group in which keys were exchanged: its name, and its size in bits.
    pub group: Option<(&'static str, u32)>,
    /// The peer's certificates, the issuer after each as far as it is known.
    pub certificates: Vec<Vec<u8>>,
    /// Why the peer is not believed.
    pub doubt: Option<Doubt>,
}

enum State {
    /// A server that waits for the client's first words; they are kept to look at.
    Waiting(Acceptor),
    /// It has heard them, and must be told how to answer.
    Greeted(Box<Accepted>),
    Running(rustls::Connection),
    /// Nothing can come of it any more.
    Over,
}

/// One side of a connection.
pub struct Connection {
    state: State,
    /// What both sides were told apart from.
    context: Option<Arc<Context>>,
    role: Role,
    /// How to answer, once that is known.
    answer: Option<Arc<ServerConfig>>,
    sessions: Option<Arc<Sessions>>,
    servername: Option<String>,
    /// Bytes from the peer that cannot be judged yet, for there are too few.
    head: Option<Vec<u8>>,
    /// Bytes from the peer that came before it was known how to answer.
    early: Vec<u8>,
    /// Bytes that are not in rustls's hands.
    outgoing: Vec<u8>,
    has_peer_closed: bool,
}

/// What is known of a connection after some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The two sides are still agreeing.
    Handshaking,
    /// A client has greeted, and a server must be told how to answer.
    Greeted,
    /// They agree.
    Established,
}

impl Connection {
    /// A client, which has something to say at once.
    pub fn client(context: &Arc<Context>, options: ClientOptions) -> Result<Self, Failure> {
        if context.versions.is_empty() {
            return Err(Failure::new(0xbf, "no protocols available"));
        }
        let servername = options.servername.clone().filter(|name| !name.is_empty());
        let name = servername.clone().and_then(|name| ServerName::try_from(name).ok());
        let is_named = matches!(name, Some(ServerName::DnsName(_)));
        // A name is needed in any case; this one is not told to the server.
        let name = name.unwrap_or_else(|| ServerName::from(std::net::Ipv4Addr::UNSPECIFIED));
        let builder = ClientConfig::builder_with_details(
            Arc::clone(&context.provider),
            Arc::clone(&context.clock) as _,
        );
        let builder = builder.with_protocol_versions(&context.versions)?;
        let builder = builder.dangerous().with_custom_certificate_verifier(AnyServer::shared());
        let identities = Arc::clone(&context.shared.clients);
        let mut config = builder.with_client_cert_resolver(identities);
        config.alpn_protocols = options.protocols;
        config.enable_sni = is_named;
        let sessions = Arc::new(Sessions::new(options.session));
        config.resumption = Resumption::store(Arc::clone(&sessions) as _);
        let mut connection = ClientConnection::new(Arc::new(config), name)?;
        connection.set_buffer_limit(None);
        Ok(Self {
            state: State::Running(connection.into()),
            context: Some(Arc::clone(context)),
            role: Role::Client,
            answer: None,
            sessions: Some(sessions),
            servername: servername.filter(|_| is_named),
            head: Some(Vec::new()),
            early: Vec::new(),
            outgoing: Vec::new(),
            has_peer_closed: false,
        })
    }

    /// A server, which waits for what the client says.
    pub fn server() -> Self {
        Self {
            state: State::Waiting(Acceptor::default()),
            context: None,
            role: Role::Server,
            answer: None,
            sessions: None,
            servername: None,
            head: Some(Vec::new()),
            early: Vec::new(),
            outgoing: Vec::new(),
            has_peer_closed: false,
        }
    }

    /// Tells a server how to answer.
    pub fn answer(
        &mut self,
        context: &Arc<Context>,
        options: &ServerOptions,
    ) -> Result<(), Failure> {
        if context.versions.is_empty() {
            return Err(Failure::new(0xbf, "no protocols available"));
        }
        self.answer = Some(server_config(context, options)?);
        self.context = Some(Arc::clone(context));
        self.go_on()
    }

    /// What the client said, once it has, and before a server answers.
    pub fn hello(&self) -> Option<Hello> {
        let State::Greeted(accepted) = &self.state else { return None };
        let hello = accepted.client_hello();
        let protocols = hello.alpn().map(|all| all.map(<[u8]>::to_vec).collect());
        Some(Hello {
            servername: hello.server_name().map(str::to_owned),
            protocols: protocols.unwrap_or_default(),
        })
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        match &self.state {
            State::Greeted(_) => Progress::Greeted,
            State::Running(connection) if !connection.is_handshaking() => Progress::Established,
            _ => Progress::Handshaking,
        }
    }

    /// Takes bytes of the peer, and adds to `plain` what they say to the program.
    pub fn receive(&mut self, bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), Failure> {
        let Some(mut head) = self.head.take() else { return self.take_in(bytes, plain) };
        head.extend_from_slice(bytes);
        if head.len() < HEADER {
            self.head = Some(head);
            return Ok(());
        }
        if let Err(failure) = look_at(&head, self.role) {
            self.state = State::Over;
            return Err(failure);
        }
        self.take_in(&head, plain)
    }

    fn take_in(&mut self, mut bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), Failure> {
        while !bytes.is_empty() {
            match &mut self.state {
                State::Over => return Ok(()),
                State::Greeted(_) => {
                    self.early.extend_from_slice(bytes);
                    return Ok(());
                }
                State::Waiting(acceptor) => {
                    let broken = |_| Failure::new(0x9f, "length mismatch");
                    acceptor.read_tls(&mut bytes).map_err(broken)?;
                    match acceptor.accept() {
                        Ok(None) => {}
                        Ok(Some(accepted)) => {
                            self.state = State::Greeted(Box::new(accepted));
                            self.early.extend_from_slice(bytes);
                            bytes = &[];
                            self.go_on()?;
                        }
                        Err((error, mut alert)) => {
                            // Written to memory, which takes all.
                            let _ = alert.write_all(&mut self.outgoing);
                            self.state = State::Over;
                            return Err(error.into());
                        }
                    }
                }
                State::Running(connection) => {
                    let oversized = |_| Failure::new(0xc6, "packet length too long");
                    connection.read_tls(&mut bytes).map_err(oversized)?;
                    let state = connection.process_new_packets()?;
                    let length = plain.len();
                    plain.resize(length + state.plaintext_bytes_to_read(), 0);
                    // As many as it said that it has, it gives.
                    let _ = connection.reader().read_exact(&mut plain[length..]);
                    self.has_peer_closed |= state.peer_has_closed();
                }
            }
        }
        Ok(())
    }

    /// Answers a client that has greeted, if it is known how.
    fn go_on(&mut self) -> Result<(), Failure> {
        if self.answer.is_none() || !matches!(self.state, State::Greeted(_)) {
            return Ok(());
        }
        let State::Greeted(accepted) = std::mem::replace(&mut self.state, State::Over) else {
            return Ok(());
        };
        let Some(config) = self.answer.take() else { return Ok(()) };
        if self.context.as_ref().is_some_and(|context| context.identities.is_empty()) {
            self.outgoing.extend_from_slice(HANDSHAKE_FAILURE);
            return Err(Failure::new(0x76, "no suitable signature algorithm"));
        }
        match accepted.into_connection(config) {
            Ok(mut connection) => {
                connection.set_buffer_limit(None);
                self.servername = connection.server_name().map(str::to_owned);
                self.state = State::Running(connection.into());
                let early = std::mem::take(&mut self.early);
                // Nobody can have sent anything for the program before the handshake.
                self.take_in(&early, &mut Vec::new())
            }
            Err((error, mut alert)) => {
                let _ = alert.write_all(&mut self.outgoing);
                Err(error.into())
            }
        }
    }

    /// Says something to the peer.
    pub fn send(&mut self, plain: &[u8]) {
        if let State::Running(connection) = &mut self.state {
            // There is no limit, so that all is taken.
            let _ = connection.writer().write_all(plain);
        }
    }

    /// Says that nothing more will come.
    pub fn close(&mut self) {
        if let State::Running(connection) = &mut self.state {
            connection.send_close_notify();
        }
    }

    /// What is to be sent to the peer; asked for after every other call.
    pub fn outgoing(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.outgoing);
        if let State::Running(connection) = &mut self.state {
            while connection.wants_write() {
                // Written to memory, which takes all.
                let _ = connection.write_tls(&mut bytes);
            }
        }
        bytes
    }

    /// Whether the peer said that nothing more will come.
    pub fn has_peer_closed(&self) -> bool {
        self.has_peer_closed
    }

    /// The sessions that a client got since the last time.
    pub fn new_sessions(&self) -> Vec<Session> {
        self.sessions.as_ref().map(|sessions| sessions.take()).unwrap_or_default()
    }

    /// Secret bytes that only the two sides know.
    pub fn export(&self, length: usize, label: &[u8], with: Option<&[u8]>) -> Option<Vec<u8>> {
        let State::Running(connection) = &self.state else { return None };
        connection.export_keying_material(vec![0; length], label, with).ok()
    }

    /// What was agreed on, once the two sides have.
    pub fn agreement(&self) -> Option<Agreement> {
        let (State::Running(connection), Some(context)) = (&self.state, &self.context) else {
            return None;
        };
        let version = match connection.protocol_version()? {
            ProtocolVersion::TLSv1_3 => "TLSv1.3",
            _ => "TLSv1.2",
        };
        let suite = connection.negotiated_cipher_suite()?;
        let name = CIPHERS.iter().find(|(_, one)| one.suite() == suite.suite());
        let standard = format!("{:?}", suite.suite()).replace("TLS13_", "TLS_");
        let group = connection.negotiated_key_exchange_group().map(|group| match group.name() {
            rustls::NamedGroup::secp256r1 => ("prime256v1", 256),
            rustls::NamedGroup::secp384r1 => ("secp384r1", 384),
            _ => ("X25519", 253),
        });
        let shown = connection.peer_certificates().unwrap_or_default();
        let shown: Vec<Certificate> =
            shown.iter().filter_map(|der| Certificate::read(der).ok()).collect();
        let other = match self.role {
            Role::Client => Role::Server,
            Role::Server => Role::Client,
        };
        let now = i64::try_from(context.clock.seconds()).unwrap_or(i64::MAX);
        Some(Agreement {
            version,
            cipher: (name.map_or("", |(name, _)| *name), standard),
            protocol: connection.alpn_protocol().map(<[u8]>::to_vec),
            servername: self.servername.clone(),
            reused: connection.handshake_kind() == Some(HandshakeKind::Resumed),
            group,
            certificates: verify::in_order(&shown, &context.trust)
                .into_iter()
                .map(|one| one.der.clone())
                .collect(),
            doubt: verify::verify(&shown, &context.trust, other, now).err(),
        })
    }
}

/// What is said to a client that cannot be answered at all.
const HANDSHAKE_FAILURE: &[u8] = &[21, 3, 3, 0, 2, 2, 40];

/// How many bytes tell whether a peer speaks TLS at all.
const HEADER: usize = 5;

/// Whether that can be the start of a conversation.
fn look_at(head: &[u8], role: Role) -> Result<(), Failure> {
    const HANDSHAKE: u8 = 22;
    const ALERT: u8 = 21;
    if matches!(head[0], HANDSHAKE | ALERT) && head[1] == 3 {
        return Ok(());
    }
    let starts = |words: &[&[u8]]| words.iter().any(|word| head.starts_with(word));
    Err(match role {
        Role::Server if starts(&[b"GET ", b"POST ", b"HEAD ", b"PUT "]) => {
            Failure::new(0x9c, "http request")
        }
        Role::Server if starts(&[b"CONNE"]) => Failure::new(0x9b, "https proxy request"),
        _ => Failure::new(0x10b, "wrong version number"),
    })
}

/// The rules by which a server answers, made once.
fn server_config(
    context: &Arc<Context>,
    options: &ServerOptions,
) -> Result<Arc<ServerConfig>, Failure> {
    // Whoever panicked while holding it left it whole.
    let mut known = context.shared.servers.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, config)) = known.iter().find(|(of, _)| of == options) {
        return Ok(Arc::clone(config));
    }
    let builder = ServerConfig::builder_with_details(
        Arc::clone(&context.provider),
        Arc::clone(&context.clock) as _,
    );
    let builder = builder.with_protocol_versions(&context.versions)?;
    let builder = match options.ask {
        Ask::Nobody => builder.with_no_client_auth(),
        Ask::Whoever => {
            builder.with_client_cert_verifier(Arc::new(AnyClient::new(false, &context.trust)))
        }
        Ask::Everybody => {
            builder.with_client_cert_verifier(Arc::new(AnyClient::new(true, &context.trust)))
        }
    };
    let identities = Arc::new(Identities(context.identities.clone()));
    let mut config = builder.with_cert_resolver(identities);
    config.alpn_protocols.clone_from(&options.protocols);
    config.ignore_client_order = true;
    config.session_storage = Arc::clone(&context.shared.sessions);
    let config = Arc::new(config);
    known.push((options.clone(), Arc::clone(&config)));
    Ok(config)
}
