// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 4.1.
// One function, registered twice: only the order of its calls tells them apart. Prints hi, then bye.
const words = ['hi', 'bye'];
let calls = 0;
function speak() { console.log(words[calls++]); }

setTimeout(speak, 10);
setTimeout(speak, 20);
