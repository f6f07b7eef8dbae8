// Who waits for a clock by looking at it again and again comes to an end, in virtual time, too.
const wait = (now) => {
  const begin = now();
  while (now() - begin < 20);
  console.log('waited');
};
wait(() => Date.now());
wait(() => +new Date());
wait(() => performance.now());
wait(() => Number(process.hrtime.bigint()) / 1e6);
setTimeout(() => console.log('and time goes on'), 5);
