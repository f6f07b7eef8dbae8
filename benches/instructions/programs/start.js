// What every program pays.
console.log('hello');
