//! Levels that callbacks inherit from whoever attached them (rule PRIO-2), and what `scheduler` makes of them.

use crate::common::{hemiola, text};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/contexts")
}

/// What a command prints; it must print nothing else.
fn shown(words: &[&str]) -> String {
    let output = hemiola(&folder()).args(words).output().expect("the command can be started");
    assert_eq!(text(output.stderr), "", "{words:?}");
    text(output.stdout)
}

/// The example of the paper's section 6: not the cause counts, but the link.
#[test]
fn prio_2_a_reaction_has_the_level_of_its_link() {
    let example = |name: &str, link: &str, cause: &str| {
        format!(
            "{name}: resolved at {cause}\n{name}: then at {link}\n{name}: await at {link}\n\
             {name}: its immediate at {link}\n{name}: its operation at {link}\n"
        )
    };
    let expected = example("as printed", "high", "low")
        + &example("the other way round", "background", "high")
        + &example("only the cause", "low", "high");
    for mode in ["run", "simulate"] {
        assert_eq!(
            shown(&[mode, "--strategy", "priority", "levels/paper-6.js"]),
            expected,
            "{mode}"
        );
    }
}

/// Every callback of random programs has the level that it was given by hand.
#[test]
fn prio_2_levels_never_leak() {
    for strategy in ["priority", "node-phases", "micro"] {
        for chains in ["", "chains"] {
            let words = ["simulate", "--strategy", strategy, "levels.cjs", "1", "60", chains];
            let looked = shown(&words);
            assert!(looked.starts_with("looked "), "{strategy} {chains}: {looked}");
            assert_eq!(shown(&words), looked, "{strategy} {chains}");
        }
    }
    let looked = shown(&["run", "--strategy", "priority", "levels.cjs", "61", "60"]);
    assert!(looked.starts_with("looked "), "{looked}");
}

/// What `yield` inherits goes through promise jobs, but not through timers.
#[test]
fn a_task_goes_on_with_what_it_was_posted_with() {
    let source = "
        const { currentLevel } = require('hemiola:tasks');
        const controller = new TaskController({ priority: 'background' });
        const log = (text) => console.log(text, currentLevel());
        scheduler.postTask(async () => {
          await null;
          await new Promise((resolve) => setTimeout(resolve, 1));
          controller.setPriority('user-blocking');
          setTimeout(() => scheduler.yield().then(() => log('of a timer')), 1);
          scheduler.postTask(() => log('posted before'), { priority: 'user-visible' });
          await scheduler.yield();
          log('went on');
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.abort('enough');
          await scheduler.yield();
        }, { signal: controller.signal }).catch((reason) => console.log(reason));";
    let expected = "went on background\nposted before low\nof a timer background\nenough\n";
    assert_eq!(shown(&["simulate", "--strategy", "priority", "-e", source]), expected);
}

/// What the web platform refuses, in the words that its users know.
#[test]
fn bad_input_of_the_scheduler() {
    let source = "
        const nothing = () => {};
        const controller = new TaskController();
        controller.signal.onprioritychange = () => {
          try { controller.setPriority('background'); } catch (error) { console.log(error.name, error.message); }
        };
        for (const bad of [
          () => new TaskController({ priority: 'top' }), () => new TaskController({ priority: null }), () => new TaskController(5),
          () => controller.setPriority('top'), () => controller.setPriority(), () => controller.setPriority('user-blocking'),
          () => TaskSignal.any(), () => TaskSignal.any([1]), () => TaskSignal.any([], { priority: 'top' }),
          () => new TaskPriorityChangeEvent('x'), () => new TaskPriorityChangeEvent('x', {}),
          () => new TaskPriorityChangeEvent('x', { previousPriority: 'top' }), () => new scheduler.constructor(),
        ]) try { bad(); console.log('accepted'); } catch (error) { console.log(error.name, error.message); }
        const tries = [[5], [nothing, 5], [nothing, { priority: 'top' }], [nothing, { priority: null }], [nothing, { signal: {} }],
          [nothing, { signal: null }], [nothing, { delay: -1 }], [nothing, { delay: NaN }], [nothing, { delay: Infinity }],
          [nothing, { delay: 2 ** 60 }], [nothing, { signal: AbortSignal.abort('why') }], [nothing, { delay: '1.5' }], [nothing, null]];
        (async () => {
          for (const words of tries) await scheduler.postTask(...words).then(() => console.log('done'), (error) => console.log(error.message ?? error));
        })();";
    let value = |text: &str| {
        format!(
            "The provided value '{text}' is not a valid enum value of type TaskPriority \
             (user-blocking, user-visible or background)."
        )
    };
    let (top, null) = (value("top"), value("null"));
    let controller = "TypeError Failed to construct 'TaskController': ";
    let read = "Failed to read the 'priority' property from 'TaskControllerInit': ";
    let set = "TypeError Failed to execute 'setPriority' on 'TaskController': ";
    let any = "TypeError Failed to execute 'any' on 'TaskSignal': ";
    let event = "TypeError Failed to construct 'TaskPriorityChangeEvent': ";
    let previous =
        "Failed to read the 'previousPriority' property from 'TaskPriorityChangeEventInit': ";
    let post = "Failed to execute 'postTask' on 'Scheduler': ";
    let option = |name: &str| {
        format!("{post}Failed to read the '{name}' property from 'SchedulerPostTaskOptions': ")
    };
    let expected = [
        format!("{controller}{read}{top}"),
        format!("{controller}{read}{null}"),
        format!("{controller}The provided value is not of type 'TaskControllerInit'."),
        format!("{set}{top}"),
        format!("{set}1 argument required, but only 0 present."),
        "NotAllowedError Cannot change priority when a prioritychange event is in progress.".into(),
        "accepted".into(),
        format!("{any}The provided value cannot be converted to a sequence."),
        format!("{any}Failed to convert value to 'AbortSignal'."),
        format!("{any}Failed to read the 'priority' property from 'TaskSignalAnyInit': {top}"),
        format!("{event}2 arguments required, but only 1 present."),
        format!("{event}{previous}Required member is undefined."),
        format!("{event}{previous}{top}"),
        "TypeError Illegal constructor".into(),
        format!("{post}parameter 1 is not of type 'Function'."),
        format!("{post}The provided value is not of type 'SchedulerPostTaskOptions'."),
        format!("{}{top}", option("priority")),
        format!("{}{null}", option("priority")),
        format!("{}Failed to convert value to 'AbortSignal'.", option("signal")),
        format!("{}Failed to convert value to 'AbortSignal'.", option("signal")),
        format!("{}Value is outside the 'unsigned long long' value range.", option("delay")),
        format!("{}Value is not of type 'unsigned long long'.", option("delay")),
        format!("{}Value is infinite and not of type 'unsigned long long'.", option("delay")),
        format!("{}Value is outside the 'unsigned long long' value range.", option("delay")),
        "why".into(),
        "done".into(),
        "done".into(),
    ];
    let shown = shown(&["simulate", "--strategy", "priority", "-e", source]);
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}
