//! Fig. 3 of "A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of
//! Things" (Jerad and Lee, 2017), drawn by the program that it is about.
//!
//! `increment` runs every 1000 ms and `decrement` every 2000 ms on clock A. A request that arrives
//! at 1.5 s starts `observe`, every 1000 ms on A as well: it joins the clock, so it sees 0 and 1 in
//! turn, whenever the request came. `sample` looks at the same variable from a clock of its own.
//!
//!     cargo run --example fig3

use hemiola_machine::closures::{Turn, simulate};
use hemiola_machine::{Delay, Handle, Instant, Silent};
use std::{cell::Cell, cell::RefCell, rc::Rc};

const COLUMNS: [&str; 5] = ["increment", "decrement", "handler", "observe", "sample"];

fn main() {
    print!("{}", picture());
}

/// Runs the program in virtual time and draws it: time runs down, and each line is one atomic action.
pub fn picture() -> String {
    let drawing = Rc::new(Drawing::default());
    let draws = drawing.clone();
    simulate(move |turn| program(turn, draws), &mut Silent);
    drawing.render()
}

/// The program of Fig. 2, with `sample` on a second clock; it stops after four observations.
fn program(turn: &mut Turn<'_>, drawing: Rc<Drawing>) {
    let x = Rc::new(Cell::new(0));
    let started: Rc<RefCell<Vec<Handle>>> = Rc::default();

    let (value, draw) = (x.clone(), drawing.clone());
    let increment = turn.set_interval("A", ms(1_000), move |turn| {
        value.set(value.get() + 1);
        draw.ran(turn, "A", "increment", "●");
    });
    let (value, draw) = (x.clone(), drawing.clone());
    let decrement = turn.set_interval("A", ms(2_000), move |turn| {
        value.set(value.get() - 2);
        draw.ran(turn, "A", "decrement", "●");
    });
    let (value, draw) = (x.clone(), drawing.clone());
    let sample = turn.set_interval("B", ms(1_250), move |turn| {
        draw.ran(turn, "B", "sample", &format!("x = {}", value.get()));
    });
    started.borrow_mut().extend([increment, decrement, sample]);
    for released in ["increment", "decrement", "handler", "sample"] {
        drawing.ran(turn, "main", released, "○");
    }

    turn.after_io(ms(1_500), move |turn| {
        let (value, draw, all) = (x.clone(), drawing.clone(), started.clone());
        let observe = turn.set_interval("A", ms(1_000), move |turn| {
            draw.ran(turn, "A", "observe", &format!("x = {}", value.get()));
            if turn.clock("A") == Some(Instant::from_millis(5_000)) {
                all.borrow_mut().drain(..).for_each(|handle| _ = turn.clear(handle));
            }
        });
        started.borrow_mut().push(observe);
        drawing.ran(turn, "request", "handler", "●");
        drawing.ran(turn, "request", "observe", "○");
    });
}

/// What happened so far, one row for each atomic action.
#[derive(Default)]
struct Drawing(RefCell<Vec<Row>>);

struct Row {
    clock: String,
    from: Instant,
    to: Instant,
    cells: [String; COLUMNS.len()],
}

impl Drawing {
    /// Notes that a callback ran on a clock, taking 20 ms of physical time, or was released (○).
    fn ran(&self, turn: &mut Turn<'_>, clock: &str, callback: &str, shown: &str) {
        let logical = turn.clock(clock).map(|time| time.as_millis());
        let clock = logical.map_or(clock.to_owned(), |time| format!("{clock} {time:>4}"));
        let from = turn.now();
        if shown != "○" {
            turn.spend(ms(20));
        }
        let mut rows = self.0.borrow_mut();
        if rows.last().is_none_or(|row| row.clock != clock) {
            rows.push(Row { clock, from, to: from, cells: Default::default() });
        }
        let row = rows.last_mut().expect("a row was just made");
        row.to = turn.now();
        row.cells[COLUMNS.iter().position(|&name| name == callback).expect("a column")] =
            shown.to_owned();
    }

    fn render(&self) -> String {
        let [a, b, c, d, e] = COLUMNS;
        let mut out = format!("   physical     logical  {a}  {b}   {c}    {d}    {e}\n");
        let mut waits = [false; COLUMNS.len()];
        for Row { clock, from, to, cells } in self.0.borrow().iter() {
            let mut line = format!("{from} – {to}   {clock:7}");
            for (at, cell) in cells.iter().enumerate() {
                let line_on = if waits[at] { "│" } else { "" };
                line += &format!("  {:^9}", if cell.is_empty() { line_on } else { cell });
                // The handler runs once; the others come again.
                waits[at] = cell == "○" || waits[at] && (cell.is_empty() || at != 2);
            }
            out += line.trim_end();
            out.push('\n');
        }
        out + "\n○ released   ● ran   │ waits; all on one line is one atomic action\n"
    }
}

fn ms(millis: u64) -> Delay {
    Delay::from_millis(millis)
}
