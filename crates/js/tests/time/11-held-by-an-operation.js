// TIME-11: what an action has under way holds its domain: here an immediate, and a message.
const { port1, port2 } = new MessageChannel();
const used = (when) => console.log(when, ['A', 'B'].map((label) => currentTime(label) !== undefined));
port1.on('message', () => {
  port1.close();
  used('message');
});
setTimeout(() => {
  setImmediate(() => {
    used('immediate');
    process.nextTick(() => used('its tick'));
  });
}, 5, 'A');
setTimeout(() => port2.postMessage(0), 50, 'B');
setTimeout(() => used('later'), 100, 'C');
