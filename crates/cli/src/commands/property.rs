//! A property that observations of one run are held to: those of a trace, or of a fleet (rule FLEET-8).

use crate::report::Failure;
use crate::source::Source;
use hemiola_monitor::{End, Spec};
use hemiola_trace::Observation;
use std::path::Path;
use std::sync::Arc;

/// A property, and how it was written.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) text: String,
    pub(super) spec: Spec,
}

/// An observation, and the host that it was made on if there are several.
#[derive(Clone, Debug)]
pub(super) struct Shown<'a> {
    pub(super) host: Option<&'a str>,
    pub(super) value: &'a Observation,
}

impl Property {
    /// Reads what `--spec` gives.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        Self::of(Source { name: "--spec".into(), text: text.to_owned() })
    }

    /// The same, or the file that has it.
    pub(super) fn given(text: &str) -> Result<Self, Failure> {
        let path = Path::new(text);
        match path.is_file() {
            true => Self::of(crate::input::read_of(path, "a property")?),
            false => Self::parse(text),
        }
    }

    fn of(source: Source) -> Result<Self, Failure> {
        match Spec::parse(&source.text) {
            Ok(spec) => Ok(Self { text: source.text.trim().to_owned(), spec }),
            Err(error) => Err(Failure::at(source, error)),
        }
    }

    /// The first observation that breaks it; the number of them if it is the end that does.
    pub(super) fn broken<'a>(
        &self,
        all: impl IntoIterator<Item = Shown<'a>>,
        end: End,
    ) -> Option<usize> {
        let mut standing = self.spec.start();
        let mut count = 0;
        for Shown { host, value } in all {
            for one in host.map(named).iter().chain([value]) {
                standing = self.spec.advance(&standing, one);
            }
            if self.spec.failed(&standing) {
                return Some(count);
            }
            count += 1;
        }
        (!self.spec.conforms(&standing, end)).then_some(count)
    }
}

/// The name of a host as an observation: before each that was made there.
pub(super) fn named(host: &str) -> Observation {
    Observation::Name(Arc::from(host))
}
