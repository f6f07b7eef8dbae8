//! Workers: programs of a program, each with an engine and a world of its own.

use hemiola_gate::{Datum, Fault, Hub, MAIN, Member, Room, Start};
use hemiola_js::{Ending, JavaScript, Options};
use hemiola_live::runs::Reads;
use hemiola_live::{Echo, Live, spawn};
use hemiola_machine::{First, Silent, Sink, World};
use hemiola_world::recording::{IsOver, Recorder, Tape};
use hemiola_world::team::{Places, Team};
use hemiola_world::{Seat, Secure};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A program of the live world, with workers on threads of their own. What they write is noted there, if the run
/// is recorded.
pub(super) fn live(template: Options, echo: Option<Echo>) -> Member {
    let room = Room::new(template.memory_limit);
    let starter = move |hub: &Arc<Hub>, start: Start| {
        let options = template.worker(&start, Arc::clone(hub));
        check(&options)?;
        let leaves_open = start.record.field("leavesFilesOpen") == Some(&Datum::Bool(true));
        let world = Live::worker(start.stop, options.member.clone());
        let world = world.map_err(|error| failed(&error))?.leaving_open(leaves_open);
        let echo = echo.clone();
        let Member { hub, machine, .. } = options.member.clone();
        spawn(options.stack_limit, move || {
            let mut world = world.enter().echoing(echo);
            let code = code(options, &mut world, &mut Silent);
            // Nobody is left to tell when that fails.
            let _ = world.flush();
            drop(world);
            hub.ended(machine, code);
        })
    };
    Member { hub: Hub::new(Box::new(starter), room), machine: MAIN, port: 0 }
}

/// A program of a simulated world, with workers that take turns with it.
pub(super) fn simulated(template: Options, team: Team, room: Room) -> (Seat, Member) {
    let stop = template.stop.clone();
    team.assemble(stop, room, move |hub, start, places| joining(&template, hub, &start, places))
}

/// Starts a worker that takes turns with others.
pub(super) fn joining(
    template: &Options,
    hub: &Arc<Hub>,
    start: &Start,
    places: &Places,
) -> Result<(), Fault> {
    let options = template.worker(start, Arc::clone(hub));
    check(&options)?;
    let place = places.take(options.member.clone());
    spawn(options.stack_limit, move || place.run(|world| code(options, world, &mut Silent)))
}

/// Runs a program on a thread of its own to its end. A bug of ours ends that thread, and has been told by then.
pub(super) fn code(
    options: Options,
    world: &mut impl World<JavaScript>,
    sink: &mut impl Sink,
) -> i32 {
    let world = &mut Secure::new(world);
    let run = || hemiola_js::run(options, Ending::Freed, world, &mut First, sink);
    catch_unwind(AssertUnwindSafe(run)).map_or(70, |code| code.unwrap_or(1))
}

/// What notes what a program is told.
pub(super) struct Taping {
    pub(super) tape: Tape,
    /// The variables that it reads.
    pub(super) reads: Arc<Reads>,
}

/// The same as [`code`] for a program that is recorded until it is over.
pub(super) fn recorded(
    options: Options,
    world: &mut impl World<JavaScript>,
    Taping { tape, reads }: Taping,
    until: IsOver,
    sink: &mut impl Sink,
) -> i32 {
    let is_inherited = Box::new(move |name: &str, value: &str| reads.is_inherited(name, value));
    // What was said is recorded, not what went over the wire.
    let world = Recorder::new(Secure::new(world), tape).knowing(Some(is_inherited)).until(until);
    let world = &mut { world };
    let run = || hemiola_js::run(options, Ending::Freed, world, &mut First, sink);
    catch_unwind(AssertUnwindSafe(run)).map_or(70, |code| code.unwrap_or(1))
}

/// A stack is memory, too: a worker gets the one that it asks for, or none.
fn check(options: &Options) -> Result<(), Fault> {
    let (stack, limit) = (options.stack_limit, options.member.hub.room().limit());
    if stack <= limit {
        return Ok(());
    }
    let [stack, limit] = [stack, limit].map(|bytes| bytes / (1024 * 1024));
    let reason = format!("a stack of {stack} MiB, where {limit} MiB are all the memory");
    Err(Fault::new("ERR_WORKER_INIT_FAILED", format!("Worker initialization failure: {reason}")))
}

fn failed(error: &io::Error) -> Fault {
    Fault::new("ERR_WORKER_INIT_FAILED", format!("Worker initialization failure: {error}"))
}
