// A broadcast channel keeps the program alive until it is closed or told not to.
const one = new BroadcastChannel('c');
const two = new BroadcastChannel('c');
two.onmessage = ({ data }) => {
  console.log(data);
  one.close();
  if (data === 'bye') {
    two.close();
    return;
  }
  setTimeout(() => {
    const three = new BroadcastChannel('c');
    three.postMessage('bye');
    three.unref();
  }, 5).unref();
};
setTimeout(() => { one.postMessage('hello'); }, 5).unref();
process.on('exit', () => console.log('exit'));
