// TIME-9: clearing is tested when a callback is invoked, within an action too.
const log = (what) => console.log(what);
setTimeout(() => {
  log('first clears the second');
  clearTimeout(second);
  clearInterval(fourth);
}, 10, 'A');
const second = setTimeout(() => log('never'), 10, 'A');
setTimeout(() => log('third'), 10, 'A');
const fourth = setInterval(() => log('never'), 10, 'A');
const self = setInterval(() => { log('clears itself'); clearTimeout(self); clearTimeout(self); }, 10, 'A');
const younger = setTimeout(() => log('never'), 10, 'B');
setTimeout(() => clearTimeout(younger), 10, 'A');
const kept = setTimeout(() => log('kept: it had run when it was cleared'), 10, 'A');
setTimeout(() => clearTimeout(kept), 10, 'A');
