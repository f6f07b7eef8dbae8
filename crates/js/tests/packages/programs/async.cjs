// packages: async@3.2.6 co@4.6.0 bluebird@3.7.2
const async = require('async');
const co = require('co');
const Bluebird = require('bluebird');

const later = (ms, value, callback) => setTimeout(() => callback(null, value), ms);

function callbacks(over) {
  async.parallel([(done) => later(3, 'a', done), (done) => later(1, 'b', done)], (error, results) => {
    console.log('parallel', error, results);
    async.waterfall([
      (done) => done(null, 1, 2),
      (a, b, done) => later(1, a + b, done),
      (c, done) => done(c === 3 ? new Error('three') : null),
    ], (failure) => {
      console.log('waterfall', failure.message);
      const queue = async.queue((task, done) => { console.log('task', task); setImmediate(done); }, 2);
      queue.push([1, 2, 3], () => {});
      queue.unshift(0);
      queue.drain(() => {
        async.auto({
          x: (done) => done(null, 1),
          y: ['x', (all, done) => later(1, all.x + 1, done)],
        }, (wrong, all) => {
          console.log('auto', wrong, all);
          async.mapLimit([3, 2, 1], 2, async (n) => n * n).then((squares) => {
            console.log(squares);
            async.retry({ times: 3, interval: 1 }, (done) => done(new Error('never')), (e) => { console.log(e.message); over(); });
          });
        });
      });
    });
  });
}

const coroutines = () => co(function* () {
  const one = yield Promise.resolve(1);
  const [two, three] = yield [Promise.resolve(2), function* () { return 3; }];
  const object = yield { a: Promise.resolve('a') };
  try { yield Promise.reject(new Error('thrown in')); } catch (error) { console.log('co', error.message); }
  return [one, two, three, object];
}).then((value) => console.log('co', value));

async function bluebird() {
  console.log('bluebird', await Bluebird.map([1, 2, 3], (n) => Bluebird.delay(3 - n).return(n * 2)));
  await Bluebird.resolve(1).timeout(50).tap((value) => console.log('tap', value)).then(() => { throw new TypeError('typed'); })
    .catch(RangeError, () => console.log('wrong')).catch(TypeError, (error) => console.log('caught', error.message))
    .finally(() => console.log('finally'));
  await Bluebird.delay(50).timeout(1).catch(Bluebird.TimeoutError, (error) => console.log(error.message));
  console.log('b', await Bluebird.coroutine(function* () { return (yield Bluebird.props({ a: 1, b: Bluebird.resolve(2) })).b; })());
  process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
  Bluebird.reject(new Error('bluebird alone'));
}

callbacks(() => coroutines().then(bluebird));
