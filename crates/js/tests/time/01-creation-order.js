// TIME-1: at one instant domains come in the order of their creation, whatever their names and the
// order of later releases; within a domain, callbacks come in the order of their release.
const log = (what) => console.log(what);
for (const label of ['e', 'b', 'd', 'a', 'c']) setTimeout(() => log(`${label} 1`), 10, label);
for (const label of ['a', 'b', 'c', 'd', 'e']) setTimeout(() => log(`${label} 2`), 10, label);
setTimeout(() => log('a at 5'), 5, 'a');
setTimeout(() => log('c at 5'), 5, 'c');
