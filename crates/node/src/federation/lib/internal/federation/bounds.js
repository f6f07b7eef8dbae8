// How far inputs are known (rule FED-4), also where members wait for each other: what is known is complete, whatever came first
// (rule FED-7).
//
// What a member says of itself holds on a condition: unless a message comes that it has not seen, it does nothing
// before its `reach`. A message that it has not seen was either sent before its sender spoke, then we know its tag, or
// it will be sent by an action that is not before the sender's own reach. So the earliest action of each is the least
// of its reach, of the messages on their way to it, and of what may follow from the earliest actions of its inputs.
'use strict';

const { END, START, earlier, following, isBefore, later } = require('internal/federation/tags');

/// The earliest tag of an action that each may still take, by name. `members` has those who matter: `closed` (it acts no
/// more before that), `reach`, `after` (the least delay of its messages), `inputs`, and `unseen(name)`: the earliest
/// tag of what that input has sent and it has not seen.
function earliestActions(members) {
  const earliest = new Map();
  for (const [name, member] of members) {
    let tag = member.reach;
    for (const input of member.inputs) tag = earlier(tag, member.unseen(input));
    earliest.set(name, later(tag, member.closed));
  }
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, member] of members) {
      let tag = earliest.get(name);
      for (const input of member.inputs) {
        const sender = members.get(input);
        // Of whom nothing is known, anything may come.
        tag = earlier(tag, sender === undefined ? START : following(earliest.get(input), sender.after));
      }
      tag = later(tag, member.closed);
      if (isBefore(tag, earliest.get(name))) {
        earliest.set(name, tag);
        changed = true;
      }
    }
  }
  return earliest;
}

/// What is known of a member that is gone.
const gone = { closed: END, reach: END, after: 0, inputs: [], unseen: () => END };

module.exports = { earliestActions, gone };
