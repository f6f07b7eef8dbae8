// only: simulate
// TIME-14: exactly in time for the deadline is not late; fractions of a millisecond count.
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
a.deadline(5, () => console.log('never'));
a.deadline(4.5, (lag) => console.log('late', lag));
a.setTimeout(() => spend(15), 10);
a.setTimeout(() => console.log('action', a.lag()), 20);
