//! What programs ask for: one table says for every call what it is given, what it is called on the wire, what
//! a program must be allowed for it, and what it is to those who account for it, explore it or let it fail.

pub(crate) mod arguments;
mod table;

pub use crate::descriptor::Descriptor;
pub use crate::path::FilePath;
pub use crate::program::Program;
pub use arguments::{
    Argument, Aside, Expected, FileRef, Nullable, Pieces, Position, Record, Rest, Secret, Trailing,
};
pub use table::*;

use crate::sockets::Place;
use crate::value::Fault;
use std::ffi::CStr;

/// What hooks of `async_hooks` call an operation: Node's words, as far as it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Files.
    File,
    /// Files, for who waits with a promise; the table does not know that.
    FilePromise,
    /// What happens to watched files.
    Watch,
    /// Names of computers.
    Name,
    /// Names of addresses and ports.
    Service,
    /// Making connections.
    Tcp,
    /// What goes over connections.
    Stream,
    /// Datagrams.
    Udp,
    /// Other processes.
    Process,
    /// Signals.
    Signal,
    /// What Node has no word for.
    Operation,
}

impl Resource {
    /// The word.
    pub fn name(self) -> &'static CStr {
        match self {
            Self::File => c"FSREQCALLBACK",
            Self::FilePromise => c"FSREQPROMISE",
            Self::Watch => c"FSEVENTWRAP",
            Self::Name => c"GETADDRINFOREQWRAP",
            Self::Service => c"GETNAMEINFOREQWRAP",
            Self::Tcp => c"TCPWRAP",
            Self::Stream => c"STREAM",
            Self::Udp => c"UDPWRAP",
            Self::Process => c"PROCESSWRAP",
            Self::Signal => c"SIGNALWRAP",
            Self::Operation => c"OPERATION",
        }
    }

    /// What `process.getActiveResourcesInfo` calls an operation that is under way; nothing for one that serves
    /// something that the program has open, which is listed itself, and for what Node does not list.
    pub fn request(self) -> Option<&'static str> {
        match self {
            Self::File => Some("FSReqCallback"),
            Self::FilePromise => Some("FSReqPromise"),
            Self::Name => Some("GetAddrInfoReqWrap"),
            Self::Service => Some("GetNameInfoReqWrap"),
            Self::Watch
            | Self::Tcp
            | Self::Stream
            | Self::Udp
            | Self::Process
            | Self::Signal
            | Self::Operation => None,
        }
    }
}

/// What a call touches outside of the program (rule EXPL-2): two that touch nothing in common commute. An
/// operation that waits for something touches that, too, when it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touches {
    /// Nothing that another run could find different.
    Nothing,
    /// Files: whatever its calls on the tree do.
    Files,
    /// What is under way from this end of a connection to the other.
    Pipe(u64),
    /// Both ends of a connection, of which this is one.
    BothEnds(u64),
    /// Who listens at a place, which changes; nothing if the call names none.
    Door(Option<Place>),
    /// Who listens at a place, and who waits there to be let in, of whom there is one more.
    Knock(Option<Place>),
    /// Who listens where this listener does, and who waits there.
    OwnDoor(u64),
    /// Who is there to receive datagrams.
    ReceiversRead,
    /// The same, and changes it.
    ReceiversWritten,
    /// The scheduler's stores.
    Stores,
    /// Standard input.
    Input,
}

/// What may go wrong with a call where faults are injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishaps {
    /// Nothing that it did not bring about itself.
    None,
    /// The calls on the tree of files fail.
    Files,
    /// The same; nobody hears how closing the file went.
    WholeFile,
    /// The same, and only a part may be read or written.
    PartOfFile,
    /// This connection is cut, or only a part is read.
    Read(u64),
    /// This connection is cut.
    Write(u64),
    /// This connection is cut, or only a part of so many bytes is written.
    WriteAtOnce(u64, usize),
    /// Nobody lets it in.
    Connect,
    /// The name is not found.
    Lookup,
    /// The datagram of so many bytes is lost.
    Datagram(usize),
    /// The disk is full, or broken.
    Commit,
}

/// Makes the requests, and all that there is to know about each, of one table: a row that leaves something
/// out does not compile.
macro_rules! calls {
    ($(
        $(#[doc = $about:literal])*
        $family:ident($calls:ident) {
            $(
                $(#[doc = $doc:literal])*
                $call:ident $({ $($field:ident: $type:ty),* $(,)? })? = $wire:literal,
                needs: $needs:expr,
                resource: $resource:ident,
                touches: $touches:ident $(($($touched:expr),*))?,
                mishaps: $mishaps:ident $(($($mishap:expr),*))?;
            )*
        }
    )*) => {
        /// What a program asks for.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Request {
            $($(#[doc = $about])* $family($calls),)*
        }

        $(
            $(#[doc = $about])*
            #[allow(missing_docs, reason = "fields are what their names and types say")]
            #[derive(Clone, Debug, PartialEq)]
            pub enum $calls {
                $($(#[doc = $doc])* $call $({ $($field: $type),* })?,)*
            }

            impl From<$calls> for Request {
                fn from(call: $calls) -> Self {
                    Self::$family(call)
                }
            }

            #[allow(unused_variables, reason = "not every row needs all that the call is given")]
            impl $calls {
                /// What it is called on the wire.
                pub fn name(&self) -> &'static str {
                    match self {
                        $(Self::$call $({ $($field),* })? => $wire,)*
                    }
                }

                /// All that a program must be allowed for it.
                pub fn needs(&self) -> Vec<Need<'_>> {
                    match self {
                        $(Self::$call $({ $($field),* })? => Vec::from($needs),)*
                    }
                }

                /// What it is to hooks.
                pub fn resource(&self) -> Resource {
                    match self {
                        $(Self::$call $({ $($field),* })? => Resource::$resource,)*
                    }
                }

                /// What it touches.
                pub fn touches(&self) -> Touches {
                    match self {
                        $(Self::$call $({ $($field),* })? => Touches::$touches $(($($touched),*))?,)*
                    }
                }

                /// What may go wrong with it.
                pub fn mishaps(&self) -> Mishaps {
                    match self {
                        $(Self::$call $({ $($field),* })? => Mishaps::$mishaps $(($($mishap),*))?,)*
                    }
                }

                /// The texts among what it is given.
                #[allow(clippy::ptr_arg, reason = "some families have no strings to add")]
                fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
                    match self {
                        $(Self::$call $({ $($field),* })? => { $($($field.tell_texts(texts);)*)? })*
                    }
                }

                /// Its arguments on the wire.
                #[allow(unused_mut, reason = "some have none")]
                fn into_arguments(self) -> Vec<Datum> {
                    let mut wire = Vec::new();
                    match self {
                        $(Self::$call $({ $($field),* })? => { $($($field.put(&mut wire);)*)? })*
                    }
                    wire
                }
            }
        )*

        impl Request {
            /// The request that the library means by a name and values in their order; or why there is
            /// none. Only where JavaScript asks the gate is a request in this form.
            pub fn from_wire(kind: &str, arguments: Vec<Datum>) -> Result<Self, Fault> {
                let mut wire = arguments.into_iter();
                let read = match kind {
                    $($(
                        $wire => {
                            #[allow(unused_mut, reason = "some take nothing")]
                            let mut read = || -> Option<$calls> {
                                Some($calls::$call $({ $($field: Argument::take(&mut wire)?),* })?)
                            };
                            read().map(Self::$family)
                        }
                    )*)*
                    unknown => return Err(no_such(unknown)),
                };
                match read {
                    Some(request) if wire.as_slice().is_empty() => Ok(request),
                    _ => Err(malformed(kind)),
                }
            }

            /// The values of [`Request::from_wire`], in their order. Only recordings need them: to notice
            /// that another request is made than was.
            pub fn to_wire(&self) -> Vec<Datum> {
                match self.clone() { $(Self::$family(call) => call.into_arguments(),)* }
            }

            pub(super) fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
                match self { $(Self::$family(call) => call.tell_texts(texts),)* }
            }

            /// What it is called on the wire.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$family(call) => call.name(),)* }
            }

            /// All that a program must be allowed for it: at least one thing, which may be nothing, with a
            /// reason.
            pub fn needs(&self) -> Vec<Need<'_>> {
                match self { $(Self::$family(call) => call.needs(),)* }
            }

            /// What it is to hooks.
            pub fn resource(&self) -> Resource {
                match self { $(Self::$family(call) => call.resource(),)* }
            }

            /// What it touches.
            pub fn touches(&self) -> Touches {
                match self { $(Self::$family(call) => call.touches(),)* }
            }

            /// What may go wrong with it.
            pub fn mishaps(&self) -> Mishaps {
                match self { $(Self::$family(call) => call.mishaps(),)* }
            }

            /// One of every call, made of its fields' names, with what the table says of it: for the page that
            /// says what each needs.
            #[cfg(test)]
            pub(crate) fn described(case: usize) -> Vec<super::tests::page::Family> {
                use super::tests::page::{Family, Named};
                vec![$(Family {
                    about: concat!($($about),*),
                    calls: vec![$((
                        concat!($($doc),*),
                        Self::$family(
                            $calls::$call $({ $($field: Named::named(stringify!($field), case)),* })?
                        ),
                    )),*],
                }),*]
            }

            /// One of every call, with whatever is drawn: for tests that no call escapes.
            #[cfg(test)]
            pub(crate) fn one_of_each(draw: super::tests::Draw<'_>) -> Vec<Self> {
                use super::tests::Sample;
                vec![$($(
                    Self::$family($calls::$call $({ $($field: Sample::sample(draw)),* })?),
                )*)*]
            }
        }
    };
}

use calls;

/// Nobody knows what is asked for: it is not done.
fn no_such(kind: &str) -> Fault {
    Fault::new("ENOSYS", format!("there is no request {kind:?}"))
}

/// What it is given makes no sense.
fn malformed(kind: &str) -> Fault {
    Fault::new("EINVAL", format!("the request {kind:?} does not take these arguments"))
}

impl Request {
    /// The request in words: its name and the texts it is about, such as `fs.open "a.txt"`.
    pub fn describe(&self) -> String {
        // Longer than paths are.
        const LONG: usize = 250;
        let mut texts = Vec::new();
        self.tell_texts(&mut texts);
        let mut words = self.name().to_owned();
        for text in texts.into_iter().take(2) {
            let mut letters = text.chars();
            let short: String = letters.by_ref().take(LONG).collect();
            let more = if letters.next().is_some() { "…" } else { "" };
            words.push_str(&format!(" {short:?}{more}"));
        }
        words
    }
}

impl StreamCall {
    /// The stream that it is about.
    pub fn stream(&self) -> u64 {
        match self {
            Self::Read { stream }
            | Self::Write { stream, .. }
            | Self::TryWrite { stream, .. }
            | Self::Shutdown { stream }
            | Self::TryShutdown { stream }
            | Self::Recall { stream }
            | Self::Set { stream, .. }
            | Self::Close { stream, .. } => *stream,
        }
    }
}

#[cfg(test)]
mod tests;
