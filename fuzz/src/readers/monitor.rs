//! Properties and theories, and traces that are held to them.

use super::{Verdict, hold, text};
use hemiola_monitor::theory::{Theory, Trace};
use hemiola_monitor::{End, Spec};

/// A property: a run that shows something is followed by it.
pub fn spec(bytes: &[u8]) -> Verdict {
    let Some(spec) = text(bytes).and_then(|text| Spec::parse(text).ok()) else { return Ok(()) };
    let mut monitor = spec.monitor();
    let mut holds = true;
    for shown in ["a", "b", "x", "12", "a", "a", "open", "close"] {
        monitor.observe(&shown.into());
        let still = monitor.verdict(End::Cut);
        hold(holds || !still, || "a property that was violated holds again".into())?;
        holds = still;
    }
    let whole = monitor.verdict(End::Complete);
    hold(holds || !whole, || "a run that left a property is a whole word of it".into())
}

/// A theory, with which a trace is checked.
pub fn theory() -> impl FnMut(&[u8]) -> Verdict {
    let story = include_str!("../../given/bad-L1-late.json");
    let story = Trace::parse(story).expect("it is a trace");
    move |bytes| {
        if let Some(theory) = text(bytes).and_then(|text| Theory::parse(text).ok()) {
            story.check(&theory, story.params(&theory, [None; 3]));
        }
        Ok(())
    }
}

/// A trace that somebody wrote down, which is checked by the theory of schedulers.
pub fn story() -> impl FnMut(&[u8]) -> Verdict {
    let theory = Theory::declarative_scheduler();
    move |bytes| {
        if let Some(story) = text(bytes).and_then(|text| Trace::parse(text).ok()) {
            story.check(&theory, story.params(&theory, [None; 3]));
            story.environment();
        }
        Ok(())
    }
}
