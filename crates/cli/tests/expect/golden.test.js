// Runs under jest, which writes down what it says: see scripts/compare-expect-with-jest.
'use strict';

const { writeFileSync } = require('fs');
const { expectations, printed } = require('./cases');

const plain = (text) => text.replace(/\u001b\[[\d;]*m/g, '').replace(/\n +at [^]*$/, '').trimEnd();

test('all', () => {
  const said = expectations.map((code) => {
    try {
      new Function('expect', 'jest', `return (() => { ${code.includes(';') && code.startsWith('const') ? code : `return ${code}`} })()`)(expect, jest);
      return null;
    } catch (error) {
      return plain(error.message);
    }
  });
  const { format, plugins } = require('pretty-format');
  const mock = require('jest-snapshot').getSerializers();
  const options = { escapeString: false, plugins: mock, printBasicPrototype: false, printFunctionName: false };
  void plugins;
  const texts = printed.map((code) => format(new Function('expect', 'jest', `return ${code}`)(expect, jest), options));
  writeFileSync(process.env.GOLDEN, `${JSON.stringify({ expectations: said, printed: texts }, null, 1)}\n`);
});
