//! Where two traces part.

use crate::event::Event;

/// The first place at which two traces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// How many events they share before it.
    pub at: usize,
    /// What the first has there; nothing when it ends.
    pub left: Option<&'a Event>,
    /// What the second has there; nothing when it ends.
    pub right: Option<&'a Event>,
}

/// The first difference, or nothing when the traces are equal.
pub fn first_difference<'a>(left: &'a [Event], right: &'a [Event]) -> Option<Difference<'a>> {
    let at = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (left.get(at), right.get(at));
    (left.is_some() || right.is_some()).then_some(Difference { at, left, right })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Observation;

    #[test]
    fn the_first_difference_is_named_with_both_sides() {
        let event = |n: i64| Event::Observed(Observation::Number(n));
        let (long, other) = ([event(1), event(2)], [event(1), event(3)]);
        assert_eq!(first_difference(&long, &long), None);
        let difference = first_difference(&long, &other).unwrap();
        assert_eq!(
            (difference.at, difference.left, difference.right),
            (1, Some(&long[1]), Some(&other[1]))
        );
        let shorter = first_difference(&long, &long[..1]).unwrap();
        assert_eq!((shorter.at, shorter.left, shorter.right), (1, Some(&long[1]), None));
    }
}
