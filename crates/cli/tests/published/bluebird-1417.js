// A promise that is resolved in time is rejected, because its limit ends before the handlers have run.
// published: https://github.com/petkaantonov/bluebird/issues/1417 (NodeRacer, NACD)
// buggy: bluebird@3.5.0
// repaired: bluebird@3.5.0 looking
// race, quickly: js/release/schedule.js:12 js/release/timers.js:74
const Promise = require(process.argv[2]);

// What the report proposes: when the limit ends, look at the promise that is limited.
if (process.argv[3] === 'looking') {
  Promise.prototype.timeout = function (ms) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => { if (this.isPending()) reject(new Promise.TimeoutError()); }, ms);
      this.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  };
}
new Promise((resolve) => setTimeout(resolve, 1000)).timeout(1001).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
