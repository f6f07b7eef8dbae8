// One leads at a time.
let last;
export default function check({ host, at }) {
  if (last && last.host !== host && at - last.at < 50) throw new Error(`${host} leads while ${last.host} does`);
  last = { host, at };
}
