// A cleared immediate does not let the loop go round.
const cleared = setImmediate(() => console.log('never'));
clearImmediate(cleared);
clearImmediate(cleared);
setImmediate(() => console.log('never')).unref();
process.on('exit', (code) => console.log('exit', code));
