//! The numbers of objects and locations, and who accessed them last.
#![expect(unsafe_code, reason = "objects are known by their address while they are kept alive")]

use super::Text;
use crate::bridge;
use crate::raw::Owned;
use hemiola_machine::{Access, Event, Location, Place};
use hemiola_transform::{BLOCK, Site};
use rquickjs::qjs;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Everything that accesses are told by.
pub struct Table {
    describe: bool,
    /// By the number of the block of sites.
    blocks: Vec<Option<Block>>,
    next_site: u32,
    locations: Vec<Known>,
    /// Locations of objects, by the object's number and the key.
    places: FxHashMap<(u32, Key), u32>,
    /// The objects that were met in the running job, by their address, and a reference to each: so no
    /// other object can have the address meanwhile.
    met: FxHashMap<usize, u32>,
    kept: Vec<Owned>,
    /// Their numbers for later jobs, which keep nothing alive.
    pub(super) numbers: Option<Numbers>,
    pub(super) objects: Vec<Object>,
    /// Atoms that keys are made of.
    atoms: Vec<(qjs::JSAtom, *mut qjs::JSRuntime)>,
    /// Objects whose key is being evaluated.
    pub(super) pending: Vec<(u32, Owned)>,
    /// The site that was told of last.
    pub(super) last_site: u32,
    job: u64,
}

/// A text whose code runs.
struct Block {
    text: Arc<Text>,
    /// The run's number of the text's first site.
    base: u32,
    /// The location of its first variable outside of functions.
    roots: u32,
    told: Vec<bool>,
    atoms: Vec<Option<qjs::JSAtom>>,
}

/// When a location was accessed last.
#[derive(Clone, Copy)]
struct Known {
    read: u64,
    written: u64,
    told: bool,
}

const NEVER: u64 = u64::MAX;

/// The site of what the library does by itself.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What an object's locations need to know.
#[derive(Clone, Default)]
pub(super) struct Object {
    /// The locations of its properties and elements that were written.
    pub(super) written: Vec<(u32, Key)>,
    /// Whether all of it was read at once: then writes of a part are told for the whole, too.
    pub(super) is_coarse: bool,
}

/// The engine's weak map from objects to numbers, and functions of the engine.
#[derive(Clone)]
pub(super) struct Numbers {
    pub(super) map: Owned,
    pub(super) get: Owned,
    pub(super) set: Owned,
    pub(super) map_has: Owned,
    pub(super) set_has: Owned,
}

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A property or an element.
    Property(u32),
    /// Elements of a long list, which would be too many one by one.
    Elements(u32),
    /// An entry of a map or set, by a key that is a text, a symbol or a small number.
    Entry(u32),
    /// One by another number, by its bits.
    Number(u64),
    /// One by an object, by its number.
    Object(u32),
    /// One by a truth value, null or undefined.
    Constant(i32),
    /// Which keys or how many elements there are, and their order.
    Order,
    /// What changes at once all that is in a collection.
    Epoch,
    /// All that is in an object.
    All,
    /// The listeners of one event.
    Listeners(u32),
}

/// How many bits of an index are not told apart where it is large.
pub(super) const NEAR: u32 = 8;

/// What a location is called.
pub(super) enum Words<'a> {
    Variable(&'a str),
    Part(u32, Key),
    Promise,
}

impl Table {
    pub(super) fn new(describe: bool) -> Self {
        Self {
            describe,
            blocks: Vec::new(),
            next_site: 0,
            locations: Vec::new(),
            places: FxHashMap::default(),
            met: FxHashMap::default(),
            kept: Vec::new(),
            numbers: None,
            objects: Vec::new(),
            atoms: Vec::new(),
            pending: Vec::new(),
            last_site: NOWHERE,
            job: NEVER,
        }
    }

    /// Takes in a text whose code is going to run.
    pub(super) fn load(&mut self, text: &Arc<Text>) {
        let Some(access) = &text.access else { return };
        let first = (text.first / BLOCK) as usize;
        if self.blocks.get(first).is_some_and(Option::is_some) {
            return;
        }
        let count = access.sites.len();
        self.blocks.resize_with((first + 1).max(self.blocks.len()), || None);
        let roots = self.locations.len() as u32;
        self.new_locations(access.roots);
        let told = if self.describe { vec![false; count] } else { Vec::new() };
        let (base, atoms) = (self.next_site, vec![None; count]);
        self.blocks[first] = Some(Block { text: Arc::clone(text), base, roots, told, atoms });
        self.next_site += count as u32;
    }

    /// Numbers objects as another table of the same engine does.
    pub(super) fn number_as(&mut self, other: &Self) {
        self.numbers = other.numbers.clone();
        // What has a number there has it here, too.
        self.objects = vec![Object::default(); other.objects.len()];
    }

    /// The texts that were taken in, in order.
    pub(super) fn texts(&self) -> Vec<Arc<Text>> {
        let mut blocks: Vec<&Block> = self.blocks.iter().flatten().collect();
        blocks.sort_by_key(|block| block.base);
        blocks.into_iter().map(|block| Arc::clone(&block.text)).collect()
    }

    /// Numbers for so many new locations; the first of them.
    pub(super) fn new_locations(&mut self, count: u32) -> u32 {
        let first = self.locations.len() as u32;
        let fresh = Known { read: NEVER, written: NEVER, told: false };
        self.locations.resize(self.locations.len() + count as usize, fresh);
        first
    }

    /// The text of a site and the site's index in it.
    fn block(&self, site: u32) -> Option<(&Block, usize)> {
        if site == NOWHERE {
            return None;
        }
        // A long text has more sites than a block, and is found by its first one.
        let mut at = (site / BLOCK) as usize;
        loop {
            match self.blocks.get(at) {
                Some(Some(block)) => return Some((block, (site - block.text.first) as usize)),
                _ if at == 0 => return None,
                _ => at -= 1,
            }
        }
    }

    /// What a site tells.
    pub(super) fn site(&self, site: u32) -> Option<(Arc<Text>, usize)> {
        let (block, index) = self.block(site)?;
        (index < block.text.sites().len()).then(|| (Arc::clone(&block.text), index))
    }

    /// The location of a variable outside of functions.
    pub(super) fn root(&self, site: u32, number: u32) -> u32 {
        self.block(site).map_or(0, |(block, _)| block.roots + number)
    }

    /// The atom of a site's name.
    ///
    /// # Safety
    ///
    /// The context is alive and the one that this table is for.
    pub(super) unsafe fn atom(&mut self, ctx: *mut qjs::JSContext, site: u32) -> qjs::JSAtom {
        let Some((block, index)) = self.block(site) else { return 0 };
        if let Some(atom) = block.atoms[index] {
            return atom;
        }
        let first = block.text.first / BLOCK;
        let name = &block.text.sites()[index].name;
        // SAFETY: the name is alive and as long as it is said to be.
        let atom = unsafe { qjs::JS_NewAtomLen(ctx, name.as_ptr().cast(), name.len() as _) };
        // SAFETY: the atom is a new one, and given back when this is dropped.
        let runtime = unsafe { qjs::JS_GetRuntime(ctx) };
        self.atoms.push((atom, runtime));
        if let Some(Some(block)) = self.blocks.get_mut(first as usize) {
            block.atoms[index] = Some(atom);
        }
        atom
    }

    /// Begins a job: what was met before may be gone.
    pub(super) fn enter(&mut self, job: u64) {
        if self.job != job {
            self.job = job;
            self.last_site = NOWHERE;
            self.leave();
        }
    }

    /// Ends a job.
    pub fn leave(&mut self) {
        if !self.kept.is_empty() {
            self.met.clear();
            self.kept.clear();
        }
        self.pending.clear();
    }

    /// Gives back all that belongs to the engine.
    pub fn clear(&mut self) {
        self.leave();
        self.numbers = None;
        for (atom, runtime) in self.atoms.drain(..) {
            // SAFETY: the reference is this table's, and the engine is alive.
            unsafe { qjs::JS_FreeAtomRT(runtime, atom) }
        }
        self.blocks.clear();
    }

    /// The number of an object.
    ///
    /// # Safety
    ///
    /// The value is an object of the context.
    pub(super) unsafe fn object(&mut self, ctx: *mut qjs::JSContext, value: qjs::JSValue) -> u32 {
        // SAFETY: it is an object.
        let address = unsafe { qjs::JS_VALUE_GET_PTR(value) } as usize;
        if let Some(&number) = self.met.get(&address) {
            return number;
        }
        // SAFETY: all values belong to the context and are alive; a result is given back, if it is not
        // a number, which needs no giving back.
        unsafe {
            let found = self.numbers.as_ref().and_then(|numbers| numbers.get(ctx, value));
            let number = match found {
                Some(number) => number,
                None => {
                    let number = self.objects.len() as u32;
                    self.objects.push(Object::default());
                    if let Some(numbers) = &self.numbers {
                        numbers.set(ctx, value, number);
                    }
                    number
                }
            };
            self.met.insert(address, number);
            self.kept.push(Owned::new(ctx, value));
            number
        }
    }

    /// The location of a part of an object.
    pub(super) fn part(&mut self, object: u32, key: Key) -> u32 {
        if let Some(&location) = self.places.get(&(object, key)) {
            return location;
        }
        let location = self.new_locations(1);
        self.places.insert((object, key), location);
        location
    }

    /// Keeps an atom that a new key is made of; gives one back that is not needed.
    ///
    /// # Safety
    ///
    /// The reference to the atom is the caller's, who gives it away.
    pub(super) unsafe fn keep_atom(
        &mut self,
        ctx: *mut qjs::JSContext,
        object: u32,
        key: Key,
        atom: qjs::JSAtom,
    ) {
        let is_number = atom & (1 << 31) != 0;
        // SAFETY: the caller's.
        unsafe {
            if is_number || self.places.contains_key(&(object, key)) {
                qjs::JS_FreeAtom(ctx, atom);
            } else {
                self.atoms.push((atom, qjs::JS_GetRuntime(ctx)));
            }
        }
    }

    /// Tells of an access to a part of an object.
    pub(super) fn tell_part(
        &mut self,
        ctx: *mut qjs::JSContext,
        object: u32,
        key: Key,
        access: Access,
        site: u32,
    ) {
        let location = self.part(object, key);
        if access == Access::Write && !matches!(key, Key::Order | Key::Epoch | Key::All) {
            let is_first = self.locations[location as usize].written == NEVER;
            let info = &mut self.objects[object as usize];
            if is_first {
                info.written.push((location, key));
            }
            if info.is_coarse {
                self.tell_part(ctx, object, Key::All, Access::Write, site);
            }
        }
        self.tell(ctx, location, access, site, &Words::Part(object, key));
    }

    /// Tells of an access, unless the running job has told of it before.
    pub(super) fn tell(
        &mut self,
        ctx: *mut qjs::JSContext,
        location: u32,
        access: Access,
        site: u32,
        words: &Words<'_>,
    ) {
        self.last_site = site;
        let job = self.job;
        let Some(known) = self.locations.get_mut(location as usize) else { return };
        match access {
            _ if known.written == job => return,
            Access::Read if known.read == job => return,
            Access::Read => known.read = job,
            Access::Write => known.written = job,
        }
        let is_new = !std::mem::replace(&mut known.told, true);
        if !bridge::is_entered() {
            return;
        }
        let number = self.block(site).map(|(block, index)| block.base + index as u32);
        let location = Location(location.into());
        if self.describe {
            let placed = self.first_told(site);
            let located = is_new.then(|| describe(ctx, words));
            bridge::with(|context| {
                if let (Some(place), Some(site)) = (placed, number) {
                    context.tell(Event::Placed { site, place });
                }
                if let Some(what) = located {
                    context.tell(Event::Located { location, what });
                }
            });
        }
        let site = number.unwrap_or(NOWHERE);
        bridge::with(|context| context.tell(Event::Accessed { location, access, site }));
    }

    /// The place of a site that has not been told of before.
    fn first_told(&mut self, site: u32) -> Option<Place> {
        let (block, index) = self.block(site)?;
        let (text, first) = (Arc::clone(&block.text), block.text.first / BLOCK);
        let told = &mut self.blocks.get_mut(first as usize)?.as_mut()?.told;
        if std::mem::replace(&mut told[index], true) {
            return None;
        }
        let Site { line, column, .. } = text.sites()[index];
        Some(Place { file: text.file(), line, column })
    }
}

impl Numbers {
    /// Whether a value is a weak map or a weak set, whose class comes next.
    ///
    /// # Safety
    ///
    /// The value is alive.
    pub(super) unsafe fn is_weak(&self, value: qjs::JSValue) -> bool {
        // SAFETY: the caller's.
        let [class, weak] =
            unsafe { [value, self.map.as_raw()].map(|one| qjs::JS_GetClassID(one)) };
        class == weak || class == weak + 1
    }

    unsafe fn get(&self, ctx: *mut qjs::JSContext, object: qjs::JSValue) -> Option<u32> {
        // SAFETY: the caller's; the map's method does not write to its arguments.
        unsafe {
            let mut arguments = [object];
            let found =
                qjs::JS_Call(ctx, self.get.as_raw(), self.map.as_raw(), 1, arguments.as_mut_ptr());
            let number = qjs::JS_IsInt(found).then(|| qjs::JS_VALUE_GET_INT(found) as u32);
            qjs::JS_FreeValue(ctx, found);
            number
        }
    }

    unsafe fn set(&self, ctx: *mut qjs::JSContext, object: qjs::JSValue, number: u32) {
        // SAFETY: the caller's.
        unsafe {
            let mut arguments = [object, qjs::JS_MKVAL(qjs::JS_TAG_INT, number as i32)];
            let map =
                qjs::JS_Call(ctx, self.set.as_raw(), self.map.as_raw(), 2, arguments.as_mut_ptr());
            qjs::JS_FreeValue(ctx, map);
        }
    }
}

/// A location in words.
fn describe(ctx: *mut qjs::JSContext, words: &Words<'_>) -> String {
    let (object, key) = match *words {
        Words::Variable(name) => return format!("variable {name}"),
        Words::Promise => return "the outcome of a promise".into(),
        Words::Part(object, key) => (object, key),
    };
    let part = match key {
        Key::Property(atom) if atom & (1 << 31) != 0 => format!("element {}", atom & !(1 << 31)),
        Key::Property(atom) => format!("property {}", atom_text(ctx, atom)),
        Key::Elements(number) => format!("an element near {}", number << NEAR),
        Key::Entry(atom) if atom & (1 << 31) != 0 => format!("entry {}", atom & !(1 << 31)),
        Key::Entry(atom) => format!("entry {:?}", atom_text(ctx, atom)),
        Key::Number(bits) => format!("entry {}", f64::from_bits(bits)),
        Key::Object(other) => format!("entry of object {other}"),
        Key::Constant(_) => "one entry".into(),
        Key::Order => "the keys".into(),
        Key::Epoch => "the arrangement".into(),
        Key::All => "all values".into(),
        Key::Listeners(atom) => format!("listeners of {:?}", atom_text(ctx, atom)),
    };
    format!("{part} of object {object}")
}

fn atom_text(ctx: *mut qjs::JSContext, atom: qjs::JSAtom) -> String {
    // SAFETY: the atom is kept by the table; the text is copied before it is given back.
    unsafe {
        let text = qjs::JS_AtomToCStringLen(ctx, std::ptr::null_mut(), atom);
        if text.is_null() {
            return String::new();
        }
        let copy = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
        qjs::JS_FreeCString(ctx, text);
        copy
    }
}
