//! Texts that are no specs: every error points at the mistake and says what to do.

use hemiola_monitor::Spec;
use hemiola_trace::source::SourceError;
use proptest::prelude::*;

fn error(text: &str) -> SourceError {
    Spec::parse(text).err().unwrap_or_else(|| panic!("`{text}` is no spec"))
}

/// Checks the message and, by a line of carets under the text, the span.
#[track_caller]
fn check(text: &str, carets: &str, message: &str) {
    let error = error(text);
    let start = carets.find('^').expect("a caret");
    let expected = (start as u32, carets.len() as u32);
    assert_eq!(error.message, message, "`{text}`");
    assert_eq!((error.span.start, error.span.end), expected, "`{text}`: {error}");
}

#[test]
fn parentheses() {
    check("a (b c", "  ^", "unbalanced `(`");
    check("(a (b c)", "^", "unbalanced `(`");
    check("(a (b c", "   ^", "unbalanced `(`");
    check("(", "^", "unbalanced `(`");
    check("a b) c", "   ^", "unbalanced `)`");
    check(")", "^", "unbalanced `)`");
    check("() ) \"", "   ^", "unbalanced `)`");
}

#[test]
fn repetitions_of_nothing() {
    check("* a", "^", "expected an expression before `*`");
    check("a | + b", "    ^", "expected an expression before `+`");
    check("(? a)", " ^", "expected an expression before `?`");
    check("*\"", "^", "expected an expression before `*`");
}

#[test]
fn half_choices() {
    check("a |", "  ^", "expected an expression after `|`");
    check("a | $", "  ^", "expected an expression after `|`");
    check("(a |) b", "   ^", "expected an expression after `|`");
    check("a || b", "  ^", "expected an expression after `|`");
    check("| a", "^", "expected an expression before `|`");
    check("a (| b)", "   ^", "expected an expression before `|`");
    let help = error("a |").help;
    assert!(help.contains('?') && help.contains("()"), "{help}");
}

#[test]
fn dollars() {
    check("a $ b", "  ^", "`$` in the middle of a spec");
    check("$ $", "^", "`$` in the middle of a spec");
    check("a $*", "  ^", "`$` in the middle of a spec");
    check("a $ #", "  ^", "`$` in the middle of a spec");
    check("(a $)", "   ^", "`$` inside parentheses");
    check("a ($", "   ^", "`$` inside parentheses");
}

#[test]
fn words() {
    check("a # b", "  ^", "unexpected character `#`");
    check("a \0", "  ^", "unexpected character `\\0`");
    check("a 'b", "  ^", "unexpected character `'`");
    check("a ^ x", "  ^", "expected a name right after `^`");
    check("^", "^", "expected a name right after `^`");
    check("^1", "^", "expected a name right after `^`");
    check("^\"x\"", "^", "expected a name right after `^`");
    check("b a-b", "  ^^^", "a name cannot contain `-`");
    check("^a-3", " ^^^", "a name cannot contain `-`");
    check("a \"b c", "  ^", "unterminated quoted name");
    check("a \"b\\", "  ^", "unterminated quoted name");
    check("\"a\\n\"", "  ^^", "unknown escape in a quoted name");
}

#[test]
fn numbers() {
    check("a 9223372036854775808", "  ^^^^^^^^^^^^^^^^^^^", "number out of range");
    check("-9223372036854775809 a", "^^^^^^^^^^^^^^^^^^^^", "number out of range");
    check("12a b", "^^^", "expected an integer");
    check("1-2", "^^^", "expected an integer");
    check("a - b", "  ^", "expected an integer");
    check("1.5 b", "^^^", "expected an integer");
}

#[test]
fn a_character_of_several_bytes_is_marked_whole() {
    let error = error("é €");
    assert_eq!((error.span.start, error.span.end), (3, 6), "{error}");
}

#[test]
fn nesting_has_a_limit_and_no_cost_beyond_it() {
    let nested = |levels: usize| format!("{}a{}", "(b ".repeat(levels), ")*".repeat(levels));
    assert!(Spec::parse(&nested(200)).is_ok());
    let deep = error(&nested(201));
    assert_eq!(deep.message, "parentheses nest deeper than 200 levels");
    assert_eq!((deep.span.start, deep.span.end), (600, 601));
    assert_eq!(error(&"(".repeat(60_000)).span.start, 200);
    let after_another = format!("{} {}", nested(200), nested(200));
    assert!(Spec::parse(&after_another).is_ok(), "depth is not length");
    assert!(Spec::parse(&format!("a{}", "*+?".repeat(20_000))).is_ok(), "stacking is not depth");
}

#[test]
fn length_has_a_limit() {
    assert!(Spec::parse(&"a ".repeat(32 * 1024)).is_ok());
    for long in ["a ".repeat(600_000), "(".repeat(1_000_000), "€".repeat(400_000)] {
        let error = error(&long);
        assert_eq!(error.message, "a spec may be 65536 bytes long at most");
        assert_eq!(error.span.end as usize, long.len());
        assert!(long.is_char_boundary(error.span.start as usize));
    }
}

#[test]
fn size_has_a_limit() {
    for large in ["a? ".repeat(10_000), format!("(a{})*", "|b".repeat(10_000))] {
        let error = error(&large);
        assert_eq!(error.message, "this spec is too large to be compiled");
        assert_eq!((error.span.start, error.span.end as usize), (0, large.len()));
    }
    assert!(Spec::parse(&format!("(a{})*", "|b".repeat(1000))).is_ok());
}

#[test]
fn bound_names_have_a_limit() {
    let bind = |names: usize| (0..names).map(|at| format!("^n{at:02} ")).collect::<String>();
    assert!(Spec::parse(&bind(64).repeat(2)).is_ok());
    let error = error(&bind(65));
    assert_eq!(error.message, "a spec may bind 64 different names at most");
    assert_eq!((error.span.start, error.span.end), (64 * 5, 64 * 5 + 4));
}

/// Whatever the text, there is an answer; an error points into the text and is finished.
fn check_any(text: &str) -> Result<(), TestCaseError> {
    if let Err(error) = Spec::parse(text) {
        let (start, end) = (error.span.start as usize, error.span.end as usize);
        prop_assert!(start < end && end <= text.len(), "{error:?}");
        prop_assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{error:?}");
        for part in [&error.message, &error.label, &error.help] {
            prop_assert!(!part.is_empty() && !part.ends_with('.'), "{error:?}");
        }
        prop_assert!(!error.message.starts_with(char::is_uppercase), "{error:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_has_an_answer(text in any::<String>()) {
        check_any(&text)?;
    }

    #[test]
    fn any_bytes_have_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        check_any(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_mixture_of_signs_has_an_answer(text in r#"[ab^x1\-.|*+?()$" \\'é€]{0,24}"#) {
        check_any(&text)?;
    }
}
