// What a program makes is its own, and so is what whoever runs it has made.
const fs = require('fs');
fs.writeFileSync('own', 'mine');
fs.mkdirSync('folder');
fs.symlinkSync('own', 'link');
const own = (stat) => [stat.uid === process.geteuid(), stat.gid === process.getegid()].join();
for (const name of ['own', 'folder', 'link', '.']) console.log(name, own(fs.lstatSync(name)));
const file = fs.openSync('own', 'r');
console.log('open', own(fs.fstatSync(file)));
fs.closeSync(file);
