// TIME-4: an action sets the clock of its domain and no other.
setTimeout(() => show('B 5'), 5, 'B');
setTimeout(() => show('A 10'), 10, 'A');
setTimeout(() => show('B 15'), 15, 'B');
setTimeout(() => show('A 20'), 20, 'A');
setTimeout(() => {}, 100, 'B');
const start = currentTime('A');
function show(name) {
  console.log(name, ['A', 'B'].map((label) => currentTime(label) - start));
}
