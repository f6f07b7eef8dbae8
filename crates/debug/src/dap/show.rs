//! What a client sees of sources, frames and stops.

use crate::model::{Attached, Frame, Place, Reason, Standing, Thrown};
use crate::replica::End;
use crate::sources::Sources;
use serde_json::{Value, json};

/// What this adapter can do.
pub(super) fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsBreakpointLocationsRequest": true,
        "exceptionBreakpointFilters": [
            { "filter": "all", "label": "All exceptions", "default": false },
            { "filter": "uncaught", "label": "Uncaught exceptions", "default": true },
            {
                "filter": "chain",
                "label": "Stop only in this invocation and those that led to it",
                "description": "What attached it, what attached that, and so on to the main program",
                "default": false,
            },
        ],
    })
}

/// A text, by its path; one that is not on the disk as it was is fetched by its number.
pub(super) fn source(sources: Option<&Sources>, path: &str) -> Value {
    let name = path.rsplit('/').next().unwrap_or(path);
    match sources.and_then(|sources| sources.by_path(path)) {
        Some((number, source)) if source.differs => json!({
            "name": name,
            "path": path,
            "sourceReference": number,
            "origin": "as recorded",
        }),
        Some(_) => json!({ "name": name, "path": path }),
        None => json!({ "name": name, "path": path, "presentationHint": "deemphasize" }),
    }
}

/// The frames of a stack, and below them those who attached what runs.
pub(super) fn frames(
    sources: Option<&Sources>,
    frames: &[Frame],
    attached: &[Attached],
    lines: &Lines,
) -> Vec<Value> {
    let mut shown = Vec::new();
    for one in frames {
        shown.push(frame(sources, shown.len(), one.name(), &one.place, "normal", lines));
    }
    for Attached { invocation, place, step } in attached {
        let who =
            if *invocation <= 1 { "the main program".into() } else { format!("#{invocation}") };
        let at = step.map_or_else(String::new, |step| format!(" at step {step}"));
        shown.push(json!({
            "id": shown.len() + 1,
            "name": format!("linked by {who}{at}"),
            "line": 0,
            "column": 0,
            "presentationHint": "label",
        }));
        if let Some(place) = place {
            shown.push(frame(sources, shown.len(), "(attached here)", place, "subtle", lines));
        }
    }
    shown
}

fn frame(
    sources: Option<&Sources>,
    index: usize,
    function: &str,
    place: &Place,
    hint: &str,
    lines: &Lines,
) -> Value {
    json!({
        "id": index + 1,
        "name": function,
        "source": source(sources, &place.file),
        "line": lines.line_out(place.line),
        "column": lines.column_out(place.column),
        "presentationHint": hint,
    })
}

/// What a stop is told with.
pub(super) fn stopped(at: &Standing, reason: &Reason, end: Option<&End>) -> Value {
    let (word, description, text) = match reason {
        Reason::Step | Reason::Slice => ("step", format!("Step {}", at.step), None),
        Reason::Breakpoint(_) => ("breakpoint", format!("Breakpoint, at step {}", at.step), None),
        Reason::Exception(Thrown { text, is_uncaught, .. }) => {
            let kind = if *is_uncaught { "Uncaught exception" } else { "Exception" };
            ("exception", kind.to_owned(), Some(text.clone()))
        }
        Reason::Changed(_, before, after) => {
            ("data breakpoint", format!("Changed from {before} to {after}"), None)
        }
        Reason::Entry => ("entry", "The beginning of the recording".into(), None),
        Reason::Pause => ("pause", format!("Paused at step {}", at.step), None),
        Reason::End => {
            let how = end.map_or_else(String::new, End::words);
            ("pause", format!("The end of the recording ({how})"), None)
        }
    };
    let mut body = json!({
        "reason": word,
        "description": description,
        "threadId": 1,
        "allThreadsStopped": true,
        "hemiola": {
            "step": at.step,
            "invocation": at.invocation,
            "link": at.link,
            "cause": at.cause,
        },
    });
    if let Some(text) = text {
        body["text"] = text.into();
    }
    match reason {
        Reason::Breakpoint(ids) => body["hitBreakpointIds"] = json!(ids),
        Reason::Changed(id, ..) => body["hitBreakpointIds"] = json!([id]),
        _ => {}
    }
    body
}

/// Whether a client counts lines and columns from 1, as we do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Lines {
    pub(super) fn line_out(&self, line: u32) -> u32 {
        (line + self.line).saturating_sub(1)
    }

    pub(super) fn column_out(&self, column: u32) -> u32 {
        (column + self.column).saturating_sub(1)
    }

    pub(super) fn line_in(&self, line: u64) -> u32 {
        u32::try_from(line).unwrap_or(u32::MAX - 1).saturating_add(1 - self.line)
    }
}
