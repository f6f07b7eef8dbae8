// Ancona et al., An Abstract Machine for Asynchronous Programs with Closures and Priority Queues,
// section 1: a tick comes before an immediate, and both see one variable: "will print 10 as result".
// As printed:
function test(){
  var d = 5;
  var foo = function(){ d = 10; }
  process.nextTick(foo);
  setImmediate(() => { console.log(d) })
}
test();
