// process.report: what a report has, where it is written, and what is refused.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const { report } = process;
const show = (act) => {
  try {
    console.log(act());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

console.log(report);
const { header, ...rest } = report.getReport();
console.log(header.reportVersion, header.event, header.trigger, header.filename, header.threadId, header.wordSize);
console.log(header.processId === process.pid, header.cwd === process.cwd(), header.nodejsVersion === process.version);
console.log(/^\d\.\d+$/.test(header.glibcVersionRuntime), header.cpus.length === os.cpus().length, header.host === os.hostname());
console.log(new Date(header.dumpEventTime).getTime() === Math.floor(header.dumpEventTimeStamp / 1000) * 1000);
console.log(header.componentVersions.node === process.versions.node, header.osName, header.osRelease === os.release());
console.log(rest.javascriptStack.message, rest.javascriptStack.errorProperties, rest.javascriptStack.stack.some((line) => line.includes('report.js')));
console.log(Object.keys(rest.javascriptHeap), Object.keys(rest.javascriptHeap.heapSpaces));
console.log(rest.environmentVariables.PATH === process.env.PATH, rest.workers, rest.resourceUsage.rss > 0);

const error = Object.assign(new TypeError('its message'), { detail: 5, more: {} });
const { message, stack, errorProperties } = report.getReport(error).javascriptStack;
console.log(message, stack[0].startsWith('at '), errorProperties);
console.log(report.getReport({}).javascriptStack);
report.excludeNetwork = true;
console.log('networkInterfaces' in header, 'networkInterfaces' in report.getReport().header);
for (const wrong of [1, null, 'text', Symbol('a')]) show(() => report.getReport(wrong));
for (const wrong of [1, null, Symbol('a')]) show(() => report.writeReport(wrong));
for (const wrong of [1, null, 'text']) show(() => report.writeReport('file', wrong));
for (const name of ['directory', 'filename', 'signal', 'compact', 'excludeNetwork', 'reportOnSignal', 'reportOnFatalError']) {
  for (const wrong of [1, null, {}]) show(() => { report[name] = wrong; });
}
show(() => { report.signal = 'SIGNOTHING'; });
show(() => { report.signal = 'SIGTERM'; return report.signal; });

// What is told of a written report goes to the standard error stream.
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'));
report.directory = directory;
report.compact = true;
console.log(report.writeReport('named.json', error));
const text = fs.readFileSync(path.join(directory, 'named.json'), 'utf8');
console.log(text.indexOf('\n') === text.length - 1, JSON.parse(text).header.trigger, JSON.parse(text).header.filename);
console.log(/^report\.\d{8}\.\d{6}\.\d+\.0\.001\.json$/.test(report.writeReport()));
report.filename = 'always.json';
report.compact = false;
console.log(report.writeReport(), fs.readdirSync(directory).length, fs.readFileSync(path.join(directory, 'always.json'), 'utf8').startsWith('\n{\n  "header": {\n'));
fs.rmSync(directory, { recursive: true });
console.log(JSON.stringify(report.writeReport()));
