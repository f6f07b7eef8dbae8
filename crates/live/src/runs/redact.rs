//! Recordings without what their owner would not tell anybody.

use super::secrets::{digested, is_secret, is_value};
use super::{Manifest, Run, RunError};
use hemiola_world::recording::{self, Entry, Kept, Sums};
use serde_json::Value;
use std::io::Write;
use zstd::stream::write::Encoder;

/// What is shorter may be anything else, too.
const SHORTEST: usize = 4;

impl Run {
    /// Packs the recording with a digest in place of every variable, and with stars in place of every secret that is
    /// known: its value is in the recording, or in the environment `here`.
    pub fn pack_redacted(
        &self,
        out: impl Write,
        here: &[(String, String)],
    ) -> Result<(), RunError> {
        let io = |error| RunError::Io(self.path.clone(), error);
        let mask = Mask::new(self.secrets(here)?);
        let (mut lines, mut sums) = (Vec::new(), Sums::default());
        let variables = (0..).zip(&self.manifest.env).map(|(at, (name, value))| {
            recording::Variable { at, name: name.clone(), kept: digested(value) }
        });
        let variables: Vec<Entry> = variables.map(Entry::of_variable).collect();
        recording::write(&mut lines, &variables, &mut sums).map_err(io)?;
        self.lines(|line, found| match found.first().and_then(Entry::variable) {
            Some(variable) => {
                let kept = match &variable.kept {
                    Kept::Value(value) => digested(value),
                    kept @ Kept::Digest { .. } => kept.clone(),
                };
                let entry = Entry::of_variable(recording::Variable { kept, ..variable.clone() });
                recording::write(&mut lines, &[entry], &mut sums).map_err(io)
            }
            None => {
                let masked = mask.line(line);
                let line = masked.as_deref().unwrap_or(line);
                let found = recording::read(line).unwrap_or(found);
                sums.add(line.as_bytes(), &found);
                writeln!(lines, "{line}").map_err(io)
            }
        })?;
        let mut manifest = Manifest {
            env: Vec::new(),
            redacted: true,
            inputs: self.manifest.inputs.map(|_| sums.count),
            digest: self.manifest.digest.as_ref().map(|_| sums.lines.hex()),
            program: self.manifest.program.as_ref().map(|_| sums.modules.hex()),
            ..self.manifest.clone()
        };
        manifest.words.iter_mut().chain(&mut manifest.text).for_each(|text| mask.text(text));
        let mut encoder = Encoder::new(out, 0).map_err(io)?;
        writeln!(encoder, "{}", manifest.to_json()).map_err(io)?;
        encoder.write_all(&lines).map_err(io)?;
        encoder.finish().map_err(io)?;
        Ok(())
    }

    /// The values of secrets, as far as they are known.
    fn secrets(&self, here: &[(String, String)]) -> Result<Vec<String>, RunError> {
        let own = self.manifest.env.iter().filter(|(name, value)| is_secret(name, value));
        let mut secrets: Vec<String> = own.map(|(_, value)| value.clone()).collect();
        self.lines(|_, found| {
            for variable in found.iter().filter_map(Entry::variable) {
                match &variable.kept {
                    Kept::Value(value) if !is_secret(&variable.name, value) => {}
                    Kept::Value(value) => secrets.push(value.clone()),
                    kept @ Kept::Digest { .. } => {
                        let same = here
                            .iter()
                            .find(|(name, value)| *name == variable.name && is_value(kept, value));
                        secrets.extend(same.map(|(_, value)| value.clone()));
                    }
                }
            }
            Ok(())
        })?;
        Ok(secrets)
    }
}

/// Puts stars in place of secrets, as many as they had bytes: sizes stay what they were.
struct Mask(Vec<(String, String)>);

impl Mask {
    /// A mask of those, and of the digits by which bytes are written that are no text.
    fn new(secrets: Vec<String>) -> Self {
        let known = secrets.into_iter().filter(|secret| secret.len() >= SHORTEST);
        let pairs = known.flat_map(|secret| {
            let digits: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
            let (stars, hidden) = ("*".repeat(secret.len()), "2a".repeat(secret.len()));
            [(secret, stars), (digits, hidden)]
        });
        let mut pairs: Vec<(String, String)> = pairs.collect();
        // One may be a part of another.
        pairs.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
        Self(pairs)
    }

    fn text(&self, text: &mut String) {
        for (secret, stars) in &self.0 {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), stars);
            }
        }
    }

    /// A line of the inputs; nothing if there is no secret in it.
    fn line(&self, line: &str) -> Option<String> {
        let mut value: Value = serde_json::from_str(line).ok()?;
        self.value(&mut value).then(|| value.to_string())
    }

    /// Whether there was a secret in it.
    fn value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let before = text.clone();
                self.text(text);
                before != *text
            }
            Value::Array(items) => items.iter_mut().fold(false, |any, item| self.value(item) | any),
            Value::Object(fields) => {
                fields.values_mut().fold(false, |any, item| self.value(item) | any)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}
