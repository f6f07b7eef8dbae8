//! Small modules and parts of others that tools look for: the programs of `small_modules/`, in both worlds. The `.out`
//! file beside each is what Node 20 printed; `UPDATE=1` writes it anew, where Node is installed.

use crate::common::{compare, isolated, text};
use std::path::{Path, PathBuf};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small_modules").join(name)
}

/// What a program prints is what Node prints.
fn behaves_as_under_node(name: &str) {
    prints_what_node_does(name, &[], str::is_empty);
}

/// The same, with flags, and with something on the standard error stream.
fn prints_what_node_does(name: &str, flags: &[&str], told: fn(&str) -> bool) {
    let program = program(name);
    let expected = program.with_extension("out");
    if std::env::var_os("UPDATE").is_some() {
        let node = isolated("node").arg("--no-warnings").args(flags).arg(&program).output();
        compare(&expected, &text(node.expect("Node is installed").stdout));
    }
    let expected = std::fs::read_to_string(expected).expect("what Node prints is there");
    for world in ["run", "simulate"] {
        let output = crate::common::hemiola(Path::new("/"))
            .args([world, "--no-warnings"])
            .args(flags)
            .arg(&program)
            .output();
        let output = output.expect("hemiola can be run");
        let error = text(output.stderr);
        assert!(told(&error), "{world}: {error}");
        assert_eq!(text(output.stdout), expected, "{world}");
    }
}

/// LOOP-7.
#[test]
fn a_tail_waits_after_an_error_as_in_node() {
    behaves_as_under_node("after_errors.js");
}

#[test]
fn promises_that_are_settled_again_and_handled_rejections_are_told_as_in_node() {
    behaves_as_under_node("settled_again.js");
}

#[test]
fn text_is_decoded_from_the_encodings_of_east_asia() {
    behaves_as_under_node("encodings.js");
}

#[test]
fn lines_are_edited_as_in_node() {
    behaves_as_under_node("readline_terminal.mjs");
}

#[test]
fn a_session_of_repl_is_that_of_node() {
    behaves_as_under_node("repl.mjs");
}

#[test]
fn crypto_takes_texts_in_their_encoding_and_refuses_paddings_that_are_not_there() {
    behaves_as_under_node("crypto_arguments.js");
}

#[test]
fn lines_of_a_loop_within_a_loop_are_the_same() {
    behaves_as_under_node("readline_lines.js");
}

#[test]
fn keys_of_terminals_are_those_of_node() {
    behaves_as_under_node("readline_keys.js");
}

/// What is told of a report names a file that is another one each time.
#[test]
fn the_process_reports_what_is_known_of_it() {
    prints_what_node_does("report.js", &[], |told| {
        told.matches("Node.js report completed").count() == 3
    });
}

#[test]
fn scripts_run_as_long_as_they_may() {
    behaves_as_under_node("vm_timeout.js");
}

#[test]
fn errors_of_a_domain_go_to_it() {
    behaves_as_under_node("domain.js");
}

#[test]
fn a_listener_of_domains_stands_before_those_of_the_program() {
    behaves_as_under_node("domain_listeners.js");
}

#[test]
fn the_innermost_domain_that_listens_hears_of_an_error_and_goes_along_with_callbacks() {
    behaves_as_under_node("domains_within.js");
}

#[test]
fn the_process_has_the_parts_that_programs_replace_and_copy() {
    behaves_as_under_node("process_parts.js");
}

#[test]
fn timers_can_be_changed_by_their_properties() {
    behaves_as_under_node("timers_changed.js");
}

#[test]
fn hooks_hear_of_promises_and_change_once_all_is_told() {
    behaves_as_under_node("promise_hooks.js");
}

#[test]
fn hooks_hear_of_watchers_of_files_and_of_questions_for_names() {
    behaves_as_under_node("library_resources.js");
}

#[test]
fn tools_may_ask_for_what_is_not_there() {
    behaves_as_under_node("probes.js");
}

#[test]
fn source_maps_are_read() {
    behaves_as_under_node("source_maps.js");
}

#[test]
fn texts_are_cut_into_characters_words_and_sentences_and_locales_have_parts() {
    behaves_as_under_node("intl.js");
}

#[test]
fn resources_are_entries_up_to_a_limit() {
    behaves_as_under_node("resource_timing.js");
}

#[test]
fn histograms_keep_digits_of_values() {
    behaves_as_under_node("histograms.js");
}

/// What is not there says so by its name.
#[test]
fn what_is_refused_is_refused_by_name() {
    let program = "
        const attempt = (f) => { try { f(); } catch (error) { console.log(error.code, error.message); } };
        attempt(() => require('inspector').open());
        attempt(() => new (require('wasi').WASI)({ version: 'preview1' }));
        attempt(() => require('vm').createContext({}, { microtaskMode: 'afterEvaluate' }));
        console.log(navigator.userAgent, navigator.language, navigator.hardwareConcurrency > 0, navigator.platform);
        attempt(() => new Navigator());";
    let told = "\
ERR_INSPECTOR_NOT_AVAILABLE Inspector is not available: there is none in Hemiola; use `hemiola debug`
ERR_FEATURE_UNAVAILABLE_ON_PLATFORM wasi.WASI is not there: Hemiola has no WebAssembly; run the module with a runtime of its own, by node:child_process
ERR_FEATURE_UNAVAILABLE_ON_PLATFORM The feature vm microtaskMode is unavailable on the current platform, which is being used to run Node.js
Node.js/20 en-US true linux
ERR_ILLEGAL_CONSTRUCTOR Illegal constructor
";
    for world in ["run", "simulate"] {
        let output = crate::common::hemiola(Path::new("/")).args([world, "-e", program]).output();
        assert_eq!(text(output.expect("it starts").stdout), told, "{world}");
    }
}

#[test]
fn scripts_run_in_contexts_of_their_own() {
    behaves_as_under_node("vm_contexts.js");
}

#[test]
fn what_keeps_a_program_alive_is_listed() {
    behaves_as_under_node("active_resources.js");
}

#[test]
fn the_loop_says_how_busy_it_was() {
    behaves_as_under_node("loop_figures.js");
}

#[test]
fn in_a_long_tail_hooks_hear_of_all_ends() {
    behaves_as_under_node("many_ends.js");
}

#[test]
fn hooks_hear_of_what_began_before_them_and_of_ends_in_time() {
    behaves_as_under_node("late_hooks.js");
}

#[test]
fn frames_are_called_by_what_their_function_was_called_on() {
    behaves_as_under_node("stack_names.js");
}

#[test]
fn callbacks_are_called_on_handles_that_nobody_kept() {
    behaves_as_under_node("called_on.js");
}

#[test]
fn who_waits_for_what_fails_is_in_its_stack() {
    behaves_as_under_node("async_frames.js");
}

#[test]
fn mistakes_that_are_caught_have_the_messages_of_v8() {
    behaves_as_under_node("mistakes.js");
}

#[test]
fn hosts_measures_streams_and_channels_keep_the_rules_of_the_web_platform() {
    behaves_as_under_node("web_platform.js");
}

#[test]
fn streams_change_hands() {
    behaves_as_under_node("transferred_streams.js");
}

#[test]
fn signals_with_a_time_limit_are_held_for_who_listens() {
    prints_what_node_does("kept_signals.js", &["--expose-gc"], str::is_empty);
}

#[test]
fn sockets_take_handles_that_a_program_has_made() {
    behaves_as_under_node("own_handles.js");
}

#[test]
fn lines_of_a_repl_find_modules() {
    behaves_as_under_node("repl_modules.js");
}

#[test]
fn options_of_vm_are_checked() {
    behaves_as_under_node("vm_options.js");
}

#[test]
fn words_stand_in_the_order_of_a_dictionary() {
    behaves_as_under_node("order_of_words.js");
}

#[test]
fn versions_can_be_added() {
    behaves_as_under_node("added_versions.js");
}

#[test]
fn who_keeps_the_end_of_a_response_back_keeps_back_what_follows() {
    behaves_as_under_node("kept_back.js");
}

#[test]
fn long_texts_are_split_as_short_ones_are() {
    behaves_as_under_node("split_texts.js");
}

#[test]
fn kinds_of_links_are_checked_where_they_are_strings() {
    behaves_as_under_node("kinds_of_links.js");
}

#[test]
fn of_two_functions_after_a_file_the_second_is_called() {
    behaves_as_under_node("two_functions.js");
}

#[test]
fn errors_at_a_prompt_show_functions_without_names() {
    behaves_as_under_node("repl_frames.js");
}

#[test]
fn programs_are_told_that_there_is_tls() {
    behaves_as_under_node("tls_features.js");
}

#[test]
fn a_prompt_completes_what_programs_add_and_colours_details() {
    behaves_as_under_node("repl_completion.js");
}
