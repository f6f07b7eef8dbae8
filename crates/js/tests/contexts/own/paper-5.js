// Section 5 of the paper: from the error back to the callback that it comes from, and to its file.
const fs = require('fs');
const { label, linkChain } = require('hemiola:context');
label('global');
function tryReadFile(file) {
  fs.readFile(file, function read1(err, data) {
    label(`read1 of ${require('path').basename(file)}`);
    if (err) {
      setTimeout(function timeout1() {
        label('timeout1');
        console.log('error', linkChain().map(({ label }) => label).join(' -> '));
      }, 100);
    } else {
      console.log('data', linkChain().map(({ label }) => label).join(' -> '));
    }
  });
}
tryReadFile('/does/not/exist/foo.txt');
tryReadFile(__filename.replace(/paper-5.js$/, 'paper-4.1.js'));
