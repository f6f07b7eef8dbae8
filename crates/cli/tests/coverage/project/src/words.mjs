export function plural(count, word) {
  return count === 1 ? word : `${word}s`;
}

export const join = (words) => {
  if (words.length === 0) return '';
  const last = words.at(-1);
  return words.length === 1
    ? last
    : `${words.slice(0, -1).join(', ')} and ${last}`;
};
