//! What a project says about its tests: the runner that they are written for, and how it is configured.

use super::process::{self, Around};
use crate::args::TestArgs;
use crate::report::Failure;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Names of files that configure runners.
const CONFIGURATIONS: [&str; 4] = ["jest.config.", "vitest.config.", "vite.config.", ".mocharc."];

/// What is known of a project.
#[derive(Debug)]
pub(super) struct Project {
    root: PathBuf,
    /// Which files are tests; if empty, names decide.
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    /// What it says about coverage.
    pub(super) coverage: Value,
    /// What happens before all files and after them, if anything does.
    around: Option<Value>,
    /// What its test files are told, as it was made of the configuration.
    settings: Map<String, Value>,
    /// What of the configuration was not understood.
    notes: Vec<String>,
}

impl Project {
    /// Reads the configuration of the project in a directory, if it has one.
    pub(super) fn read(root: &Path) -> Self {
        let mut project = Self {
            root: root.to_owned(),
            include: Vec::new(),
            exclude: Vec::new(),
            coverage: Value::Null,
            around: None,
            settings: Map::new(),
            notes: Vec::new(),
        };
        if has_configuration(root) {
            project.take(process::configuration(root));
        }
        project
    }

    fn take(&mut self, told: Result<Value, String>) {
        let mut told = match told {
            Ok(Value::Object(told)) => told,
            Ok(_) => return,
            Err(reason) => {
                self.notes.push(format!("the configuration of the tests cannot be read: {reason}"));
                return;
            }
        };
        let mut texts = |name: &str| -> Vec<String> {
            let list = told.remove(name);
            let list = list.as_ref().and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        self.include = texts("include");
        self.exclude = texts("exclude");
        self.notes.extend(texts("notes"));
        self.coverage = told.remove("coverage").unwrap_or_default();
        let parts = ["globalSetup", "globalTeardown"];
        if parts.iter().any(|name| told.contains_key(*name)) {
            let mut around = told.clone();
            around.insert("around".to_owned(), json!(true));
            around.insert("root".to_owned(), json!(self.root.to_string_lossy()));
            self.around = Some(Value::Object(around));
        }
        self.settings = told;
    }

    /// Does what the project wants done before all files; nothing if it wants nothing.
    pub(super) fn begin(&mut self) -> Result<Option<Around>, Failure> {
        let Some(settings) = &self.around else { return Ok(None) };
        let (around, more) = Around::begin(&self.root, settings).map_err(|reason| {
            Failure::new(format!("the globalSetup of the tests failed: {reason}"))
                .help("no test was run: repair it, or take it out of the configuration")
        })?;
        if let Value::Object(more) = more {
            self.settings.extend(more);
        }
        Ok(Some(around))
    }

    /// Whether its files are to run one after the other.
    pub(super) fn is_serial(&self) -> bool {
        self.settings.get("serial").is_some_and(|serial| serial == &Value::Bool(true))
    }

    /// What people should know before they see results.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What a file is told.
    pub(super) fn settings(&self, args: &TestArgs, names: Option<Vec<Vec<String>>>) -> Value {
        let mut settings = self.settings.clone();
        let mut set = |name: &str, value: Value| {
            if !value.is_null() {
                settings.insert(name.to_owned(), value);
            }
        };
        set("root", json!(self.root.to_string_lossy()));
        set("timeout", self.limit(args).map_or(json!(0), |limit| json!(limit.as_millis() as u64)));
        set("grep", json!(args.grep));
        set("names", json!(names));
        set("repeat", json!(args.repeat));
        set("retries", json!(args.retries));
        if args.only {
            set("only", json!(true));
        }
        if args.bail {
            set("bail", json!(true));
        }
        let is_ci =
            std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false");
        let update = match (args.update_snapshots, is_ci) {
            (true, _) => "all",
            (false, true) => "none",
            (false, false) => "new",
        };
        set("update", json!(update));
        Value::Object(settings)
    }

    /// Whether a file comes before tests, and is not what they are about.
    pub(super) fn is_setup(&self, path: &Path) -> bool {
        let files = self.settings.get("setup").and_then(Value::as_array).into_iter().flatten();
        files.filter_map(Value::as_str).any(|file| Path::new(file) == path)
    }

    /// How long a test may take; none is for ever.
    pub(super) fn limit(&self, args: &TestArgs) -> Option<Duration> {
        let usual = if self.settings.get("flavour").is_some_and(|flavour| flavour == "mocha") {
            2000
        } else {
            5000
        };
        let configured = self.settings.get("timeout").and_then(Value::as_u64);
        let millis = match args.timeout {
            Some(given) => given.as_millis(),
            None => configured.unwrap_or(usual),
        };
        (millis > 0).then(|| Duration::from_millis(millis))
    }
}

/// Whether anything may be configured: a file of a runner, `package.json` or `tsconfig.json`.
fn has_configuration(root: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(root) else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name == "package.json"
            || name == "tsconfig.json"
            || CONFIGURATIONS.iter().any(|start| name.starts_with(start))
    })
}
