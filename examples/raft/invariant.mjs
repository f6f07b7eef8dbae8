// What raft promises: a term has at most one leader, and all commit the same commands in the same order. Who was started
// again has lost its log: what it commits may have gaps, and goes on in the same order.
const leaders = new Map();
const committed = [];
const members = new Map();

export default function check({ host, value }) {
  const [what, which] = value.split(' ');
  if (what === 'begins') {
    members.set(host, { last: -1, isNew: !members.has(host) });
  } else if (what === 'leader') {
    const leader = leaders.get(which) ?? host;
    if (leader !== host) throw new Error(`two leaders in term ${which}: ${leader} and ${host}`);
    leaders.set(which, host);
  } else {
    const member = members.get(host);
    const known = committed.indexOf(which);
    const at = known >= 0 ? known : committed.push(which) - 1;
    const fits = member.isNew ? at === member.last + 1 : at > member.last;
    if (!fits) throw new Error(`${host} commits ${which} as number ${at + 1} after number ${member.last + 1}`);
    member.last = at;
  }
}
