// TIME-9, TIME-11: a labelled timer that does not keep the program alive still holds its domain.
const show = (what) => console.log(what, currentTime('A') - start);
const lazy = setInterval(() => show('lazy'), 10, 'A').unref();
const start = currentTime('A');
console.log(lazy.hasRef(), lazy.ref().hasRef(), lazy.unref().hasRef());
setTimeout(() => show('last'), 25, 'A');
