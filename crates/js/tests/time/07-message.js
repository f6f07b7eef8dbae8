// TIME-7: so does a message, which is a completion of its own.
const { port1, port2 } = new MessageChannel();
const show = (what) => console.log(what, currentTime('A') - start);
port1.on('message', (what) => {
  show(what);
  setTimeout(() => { show('joined'); port1.close(); }, 10, 'A');
});
setTimeout(() => { show('posts'); port2.postMessage('message'); }, 10, 'A');
const start = currentTime('A');
setTimeout(() => show('last'), 30, 'A');
