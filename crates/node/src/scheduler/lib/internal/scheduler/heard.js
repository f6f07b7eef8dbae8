// What a node of a scheduler of several nodes has told on of what its database told it (rule CLUS-7).
//
// Several questions may be on their way, and the database may decide them in any order: what was asked first may be
// decided last, and its answer be lost. All that is known of a question is that it is decided after the answers that were
// there when it was asked, and, if its answer is lost, before those to what is asked when that is known.
'use strict';

class Heard {
  // The greatest number in an answer.
  #latest = 0;
  // Of the facts up to this number some may not have been told on; null as long as it is not known which.
  #first = null;
  // Questions without an answer yet, each with what was known when it was asked.
  #open = new Set();
  #losses = 0;

  /// Something is asked. Whoever has the answer gives the question back.
  ask() {
    const question = { latest: this.#latest, losses: this.#losses };
    this.#open.add(question);
    return question;
  }

  /// An answer came, and its facts were told. It has no number if the question was none that changes something.
  answered(question, n) {
    this.#open.delete(question);
    if (n === undefined) return;
    this.#latest = Math.max(this.#latest, n);
    if (question.losses === this.#losses) this.#first ??= n;
  }

  /// There is no answer.
  lost(question) {
    this.#open.delete(question);
    this.#losses += 1;
    this.#first = null;
  }

  /// The facts that were told on, as far as they are this node's: those after the first number, up to the second.
  get range() {
    if (this.#first === null) return null;
    let last = this.#latest;
    for (const { latest } of this.#open) last = Math.min(last, latest);
    return last < this.#first ? null : [this.#first, last];
  }
}

module.exports = { Heard };
