// Files of a simulated disk: written, read in all three ways, listed.
const fs = require('fs');
fs.mkdirSync('/tmp/instructions', { recursive: true });
for (let i = 0; i < 100; i++) fs.writeFileSync(`/tmp/instructions/${i}`, `file ${i}`);
let length = 0;
for (let i = 0; i < 100; i++) length += fs.readFileSync(`/tmp/instructions/${i}`, 'utf8').length + fs.statSync(`/tmp/instructions/${i}`).size;
(async () => {
  for (let i = 0; i < 100; i++) length += (await fs.promises.readFile(`/tmp/instructions/${i}`)).length;
  fs.readFile('/tmp/instructions/0', (error, data) => console.log(error, length + data.length, fs.readdirSync('/tmp/instructions').length));
})();
