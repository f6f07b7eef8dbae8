//! Theories: axioms about a scheduler and its environment, and traces that are held to them.
//!
//! A [`Theory`] is text in a small temporal language, whose formulas look only at the past. What an axiom
//! awaits from the future is said by the form of its clauses. `theories/declarative-scheduler.theory`
//! is the theory of declarative schedulers and shows all of the language:
//!
//! | form | means |
//! | --- | --- |
//! | `param b = 100` | a witness of the budgets: `a`, `b`, `tlag` |
//! | `let Name(x, P) = F` | a definition; `x` and `c` are variables, other parameters formulas |
//! | `axiom S1 "title" of scheduler: …; …` | an axiom with its clauses, of `scheduler` or `environment` |
//! | `each x: …`, `each c: …` | a clause for every task, for every call of initialize() |
//! | `always F` | F at every position |
//! | `after F, eventually G` | whenever F, then or later G; `within lin(list)`: within the budget; `voided by H`: what was awaited before H counts no more |
//! | `after F, G until H`, `G unless H` | whenever F, from then on G until H comes; it may never come |
//! | `infinitely often F`, `… or never G` | only decided for traces that repeat |
//! | `not`, `and`, `or`, `->` | as usual |
//! | `previous F`, `F since G`, `once F`, `historically F` | the past |
//! | `some x: F`, `some c: F` | for some task, for some call |
//! | `full x: F` | for as many tasks as the list in force lets run at once |
//! | `balance(F, G, H)` | there were more F than G since H |
//! | `expired(~x, F)` | the delay of a retry is over, and F did not come first |
//!
//! `Due(x)` is about exactly this registration, `Due(~x)` about all with the same id.
//!
//! [`Watch`] is the compiled monitor: it is told one position after the other and keeps a fixed number
//! of bits for every task. [`Trace`] reads what people write down, and [`Trace::check`] puts the two
//! together.
//!
//! ```
//! use hemiola_monitor::theory::{Theory, Trace, Verdict};
//!
//! let trace = Trace::parse(r#"{
//!   "tasks": {"a": {"id": "A", "rd": 1000}}, "lists": {"R": {"tasks": ["a"], "valid": true}},
//!   "events": [{"t": 10, "ev": "InitStart", "R": "R", "call": 1},
//!              {"t": 20, "ev": "InitSuccess", "R": "R", "call": 1},
//!              {"t": 30, "ev": "RunStart", "x": "a"}]}"#)?;
//! let theory = Theory::declarative_scheduler();
//! let report = trace.check(&theory, trace.params(&theory, [None; 3]));
//! let violated = report.verdicts.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Violated(_)));
//! assert_eq!(violated.map(|(axiom, _)| axiom.name.as_str()).collect::<Vec<_>>(), ["S1"]);
//! # Ok::<(), hemiola_trace::source::SourceError>(())
//! ```

mod atoms;
mod compile;
mod compute;
mod environment;
mod events;
mod place;
mod report;
mod syntax;
mod token;
mod trace;
mod watch;

pub use compile::{AxiomInfo, Params, Theory};
pub use compute::Grants;
pub use environment::{Environment, Nature};
pub use events::{List, Position, Task, What};
pub use report::{Phenomenon, Report, Story, Subject, Verdict, Violation, Wait};
pub use syntax::Owner;
pub use trace::Trace;
pub use watch::Watch;
