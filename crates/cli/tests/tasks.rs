//! Tasks with levels and deadlines: `hemiola:tasks`, and `scheduler` of the web platform.

use crate::common::hemiola;
use std::path::Path;

/// What a program prints under a strategy, which must be the same live and in virtual time.
fn shown(strategy: &str, source: &str) -> String {
    let [live, virtual_time] = ["run", "simulate"].map(|command| {
        let mut words = hemiola(Path::new("."));
        let output = words.args([command, "--strategy", strategy, "-e", source]).output();
        let output = output.expect("the command can be started");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
        String::from_utf8(output.stdout).expect("output is text")
    });
    assert_eq!(live, virtual_time);
    live
}

const TASKS: &str = "const { runTask, runSchedule, runBackground, currentLevel } = require('hemiola:tasks');
    runBackground(() => console.log('background', currentLevel()), 60_000);
    runTask(() => console.log('low'), 'low');
    setImmediate(() => console.log('immediate', currentLevel()));
    runSchedule(() => {
      console.log('high');
      setImmediate(() => console.log('immediate of high', currentLevel()));
      process.nextTick(() => console.log('tick of high', currentLevel()));
    }, 5);
    console.log(runTask(() => console.log('never'), 'high').cancel());
    const moved = runTask(() => { console.log('moved'); console.log(moved.setLevel('low')); }, 'background');
    console.log(moved.setLevel('high'));";

#[test]
fn levels_order_tasks_and_are_inherited() {
    let expected = "true\ntrue\nhigh\ntick of high high\nmoved\nfalse\nimmediate of high high\nlow\n\
        immediate low\nbackground background\n";
    assert_eq!(shown("priority", TASKS), expected);
}

#[test]
fn other_strategies_order_tasks_among_themselves() {
    let source = "const { runTask } = require('hemiola:tasks');
        for (const level of ['background', 'low', 'high', 'low']) runTask(() => console.log(level), level);";
    for strategy in ["node-phases", "all", "priority"] {
        assert_eq!(shown(strategy, source), "high\nlow\nlow\nbackground\n", "{strategy}");
    }
}

#[test]
fn the_scheduler_of_the_web_platform() {
    let source = "const log = (text) => () => console.log(text);
        const controller = new TaskController({ priority: 'background' });
        controller.signal.onprioritychange = (event) =>
          console.log(event.previousPriority, '->', controller.signal.priority);
        scheduler.postTask(log('visible'));
        scheduler.postTask(log('background'), { priority: 'background' })
          .then(() => scheduler.postTask(() => 42, { delay: 5 })).then(console.log);
        scheduler.postTask(log('moved up'), { signal: controller.signal });
        scheduler.postTask(async () => {
          console.log('before yield');
          await scheduler.yield();
          console.log('after yield');
        }, { priority: 'user-blocking' });
        scheduler.postTask(log('blocking'), { priority: 'user-blocking' });
        controller.setPriority('user-blocking');
        const stopped = new TaskController();
        scheduler.postTask(log('never'), { signal: stopped.signal }).catch((error) => console.log(error.name));
        stopped.abort();
        scheduler.postTask(log('never'), { signal: stopped.signal }).catch((error) => console.log(error.name));
        scheduler.postTask(log('never'), { delay: 1, signal: AbortSignal.abort('why') }).catch(console.log);
        scheduler.postTask(() => { throw new Error('thrown'); }).catch((error) => console.log(error.message));";
    let expected = "background -> user-blocking\nAbortError\nAbortError\nwhy\nmoved up\nbefore yield\n\
        after yield\nblocking\nvisible\nthrown\nbackground\n42\n";
    assert_eq!(shown("priority", source), expected);
}

#[test]
fn a_task_waits_for_all_of_its_delay() {
    // Timers count from the beginning of the callback, which has gone on for a while.
    let source = "const start = performance.now();
        while (performance.now() - start < 4);
        const posted = performance.now();
        scheduler.postTask(() => console.log(performance.now() - posted >= 10), { delay: 10 });";
    assert_eq!(shown("node-phases", source), "true\n");
}

#[test]
fn bad_words_are_told_where_they_are_said() {
    let source = "const { runTask, runSchedule, runBackground } = require('hemiola:tasks');
        const task = () => {};
        for (const bad of [
          () => runTask(task, 'urgent'), () => runTask(task), () => runTask(5, 'low'),
          () => runBackground(task, -1), () => runSchedule(task, Infinity), () => runSchedule(task, NaN),
          () => runTask(task, 'low').setLevel('top'), () => new TaskController({ priority: 'top' }),
          () => new TaskSignal(), () => new TaskController().setPriority('top'),
        ]) try { bad(); console.log('accepted'); } catch (error) { console.log(error.code ?? error.name); }
        for (const options of [{ priority: 'top' }, { delay: -1 }, { signal: {} }])
          scheduler.postTask(task, options).catch((error) => console.log(error.name));
        scheduler.postTask(5).catch((error) => console.log(error.name));";
    let expected = "ERR_INVALID_ARG_VALUE\nERR_INVALID_ARG_VALUE\nERR_INVALID_ARG_TYPE\nERR_OUT_OF_RANGE\n\
        ERR_OUT_OF_RANGE\nERR_OUT_OF_RANGE\nERR_INVALID_ARG_VALUE\nTypeError\nERR_ILLEGAL_CONSTRUCTOR\n\
        TypeError\nTypeError\nTypeError\nTypeError\nTypeError\n";
    assert_eq!(shown("priority", source), expected);
}

#[test]
fn who_aborts_a_task_in_its_callback_rejects_it() {
    let source = "const controller = new TaskController();
        const own = new AbortController();
        scheduler.postTask(() => { controller.abort(); return 1; }, { signal: controller.signal })
          .then(console.log, (error) => console.log(error.name))
          .then(() => scheduler.postTask(async () => { own.abort('mine'); await 1; }, { signal: own.signal }))
          .then(console.log, console.log)
          .then(() => scheduler.postTask(() => 2, { signal: new AbortController().signal })).then(console.log);";
    for strategy in ["node-phases", "priority"] {
        assert_eq!(shown(strategy, source), "AbortError\nmine\n2\n");
    }
}

#[test]
fn signals_that_follow_another_are_changed_before_any_of_them_tells() {
    let source = "const controller = new TaskController({ priority: 'background' });
        const followers = [1, 2].map(() => TaskSignal.any([], { priority: controller.signal }));
        const all = [controller.signal, ...followers];
        all.forEach((signal, at) => {
          signal.onprioritychange = ({ previousPriority }) => console.log(at, previousPriority, String(all.map((one) => one.priority)));
        });
        controller.setPriority('user-blocking');
        const source = new AbortController();
        const combined = [1, 2].map(() => AbortSignal.any([source.signal]));
        const aborted = [source.signal, ...combined];
        aborted.forEach((signal, at) => { signal.onabort = () => console.log(at, String(aborted.map((one) => one.reason))); });
        source.abort('why');";
    let expected = "0 background user-blocking,user-blocking,user-blocking\n\
        1 background user-blocking,user-blocking,user-blocking\n\
        2 background user-blocking,user-blocking,user-blocking\n\
        0 why,why,why\n1 why,why,why\n2 why,why,why\n";
    assert_eq!(shown("node-phases", source), expected);
}

#[test]
fn signals_tell_of_a_changed_priority_in_the_order_in_which_they_were_made() {
    let source = "const controller = new TaskController();
        const first = [1, 2].map(() => TaskSignal.any([], { priority: controller.signal }));
        const second = first.map((signal) => TaskSignal.any([], { priority: signal }));
        const shown = [];
        [...first, ...second].forEach((signal, at) => { signal.onprioritychange = () => shown.push(at); });
        controller.setPriority('background');
        console.log(String(shown), second[1].priority);";
    assert_eq!(shown("node-phases", source), "0,1,2,3 background\n");
}

#[test]
fn what_yields_goes_on_before_tasks_begin() {
    let source = "const shown = [];
        const note = (text) => () => { shown.push(text); };
        scheduler.postTask(async () => {
          shown.push('begins');
          for (const text of ['goes on', 'and on']) {
            await scheduler.yield();
            shown.push(text);
          }
        });
        scheduler.postTask(note('later'));
        scheduler.postTask(note('background'), { priority: 'background' });
        scheduler.postTask(note('blocking'), { priority: 'user-blocking' });
        process.on('exit', () => console.log(shown.join(', ')));";
    for strategy in ["node-phases", "node", "priority"] {
        let expected = "blocking, begins, goes on, and on, later, background\n";
        assert_eq!(shown(strategy, source), expected, "{strategy}");
    }
}

#[test]
fn what_yields_for_ever_leaves_others_a_turn() {
    let source = "let timer = false;
        let later = false;
        scheduler.postTask(async () => {
          while (!timer || !later) await scheduler.yield();
          console.log('both had a turn');
        });
        scheduler.postTask(() => { later = true; });
        setTimeout(() => { timer = true; }, 1);";
    assert_eq!(shown("node-phases", source), "both had a turn\n");
}

/// A turn takes in what is more urgent than what it still has, and what goes on follows its signal.
#[test]
fn what_tasks_post_is_ordered_with_what_waits_already() {
    let source = "const shown = [];
        const note = (text) => () => { shown.push(text); };
        const post = (text, priority) => scheduler.postTask(note(text), { priority });
        const yielding = (name, options) => scheduler.postTask(async () => {
          shown.push(name);
          for (const priority of ['background', 'user-visible', 'user-blocking']) post(`${name} ${priority}`, priority);
          await scheduler.yield();
          shown.push(`${name} goes on`);
        }, options);
        const sinking = new TaskController({ priority: 'user-blocking' });
        (async () => {
          await Promise.all([yielding('visible', {}), post('waits'), post('last', 'background')]);
          await post('done', 'background');
          const moved = scheduler.postTask(async () => {
            const rest = scheduler.yield();
            sinking.setPriority('background');
            await rest;
            shown.push('sunk');
          }, { signal: sinking.signal });
          await Promise.all([moved, post('visible'), post('background', 'background')]);
          console.log(shown.join(', '));
        })();";
    for strategy in ["node-phases", "node", "priority"] {
        let expected = "visible, visible user-blocking, visible goes on, waits, visible user-visible, \
            last, visible background, done, visible, sunk, background\n";
        assert_eq!(shown(strategy, source), expected, "{strategy}");
    }
}

#[test]
fn a_batch_ends_when_the_rest_of_it_is_taken_back() {
    let source = "const controller = new TaskController();
        scheduler.postTask(() => controller.abort('stopped'));
        scheduler.postTask(() => console.log('never'), { signal: controller.signal }).catch((reason) => {
          console.log(reason);
          setTimeout(() => console.log('goes on'), 1);
        });";
    for strategy in ["all", "micro", "edge", "node-phases"] {
        assert_eq!(shown(strategy, source), "stopped\ngoes on\n", "{strategy}");
    }
}

/// An aborted task is rejected with the reason; that its callback fails of it, too, is no news.
#[test]
fn the_scheduler_has_the_classes_of_the_web_platform() {
    let source = "const controller = new TaskController();
        scheduler.postTask(async () => { controller.abort('why'); await scheduler.yield(); }, { signal: controller.signal }).catch(console.log);
        const calls = [() => Scheduler.prototype.postTask.call({}, () => {}), () => Scheduler.prototype.yield.call({})];
        for (const call of calls) call().catch((error) => console.log(error.code));
        console.log(scheduler instanceof Scheduler, String(new TaskPriorityChangeEvent('x', { previousPriority: 'background' })),
          Object.keys(TaskPriorityChangeEvent.prototype).join(), Object.keys(TaskSignal).join());
        for (const read of [() => TaskSignal.prototype.priority, () => TaskSignal.prototype.onprioritychange]) {
          try { read(); } catch (error) { console.log(error.code); }
        }
        console.log(AbortSignal.any(new Set([AbortSignal.abort('any')])).reason);";
    let expected = "true [object TaskPriorityChangeEvent] previousPriority any\nERR_INVALID_THIS\nERR_INVALID_ARG_TYPE\nany\n\
        ERR_INVALID_THIS\nERR_INVALID_THIS\nwhy\n";
    assert_eq!(shown("node-phases", source), expected);
}
