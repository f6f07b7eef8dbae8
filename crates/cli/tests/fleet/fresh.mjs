// A token that was just given out holds.
export default function check({ value }) {
  if (value === 'expired') throw new Error('a fresh token is refused');
}
