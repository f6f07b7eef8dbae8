//! Events as lines for people, with the places where things were registered.

use hemiola_machine::{Event, Origin, Place};
use hemiola_trace::text::Text;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Of a line of source, at most so many characters are shown.
const MOST_SOURCE: usize = 60;

/// Writes events, and knows where what runs was registered.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: Text,
    sources: BTreeMap<String, String>,
    /// Paths are shown from here.
    directory: Option<PathBuf>,
    sites: BTreeMap<Origin, Place>,
    /// What was registered last.
    registered: Option<Origin>,
}

impl Lines {
    pub(super) fn new(sources: BTreeMap<String, String>) -> Self {
        Self { sources, directory: std::env::current_dir().ok(), ..Self::default() }
    }

    /// The line of an event, without its end. The place of what is registered there comes after it, by
    /// an event of its own.
    pub(super) fn line(&mut self, event: &Event) -> String {
        let mut line = String::new();
        self.text.line(event, &mut line);
        line.truncate(line.trim_end().len());
        self.registered = match event {
            Event::Released { release, .. } => Some(Origin::Release(*release)),
            Event::Queued { number, .. } => Some(Origin::Queued(*number)),
            Event::Requested { operation, .. } => Some(Origin::Operation(*operation)),
            _ => None,
        };
        let place = match event {
            // What is released may run again.
            Event::Began { origin: Some(origin @ Origin::Release(_)), .. } => {
                self.sites.get(origin).cloned()
            }
            Event::Began { origin: Some(origin), .. } => self.sites.remove(origin),
            Event::Cleared { release } => {
                self.sites.remove(&Origin::Release(*release));
                None
            }
            Event::Dropped { what } => {
                self.sites.remove(what);
                None
            }
            _ => None,
        };
        if let Some(place) = place {
            line.push_str(&self.place(&place));
        }
        line
    }

    /// What is added to the line before for the place of what it tells of.
    pub(super) fn site(&mut self, place: &Place) -> String {
        if let Some(registered) = self.registered.take() {
            self.sites.insert(registered, place.clone());
        }
        self.place(place)
    }

    /// A place, with what is written there.
    fn place(&self, place: &Place) -> String {
        let Place { file, line, column } = place;
        let path = file.strip_prefix("file://").unwrap_or(file);
        let directory = self.directory.as_ref().and_then(|directory| directory.to_str());
        let near = directory.and_then(|directory| path.strip_prefix(directory)?.strip_prefix('/'));
        let mut text = format!("  [{}:{line}:{column}", near.unwrap_or(path));
        let source = self.sources.get(path).or_else(|| self.sources.get(&**file));
        let row = (*line as usize).checked_sub(1);
        let source = source.zip(row).and_then(|(source, row)| source.lines().nth(row));
        if let Some(source) = source.and_then(|source| excerpt(source, *column)) {
            text.push_str("  ");
            text.push_str(&source);
        }
        text + "]"
    }
}

/// What is written in a line from a column on, which counts UTF-16 units from 1.
fn excerpt(line: &str, column: u32) -> Option<String> {
    let mut units = 1;
    let start = line.char_indices().find(|(_, letter)| {
        let is_there = units >= column;
        units += letter.len_utf16() as u32;
        is_there
    });
    let rest = line[start?.0..].trim();
    let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut short: String = rest.chars().take(MOST_SOURCE).map(visible).collect();
    if rest.chars().nth(MOST_SOURCE).is_some() {
        short.push('…');
    }
    (!short.is_empty()).then_some(short)
}
