//! TLS without input and output: certificates, keys, trust, and connections whose bytes go in and out by
//! calls. Both worlds run it over their streams; rustls does the cryptography.
#![forbid(unsafe_code)]

mod connection;
mod context;
pub mod der;
mod failure;
mod names;
pub mod oid;
mod peers;
pub mod pem;
mod secrets;
pub mod verify;
mod x509;

pub use connection::{Agreement, Ask, ClientOptions, Connection, Hello, Progress, ServerOptions};
pub use context::{Context, Options, Refusal, cipher_names, private_key};
pub use failure::Failure;
pub use names::{Attribute, GeneralName, Name};
pub use peers::{Clock, Session};
pub use x509::{Certificate, Extensions, PublicKey, shown_date};
