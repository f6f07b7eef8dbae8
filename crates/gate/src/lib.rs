//! The gate: what programs ask of the world and what is answered, as values, whatever language a program
//! is written in and whatever world answers.
//!
//! A [`Request`] is what a program asks for, an [`Answer`] what becomes of it. [`files`], [`sockets`],
//! [`datagrams`] and [`system`] say what requests mean in terms of the few things that a world can do, so
//! that all worlds agree (rule GATE-4). [`Permissions`] say what a program may ask for; [`Hub`] is what the
//! machines of one run share. No engine and no operating system is in here.
#![forbid(unsafe_code)]

mod computer;
pub mod datagrams;
mod descriptor;
mod desk;
mod disk;
pub mod files;
mod grant;
mod hub;
mod identity;
mod need;
mod path;
mod permissions;
mod program;
mod request;
mod room;
pub mod sockets;
mod stop;
pub mod system;
mod value;

pub use computer::{Computer, NetworkAddress, Processor, User};
pub use desk::Desk;
pub use disk::{Disk, Kind};
pub use grant::Grant;
pub use hub::{Hub, HubCall, MAIN, Member, Memory, Post, Sleep, Start, Starter, Word};
pub use identity::{Account, Accounts, Identity};
pub use need::{Access, Last, Need};
pub use permissions::{
    Ask, Checked, Gated, Guarded, INHERITED, Known, Names, Permissions, Refused, Scope,
};
pub use request::*;
pub use room::{Room, Taken};
pub use stop::{Reason, Stop};
pub use system::{Facts, FixedSystem, StreamKind, System, Usage};
pub use value::{Answer, Datum, Fault, Held};
