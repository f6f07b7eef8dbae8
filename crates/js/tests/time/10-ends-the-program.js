// exit: 1
// TIME-10: without a handler the program ends there, and nothing of the action is left to run.
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('first'), 10, 'A');
setTimeout(() => { throw new Error('expected'); }, 10, 'A');
setTimeout(() => console.log('never'), 10, 'A');
