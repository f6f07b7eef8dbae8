//! A child that the program waits for: it is fed, its output is gathered, and it is killed when it takes too long or
//! says too much.

use super::calls::{Started, list};
use crate::Virtual;
use hemiola_gate::{Answer, Datum, Fault, Program, StreamCall, Trailing};
use hemiola_machine::{Delay, Instant, Stream};
use std::io;

const PIPE: i32 = 32;
const NOBUFS: i32 = 105;
const TIMEDOUT: i32 = 110;
const TERM: i32 = 15;

/// One pipe of the child.
struct Pipe {
    /// The end that is here, until it is closed.
    id: Option<u64>,
    /// What it is to be fed with, and how much of that it has.
    input: Option<(Vec<u8>, usize)>,
    output: Vec<u8>,
}

/// A child that is waited for.
struct Run {
    process: u64,
    pipes: Vec<Option<Pipe>>,
    deadline: Option<Instant>,
    signal: i32,
    /// How many bytes it may say, and has said.
    most: f64,
    said: usize,
    /// What went wrong with it, and else with a pipe.
    error: Option<i32>,
    pipe_error: Option<i32>,
    is_killed: bool,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Virtual<F> {
    /// Starts a child and waits for its end.
    pub(super) fn run_to_end(&mut self, program: &Program) -> Answer {
        let Started { process, pid, ends } = self.start(program)?;
        let number = |name: &str| program.field(name).and_then(Datum::as_number);
        let timeout = number("timeout").filter(|&timeout| timeout > 0.0);
        let stdio = list(program, "stdio");
        let pipes = ends.into_iter().enumerate().map(|(at, id)| {
            let id = id?;
            let input = stdio.get(at).and_then(|item| item.field("input"));
            let input = match input {
                Some(Datum::Bytes(bytes)) => Some((bytes.clone(), 0)),
                // Nobody says anything to its standard input.
                _ if at == 0 => Some((Vec::new(), 0)),
                _ => None,
            };
            Some(Pipe { id: Some(id), input, output: Vec::new() })
        });
        let mut run = Run {
            process,
            pipes: pipes.collect(),
            deadline: timeout.map(|ms| self.now + Delay::from_micros((ms * 1000.0) as u64)),
            signal: number("killSignal").map_or(TERM, |signal| signal as i32),
            most: number("maxBuffer").unwrap_or(0.0),
            said: 0,
            error: None,
            pipe_error: None,
            is_killed: false,
        };
        let (team, seat) = self.home()?;
        team.processes.ring_at_end(process, seat.post());
        let status = loop {
            for at in 0..run.pipes.len() {
                self.serve(&mut run, at);
            }
            if let Some(status) = team.processes.status(process)
                && run.pipes.iter().flatten().all(|pipe| pipe.id.is_none())
            {
                break status;
            }
            if run.deadline.is_some_and(|deadline| deadline <= self.now) {
                run.deadline = None;
                run.error = Some(TIMEDOUT);
                self.kill_run(&mut run);
                continue;
            }
            if !self.let_time_pass(run.deadline) {
                return Err(Fault::new("EDEADLK", "nothing is left that could end this child"));
            }
        };
        team.processes.forget(process);
        let number =
            |number: Option<i32>| number.map_or(Datum::Null, |it| Datum::Number(it.into()));
        let outputs = run.pipes.into_iter().enumerate().map(|(at, pipe)| match pipe {
            Some(pipe) if at > 0 => Datum::Bytes(pipe.output),
            _ => Datum::Null,
        });
        let code = status.signal.is_none().then_some(status.code);
        Ok(Datum::Record(vec![
            ("pid".into(), Datum::Number(pid.into())),
            ("code".into(), number(code)),
            ("signal".into(), number(status.signal)),
            ("errno".into(), number(run.error.or(run.pipe_error))),
            ("output".into(), Datum::List(outputs.collect())),
        ]))
    }

    /// Feeds a pipe and reads from it, as far as that goes.
    fn serve(&mut self, run: &mut Run, at: usize) {
        let now = self.world_now();
        let Some(pipe) = run.pipes[at].as_mut() else { return };
        let Some(id) = pipe.id else { return };
        if let Some((bytes, given)) = &mut pipe.input {
            match self.net(|net| net.try_write(now, id, &bytes[*given..])) {
                Ok(count) => *given += count,
                Err(_) => {
                    run.pipe_error.get_or_insert(PIPE);
                    pipe.id = None;
                    return self.close_pipe(id);
                }
            }
            if *given == bytes.len() {
                pipe.input = None;
                // One that is broken has ended already.
                let end = StreamCall::TryShutdown { stream: id };
                let _ = self.net(|net| net.perform_on_stream(now, end));
            }
        }
        if at == 0 {
            if pipe.input.is_none() {
                pipe.id = None;
                self.close_pipe(id);
            }
            return;
        }
        let (bytes, is_over) = self.net(|net| net.drain(now, id));
        run.said += bytes.len();
        pipe.output.extend(bytes);
        if is_over {
            pipe.id = None;
            self.close_pipe(id);
        }
        if run.most > 0.0 && run.said as f64 > run.most {
            run.error.get_or_insert(NOBUFS);
            self.kill_run(run);
        }
    }

    /// Ends the child as the program wants it to be ended, and listens to it no more.
    fn kill_run(&mut self, run: &mut Run) {
        if std::mem::replace(&mut run.is_killed, true) {
            return;
        }
        // One that has ended needs no signal.
        let _ = self.send_signal(run.process, run.signal);
        run.deadline = None;
        let open: Vec<u64> =
            run.pipes.iter_mut().flatten().filter_map(|pipe| pipe.id.take()).collect();
        open.into_iter().for_each(|id| self.close_pipe(id));
    }

    pub(super) fn close_pipe(&mut self, stream: u64) {
        let now = self.world_now();
        let close = StreamCall::Close { stream, reset: Trailing(None) };
        // To close an end is never refused.
        let _ = self.net(|net| net.perform_on_stream(now, close));
    }
}
