//! Workers: programs of a program, each with an engine and a world of its own.

use hemiola_gate::{Fault, Hub, MAIN, Member, Start};
use hemiola_js::{Ending, JavaScript, Options};
use hemiola_live::{Live, spawn};
use hemiola_machine::{Delay, First, Silent, Stream, World};
use hemiola_world::{Baton, Faults, Network, Overlay, Seat, Secure, Virtual};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Takes what a machine writes.
pub(super) type Write = Box<dyn FnMut(Stream, &[u8]) -> io::Result<()> + Send>;

/// Where all machines of a simulated run write.
pub(super) type Output = Arc<Mutex<Write>>;

/// Lets a machine write there.
pub(super) fn write_to(output: Output) -> impl FnMut(Stream, &[u8]) -> io::Result<()> {
    move |stream, bytes| output.lock().unwrap_or_else(PoisonError::into_inner)(stream, bytes)
}

/// A program of the live world, with workers on threads of their own.
pub(super) fn live(template: Options) -> Member {
    let starter = move |hub: &Arc<Hub>, start: Start| {
        let options = template.worker(&start, Arc::clone(hub));
        let world = Live::worker(start.stop, options.member.clone());
        let mut world = world.map_err(|error| failed(&error))?;
        let Member { hub, machine, .. } = options.member.clone();
        spawn(options.stack_limit, move || {
            let code = code(options, &mut world);
            // Nobody is left to tell when that fails.
            let _ = world.flush();
            drop(world);
            hub.ended(machine, code);
        })
    };
    Member { hub: Hub::new(Box::new(starter)), machine: MAIN, port: 0 }
}

/// A program of a simulated world, with workers that take turns with it.
pub(super) fn simulated(
    template: Options,
    files: Arc<Overlay>,
    seed: u64,
    until: Option<Delay>,
    faults: Faults,
    output: Output,
    network: Network,
) -> (Seat, Member) {
    let baton = Baton::new(seed, template.stop.clone());
    let main = baton.seat(MAIN);
    let starter = move |hub: &Arc<Hub>, start: Start| {
        let options = template.worker(&start, Arc::clone(hub));
        let Member { hub, machine, .. } = options.member.clone();
        let seat = baton.seat(machine);
        let (files, write) = (Arc::clone(&files), write_to(Arc::clone(&output)));
        let network = network.clone();
        spawn(options.stack_limit, move || {
            let code = if seat.begin() {
                // Every machine draws numbers of its own.
                let seed = seed ^ machine.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut world = Virtual::new(seed, files, write).faults(faults).on(network);
                if let Some(until) = until {
                    world = world.until(until);
                }
                let mut world = world.seated(seat, options.member.clone());
                let code = code(options, &mut world);
                (code, world.stand_up())
            } else {
                (1, Some(seat))
            };
            hub.ended(machine, code.0);
            if let Some(seat) = code.1 {
                seat.leave();
            }
        })
    };
    (main, Member { hub: Hub::new(Box::new(starter)), machine: MAIN, port: 0 })
}

/// Runs a worker to its end. A bug of ours ends the worker, and has been told by then.
fn code(options: Options, world: &mut impl World<JavaScript>) -> i32 {
    let world = &mut Secure::new(world);
    let run = || hemiola_js::run(options, Ending::Freed, world, &mut First, &mut Silent);
    catch_unwind(AssertUnwindSafe(run)).map_or(70, |code| code.unwrap_or(1))
}

fn failed(error: &io::Error) -> Fault {
    Fault::new("ERR_WORKER_INIT_FAILED", format!("Worker initialization failure: {error}"))
}
