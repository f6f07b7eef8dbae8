// Nothing happens twice.
const seen = new Set();
export default function check({ value }) {
  if (seen.has(value)) throw new Error(`it happens twice: ${value}`);
  seen.add(value);
}
