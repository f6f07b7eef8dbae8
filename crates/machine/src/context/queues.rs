//! Callbacks that are able to run, and tasks with their urgency.

use super::Context;
use crate::current::Current;
use crate::language::Language;
use crate::priority::{Awaited, Level, Standing, TaskId, Urgency};
use crate::queues::{Group, Ready};
use hemiola_time::Ordinal;
use hemiola_trace::{Class, Event, Invocation, Origin};

impl<L: Language> Context<'_, L> {
    /// Makes a callback able to run, at the end of the queue of its class; gives the number by which it can
    /// be promoted.
    pub fn queue(&mut self, class: Class, group: Group, callback: L::Callback) -> TaskId {
        let link = self.machine.current.invocation;
        let Ordinal(number) = self.machine.queues.next_number();
        self.queue_caused(class, group, callback, link);
        TaskId(number)
    }

    /// As [`Context::queue`], before all that waits there for a later turn.
    pub fn queue_first(&mut self, class: Class, callback: L::Callback) {
        self.queue(class, Group::default(), callback);
        self.machine.queues.bring_forward(class);
    }

    /// As [`Context::queue`], for a callback that somebody else attached (rule CTX-2).
    pub fn queue_caused(
        &mut self,
        class: Class,
        group: Group,
        callback: L::Callback,
        link: Invocation,
    ) {
        if self.gate.listens() {
            let number = self.machine.queues.next_number();
            self.tell(Event::Queued { number, class, link });
            self.tell_place();
        }
        self.push(class, group, callback, link);
    }

    /// Lets what is left of the running callback's tail wait for the next callback, where the strategy has phases: the
    /// callback failed, and the program has taken the error (rule LOOP-7).
    pub fn let_tail_wait(&mut self) {
        self.machine.round.tail_waits = true;
    }

    /// Makes a batch able to run (see `Host::is_batch`); nobody is told of it. It keeps no domain alive: each of
    /// its jobs does that for its own.
    pub fn queue_batch(&mut self, class: Class, callback: L::Callback) {
        let current = Current { domain: None, ..self.machine.current };
        let ready = Ready::new(callback, Group::default(), current.invocation, current);
        self.machine.queues.push(class, ready);
    }

    fn push(&mut self, class: Class, group: Group, callback: L::Callback, link: Invocation) {
        let current = self.machine.current;
        self.machine.domains.hold(current.domain);
        if class.priority() > 0 {
            let number = self.machine.queues.next_number();
            self.machine.learned.registered(Origin::Queued(number), class, false);
        }
        let changes_places = match class {
            Class::Immediate => true,
            Class::Tick => group != Group::default(),
            Class::Io => {
                self.machine.queues.expect_group();
                false
            }
            Class::Promise | Class::Timer | Class::Close => false,
        };
        let group = match changes_places && self.machine.scattered {
            true => Group(self.machine.queues.next_number().0 as u32),
            false => group,
        };
        let ready = Ready::new(callback, group, link, current);
        self.machine.queues.push(class, ready);
    }

    /// Says that one of the callbacks that wait in a queue no longer keeps the program alive, or does
    /// so again. Whoever says the former also says the latter before it runs.
    pub fn set_ready_referenced(&mut self, referenced: bool) {
        let unreferenced = &mut self.machine.unreferenced_ready;
        *unreferenced = if referenced { *unreferenced - 1 } else { *unreferenced + 1 };
    }

    /// Makes a task able to run: an immediate with a level, and a deadline if it has one
    /// (rule PRIO-1). What it starts inherits the level.
    pub fn queue_task(&mut self, urgency: Urgency, callback: L::Callback) -> TaskId {
        let current = self.machine.current;
        self.machine.domains.hold(current.domain);
        let link = current.invocation;
        if self.gate.listens() {
            let number = self.machine.queues.next_number();
            self.tell(Event::Queued { number, class: Class::Immediate, link });
            self.tell_place();
        }
        let number = self.machine.queues.next_number();
        self.machine.learned.registered(Origin::Queued(number), Class::Immediate, false);
        let standing = current.standing.given(urgency.level);
        let ready = Ready::new(callback, Group::default(), link, current);
        self.machine.queues.push_task(ready.of_task(urgency, standing))
    }

    /// Gives a task that waits another urgency; false when it does not wait any more.
    pub fn set_urgency(&mut self, task: TaskId, urgency: Urgency) -> bool {
        self.machine.queues.set_urgency(task, urgency)
    }

    /// Takes back a task that waits; its callback, if it did.
    pub fn withdraw(&mut self, task: TaskId) -> Option<L::Callback> {
        let ready = self.machine.queues.withdraw(task)?;
        self.machine.domains.drop_hold(ready.domain());
        self.machine.learned.dropped(ready.origin());
        if self.gate.listens() {
            self.tell(Event::Dropped { what: ready.origin() });
        }
        Some(ready.callback)
    }

    /// The level of what runs.
    pub fn level(&self) -> Level {
        self.machine.current.standing.level
    }

    /// Gives what runs another level, for what it starts from now on; a promotion stays. Who starts a single
    /// thing with a level of its own puts back the [standing](Context::standing) afterwards (rule PRIO-2).
    pub fn set_level(&mut self, level: Level) {
        self.machine.current.standing = self.machine.current.standing.given(level);
    }

    /// What all that is started now is handed.
    pub fn standing(&self) -> Standing {
        self.machine.current.standing
    }

    /// Sets what all that is started from now on is handed.
    pub fn set_standing(&mut self, standing: Standing) {
        self.machine.current.standing = standing;
    }

    /// Lets what runs count as linked from a context of that standing; promotions come from its cause, too
    /// (rule PRIO-2).
    pub fn link_to(&mut self, standing: Standing) {
        self.machine.current.standing = standing.caused_by(self.machine.current.standing);
    }

    /// Promotes what waits, because something of that level waits for it, and all that it will cause
    /// (rule PRIO-2). False when it does not wait any more.
    pub fn raise(&mut self, what: Awaited, level: Level) -> bool {
        self.machine.raise(what, level)
    }
}
