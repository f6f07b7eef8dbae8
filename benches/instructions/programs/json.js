// A document to text and back.
const text = JSON.stringify(Array.from({ length: 50 }, (_, at) => ({ at, name: `reading ${at}`, value: at / 7, tags: ['a', 'b'], open: at % 2 === 0 })));
let length = 0;
for (let i = 0; i < 50; i++) length += JSON.stringify(JSON.parse(text)).length;
console.log(length === 50 * text.length);
