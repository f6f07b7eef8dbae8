//! What a host, the machine and the world exchange.

use hemiola_trace::Place;

/// What a host, the machine and the world exchange: callbacks, requests and answers.
///
/// Everything but the machine's own steps needs to know no more of a host than this. So a world can be
/// written for every host whose requests it understands, and what a running callback calls can be
/// written before there is a host.
pub trait Language {
    /// What can be run.
    type Callback;
    /// What can be asked of the world.
    type Request;
    /// What the world answers.
    type Answer;

    /// A request in words, for the trace.
    fn describe(request: &Self::Request) -> String;

    /// The place of the program that is running, if somebody asked to be told where things are
    /// registered.
    fn place() -> Option<Place>;
}

/// Something that the world does by itself; the number's meaning is between host and world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(pub u32);
