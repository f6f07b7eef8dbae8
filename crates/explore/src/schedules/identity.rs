//! Who is who, in any order of events.

use super::digest::Digest;
use super::grown::Grown;
use std::cmp::Ordering;

/// Something that a run registered: an invocation to come, or an operation (rule EXPL-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(u32);

impl Id {
    /// The main program.
    pub(crate) const MAIN: Self = Self(0);
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: Id,
    ordinal: u32,
    /// How many registrations lead to it.
    depth: u32,
    /// The registration of the main program that led to it.
    eldest: Id,
    digest: Digest,
}

/// The identities of one run: each is its parent's, and the how-manieth registration of that it is.
#[derive(Clone, Debug)]
pub(crate) struct Identities {
    entries: Grown<Entry>,
}

impl Default for Identities {
    fn default() -> Self {
        let main = Entry {
            parent: Id::MAIN,
            ordinal: 0,
            depth: 0,
            eldest: Id::MAIN,
            digest: Digest::of(&[0]),
        };
        let mut entries = Grown::default();
        entries.push(main);
        Self { entries }
    }
}

impl Identities {
    /// Lets copies have in common what there is by now.
    pub(crate) fn share(&mut self) {
        self.entries.share();
    }

    /// The identity of a registration.
    pub(crate) fn register(&mut self, parent: Id, ordinal: u32) -> Id {
        let &Entry { depth, eldest, digest, .. } = self.entries.get(parent.0 as usize);
        let digest = digest.and(u128::from(ordinal) + 1);
        let id = Id(self.entries.len() as u32);
        let eldest = if depth == 0 { id } else { eldest };
        self.entries.push(Entry { parent, ordinal, depth: depth + 1, eldest, digest });
        id
    }

    /// The same for equal identities of different runs.
    pub(crate) fn digest(&self, id: Id) -> Digest {
        self.entries.get(id.0 as usize).digest
    }

    /// Who registered it.
    pub(crate) fn parent(&self, id: Id) -> Id {
        self.entries.get(id.0 as usize).parent
    }

    /// What somebody has registered, in order.
    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let all = self.entries.iter().zip(0..).skip(1);
        all.filter(move |(entry, _)| entry.parent == id).map(|(_, number)| Id(number))
    }

    /// The registration of the main program that led to it.
    pub(crate) fn eldest(&self, id: Id) -> Id {
        self.entries.get(id.0 as usize).eldest
    }

    /// Those to whom fewer registrations lead come first; among equals, the one whose ancestor was
    /// registered first. In the default order of a program this is the order of age, and unlike that it
    /// does not depend on the order of events.
    pub(crate) fn order(&self, one: Id, other: Id) -> Ordering {
        let depth = |id: Id| self.entries.get(id.0 as usize).depth;
        depth(one).cmp(&depth(other)).then_with(|| {
            let (mut one, mut other) = (one, other);
            let mut order = Ordering::Equal;
            while one != other {
                let (first, second) =
                    (self.entries.get(one.0 as usize), self.entries.get(other.0 as usize));
                order = first.ordinal.cmp(&second.ordinal);
                (one, other) = (first.parent, second.parent);
            }
            order
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_ordered_as_a_family() {
        let mut ids = Identities::default();
        let first = ids.register(Id::MAIN, 0);
        let second = ids.register(Id::MAIN, 1);
        // Registered in another order than they stand in.
        let late = ids.register(second, 0);
        let early = ids.register(first, 5);
        assert_eq!(ids.order(first, second), Ordering::Less);
        assert_eq!(ids.order(second, early), Ordering::Less, "fewer registrations lead to it");
        assert_eq!(ids.order(early, late), Ordering::Less, "its parent comes first");
        assert_eq!(ids.order(late, late), Ordering::Equal);
        assert_ne!(ids.digest(early), ids.digest(late));
        let eldest = [Id::MAIN, first, early, late].map(|id| ids.eldest(id));
        assert_eq!(eldest, [Id::MAIN, first, first, second]);
    }
}
