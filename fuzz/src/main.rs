//! `fuzz`: attacks every reader with damaged inputs, and keeps what one does not survive.
//!
//! `fuzz run all --time 60` attacks all of them for a minute together, `fuzz repeat FILE` reads one input again. What an
//! input is follows from the corpus, the seed and its number, so that a line repeats a failure. Inputs are read in
//! processes of their own: a panic, an abort, a signal, too much memory and what never ends are all found the same way.

mod child;
mod damage;
mod driver;
mod engine;
mod readers;
mod rng;
mod scratch;
mod target;

use clap::{Parser, Subcommand};
use driver::{Failure, Plan, Summary};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use target::Target;

/// Found something, as for all commands.
const FOUND: u8 = 100;
/// The command line is wrong.
const USAGE: u8 = 2;

/// Attack readers with damaged inputs
#[derive(Debug, Parser)]
#[command(name = "fuzz")]
struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Read damaged inputs, and keep those that a reader does not survive
    Run {
        /// What to attack: a target, or `all`
        target: String,
        /// How many inputs for each target; without this and --time, 10000
        #[arg(long)]
        runs: Option<u64>,
        /// What the inputs follow from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How long, in seconds, for all targets together
        #[arg(long, value_name = "SECONDS")]
        time: Option<f64>,
        /// The number of the first input
        #[arg(long, default_value_t = 0)]
        first: u64,
        /// How long one input may compute, in seconds; it may wait for ten times as long
        #[arg(long, value_name = "SECONDS", default_value_t = 20)]
        limit: u64,
        /// Where failing inputs are written
        #[arg(long, default_value = "target/fuzz")]
        out: PathBuf,
    },
    /// Read one input again
    Repeat {
        /// A file that `run` wrote, or one of the corpus
        file: PathBuf,
        /// What reads it; by default, what the name of the file or of its folder says
        #[arg(long)]
        target: Option<String>,
        /// How long it may compute, in seconds; it may wait for ten times as long
        #[arg(long, value_name = "SECONDS", default_value_t = 20)]
        limit: u64,
    },
    /// Write an input to standard output
    Show {
        /// Whose
        target: String,
        /// The number of the input
        number: u64,
        /// What it follows from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// List the targets
    List,
    /// Read inputs in this process: `run` and `repeat` start it
    #[command(hide = true)]
    Child { target: String, directory: PathBuf, words: Vec<String> },
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        What::Run { target, runs, seed, time, first, limit, out } => {
            let runs = runs.unwrap_or(if time.is_some() { u64::MAX } else { 10_000 });
            let time = time.map_or(Duration::MAX, Duration::from_secs_f64);
            run(&target, &Plan { seed, first, runs, time, limit: Duration::from_secs(limit), out })
        }
        What::Repeat { file, target, limit } => repeat(&file, target, Duration::from_secs(limit)),
        What::Show { target, number, seed } => show_input(&target, seed, number),
        What::List => {
            Target::readers().iter().for_each(|target| println!("{}", target.name()));
            Ok(ExitCode::SUCCESS)
        }
        What::Child { target, directory, words } => as_child(&target, &directory, &words),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(USAGE)
    })
}

fn named(name: &str) -> io::Result<Target> {
    Target::named(name).ok_or_else(|| {
        let names: Vec<&str> = Target::readers().iter().map(|target| target.name()).collect();
        io::Error::other(format!("there is no target `{name}`; there are {}", names.join(", ")))
    })
}

fn run(name: &str, plan: &Plan) -> io::Result<ExitCode> {
    let targets = if name == "all" { Target::readers() } else { vec![named(name)?] };
    let mut found = 0;
    println!("seed {}", plan.seed);
    for &target in &targets {
        let time = plan.time / u32::try_from(targets.len()).expect("there are few targets");
        let summary = driver::attack(target, &Plan { time, ..plan.clone() })?;
        show(target, plan, &summary);
        found += summary.failures.len();
    }
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn show(target: Target, plan: &Plan, summary: &Summary) {
    let Summary { inputs, took, slowest: (millis, number), failures } = summary;
    let each_second = *inputs as f64 / took.as_secs_f64().max(0.001);
    let seconds = took.as_secs_f64();
    println!(
        "{:<13} {inputs:>8} inputs in {seconds:>6.1} s, {each_second:>7.0} a second, slowest {millis} ms (input {number}), {} failures",
        target.name(),
        failures.len()
    );
    for Failure { what, number, file, sizes: (before, after), alone } in failures {
        println!("  {}", what.trim_end().replace('\n', "\n    "));
        println!(
            "    input {number} of seed {}: {before} bytes, made {after}: {}",
            plan.seed,
            file.display()
        );
        match alone {
            true => println!("    again: fuzz repeat {}", file.display()),
            false => println!(
                "    only after others, again: fuzz run {} --seed {} --first {} --runs {}",
                target.name(),
                plan.seed,
                plan.first,
                number + 1 - plan.first
            ),
        }
    }
}

fn show_input(name: &str, seed: u64, number: u64) -> io::Result<ExitCode> {
    let target = named(name)?;
    io::stdout().write_all(&target.input(&target.corpus()?, seed, number))?;
    Ok(ExitCode::SUCCESS)
}

fn repeat(file: &Path, target: Option<String>, limit: Duration) -> io::Result<ExitCode> {
    let target = match target {
        Some(name) => named(&name)?,
        None => meant(file)
            .ok_or_else(|| io::Error::other("the file does not say what reads it: use --target"))?,
    };
    Ok(match driver::repeat(target, file, limit)? {
        None => {
            println!("{}: survived", target.name());
            ExitCode::SUCCESS
        }
        Some(what) => {
            println!("{}: {what}", target.name());
            ExitCode::from(FOUND)
        }
    })
}

/// The target that a file is named after, or its folder.
fn meant(file: &Path) -> Option<Target> {
    let names = [file.file_name()?, file.parent()?.file_name().unwrap_or_default()];
    let starts = |target: &&Target| {
        names.iter().any(|name| {
            let rest = name.to_str().and_then(|name| name.strip_prefix(target.name()));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    Target::ALL.iter().filter(starts).max_by_key(|target| target.name().len()).copied()
}

fn as_child(target: &str, directory: &Path, words: &[String]) -> io::Result<ExitCode> {
    let bad = || io::Error::other("only `fuzz` itself starts this");
    let number = |word: &String| word.parse::<u64>().map_err(|_| bad());
    let work = match words {
        [kind, file] if kind == "file" => child::Work::File(file.into()),
        [kind, seed, first, count, millis] if kind == "seeded" => child::Work::Seeded {
            seed: number(seed)?,
            first: number(first)?,
            count: number(count)?,
            // Without a limit there are more milliseconds than fit.
            time: millis.parse().map_or(Duration::MAX, Duration::from_millis),
        },
        _ => return Err(bad()),
    };
    child::run(named(target)?, work, directory)
}
