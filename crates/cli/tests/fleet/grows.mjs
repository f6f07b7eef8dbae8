// A number that others add to only grows.
let last = 0;
export default function check({ value }) {
  if (typeof value !== 'number') return;
  if (value <= last) throw new Error(`an update is lost: ${value} after ${last}`);
  last = value;
}
