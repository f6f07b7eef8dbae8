//! One engine for many runs, each as if it were new.
//!
//! To make an engine, to load what a program needs of the library and to take all of it apart again costs
//! many times what a small program does itself. Whoever runs a program thousands of times, to see what
//! becomes of it under other schedules, keeps an engine in a nursery: it is put back to the moment before
//! the program, with the memory that it had, and with nothing of the run that is over.
//!
//! After the first run it is known which files of the library the program asks for. They are loaded before
//! that moment from then on, if loading them asks nothing of the outside and leaves nothing to do. A
//! program can only tell by replacing what the language has before it first uses a part of the library;
//! then it sees what it would in Node, where the library is there before the program.
//!
//! A program that is a file is found, read and compiled before that moment, too, when it comes again and the
//! disk is known to be the same: a run begins with its first line then.
//!
//! Of runs that differ by nothing but what is chosen, which have a [`Likeness`], a few are made from there. The later
//! ones begin where the first choice is: the engine is put back to that moment, if all that the run had by then can
//! be copied, and the new world is [told the same](crate::noted) once more, or, where that is much, given a copy of
//! what the other had.

use crate::ahead::{Ahead, Nowhere, PROGRAM};
use crate::around::{Forgetting, Keeper, Keeping, Surroundings};
use crate::further::Further;
use crate::host::{Js, StartError};
use crate::moment::Moment;
use crate::noted::{NotedChooser, NotedSink, NotedWorld, Notes};
use crate::program::{self, Driving, Ending};
use crate::start::{LONG, Later, Likeness, Part, Start, Told, hear};
use crate::wanted::{Program, Size, Wanted, are_alike};
use hemiola_engine::arena::{Arena, Region};
use hemiola_engine::compiled::{Compiled, Shared};
use hemiola_engine::foreign::Foreign;
use hemiola_engine::image::{Change, Image, Watching};
use hemiola_engine::keeping::{Together, UnlessPanicking};
use hemiola_engine::memory::Budget;
use hemiola_engine::part::LetGo;
use hemiola_engine::{Callback, JavaScript};
use hemiola_gate::MAIN;
use hemiola_machine::{Chooser, First, Keep, Machine, Silent, Sink, World};
use hemiola_node::{Memory, Options, State};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Keeps an engine for runs of one program, or of programs that are run alike.
#[derive(Default)]
pub struct Nursery(Together<Kept>);

impl Nursery {
    /// A nursery without an engine; the first run makes one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a program to its end and gives its exit code, as [`run`](crate::run) does.
    ///
    /// The engine is kept for the next run if that has the same options but for what it runs, where modules
    /// are read from, and who may stop it.
    pub fn run(
        &mut self,
        options: Options,
        world: &mut impl World<JavaScript>,
        chooser: &mut impl Chooser,
        sink: &mut impl Sink,
    ) -> Result<i32, StartError> {
        self.0.0.run(None, &Forgetting, options, world, chooser, sink)
    }

    /// The same for one of many runs that differ by nothing but what the chooser picks: they have all options in
    /// common that a program sees, and worlds that answer alike.
    pub fn run_alike(
        &mut self,
        likeness: &Likeness,
        options: Options,
        world: &mut (impl World<JavaScript> + Keep),
        chooser: &mut impl Chooser,
        sink: &mut (impl Sink + Keep),
    ) -> Result<i32, StartError> {
        self.0.0.run(Some(likeness), &Keeping, options, world, chooser, sink)
    }

    /// How much memory its engine is put back to, and how much of that is copied each time.
    pub fn sizes(&self) -> Option<(usize, usize)> {
        self.0.0.engine.as_ref()?.image().map(Image::sizes)
    }

    /// Whether its engine is put back to the middle of a run.
    pub fn is_ahead(&self) -> bool {
        self.0.0.engine.as_ref().is_some_and(|engine| engine.later.is_some())
    }
}

/// The engine, and what is known of programs. Of what runs are given nothing stays but what may be sent.
#[derive(Default)]
struct Kept {
    engine: Option<Engine>,
    /// Files of the library that programs have asked for, in the order in which they first did.
    wanted: Vec<String>,
    /// Those among them that are not loaded before a program is.
    refused: BTreeSet<String>,
    /// What the last run ran.
    last: Option<Program>,
    /// How many runs are to pass before a new engine may be made for files that are wanted.
    patience: u32,
    waited: u32,
    /// What is known of how the runs begin that are alike.
    start: Option<Start>,
    /// Whether engines cannot be put back here.
    gave_up: bool,
    texts: Rc<Shared>,
    /// What disks have said.
    said: Arc<Memory>,
}

/// So often a moment may be looked for that cannot be kept, until none is any more.
const MISSES: u32 = 8;

/// To exchange so much once more costs little.
const MANY: usize = 200;

/// How often a run may meet files that its engine has not loaded before a new one is made: at first at
/// once, then ever more rarely.
const PATIENCE: u32 = 8;

impl Kept {
    fn run<W: World<JavaScript>, S: Sink>(
        &mut self,
        likeness: Option<&Likeness>,
        keeper: &impl Keeper<W, S>,
        mut options: Options,
        world: &mut W,
        chooser: &mut impl Chooser,
        sink: &mut S,
    ) -> Result<i32, StartError> {
        if !self.prepare(&options)? {
            return program::run(options, Ending::Freed, world, chooser, sink);
        }
        let mut engine = self.engine.take().expect("an engine is there once it is prepared");
        let brings = |later: &Later| later.brings(keeper, world, sink);
        let part = self.part(likeness, &options, &engine, brings);
        if part == Part::Rest {
            engine.go_back(keeper, world, sink);
        } else {
            engine.leave();
        }
        let (mut steps, way) = engine.later.as_ref().map(Later::place).unwrap_or_default();
        let (notes, told) = match part {
            Part::Taken(_) => (Notes::keeping(), hear(&mut options)),
            Part::Rest => (Notes::further(way), hear(&mut options)),
            Part::Whole | Part::Counted => (Notes::default(), None),
        };
        let mut watching = engine.image().map(Image::watch);
        let mut driving = match part {
            Part::Rest => engine.go_on(options, keeper, world, sink, told.as_ref()),
            Part::Whole | Part::Counted | Part::Taken(_) => {
                engine.begin(options)?;
                Driving::new(&engine.host)
            }
        };
        let (mut world, mut chooser, mut sink) =
            (NotedWorld(world, &notes), NotedChooser(chooser, &notes), NotedSink(sink, &notes));
        let mut parts_at = self.parts_at(&engine, &notes, || keeper.parts(world.0));
        let code = loop {
            let around = || keeper.keep(world.0, sink.0);
            let told = told.as_ref();
            if part == Part::Taken(steps) && notes.first().is_none() {
                driving = self.stay(&mut engine, &mut watching, driving, &notes, told, around);
            } else if parts_at == Some(steps) {
                driving = self.part_here(&mut engine, driving, steps, &notes, told, around);
            }
            notes.step(steps);
            let before = notes.way();
            let host = &mut engine.host;
            if let Some(code) = driving.step(host, &mut world, &mut chooser, &mut sink) {
                break code;
            }
            steps += 1;
            if notes.way() != before {
                parts_at = self.parts_at(&engine, &notes, || keeper.parts(world.0));
            }
        };
        if let (Part::Counted, Some(start)) = (part, &mut self.start) {
            start.steps = Some(notes.first().unwrap_or(0));
            start.is_long = notes.before() > LONG;
        }
        if let Some(likeness) = likeness {
            likeness.note(notes.met());
        }
        self.note(&engine);
        let is_as_before = engine.end(driving.machine);
        drop(watching);
        if is_as_before {
            self.engine = Some(engine);
        } else {
            self.gave_up = true;
            std::mem::forget(engine);
        }
        Ok(code)
    }

    /// What is done of a run.
    fn part(
        &mut self,
        likeness: Option<&Likeness>,
        options: &Options,
        engine: &Engine,
        brings: impl FnOnce(&Later) -> bool,
    ) -> Part {
        let is_ready = engine.ahead.program.is_some() && Start::suits(options);
        let Some(likeness) = likeness.filter(|_| is_ready) else { return Part::Whole };
        if self.start.as_ref().is_none_or(|start| start.likeness != *likeness) {
            self.start = Some(Start::new(likeness.clone()));
        }
        let later = engine.later.as_ref().filter(|later| later.likeness == *likeness);
        if later.is_some_and(|later| !brings(later)) {
            return Part::Whole;
        }
        self.start.as_mut().map_or(Part::Whole, |start| start.next(later.is_some()))
    }

    /// Makes this moment of a run the one that others go on from, if it can be; gives what goes on with this one.
    fn stay(
        &mut self,
        engine: &mut Engine,
        watching: &mut Option<Watching>,
        driving: Driving,
        notes: &Notes,
        told: Option<&Told>,
        around: impl FnOnce() -> Option<Surroundings>,
    ) -> Driving {
        let exchanged = notes.take();
        let is_much = exchanged.is_cut || exchanged.list.len() > MANY;
        let around = if is_much { around() } else { None };
        let told = told.map(Told::take).unwrap_or_default();
        let Some(start) = &mut self.start else { return driving };
        let (likeness, steps) = (start.likeness.clone(), start.steps.unwrap_or(0));
        let driving = if (around.is_some() || !exchanged.is_cut) && engine.can_stay(&driving) {
            let further = Vec::new();
            engine.stay(watching, driving, |moment, foreign, image| Later {
                likeness,
                exchanged,
                around,
                told,
                steps,
                moment,
                foreign,
                image,
                further,
            })
        } else {
            driving
        };
        if engine.later.is_none() {
            start.steps = Some(0);
        }
        driving
    }

    /// In which step a run parts from others next, if that is known and comes after what is kept.
    fn parts_at(
        &self,
        engine: &Engine,
        notes: &Notes,
        parts: impl FnOnce() -> bool,
    ) -> Option<u64> {
        let later = engine.later.as_ref()?;
        let start = self.start.as_ref().filter(|start| start.misses < MISSES)?;
        let is_further = notes.way() != later.place().1 && parts();
        if is_further { start.likeness.step(notes.way()) } else { None }
    }

    /// Makes this moment one that others go on from, if it can be and that pays; gives what goes on with this run.
    fn part_here(
        &mut self,
        engine: &mut Engine,
        driving: Driving,
        steps: u64,
        notes: &Notes,
        told: Option<&Told>,
        around: impl FnOnce() -> Option<Surroundings>,
    ) -> Driving {
        let invocations = driving.machine.invocations();
        if !engine.later.as_ref().is_some_and(|later| later.pays(invocations)) {
            return driving;
        }
        let around = if engine.can_part(&driving) { around() } else { None };
        let Some((around, change)) = around.zip(engine.change()) else {
            self.start.iter_mut().for_each(|start| start.misses += 1);
            return driving;
        };
        let (written, way) = (notes.take().list, notes.way());
        let told = told.map(Told::take).unwrap_or_default();
        engine.part_here(driving, |moment, is_reordered| Further {
            steps,
            way,
            around,
            written,
            told,
            moment,
            change,
            is_reordered,
        })
    }

    /// Sees to it that there is an engine for a run with these options; false if there cannot be.
    fn prepare(&mut self, options: &Options) -> Result<bool, StartError> {
        if options.member.machine != MAIN || self.gave_up {
            return Ok(false);
        }
        let program = Program::of(options);
        let comes_again = program == self.last;
        self.last = program;
        let size = self.wanted_size(comes_again);
        let last = &self.last;
        let fits = |engine: &Engine| {
            let is_same = engine.ahead.program.is_none() || engine.ahead.program == *last;
            is_same && are_alike(&engine.past.options, options)
        };
        match &self.engine {
            Some(engine) if !fits(engine) => self.engine = None,
            Some(engine) if size > engine.ahead.size() && self.waited >= self.patience => {
                self.patience = self.patience * 2 + PATIENCE;
                self.waited = 0;
                let wanted = self.wanted(comes_again);
                let mut engine = self.engine.take();
                let grown = match &mut engine {
                    Some(engine) => engine.grow(options, wanted)?,
                    None => Grown::Impossible,
                };
                self.keep(engine, grown);
            }
            _ => {}
        }
        while self.engine.is_none() && !self.gave_up {
            let mut engine = Engine::make(options, &self.texts, &self.said)?;
            let grown = match &mut engine {
                Some(engine) => engine.load(self.wanted(comes_again)),
                None => Grown::Impossible,
            };
            self.keep(engine, grown);
        }
        Ok(!self.gave_up)
    }

    /// Keeps an engine that has what was wanted. Who knows in what state another is: it is left as it is, and
    /// the one that follows is made without what was too much for it.
    fn keep(&mut self, engine: Option<Engine>, grown: Grown) {
        match grown {
            Grown::Ready => self.engine = engine,
            Grown::Refused(name) => {
                self.refused.insert(name);
                std::mem::forget(engine);
            }
            Grown::Impossible => {
                self.gave_up = true;
                std::mem::forget(engine);
            }
        }
    }

    /// All that should be there before a run of a program, which comes again or does not.
    fn wanted(&self, comes_again: bool) -> Wanted {
        let names = self.loadable().cloned().collect();
        let is_main = comes_again && !self.refused.contains(PROGRAM);
        let program = self.last.clone().filter(|_| is_main);
        let (functions, natives) = (self.texts.functions(), self.texts.natives());
        Wanted { names, functions, natives, program }
    }

    /// The size that it has.
    fn wanted_size(&self, comes_again: bool) -> Size {
        let is_main = comes_again && self.last.is_some() && !self.refused.contains(PROGRAM);
        let (functions, natives) = self.texts.counts();
        (self.loadable().count(), functions, natives, is_main)
    }

    /// What is loaded before a program is.
    fn loadable(&self) -> impl Iterator<Item = &String> {
        self.wanted.iter().filter(|&name| !self.refused.contains(name))
    }

    /// Notes what a run has loaded.
    fn note(&mut self, engine: &Engine) {
        self.waited += 1;
        for name in engine.host.state().run.loads.borrow().iter() {
            if !self.wanted.contains(name) {
                self.wanted.push(name.clone());
            }
        }
    }
}

/// An engine, and the moment that it is put back to.
struct Engine {
    host: UnlessPanicking<Js>,
    /// What the host knew at that moment.
    past: Rc<State>,
    foreign: Option<Foreign>,
    image: Option<Image>,
    region: Rc<Region>,
    /// What was there by then.
    ahead: Wanted,
    /// A later moment that it is put back to instead.
    later: Option<Later>,
}

/// What became of an engine that was to have more.
enum Grown {
    Ready,
    /// This file of the library does more than being there, or the program before its first line.
    Refused(String),
    /// The engine or the system is not what this needs.
    Impossible,
}

impl Engine {
    /// An engine that nothing is put back in yet; nothing if the system has no memory for one.
    fn make(
        options: &Options,
        texts: &Rc<Shared>,
        said: &Arc<Memory>,
    ) -> Result<Option<Self>, StartError> {
        let budget = Budget::new(options.memory_limit, options.member.hub.room().clone());
        let Some(arena) = Arena::new(budget.clone()) else { return Ok(None) };
        let region = arena.region();
        let compiled = Compiled::default();
        compiled.share(Rc::clone(texts));
        let host =
            Js::with_memory(options.clone(), budget, arena, compiled, Some(Arc::clone(said)))?;
        Ok(Some(Self {
            past: Rc::clone(host.state()),
            host: UnlessPanicking::new(host),
            foreign: None,
            image: None,
            region,
            ahead: Wanted::default(),
            later: None,
        }))
    }

    /// Goes back to its moment, and on from there to a later one.
    fn grow(&mut self, options: &Options, wanted: Wanted) -> Result<Grown, StartError> {
        self.leave();
        if let Some(image) = &self.image {
            image.open();
        }
        if let Some(foreign) = self.foreign.take() {
            foreign.let_go();
        }
        self.host.begin_again(&self.past, options.clone())?;
        self.past.let_go();
        Ok(self.load(wanted))
    }

    /// Loads what is wanted, and makes this the moment to go back to.
    fn load(&mut self, wanted: Wanted) -> Grown {
        let Self { host, past, foreign, image, region, ahead, later: _ } = self;
        let state = Rc::clone(host.state());
        let names = wanted.names.iter().filter(|name| !ahead.names.contains(name));
        let is_main = wanted.program.is_some() && ahead.program.is_none();
        let is_new = |one: &&Rc<(String, String)>| !ahead.functions.contains(one);
        let ready = host.context().with(|ctx| {
            hemiola_node::make_prototypes(&ctx)?;
            let mut functions = wanted.functions.iter().filter(is_new);
            functions.try_for_each(|text| {
                state.engine.registered.compiled.prepare(&ctx, Rc::clone(text))
            })
        });
        if ready.is_err() {
            return Grown::Impossible;
        }
        if let Some(name) = load_ahead(host, names.cloned().collect(), is_main) {
            return Grown::Refused(name);
        }
        if host.make_natives(&wanted.natives).is_err() {
            return Grown::Impossible;
        }
        // Before the image is taken: what the earlier state had of the engine is given back.
        *past = state;
        let found = host.context().with(|ctx| Foreign::new(&ctx, Rc::clone(region)));
        let Some(found) = found else { return Grown::Impossible };
        let is_taken = match image {
            Some(image) => image.take_again(),
            None => {
                *image = Image::take(Rc::clone(region));
                image.is_some()
            }
        };
        if !is_taken {
            found.let_go();
            return Grown::Impossible;
        }
        *foreign = Some(found);
        *ahead = wanted;
        Grown::Ready
    }

    fn begin(&mut self, options: Options) -> Result<(), StartError> {
        self.host.begin_again(&self.past, options)
    }

    /// Forgets a run; false if something of it is left, and the engine cannot be put back.
    fn end(&mut self, machine: Machine<JavaScript>) -> bool {
        // What the machine keeps belongs to the engine.
        drop(machine);
        let (past, foreign) = match &self.later {
            Some(later) => (&later.last().past, Some(&later.foreign)),
            None => (&self.past, self.foreign.as_ref()),
        };
        let state = self.host.let_go(past);
        if let Some(foreign) = foreign {
            foreign.give_back();
        }
        // Somebody who keeps it could give the engine's values back when they are others.
        if !state.is_last() {
            return false;
        }
        match (&self.later, &self.image) {
            (Some(later), _) => later.restore(),
            (None, Some(image)) => image.restore(),
            (None, None) => {}
        }
        true
    }

    /// What it is put back to.
    fn image(&self) -> Option<&Image> {
        self.later.as_ref().map(|later| &later.image).or(self.image.as_ref())
    }

    /// Whether another run could go on from where this one is.
    fn can_stay(&self, driving: &Driving) -> bool {
        self.later.is_none()
            && self.image.is_some()
            && !self.region.has_huge_blocks()
            && self.host.can_go_on()
            && driving.copy().is_some()
    }

    /// Makes this the moment to go back to, where it can be; gives what goes on from it.
    fn stay(
        &mut self,
        watching: &mut Option<Watching>,
        driving: Driving,
        later: impl FnOnce(Moment, Foreign, Image) -> Later,
    ) -> Driving {
        let (base, region) = (self.foreign.as_ref(), Rc::clone(&self.region));
        let foreign = self.host.context().with(|ctx| Foreign::after(&ctx, region, base));
        let Some(foreign) = foreign else { return driving };
        // Nobody looks at the earlier image until this one is gone.
        drop(watching.take());
        if let Some(image) = &self.image {
            image.open();
        }
        let image = Image::take(Rc::clone(&self.region)).expect("an image was taken before");
        let moment = Moment::of(&self.host, driving);
        let later = self.later.insert(later(moment, foreign, image));
        *watching = Some(later.image.watch());
        let options = later.moment.past.options.clone();
        later.moment.enter(&mut self.host, options)
    }

    /// Whether others could go on from where this run is after their first choice.
    fn can_part(&self, driving: &Driving) -> bool {
        let Some(later) = &self.later else { return false };
        self.host.can_go_on()
            && driving.copy().is_some()
            && self.host.context().with(|ctx| later.foreign.is_plain(&ctx))
    }

    /// How its memory differs from that at the first choice, if it can be put back.
    fn change(&self) -> Option<Change> {
        self.image().and_then(Image::change)
    }

    /// Makes this a moment to go back to; gives what goes on from it.
    fn part_here(
        &mut self,
        driving: Driving,
        further: impl FnOnce(Moment, bool) -> Further,
    ) -> Driving {
        let later = self.later.as_mut().expect("others come after the first choice");
        let moment = Moment::of(&self.host, driving);
        later.further.push(further(moment, later.foreign.is_reordered()));
        let options = later.last().past.options.clone();
        later.last().enter(&mut self.host, options)
    }

    /// Goes back to the last moment that lies on the way of a run.
    fn go_back<W, S>(&mut self, keeper: &impl Keeper<W, S>, world: &W, sink: &S) {
        let Some(later) = &self.later else { return };
        let fits = |one: &&Further| keeper.fits(&one.around, world, sink);
        let left = later.further.iter().take_while(fits).count();
        self.forget_further(left);
    }

    /// Goes back to the first choice, or to as many moments after it.
    fn forget_further(&mut self, left: usize) {
        let Self { later: Some(later), host, .. } = self else { return };
        if later.further.len() <= left {
            return;
        }
        let watching = later.image.watch();
        while later.further.len() > left {
            let Some(Further { moment, .. }) = later.further.pop() else { break };
            let Moment { driving, past, .. } = moment;
            drop(driving);
            drop(host.let_go(&later.last().past));
            drop(past);
        }
        later.restore();
        drop(watching);
    }

    /// Begins a run at the last moment that is kept; world and sink are brought there. Who hears what is told of
    /// tests has heard that before.
    fn go_on<W: World<JavaScript>, S: Sink>(
        &mut self,
        options: Options,
        keeper: &impl Keeper<W, S>,
        world: &mut W,
        sink: &mut S,
        told: Option<&Told>,
    ) -> Driving {
        let later = self.later.as_ref().expect("only who has one goes on from it");
        later.bring(keeper, world, sink);
        later.tell(&options);
        told.map(Told::take);
        later.last().enter(&mut self.host, options)
    }

    /// Goes back to the moment before the program.
    fn leave(&mut self) {
        self.forget_further(0);
        let Some(Later { moment, foreign, image, .. }) = self.later.take() else { return };
        let Moment { driving, past, queued: _, holds: _ } = moment;
        image.open();
        drop(driving);
        drop(self.host.let_go(&self.past));
        drop(past);
        if let Some(foreign) = &self.foreign {
            foreign.give_back();
        }
        drop(image);
        if let Some(image) = &self.image {
            image.restore_whole();
        }
        // What it kept was in memory that is put back by now.
        drop(foreign);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Who knows in what state an engine is when it was left in a panic.
        if std::thread::panicking() {
            std::mem::forget(self.later.take());
            return;
        }
        self.leave();
        if let Some(image) = &self.image {
            image.restore();
            image.open();
        }
        if let Some(foreign) = self.foreign.take() {
            foreign.let_go();
        }
    }
}

/// Loads files of the library, and the program up to its first line if it is to be; gives the first that did
/// more than being there.
fn load_ahead(host: &mut Js, names: Vec<String>, is_main: bool) -> Option<String> {
    if names.is_empty() && !is_main {
        return None;
    }
    let asked = Rc::new(Cell::new(0));
    let refused = Rc::new(RefCell::new(None));
    let ahead = Ahead { names, is_main, asked: Rc::clone(&asked), refused: Rc::clone(&refused) };
    host.load_ahead(ahead);
    let strategy = host.state().options.strategy;
    let mut machine = Machine::new(Callback::Main);
    machine.step(host, &strategy, &mut Nowhere { asked }, &mut First, &mut Silent);
    refused.take()
}
