// Says that it has started, and stays for a while: the runner looks at its memory.
console.log('ready');
setTimeout(() => {}, 300);
