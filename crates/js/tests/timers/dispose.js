// Handles are disposable.
const timer = setTimeout(() => console.log('never'), 1);
timer[Symbol.dispose]();
const immediate = setImmediate(() => console.log('never'));
immediate[Symbol.dispose]();
console.log(timer._destroyed, immediate._destroyed);
