//! The process that reads inputs, and may die of them.
//!
//! It tells its parent by two files in a directory: `progress` has the number of the input that is being read, and
//! `report` what went wrong, if that could still be said.

use crate::engine;
use crate::readers::{Reader, Verdict};
use crate::target::Target;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many inputs an engine reads before there is a new one.
const TOGETHER: u64 = 50;

/// The exit status of a process that found something; the report says what.
const FOUND: u8 = 100;

/// Where a child tells what it does.
pub struct Files {
    progress: PathBuf,
    report: PathBuf,
    slowest: PathBuf,
}

impl Files {
    /// Those in a directory.
    pub fn at(directory: &Path) -> Self {
        Self {
            progress: directory.join("progress"),
            report: directory.join("report"),
            slowest: directory.join("slowest"),
        }
    }

    /// The number of the input that is being read; nothing before the first.
    pub fn progress(&self) -> Option<u64> {
        let bytes = fs::read(&self.progress).ok()?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    /// What went wrong.
    pub fn report(&self) -> Option<String> {
        fs::read_to_string(&self.report).ok()
    }

    /// How long the slowest input took, in milliseconds, and its number.
    pub fn slowest(&self) -> Option<(u64, u64)> {
        let text = fs::read_to_string(&self.slowest).ok()?;
        let (millis, number) = text.split_once(' ')?;
        Some((millis.parse().ok()?, number.parse().ok()?))
    }

    /// Forgets what another child said.
    pub fn clear(&self) {
        for file in [&self.progress, &self.report, &self.slowest] {
            // It need not be there.
            let _ = fs::remove_file(file);
        }
    }
}

/// The inputs of a child.
pub enum Work {
    /// Those with numbers from that one on, until so many were read or the time is up.
    Seeded {
        /// The seed of the run.
        seed: u64,
        /// The first of them.
        first: u64,
        /// How many.
        count: u64,
        /// How long.
        time: Duration,
    },
    /// The content of a file.
    File(PathBuf),
}

/// Reads inputs until one of them goes wrong.
pub fn run(target: Target, work: Work, directory: &Path) -> io::Result<ExitCode> {
    let files = Files::at(directory);
    // A panic anywhere in the process is a failure, also if somebody catches it.
    let report = files.report.clone();
    panic::set_hook(Box::new(move |info| {
        if !report.exists() {
            let trace = std::backtrace::Backtrace::force_capture().to_string();
            let ours = trace.lines().filter(|line| line.contains("crates/")).take(6);
            let ours: Vec<&str> = ours.map(str::trim).collect();
            // The first line is what is compared; who cannot write has a parent that sees the end.
            let _ = fs::write(
                &report,
                format!("panic: {info}\n").replace(":\n", ": ") + &ours.join("\n"),
            );
        }
    }));
    let mut told = Told {
        file: File::create(&files.progress)?,
        began: Instant::now(),
        at: None,
        slowest: (0, 0),
    };
    let verdict = panic::catch_unwind(AssertUnwindSafe(|| read_all(target, work, &mut told)));
    told.end();
    fs::write(&files.slowest, format!("{} {}", told.slowest.0, told.slowest.1))?;
    match verdict {
        Ok(Ok(())) if !files.report.exists() => return Ok(ExitCode::SUCCESS),
        Ok(Err(wrong)) if !files.report.exists() => {
            fs::write(&files.report, format!("wrong: {wrong}"))?
        }
        // The hook has told.
        _ => {}
    }
    Ok(ExitCode::from(FOUND))
}

fn read_all(target: Target, work: Work, told: &mut Told) -> Verdict {
    let fail = |error: io::Error| error.to_string();
    match work {
        Work::File(path) => {
            let input = fs::read(path).map_err(fail)?;
            read(&mut target.reader(), vec![input], 0, told)
        }
        Work::Seeded { seed, first, count, time } => {
            let corpus = target.corpus().map_err(fail)?;
            let mut reader = target.reader();
            let started = Instant::now();
            let step = if matches!(reader, Reader::Engine(_)) { TOGETHER } else { 1 };
            let mut number = first;
            while number < first + count && started.elapsed() < time {
                let end = (number + step).min(first + count);
                let inputs =
                    (number..end).map(|number| target.input(&corpus, seed, number)).collect();
                read(&mut reader, inputs, number, told)?;
                number = end;
            }
            told.at(number);
            Ok(())
        }
    }
}

fn read(reader: &mut Reader, inputs: Vec<Vec<u8>>, first: u64, told: &mut Told) -> Verdict {
    match reader {
        Reader::Each(read) => {
            for (number, input) in (first..).zip(&inputs) {
                told.at(number);
                read(input)?;
            }
            Ok(())
        }
        Reader::Engine(program) => {
            told.at(first);
            engine::read(program, &inputs, |index| told.at(first + index as u64))
        }
    }
}

/// What the parent is told.
struct Told {
    file: File,
    began: Instant,
    at: Option<u64>,
    /// In milliseconds, and the number.
    slowest: (u64, u64),
}

impl Told {
    /// An input begins; those before it were survived.
    fn at(&mut self, number: u64) {
        self.end();
        self.at = Some(number);
        self.file
            .write_all_at(&number.to_le_bytes(), 0)
            .expect("the file of progress can be written");
    }

    fn end(&mut self) {
        if let Some(number) = self.at {
            self.slowest = self.slowest.max((self.began.elapsed().as_millis() as u64, number));
        }
        self.began = Instant::now();
    }
}
