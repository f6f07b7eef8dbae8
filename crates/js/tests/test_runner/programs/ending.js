// A program that ends itself while tests run.
const test = require('node:test');
process.on('exit', (code) => console.log('exit', code));
test('done', () => {});
test('ends', async () => { await new Promise((resolve) => setTimeout(resolve, 5)); process.exit(3); });
test('never', () => console.log('never'));
