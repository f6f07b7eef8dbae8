// Who has seen a version does not go back to an older one.
let last = 0;
export default function check({ value }) {
  if (value < last) throw new Error(`version ${value} after ${last}`);
  last = value;
}
