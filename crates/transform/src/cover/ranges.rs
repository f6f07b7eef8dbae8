//! What the counters of a text say about it: ranges of its characters with counts, nested as in V8's reports.

use super::{Coverage, Function, Place};
use crate::positions::{is_break, units};

/// What is said of a part after which a branch or an `await` within an expression comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribution {
    /// What V8 says: what follows a branch counts as what is around it, also where that was left before; and
    /// what follows an `await` in a branch counts as the branch.
    V8,
    /// What was executed.
    Exact,
}

/// A function's ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRanges {
    /// Its name; empty if it has none.
    pub name: String,
    /// The function itself, and parts of it that have another count than what is around them, in the order of
    /// the text.
    pub ranges: Vec<Range>,
    /// Whether more is known than how often it was called.
    pub is_block: bool,
}

/// A part of a text that was executed so many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first character, in UTF-16 units.
    pub start: u32,
    /// After the last.
    pub end: u32,
    /// How often it was executed.
    pub count: u64,
}

/// What is counted in a text, by offsets in its source, in UTF-16 units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The functions, the whole text first.
    pub functions: Vec<Counted>,
}

/// A function of a [`Table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its name; empty if it has none.
    pub name: String,
    /// Start, end, counter of all of it.
    pub whole: [u32; 3],
    /// Whether it sets the fields of a class.
    pub sets_fields: bool,
    /// Start, end, counter of parts that are entered or not.
    pub blocks: Vec<[u32; 3]>,
    /// What follows a part that is not always left at its end: where that part begins, where this does, counter.
    pub rests: Vec<[u32; 3]>,
}

impl Coverage {
    /// What is counted, in the source that the counters were put into.
    #[must_use]
    pub fn table(&self, source: &str) -> Table {
        let lines = Lines::of(source);
        let span = |start, end, counter| [lines.offset(start), lines.offset(end), counter];
        let function = |one: &Function| Counted {
            name: one.name.to_string(),
            whole: span(one.start, one.end, one.counter),
            sets_fields: one.sets_fields,
            blocks: one.blocks.iter().map(|it| span(it.start, it.end, it.counter)).collect(),
            rests: one.rests.iter().map(|it| span(it.from, it.at, it.counter)).collect(),
        };
        Table { functions: self.functions.iter().map(function).collect() }
    }
}

impl Table {
    /// The ranges of all functions that a report has, in the order of the text, for what was counted.
    #[must_use]
    pub fn ranges(&self, counts: &[u64], attribution: Attribution) -> Vec<FunctionRanges> {
        let count = |counter: u32| counts.get(counter as usize).copied().unwrap_or_default();
        let ranges =
            |function: &Counted| Parts::of(function, attribution).ranges(&count, attribution);
        let mut found: Vec<(&Counted, Vec<Range>)> =
            self.functions.iter().map(|function| (function, ranges(function))).collect();
        found.sort_by_key(|(_, ranges)| (ranges[0].start, std::cmp::Reverse(ranges[0].end)));
        let mut reported = Vec::new();
        let mut around: Vec<&[Range]> = Vec::new();
        for (function, ranges) in &found {
            let own = ranges[0];
            while around.pop_if(|outer| outer[0].end <= own.start).is_some() {}
            // What is in a function that was never called goes without saying.
            let outside = around.last().map(|outer| outer[0].count);
            if own.count > 0 || outside != Some(0) {
                let is_block = own.count > 0 || function.sets_fields;
                let name = function.name.clone();
                reported.push(FunctionRanges { name, ranges: ranges.clone(), is_block });
            }
            around.push(ranges);
        }
        reported
    }
}

/// Where lines begin, in UTF-16 units.
struct Lines(Vec<u32>);

impl Lines {
    fn of(source: &str) -> Self {
        let (mut starts, mut at) = (vec![0], 0);
        let mut chars = source.chars().peekable();
        while let Some(char) = chars.next() {
            at += units(char);
            if is_break(char) && !(char == '\r' && chars.peek() == Some(&'\n')) {
                starts.push(at);
            }
        }
        Self(starts)
    }

    fn offset(&self, (line, column): Place) -> u32 {
        self.0.get(line as usize - 1).copied().unwrap_or_default() + column - 1
    }
}

/// A part of a function and what is in it.
struct Parts {
    start: u32,
    end: u32,
    counter: u32,
    blocks: Vec<Parts>,
    rests: Vec<(u32, u32)>,
}

/// A range with those in it.
struct Nested {
    start: u32,
    end: u32,
    count: u64,
    inner: Vec<Nested>,
}

impl Parts {
    /// All of a function.
    fn of(function: &Counted, attribution: Attribution) -> Self {
        let new = |&[start, end, counter]: &[u32; 3]| {
            let (blocks, rests) = (Vec::new(), Vec::new());
            Self { start, end, counter, blocks, rests }
        };
        let mut all = new(&function.whole);
        let mut blocks: Vec<Self> = function.blocks.iter().map(new).collect();
        blocks.sort_by_key(|block| (block.start, std::cmp::Reverse(block.end)));
        blocks.into_iter().for_each(|block| all.add_block(block));
        for &[from, at, counter] in &function.rests {
            // Whether something in a branch was suspended says nothing of what follows the branch.
            if attribution == Attribution::V8 || all.end_around(from) >= at {
                all.add_rest(at, counter);
            }
        }
        all.settle();
        all
    }

    fn add_block(&mut self, block: Self) {
        match self.blocks.last_mut() {
            Some(last) if block.start < last.end => last.add_block(block),
            _ => self.blocks.push(block),
        }
    }

    /// Where the innermost block ends that holds a place.
    fn end_around(&self, at: u32) -> u32 {
        let before = self.blocks.partition_point(|block| block.start <= at);
        let inner = self.blocks[..before].last().filter(|block| at < block.end);
        inner.map_or(self.end, |block| block.end_around(at))
    }

    fn add_rest(&mut self, at: u32, counter: u32) {
        let before = self.blocks.partition_point(|block| block.start < at);
        let inner = self.blocks[..before].last_mut().filter(|block| at < block.end);
        match inner {
            Some(block) => block.add_rest(at, counter),
            None => self.rests.push((at, counter)),
        }
    }

    /// Puts what was added in order. Of two at one place, what ends later says what comes then.
    fn settle(&mut self) {
        self.rests.reverse();
        self.rests.sort_by_key(|&(at, _)| at);
        self.rests.dedup_by_key(|&mut (at, _)| at);
        self.blocks.iter_mut().for_each(Self::settle);
    }

    fn ranges(&self, count: &impl Fn(u32) -> u64, attribution: Attribution) -> Vec<Range> {
        let mut whole = self.nested(count, attribution, 1);
        if whole.count == 0 {
            whole.inner.clear();
        }
        let mut ranges = Vec::new();
        whole.flatten(&mut ranges);
        ranges
    }

    /// `closing` is how many characters at the end belong to nothing in it: the brace of a function.
    fn nested(
        &self,
        count: &impl Fn(u32) -> u64,
        attribution: Attribution,
        closing: u32,
    ) -> Nested {
        let own = count(self.counter);
        let end = self.end.saturating_sub(closing);
        let mut inner: Vec<Nested> = Vec::new();
        let (mut at, mut current) = (self.start, own);
        let mut blocks = self.blocks.iter().peekable();
        let mut rests = self.rests.iter().peekable();
        let close = |inner: &mut Vec<Nested>, at: u32, until: u32, count: u64| {
            if at < until && count != own {
                inner.push(Nested { start: at, end: until, count, inner: Vec::new() });
            }
        };
        loop {
            let rest = rests.peek().map_or(u32::MAX, |(at, _)| *at);
            let block = blocks.peek().map_or(u32::MAX, |block| block.start);
            if rest <= block {
                let Some(&(place, counter)) = rests.next() else { break };
                close(&mut inner, at, place.min(end), current);
                (at, current) = (place, count(counter));
                continue;
            }
            let Some(next) = blocks.next() else { break };
            close(&mut inner, at, next.start, current);
            let nested = next.nested(count, attribution, 0);
            match nested.count == own {
                true => inner.extend(nested.inner),
                false => inner.push(nested),
            }
            at = next.end;
            if attribution == Attribution::V8 {
                current = own;
            }
        }
        close(&mut inner, at, end, current);
        Nested { start: self.start, end: self.end, count: own, inner: joined(inner) }
    }
}

/// The same with one range for neighbours of the same count.
fn joined(ranges: Vec<Nested>) -> Vec<Nested> {
    let mut found: Vec<Nested> = Vec::new();
    for range in ranges {
        match found.last_mut() {
            Some(last) if last.end == range.start && last.count == range.count => {
                last.end = range.end;
                last.inner.extend(range.inner);
            }
            _ => found.push(range),
        }
    }
    found
}

impl Nested {
    fn flatten(self, ranges: &mut Vec<Range>) {
        let Self { start, end, count, inner } = self;
        ranges.push(Range { start, end, count });
        inner.into_iter().for_each(|one| one.flatten(ranges));
    }
}
