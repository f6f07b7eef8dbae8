//! The example programs, with the bounds that their comments give.

use std::path::{Path, PathBuf};

/// An example program.
pub struct Example {
    pub name: String,
    pub text: String,
    /// What stands after `# bounds:`, as pairs.
    bounds: Vec<(String, String)>,
}

/// All examples of a folder, in the order of their names.
#[expect(clippy::disallowed_methods, reason = "the examples are files of this repository")]
pub fn examples(folder: &str) -> Vec<Example> {
    let folder = repository().join("examples").join(folder);
    let entries = std::fs::read_dir(&folder).expect("there is a folder of examples");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an example can be read").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are examples in {}", folder.display());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("an example is a text");
        assert!(text.starts_with("# "), "{} starts with what it shows", path.display());
        let line = text.lines().find_map(|line| line.strip_prefix("# bounds: "));
        let bounds = line.unwrap_or_default().split_whitespace().map(|pair| {
            let (key, value) = pair.split_once('=').expect("a bound is written key=value");
            (key.to_owned(), value.to_owned())
        });
        let name = path.file_stem().expect("an example has a name");
        Example { name: name.to_string_lossy().into_owned(), bounds: bounds.collect(), text }
    };
    paths.into_iter().map(read).collect()
}

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

impl Example {
    /// The bounds of a program in L.
    pub fn l_bounds(&self) -> hemiola_calculus::l::Bounds {
        let mut bounds = hemiola_calculus::l::Bounds::default();
        for (key, value) in &self.bounds {
            let number = || value.parse().expect("a bound is a number");
            let list = || value.split(',').map(str::to_owned);
            match key.as_str() {
                "obs" => bounds.observations = number(),
                "calls" => bounds.calls = number(),
                "dispatch" => bounds.dispatches = number(),
                "window" => bounds.starve_window = number(),
                "values" => bounds.values = list().collect(),
                "external" => {
                    let events = list().map(|event| {
                        let (name, most) = event.split_once(':').expect("an event has a budget");
                        (name.to_owned(), most.parse().expect("a budget is a number"))
                    });
                    bounds.external = events.collect();
                }
                _ => panic!("{}: L has no bound `{key}`", self.name),
            }
        }
        bounds
    }

    /// The bounds of a program in λasync.
    pub fn lasync_bounds(&self) -> hemiola_calculus::lasync::Bounds {
        let mut bounds = hemiola_calculus::lasync::Bounds::default();
        for (key, value) in &self.bounds {
            let number = || value.parse::<u32>().expect("a bound is a number");
            match key.as_str() {
                "ticks" => bounds.ticks = number().into(),
                "callbacks" => bounds.callbacks = number(),
                "window" => bounds.starve_window = number(),
                "values" => bounds.values = value.split(',').map(str::to_owned).collect(),
                _ => panic!("{}: λasync has no bound `{key}`", self.name),
            }
        }
        bounds
    }
}
