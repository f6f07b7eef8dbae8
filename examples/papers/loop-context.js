// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 4.4: global, immediate1, timeout1, then1, in this order; prints Hello Context World!
// As printed:
(function foo() {
const p = new Promise(function promise1(res) {
setTimeout(function timeout1() {
res(42);
}, 200);
});
setImmediate(function immediate1() {
p.then(function then1(val) {
console.log('Hello Context World!');
});
});
})();
