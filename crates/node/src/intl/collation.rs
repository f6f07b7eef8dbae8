//! In which order texts stand: by the rules of Unicode and of languages, as `Intl.Collator` and `localeCompare` have it.

use hemiola_engine::beyond;
use hemiola_engine::call::{Arg, Call, Characters, Fresh};
use icu_collator::options::{AlternateHandling, CaseLevel, CollatorOptions, Strength};
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::LazyLock;

/// The order for whoever asks for no language.
static USUAL: LazyLock<Usual> = LazyLock::new(Usual::new);

/// What a program has asked for, and the order that follows from it.
struct Opened {
    asked: (String, String, Option<bool>),
    order: CollatorBorrowed<'static>,
}

/// The natives about order. Scripts hold one by a small number, its place in the list of those that were opened.
pub(super) fn functions(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let object = Object::new(ctx.clone())?;
    let opened: Rc<RefCell<Vec<Opened>>> = Rc::default();
    let all = Rc::clone(&opened);
    let open = move |ctx: Ctx<'_>, locale: String, sensitivity: String, ignores: Option<bool>| {
        let asked = (locale, sensitivity, ignores);
        let known = all.borrow().iter().position(|one| one.asked == asked);
        if let Some(known) = known {
            return Ok(known);
        }
        let Some(order) = order_of(&asked.0, &asked.1, asked.2) else {
            return Err(Exception::throw_internal(&ctx, "there is no such order"));
        };
        let mut all = all.borrow_mut();
        all.push(Opened { asked, order });
        Ok(all.len() - 1)
    };
    object.set("open", Function::new(ctx.clone(), open)?)?;
    let compare = move |order: usize, left: Value<'_>, right: Value<'_>| {
        compare(&opened.borrow()[order].order, &left, &right)
    };
    object.set("compare", Function::new(ctx.clone(), compare)?)?;
    Ok(object)
}

/// The order of a locale, whose extension says what it is in particular; `sensitivity` is what texts have to differ in,
/// and `ignores` whether signs count, if not as the language has it.
fn order_of(
    locale: &str,
    sensitivity: &str,
    ignores: Option<bool>,
) -> Option<CollatorBorrowed<'static>> {
    let locale: Locale = locale.parse().ok()?;
    let mut options = CollatorOptions::default();
    options.strength = Some(match sensitivity {
        "base" | "case" => Strength::Primary,
        "accent" => Strength::Secondary,
        _ => Strength::Tertiary,
    });
    options.case_level = (sensitivity == "case").then_some(CaseLevel::On);
    options.alternate_handling = ignores.map(|ignores| match ignores {
        true => AlternateHandling::Shifted,
        false => AlternateHandling::NonIgnorable,
    });
    let mut preferences = CollatorPreferences::from(&locale);
    let exact = CollatorBorrowed::try_new(preferences, options);
    // Not every language has every kind of order.
    preferences.collation_type = None;
    exact.or_else(|_| CollatorBorrowed::try_new(preferences, options)).ok()
}

/// Which of two texts is first: below zero, zero or above it.
fn compare(order: &CollatorBorrowed<'static>, left: &Value<'_>, right: &Value<'_>) -> Result<i32> {
    let ordering = match (Arg::of(left).characters(), Arg::of(right).characters()) {
        (Some(left), Some(right)) => compare_characters(order, left, right),
        // One of them is in pieces.
        _ => order.compare_utf16(&beyond::utf16(left)?, &beyond::utf16(right)?),
    };
    Ok(ordering as i32)
}

/// `compareTexts(left, right)`: which of two texts is first in the usual order.
pub(super) fn compare_texts(call: &Call<'_>) -> Result<Fresh> {
    let ordering = match (call.at(0).characters(), call.at(1).characters()) {
        (Some(left), Some(right)) => USUAL.compare(left, right),
        _ => return compare(&USUAL.order, &call.arg(0), &call.arg(1)).map(Fresh::from),
    };
    Ok((ordering as i32).into())
}

/// The usual order, and what it makes of ASCII, which most texts are.
struct Usual {
    order: CollatorBorrowed<'static>,
    /// What each character counts as, capitals as small letters do; 0 is one that does not count.
    ranks: [u8; 128],
}

impl Usual {
    fn new() -> Self {
        let of = |sensitivity| order_of("en-US", sensitivity, None).expect("English is known");
        let base = of("base");
        let mut sorted: Vec<u8> = (0..128).collect();
        sorted.sort_by(|left, right| base.compare_latin1(&[*left], &[*right]));
        let mut ranks = [0; 128];
        let mut rank = 0;
        let mut before: &[u8] = &[];
        for character in &sorted {
            let own = std::slice::from_ref(character);
            rank += u8::from(base.compare_latin1(before, own) == Ordering::Less);
            ranks[usize::from(*character)] = rank;
            before = own;
        }
        Self { order: of("variant"), ranks }
    }

    fn compare(&self, left: Characters<'_>, right: Characters<'_>) -> Ordering {
        if let (Characters::Narrow(left), Characters::Narrow(right)) = (&left, &right)
            && left.is_ascii()
            && right.is_ascii()
            && let Some(ordering) = self.compare_ascii(left, right)
        {
            return ordering;
        }
        compare_characters(&self.order, left, right)
    }

    /// The same for ASCII: by what differs first, or else by length, or else by which capital comes first, which is
    /// after its small letter. Nothing where there is a character that does not count.
    fn compare_ascii(&self, left: &[u8], right: &[u8]) -> Option<Ordering> {
        let rank = |character: u8| self.ranks[usize::from(character)];
        let mut cases = Ordering::Equal;
        for (&left, &right) in left.iter().zip(right) {
            let ranks = (rank(left), rank(right));
            if ranks.0 == 0 || ranks.1 == 0 {
                return None;
            }
            match ranks.0.cmp(&ranks.1) {
                // Small letters have the larger numbers.
                Ordering::Equal => cases = cases.then(right.cmp(&left)),
                decided => return Some(decided),
            }
        }
        let (longer, length) =
            if left.len() > right.len() { (left, right.len()) } else { (right, left.len()) };
        if longer[length..].iter().any(|&character| rank(character) == 0) {
            return None;
        }
        Some(left.len().cmp(&right.len()).then(cases))
    }
}

fn compare_characters(
    order: &CollatorBorrowed<'static>,
    left: Characters<'_>,
    right: Characters<'_>,
) -> Ordering {
    match (left, right) {
        (Characters::Narrow(left), Characters::Narrow(right)) => order.compare_latin1(left, right),
        (Characters::Wide(left), Characters::Wide(right)) => order.compare_utf16(left, right),
        (Characters::Narrow(left), Characters::Wide(right)) => {
            order.compare_latin1_utf16(left, right)
        }
        (Characters::Wide(left), Characters::Narrow(right)) => {
            order.compare_latin1_utf16(right, left).reverse()
        }
    }
}
