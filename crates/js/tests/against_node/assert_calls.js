// The text of a failed assertion is part of its message.
const assert = require('assert');
const t=(f)=>{try{f()}catch(e){console.log(e.message)}};
t(()=>assert(0));t(()=>assert.ok(1 === 2, undefined));t(()=>assert.ok(/[)/]/.test('x') && "a)b" + `c${1 + ")"}d` === null));
t(()=>assert . ok ( false /* ) */ ));t(()=>assert.strict.ok(0));t(()=>{const {ok}=assert; ok([1,(2)].length > 9)});t(()=>assert(a()));function a(){return 0}
t(()=>assert.equal(1,2));t(()=>assert());
t(() => assert.ok((() => {
    return 0;
  })()));
