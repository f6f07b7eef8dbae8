//! What specs mean, by example.

use hemiola_monitor::{End, Spec};
use hemiola_trace::Observation;

/// Words are written as they are shown: numbers are numbers, anything else is a name.
fn word(shown: &str) -> Vec<Observation> {
    let observation = |item: &str| item.parse().map_or_else(|_| item.into(), Observation::Number);
    shown.split_whitespace().map(observation).collect()
}

fn verdict(spec: &str, word: &[Observation], end: End) -> bool {
    let spec = Spec::parse(spec).unwrap_or_else(|error| panic!("`{spec}`: {error}"));
    let mut monitor = spec.monitor();
    word.iter().for_each(|observation| monitor.observe(observation));
    monitor.verdict(end)
}

/// Checks a spec, without `$`, against words of its language, mere prefixes, and neither.
#[track_caller]
fn check(spec: &str, whole: &[&str], prefixes: &[&str], others: &[&str]) {
    let with_dollar = format!("{spec} $");
    let rows = [(whole, true, true), (prefixes, true, false), (others, false, false)];
    for (words, prefix, member) in rows {
        for &shown in words {
            let word = word(shown);
            for end in [End::Cut, End::Complete] {
                assert_eq!(verdict(spec, &word, end), prefix, "`{spec}` on `{shown}`, {end:?}");
            }
            assert_eq!(verdict(&with_dollar, &word, End::Cut), prefix, "`{with_dollar}`, cut");
            assert_eq!(
                verdict(&with_dollar, &word, End::Complete),
                member,
                "`{with_dollar}` on `{shown}`"
            );
        }
    }
}

#[test]
fn sequences_and_choices() {
    check("a (b c | c b)", &["a b c", "a c b"], &["", "a", "a b", "a c"], &["b a c", "a b c d"]);
    check("a|b c|d", &["a", "b c", "d"], &["", "b"], &["c", "a c", "b d"]);
    check("(a|b)(c)d", &["a c d", "b c d"], &["", "b c"], &["a b", "c d"]);
}

#[test]
fn repetitions() {
    check("a*", &["", "a", "a a a"], &[], &["b", "a b"]);
    check("a+", &["a", "a a a"], &[""], &["b", "a b"]);
    check("a?", &["", "a"], &[], &["a a", "b"]);
    check("a? b* c+", &["c", "a c", "b b c c", "a b c"], &["", "a", "a b b"], &["a a", "c b"]);
    check("(a b)* c", &["c", "a b c", "a b a b c"], &["", "a", "a b"], &["a c", "a a"]);
    check("(a? b?)+", &["", "a", "b a", "a a b b"], &[], &["c", "a c"]);
}

#[test]
fn stacked_repetitions_are_all_meant() {
    for both in ["a*", "a*?", "a?*", "a+?", "a?+", "a**", "(a+)?", "((a?)+)", "a * + ?"] {
        check(both, &["", "a", "a a"], &[], &["b"]);
    }
    check("a++", &["a", "a a"], &[""], &["b"]);
    check("a??", &["", "a"], &[], &["a a"]);
}

#[test]
fn the_empty_spec_allows_nothing_to_be_shown() {
    for nothing in ["", " \t\n", "()", "( )", "()*", "()+ ()?", "() | ()"] {
        check(nothing, &[""], &[], &["a", "0"]);
    }
    check("a | ()", &["", "a"], &[], &["a a"]);
}

#[test]
fn a_name_equals_what_it_was_bound_to() {
    check("(^x)*", &["", "a", "a b 1 x"], &[], &[]);
    check("^x x*", &["a", "a a", "7 7 7", "x x"], &[""], &["a b", "a x", "7 7 8"]);
    check("^x y x", &["a y a", "y y y", "1 y 1"], &["", "a", "a y"], &["a x", "a y b", "a a"]);
}

#[test]
fn binding_again_forgets_the_old_value() {
    check("(^x x)*", &["", "a a", "a a b b"], &["a", "a a b"], &["a b", "a a b a"]);
    check("^x ^x x", &["a b b", "a a a"], &["", "a", "a b"], &["a b a"]);
    check("^x (^x | b) x", &["a c c", "a b b", "a b a"], &["a b"], &["a c a"]);
}

#[test]
fn a_name_not_bound_on_the_way_stands_for_itself() {
    check("(^x | a) x", &["a a", "a x", "b b", "x x"], &["", "a", "b"], &["b x", "a b", "b a"]);
    check("x ^x x", &["x a a"], &["", "x"], &["a", "x a x"]);
    check("(x ^x)+", &["x a", "x a a b"], &["", "x a a"], &["a", "x a x"]);
}

#[test]
fn two_names_are_held_at_once() {
    let spec = "^x ^y (x y | y x)*";
    check(spec, &["a b", "a b b a a b", "a a a a"], &["", "a", "a b a"], &["a b a a", "a b c"]);
}

#[test]
fn a_dot_is_any_observation() {
    check(". a .", &["b a 1", "a a a"], &["", "a", "b a"], &["a b", "a a a a"]);
    check(".* done", &["done", "a done", "done done"], &["", "a b", "done a"], &[]);
    check("1.*", &["1", "1 2 a"], &[""], &["2"]);
}

#[test]
fn numbers_are_not_names() {
    check("0 12 -3", &["0 12 -3"], &["", "0"], &["12", "0 -12"]);
    check("007 -0", &["7 0"], &["", "7"], &["8"]);
    check("9223372036854775807", &["9223372036854775807"], &[""], &["0"]);
    check("-9223372036854775808", &["-9223372036854775808"], &[""], &["0"]);
    assert!(verdict("\"3\"", &[Observation::name("3")], End::Cut));
    assert!(!verdict("\"3\"", &[Observation::Number(3)], End::Cut));
    assert!(!verdict("3", &[Observation::name("3")], End::Cut));
    assert!(!verdict("^x x", &[Observation::name("3"), Observation::Number(3)], End::Cut));
}

#[test]
fn a_quoted_name_is_never_a_variable() {
    check("^x \"x\"", &["a x", "x x"], &["", "a"], &["a a"]);
    let odd = r#"a "b" \ $"#;
    assert!(verdict(r#""a \"b\" \\ $""#, &[odd.into()], End::Complete));
    assert!(!verdict(r#""a \"b\" \\ $""#, &["a".into()], End::Complete));
    assert!(verdict("\"\"", &["".into()], End::Complete));
    assert!(verdict("\"two\nlines\"", &["two\nlines".into()], End::Complete));
}

#[test]
fn names_may_use_letters_of_any_script() {
    check("ключ' λ_1 _", &["ключ' λ_1 _"], &["ключ'"], &["λ_1"]);
    check("^é é", &["a a"], &["a"], &["a é"]);
}

#[test]
fn a_dollar_asks_only_complete_runs_for_a_whole_word() {
    let prefix = word("a b");
    assert!(!verdict("a b c $", &prefix, End::Complete));
    assert!(verdict("a b c$", &prefix, End::Cut));
    assert!(verdict("$", &[], End::Complete));
    assert!(!verdict(" $ ", &word("a"), End::Cut));
    assert!(Spec::parse("a $\n").expect("a spec").complete());
    assert!(!Spec::parse("a \"$\"").expect("a spec").complete());
}

#[test]
fn a_failed_run_stays_failed() {
    let spec = Spec::parse("a b | .").expect("a spec");
    let mut standing = spec.start();
    let failed = ["a", "c", "b", "a"].map(|name| {
        standing = spec.advance(&standing, &name.into());
        spec.failed(&standing)
    });
    assert_eq!(failed, [false, true, true, true]);
}
