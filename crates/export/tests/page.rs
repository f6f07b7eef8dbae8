//! What the page is given of a trace.

use hemiola_export::page::{Actions, Effect, Kind, Origin, Run, data, first_difference, html};
use hemiola_trace::{Class, wire};
use serde_json::Value;

/// Two intervals of a clock, an immediate, an operation with a tail, and a choice.
const TRACE: &str = r#"{"format":"hemiola-trace","version":1}
{"ev":"began","n":1,"link":1,"cause":1,"at":0}
{"ev":"opened","domain":2,"label":"A","origin":100}
{"ev":"released","release":1,"domain":2,"time":1000100,"delay":1000000,"period":1000000,"by":1}
{"ev":"site","file":"/a.js","line":1,"column":1}
{"ev":"released","release":2,"domain":2,"time":1000100,"delay":1000000,"period":1000000,"by":1}
{"ev":"site","file":"/a.js","line":2,"column":1}
{"ev":"requested","op":1,"by":1,"what":"fs.readFile \"/x\""}
{"ev":"site","file":"/a.js","line":3,"column":4}
{"ev":"queued","queued":1,"class":"immediate","link":1}
{"ev":"site","file":"/a.js","line":4,"column":1}
{"ev":"ended","n":1}
{"ev":"completed","op":1,"at":700}
{"ev":"chose","taken":1,"of":2}
{"ev":"began","n":2,"class":"io","op":1,"link":1,"cause":1,"at":800}
{"ev":"transferred","medium":"disk","read":12,"written":0}
{"ev":"wrote","stream":"out","text":"</script><script>alert(1)</script>\u2028\n"}
{"ev":"spent","nanos":4200}
{"ev":"ended","n":2}
{"ev":"began","n":3,"class":"promise","link":1,"cause":2,"at":800}
{"ev":"site","file":"/a.js","line":5,"column":3}
{"ev":"ended","n":3}
{"ev":"began","n":4,"class":"immediate","queued":1,"link":1,"cause":1,"at":900}
{"ev":"ended","n":4,"threw":"Error: no"}
{"ev":"began","n":5,"class":"timer","domain":2,"time":1000100,"release":1,"link":1,"cause":1,"at":1000400}
{"ev":"ended","n":5}
{"ev":"began","n":6,"class":"timer","domain":2,"time":1000100,"release":2,"link":1,"cause":1,"at":1000400}
{"ev":"observed","value":7}
{"ev":"cleared","release":2}
{"ev":"ended","n":6}
{"ev":"began","n":7,"class":"tick","link":6,"cause":6,"at":1000400}
{"ev":"ended","n":7}
{"ev":"began","n":8,"class":"timer","domain":2,"time":2000100,"release":1,"link":1,"cause":1,"at":2000200}
{"ev":"ended","n":8}
"#;

fn actions(trace: &str) -> Actions {
    Actions::of(&wire::read(trace.as_bytes()).expect("it is a trace"))
}

#[test]
fn an_action_knows_what_it_is_a_run_of_and_where_that_was_registered() {
    let actions = actions(TRACE);
    let lines: Vec<Option<u32>> = actions
        .list
        .iter()
        .map(|action| action.site.map(|site| actions.sites[site].line))
        .collect();
    assert_eq!(
        lines,
        [None, Some(3), Some(5), Some(4), Some(1), Some(2), None, Some(1)],
        "operations, promise jobs, immediates and timers"
    );
    let origins = [1, 4, 5, 7].map(|action: usize| actions.list[action].origin);
    assert_eq!(
        origins,
        [Origin::Operation(0), Origin::Release(0), Origin::Release(1), Origin::Release(0)]
    );
    assert_eq!(actions.releases[1].cleared, Some(5));
    assert_eq!(actions.operations[0].done, Some(700));
    assert_eq!(actions.list[1].spent, Some(4200));
    assert_eq!(actions.transfers[0].read, 12);
    assert!(actions.has_times);
}

#[test]
fn atomic_actions_are_the_callbacks_of_a_tag_and_their_tail() {
    let actions = actions(TRACE);
    let heads: Vec<bool> = actions.list.iter().map(|action| action.is_head).collect();
    assert_eq!(heads, [true, true, false, true, true, false, false, true]);
}

#[test]
fn what_was_shown_belongs_to_who_showed_it() {
    let actions = actions(TRACE);
    assert_eq!(actions.effects.iter().map(|(action, _)| *action).collect::<Vec<_>>(), [1, 3, 5]);
    assert_eq!(actions.effects[1].1, Effect::Threw("Error: no".into()));
    assert_eq!(actions.effects[2].1, Effect::Observed("7".into()));
}

#[test]
fn a_choice_names_what_was_able_to_run_and_ran_later() {
    let actions = actions(TRACE);
    let [choice] = actions.choices.as_slice() else { panic!("there is one choice") };
    assert_eq!((choice.before, choice.taken, choice.of), (1, 1, 2));
    assert_eq!(choice.others, [3], "the immediate was queued, the timers were not due");
    assert_eq!(actions.list[3].kind, Kind::Of(Class::Immediate));
}

#[test]
fn without_times_the_earliest_possible_ones_are_taken() {
    let lines = TRACE.lines().map(|line| match line.split_once(",\"at\":") {
        Some((began, _)) if line.contains("\"began\"") => format!("{began}}}\n"),
        _ => format!("{line}\n"),
    });
    let actions = actions(&lines.collect::<String>());
    assert!(!actions.has_times);
    let times: Vec<u64> = actions.list.iter().map(|action| action.at).collect();
    assert_eq!(times, [0, 700, 700, 700, 1_000_100, 1_000_100, 1_000_100, 2_000_100]);
}

#[test]
fn columns_can_be_read_back() {
    let actions = actions(TRACE);
    let data = data(&[Run { actions: actions.clone(), ..Run::default() }]);
    let columns = &data["runs"][0]["actions"];
    let list = |name: &str| -> Vec<i64> {
        columns[name].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()).collect()
    };
    let mut at = 0;
    for (index, action) in actions.list.iter().enumerate() {
        at += list("at")[index];
        assert_eq!(at, action.at as i64);
        assert_eq!(index as i64 - list("link")[index], action.link as i64);
        assert_eq!(index as i64 - list("cause")[index], action.cause as i64);
        let time = columns["lag"][index].as_i64().map(|lag| at - lag);
        assert_eq!(time, action.tag.map(|tag| tag.time.as_micros() as i64));
    }
    assert_eq!(columns["kind"], "mopiddtd");
    assert_eq!(columns["head"], "11011001");
}

#[test]
fn no_text_of_a_program_can_end_the_script_that_it_stands_in() {
    let sources = [("/a.js".to_owned(), "// </script> <!-- /*script*/ /*data*/".to_owned())];
    let run = Run {
        name: "<b>&/*style*/".into(),
        actions: actions(TRACE),
        sources: sources.into(),
        ..Run::default()
    };
    let page = html(&[run]);
    assert_eq!(page.matches("</script>").count(), 2, "that of the data and that of the page");
    assert_eq!(page.matches("<!--").count(), 0);
    let (_, rest) = page.split_once(r#"id="data">"#).unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let run = &data["runs"][0];
    assert_eq!(run["name"], "<b>&/*style*/");
    assert_eq!(run["texts"][0], "// </script> <!-- /*script*/ /*data*/");
    assert_eq!(run["effects"]["texts"][0], "</script><script>alert(1)</script>\u{2028}\n");
}

#[test]
fn runs_differ_in_what_they_do_and_not_in_physical_time() {
    let left = actions(TRACE);
    let later = TRACE.replace("\"at\":800", "\"at\":850").replace("\"at\":700", "\"at\":750");
    assert_eq!(first_difference(&left, &actions(&later), true), None);
    let other = actions(&TRACE.replace("\"value\":7", "\"value\":8"));
    let difference = first_difference(&left, &other, true).unwrap();
    assert_eq!((difference.at, difference.what), (5, "output"));
    assert_eq!(difference.left.as_deref(), Some("observed 7"));
    assert_eq!(difference.right.as_deref(), Some("observed 8"));
    let moved = actions(&TRACE.replace("\"line\":2", "\"line\":20"));
    assert_eq!(
        first_difference(&left, &moved, true).map(|difference| difference.what),
        Some("site")
    );
    assert_eq!(first_difference(&left, &moved, false), None, "it was edited");
    let cut: String = TRACE.lines().take(12).map(|line| format!("{line}\n")).collect();
    let difference = first_difference(&left, &actions(&cut), true).unwrap();
    assert_eq!((difference.at, difference.what, difference.right), (1, "end", None));
}

#[test]
fn a_trace_that_makes_no_sense_makes_a_page() {
    for trace in [
        "{\"format\":\"hemiola-trace\",\"version\":1}\n",
        "{\"format\":\"hemiola-trace\",\"version\":1}\n{\"ev\":\"ended\",\"n\":9}\n{\"ev\":\"chose\",\"taken\":0,\"of\":2}\n",
        "{\"format\":\"hemiola-trace\",\"version\":1}\n{\"ev\":\"observed\",\"value\":1}\n{\"ev\":\"spent\",\"nanos\":1}\n\
         {\"ev\":\"cleared\",\"release\":4}\n{\"ev\":\"completed\",\"op\":4,\"at\":1}\n{\"ev\":\"left\",\"n\":3}\n",
        "{\"format\":\"hemiola-trace\",\"version\":1}\n{\"ev\":\"began\",\"n\":7,\"class\":\"timer\",\"time\":18446744073709551615,\"domain\":3,\"release\":9,\"link\":99,\"cause\":98,\"at\":18446744073709551615}\n",
    ] {
        html(&[Run { actions: actions(trace), ..Run::default() }]);
    }
}

#[test]
fn the_licence_of_what_is_bundled_travels_with_the_page() {
    let page = html(&[]);
    assert!(page.contains("Copyright (c) 2015-present Jason Miller"), "Preact's notice");
    assert!(page.contains("Permission is hereby granted, free of charge"), "Preact's terms");
}
