//! From formulas to nodes: each distinct formula once, with the key under which its value is kept.

use super::atoms::{ATOMS, Atom, unknown};
use super::syntax::{Arg, Body, Clause, Formula, Let, Owner, Parsed, Size, Tree, Var, parse};
use hemiola_trace::source::{SourceError, Span};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// More than any theory needs; it keeps definitions that double at every use from growing for ever.
const MOST_STEPS: usize = 20_000;

/// What a value is kept for: once, for each id, for each registration, for each call. In this order
/// they are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Level {
    Global,
    Id,
    Task,
    Call,
}

const FUNCTIONS: [&str; 2] = ["balance", "expired"];

/// The number of a node.
pub(super) type NodeId = usize;

/// A formula whose parts are nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Const(bool),
    Atom(Atom, Level),
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Previous(NodeId),
    /// The second held, and since then the first.
    Since(NodeId, NodeId),
    Some(NodeId),
    /// It holds for as many as the list in force lets run at once.
    Full(NodeId),
    /// More of the first than of the second since the third; with the place of its count.
    Balance(NodeId, NodeId, NodeId),
    /// A delay of retries is over, that this would have cancelled.
    Expired(NodeId),
}

/// A node with where its value is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) level: Level,
    /// How many `some` are below each other; a stage needs all values of those before.
    pub(super) stage: usize,
    /// Its bit among those of its level.
    pub(super) slot: usize,
    /// Its place among the counts or deadlines of its level, or among those that `some` counts.
    pub(super) extra: usize,
}

/// What an axiom demands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Demand {
    Always(NodeId),
    Recurs { often: NodeId, never: Option<NodeId> },
    Eventually { from: NodeId, goal: NodeId, within: Option<Size>, void: Option<NodeId> },
    Until { from: NodeId, keep: NodeId, goal: NodeId, weak: bool },
}

/// A demand of an axiom, for each instance of its level.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) axiom: usize,
    pub(super) level: Level,
    /// Its place among the rules of its level.
    pub(super) place: usize,
    pub(super) demand: Demand,
    /// What is awaited, in the words of the theory.
    pub(super) goal: String,
}

/// An axiom: its name, and whose duty it is.
#[derive(Clone, Debug)]
pub struct AxiomInfo {
    /// Its name, as `S1`.
    pub name: String,
    /// A few words, or none.
    pub title: String,
    /// Whose duty it is.
    pub owner: Owner,
}

/// The witnesses (a, b, t_lag) of a theory's budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Units of compute for each bit of the input.
    pub a: u64,
    /// Units of compute in any case.
    pub b: u64,
    /// Units that may be lost.
    pub tlag: u64,
}

/// A theory, ready to hold traces to it.
#[derive(Clone, Debug)]
pub struct Theory {
    pub(super) axioms: Vec<AxiomInfo>,
    pub(super) params: Params,
    pub(super) nodes: Vec<Node>,
    pub(super) rules: Vec<Rule>,
    /// How many stages there are.
    pub(super) stages: usize,
    /// How many counts `some` and `full` need.
    pub(super) somes: usize,
    pub(super) layouts: [Layout; 4],
    /// The global nodes that formulas about tasks or calls ask for.
    pub(super) shared: Vec<Shared>,
    /// For each node, the place of the count of where it holds, for `some` and `full`.
    pub(super) counted: Vec<Option<usize>>,
}

/// A global node that formulas about tasks or calls ask for.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) node: NodeId,
    /// The formulas that ask for it. An instance at rest, in which none of them changes, stays at rest.
    pub(super) readers: Vec<NodeId>,
    /// The levels at which something more than a formula asks for it.
    pub(super) ruled: Vec<Level>,
}

/// How much is kept for an instance of a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) slots: usize,
    pub(super) counts: usize,
    pub(super) deadlines: usize,
    pub(super) rules: usize,
    /// Its nodes by stage.
    pub(super) stages: Vec<Vec<NodeId>>,
}

impl Theory {
    /// The theory of declarative schedulers.
    pub fn declarative_scheduler() -> Self {
        Self::of_schedulers().clone()
    }

    /// The same, for as long as the process lasts.
    pub fn of_schedulers() -> &'static Self {
        // A link to the file in `theories`, so that it is in the crate's package, too.
        const TEXT: &str = include_str!("declarative-scheduler.theory");
        static THEORY: LazyLock<Theory> =
            LazyLock::new(|| Theory::parse(TEXT).expect("the theory that comes with us is one"));
        &THEORY
    }

    /// The theory of schedulers that several nodes are together, for as long as the process lasts.
    pub fn of_clusters() -> &'static Self {
        const TEXT: &str = include_str!("scheduler-cluster.theory");
        static THEORY: LazyLock<Theory> =
            LazyLock::new(|| Theory::parse(TEXT).expect("the theory that comes with us is one"));
        &THEORY
    }

    /// Reads a theory.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let parsed = parse(text)?;
        let mut compiler =
            Compiler { text, nodes: Vec::new(), known: FxHashMap::default(), lets: &[], steps: 0 };
        compiler.theory(&parsed)
    }

    /// Its axioms, in the order in which they are written.
    pub fn axioms(&self) -> &[AxiomInfo] {
        &self.axioms
    }

    /// The witnesses that it publishes.
    pub fn params(&self) -> Params {
        self.params
    }
}

struct Compiler<'p, 't> {
    text: &'t str,
    nodes: Vec<Node>,
    known: FxHashMap<Op, NodeId>,
    /// The definitions that may be used: those before.
    lets: &'p [Let<'t>],
    steps: usize,
}

/// What the parameters of the definition at hand stand for, and which variables there are.
#[derive(Clone, Default)]
struct Scope<'t> {
    formulas: Vec<(&'t str, NodeId)>,
    vars: Vec<Var>,
}

impl<'p, 't> Compiler<'p, 't> {
    fn theory(&mut self, parsed: &'p Parsed<'t>) -> Result<Theory, SourceError> {
        let params = params(&parsed.params)?;
        for (at, definition) in parsed.lets.iter().enumerate() {
            self.lets = &parsed.lets[..at];
            self.check(definition)?;
        }
        self.lets = &parsed.lets;
        let mut axioms: Vec<AxiomInfo> = Vec::new();
        let mut rules = Vec::new();
        for axiom in &parsed.axioms {
            if axioms.iter().any(|known| known.name == axiom.name) {
                return Err(twice("axiom", axiom.name, axiom.span));
            }
            for clause in &axiom.clauses {
                rules.push(self.rule(clause, axioms.len())?);
            }
            axioms.push(AxiomInfo {
                name: axiom.name.into(),
                title: axiom.title.into(),
                owner: axiom.owner,
            });
        }
        if axioms.is_empty() {
            return Err(SourceError {
                message: "a theory without axioms".into(),
                span: Span::new(0, 0),
                label: "nothing here can be violated".into(),
                help: "add one: `axiom S3 of scheduler: always StopEnd -> not Crash`".into(),
            });
        }
        Ok(self.lay_out(axioms, params, rules))
    }

    /// A definition must make sense even if nobody uses it.
    fn check(&mut self, definition: &Let<'t>) -> Result<(), SourceError> {
        let Let { name, span, params, body } = definition;
        if self.lets.iter().any(|known| known.name == *name) {
            return Err(twice("definition", name, *span));
        }
        if ATOMS.iter().any(|(known, ..)| known == name) || FUNCTIONS.contains(name) {
            return Err(SourceError {
                message: format!("`{name}` is something that happens, and cannot be defined"),
                span: *span,
                label: "this name is taken".into(),
                help: "choose another name".into(),
            });
        }
        let mut scope = Scope::default();
        for param in params {
            match variable(param) {
                Some(var) => scope.vars.push(var),
                None if scope.formulas.iter().any(|(known, _)| known == param) => {
                    return Err(twice("parameter", param, *span));
                }
                None => {
                    let any = self.node(Op::Const(false), *span)?;
                    scope.formulas.push((param, any));
                }
            }
        }
        self.formula(body, &scope).map(drop)
    }

    fn rule(&mut self, clause: &Clause<'t>, axiom: usize) -> Result<Rule, SourceError> {
        let scope = Scope { formulas: Vec::new(), vars: clause.each.into_iter().collect() };
        let mut nodes = Vec::new();
        let mut add = |compiler: &mut Self, formula: &Formula<'t>| {
            let node = compiler.formula(formula, &scope)?;
            nodes.push((node, formula.span));
            Ok::<_, SourceError>(node)
        };
        let (demand, goal) = match &clause.body {
            Body::Always(formula) => (Demand::Always(add(self, formula)?), formula.span),
            Body::Recurs { often, never } => {
                let never = never.as_ref().map(|never| add(self, never)).transpose()?;
                (Demand::Recurs { often: add(self, often)?, never }, often.span)
            }
            Body::Eventually { from, goal: formula, within, void } => {
                let (from, goal) = (add(self, from)?, add(self, formula)?);
                let void = void.as_ref().map(|void| add(self, void)).transpose()?;
                (Demand::Eventually { from, goal, within: *within, void }, formula.span)
            }
            Body::Until { from, keep, goal: formula, weak } => {
                let (from, keep) = (add(self, from)?, add(self, keep)?);
                let goal = add(self, formula)?;
                (Demand::Until { from, keep, goal, weak: *weak }, formula.span)
            }
        };
        let mut level = Level::Global;
        for (node, span) in nodes {
            level = join(level, self.nodes[node].level, span)?;
        }
        if matches!(demand, Demand::Eventually { within: Some(Size::Call), .. })
            && level != Level::Call
        {
            return Err(SourceError {
                message: "`lin(c)` in a clause that is not about a call".into(),
                span: clause.span,
                label: "there is no call c here".into(),
                help: "begin the clause with `each c:`, or write `lin(list)`".into(),
            });
        }
        let goal = self.text[goal.start as usize..goal.end as usize].split_whitespace();
        let goal = goal.collect::<Vec<_>>().join(" ");
        Ok(Rule { axiom, level, place: 0, demand, goal })
    }

    fn formula(&mut self, formula: &Formula<'t>, scope: &Scope<'t>) -> Result<NodeId, SourceError> {
        let span = formula.span;
        let op = match &formula.kind {
            Tree::Const(value) => Op::Const(*value),
            Tree::Not(inner) => Op::Not(self.formula(inner, scope)?),
            Tree::And(left, right) => {
                Op::And(self.formula(left, scope)?, self.formula(right, scope)?)
            }
            Tree::Or(left, right) => {
                Op::Or(self.formula(left, scope)?, self.formula(right, scope)?)
            }
            Tree::Previous(inner) => Op::Previous(self.formula(inner, scope)?),
            Tree::Since(keep, from) => {
                Op::Since(self.formula(keep, scope)?, self.formula(from, scope)?)
            }
            Tree::Some(var, inner) => {
                let mut scope = scope.clone();
                scope.vars.push(*var);
                let inner = self.formula(inner, &scope)?;
                if self.nodes[inner].level == Level::Global {
                    return Ok(inner);
                }
                Op::Some(inner)
            }
            Tree::Full(var, inner) => {
                let mut scope = scope.clone();
                scope.vars.push(*var);
                let inner = self.formula(inner, &scope)?;
                if self.nodes[inner].level == Level::Global {
                    return Err(SourceError {
                        message: "`full` of something that is the same for all".into(),
                        span,
                        label: "nothing to count here".into(),
                        help: "say something about x: `full x: Running(x)`".into(),
                    });
                }
                Op::Full(inner)
            }
            Tree::Name(name, arguments) => return self.named(name, arguments, span, scope),
        };
        self.node(op, span)
    }

    fn named(
        &mut self,
        name: &'t str,
        arguments: &[Arg<'t>],
        span: Span,
        scope: &Scope<'t>,
    ) -> Result<NodeId, SourceError> {
        if let Some((_, node)) = scope.formulas.iter().find(|(known, _)| *known == name) {
            return match arguments {
                [] => Ok(*node),
                _ => Err(arity(name, 0, span)),
            };
        }
        match (name, arguments) {
            ("balance", [Arg::Formula(up), Arg::Formula(down), Arg::Formula(reset)]) => {
                let (up, down) = (self.formula(up, scope)?, self.formula(down, scope)?);
                let reset = self.formula(reset, scope)?;
                return self.node(Op::Balance(up, down, reset), span);
            }
            (
                "expired",
                [Arg::Var { var: Var::Task, near: true, span: var }, Arg::Formula(cancel)],
            ) => {
                in_scope(Var::Task, scope, *var)?;
                let cancel = self.formula(cancel, scope)?;
                if self.nodes[cancel].level > Level::Id {
                    return Err(SourceError {
                        message: "what cancels a retry must be about `~x`".into(),
                        span,
                        label: "this depends on the registration".into(),
                        help: "write `~x` in what it is made of: retries belong to an id".into(),
                    });
                }
                return self.node(Op::Expired(cancel), span);
            }
            ("balance", _) => return Err(function("balance(up, down, reset)", span)),
            ("expired", _) => return Err(function("expired(~x, cancel)", span)),
            _ => {}
        }
        if let Some(definition) = self.lets.iter().find(|known| known.name == name) {
            return self.expand(definition, arguments, span, scope);
        }
        self.atom(name, arguments, span, scope)
    }

    fn atom(
        &mut self,
        name: &str,
        arguments: &[Arg<'t>],
        span: Span,
        scope: &Scope<'t>,
    ) -> Result<NodeId, SourceError> {
        let (about, near) = match arguments {
            [] => (None, false),
            [Arg::Var { var, near, span }] => {
                in_scope(*var, scope, *span)?;
                (Some(*var), *near)
            }
            _ => (None, true),
        };
        let found = ATOMS.iter().find(|(known, var, _)| *known == name && *var == about);
        let level = match (about, near) {
            (None, false) => Level::Global,
            (Some(Var::Task), true) => Level::Id,
            (Some(Var::Task), false) => Level::Task,
            (Some(Var::Call), false) => Level::Call,
            _ => return Err(unknown(name, span)),
        };
        match found {
            Some((.., atom)) => self.node(Op::Atom(*atom, level), span),
            None => Err(unknown(name, span)),
        }
    }

    fn expand(
        &mut self,
        definition: &'p Let<'t>,
        arguments: &[Arg<'t>],
        span: Span,
        scope: &Scope<'t>,
    ) -> Result<NodeId, SourceError> {
        let Let { name, params, body, .. } = definition;
        if params.len() != arguments.len() {
            return Err(arity(name, params.len(), span));
        }
        let mut inner = Scope::default();
        for (param, argument) in params.iter().zip(arguments) {
            match (variable(param), argument) {
                (Some(wanted), Arg::Var { var, near: false, span }) if *var == wanted => {
                    in_scope(*var, scope, *span)?;
                    inner.vars.push(*var);
                }
                (None, Arg::Formula(formula)) => {
                    inner.formulas.push((param, self.formula(formula, scope)?));
                }
                _ => {
                    return Err(SourceError {
                        message: format!("`{name}` takes ({})", params.join(", ")),
                        span,
                        label: "it is given something else".into(),
                        help: "pass x and c as they are, and formulas for the rest".into(),
                    });
                }
            }
        }
        // It may use what was defined before it.
        let at = self.lets.iter().position(|known| known.name == *name).unwrap_or_default();
        let all = self.lets;
        self.lets = &all[..at];
        let node = self.formula(body, &inner);
        self.lets = all;
        node
    }

    fn node(&mut self, op: Op, span: Span) -> Result<NodeId, SourceError> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(SourceError {
                message: "a theory that grows too large".into(),
                span,
                label: "definitions unfold without end here".into(),
                help: "use a parameter that is a formula only once in a definition".into(),
            });
        }
        if let Some(known) = self.known.get(&op) {
            return Ok(*known);
        }
        let (mut level, mut stage) = (Level::Global, 0);
        let mut parts = Vec::new();
        match op {
            Op::Const(_) => {}
            Op::Atom(_, of) => level = of,
            Op::Expired(cancel) => {
                level = Level::Id;
                parts.push(cancel);
            }
            Op::Some(inner) | Op::Full(inner) => stage = self.nodes[inner].stage + 1,
            Op::Not(inner) | Op::Previous(inner) => parts.push(inner),
            Op::And(left, right) | Op::Or(left, right) | Op::Since(left, right) => {
                parts.extend([left, right]);
            }
            Op::Balance(up, down, reset) => parts.extend([up, down, reset]),
        }
        for part in parts {
            level = join(level, self.nodes[part].level, span)?;
            stage = stage.max(self.nodes[part].stage);
        }
        self.nodes.push(Node { op, level, stage, slot: 0, extra: 0 });
        self.known.insert(op, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    /// Gives every value its place.
    fn lay_out(&mut self, axioms: Vec<AxiomInfo>, params: Params, mut rules: Vec<Rule>) -> Theory {
        let stages = self.nodes.iter().map(|node| node.stage + 1).max().unwrap_or(1);
        let mut layouts: [Layout; 4] = Default::default();
        let mut somes = 0;
        let mut counted: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for layout in &mut layouts {
            layout.stages = vec![Vec::new(); stages];
        }
        for (id, node) in self.nodes.iter_mut().enumerate() {
            let layout = &mut layouts[node.level as usize];
            node.slot = layout.slots;
            layout.slots += 1;
            layout.stages[node.stage].push(id);
            let count = match node.op {
                Op::Balance(..) => &mut layout.counts,
                Op::Expired(_) => &mut layout.deadlines,
                // What two ask for is counted once.
                Op::Some(inner) | Op::Full(inner) => {
                    node.extra = *counted[inner].get_or_insert(somes);
                    somes = somes.max(node.extra + 1);
                    continue;
                }
                _ => continue,
            };
            node.extra = *count;
            *count += 1;
        }
        for rule in &mut rules {
            let layout = &mut layouts[rule.level as usize];
            rule.place = layout.rules;
            layout.rules += 1;
        }
        let shared = self.shared(&rules);
        Theory {
            axioms,
            params,
            nodes: std::mem::take(&mut self.nodes),
            rules,
            stages,
            somes,
            layouts,
            shared,
            counted,
        }
    }

    fn shared(&self, rules: &[Rule]) -> Vec<Shared> {
        let mut readers: Vec<Vec<NodeId>> = vec![Vec::new(); self.nodes.len()];
        let mut ruled: Vec<Vec<Level>> = vec![Vec::new(); self.nodes.len()];
        for (id, node) in
            self.nodes.iter().enumerate().filter(|(_, node)| node.level != Level::Global)
        {
            match node.op {
                Op::Const(_) | Op::Atom(..) | Op::Some(_) | Op::Full(_) => {}
                Op::Not(part) | Op::Previous(part) => readers[part].push(id),
                Op::And(left, right) | Op::Or(left, right) | Op::Since(left, right) => {
                    readers[left].push(id);
                    readers[right].push(id);
                }
                Op::Expired(part) => ruled[part].push(node.level),
                Op::Balance(up, down, reset) => {
                    [up, down, reset].into_iter().for_each(|part| ruled[part].push(node.level));
                }
            }
        }
        for rule in rules.iter().filter(|rule| rule.level != Level::Global) {
            let parts = match rule.demand {
                Demand::Always(node) => vec![node],
                Demand::Recurs { often, never } => never.into_iter().chain([often]).collect(),
                Demand::Eventually { from, goal, void, .. } => {
                    void.into_iter().chain([from, goal]).collect()
                }
                Demand::Until { from, keep, goal, .. } => vec![from, keep, goal],
            };
            parts.into_iter().for_each(|part| ruled[part].push(rule.level));
        }
        let shared = readers.into_iter().zip(ruled).enumerate();
        shared
            .filter(|(node, _)| self.nodes[*node].level == Level::Global)
            .filter(|(_, (readers, ruled))| !readers.is_empty() || !ruled.is_empty())
            .map(|(node, (readers, ruled))| Shared { node, readers, ruled })
            .collect()
    }
}

fn params(given: &[(&str, Span, u64)]) -> Result<Params, SourceError> {
    let mut params = Params { a: 0, b: 0, tlag: 0 };
    for (at, (name, span, value)) in given.iter().enumerate() {
        let param = match *name {
            "a" => &mut params.a,
            "b" => &mut params.b,
            "tlag" => &mut params.tlag,
            _ => {
                return Err(SourceError {
                    message: format!("there is no parameter `{name}`"),
                    span: *span,
                    label: "not one of a, b, tlag".into(),
                    help: "budgets are a(64|R| + |t|) + b, with the lag tlag".into(),
                });
            }
        };
        if given[..at].iter().any(|(known, ..)| known == name) {
            return Err(twice("parameter", name, *span));
        }
        *param = *value;
    }
    Ok(params)
}

fn variable(name: &str) -> Option<Var> {
    match name {
        "x" => Some(Var::Task),
        "c" => Some(Var::Call),
        _ => None,
    }
}

fn in_scope(var: Var, scope: &Scope<'_>, span: Span) -> Result<(), SourceError> {
    if scope.vars.contains(&var) {
        return Ok(());
    }
    let name = if var == Var::Task { "x" } else { "c" };
    Err(SourceError {
        message: format!("which {name}?"),
        span,
        label: "nothing says what it stands for".into(),
        help: format!(
            "write `each {name}:` before the clause, `some {name}:` before the formula, or make it a parameter"
        ),
    })
}

/// The level of something made of both.
fn join(left: Level, right: Level, span: Span) -> Result<Level, SourceError> {
    match (left.min(right), left.max(right)) {
        (Level::Id | Level::Task, Level::Call) => Err(SourceError {
            message: "a formula about a task and a call at once".into(),
            span,
            label: "depends on x and on c".into(),
            help: "say `some x:` or `some c:` of one of them".into(),
        }),
        (_, larger) => Ok(larger),
    }
}

fn twice(what: &str, name: &str, span: Span) -> SourceError {
    SourceError {
        message: format!("a second {what} `{name}`"),
        span,
        label: "there is one already".into(),
        help: "rename one of them".into(),
    }
}

fn arity(name: &str, count: usize, span: Span) -> SourceError {
    SourceError {
        message: format!("`{name}` takes {count} argument{}", if count == 1 { "" } else { "s" }),
        span,
        label: "it is given another number".into(),
        help: "see its definition".into(),
    }
}

fn function(form: &str, span: Span) -> SourceError {
    SourceError {
        message: format!("expected `{form}`"),
        span,
        label: "it is given something else".into(),
        help: "all but `~x` are formulas".into(),
    }
}
