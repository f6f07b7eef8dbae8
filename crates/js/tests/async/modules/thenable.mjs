export function then(yes) {
  yes('from then');
}
