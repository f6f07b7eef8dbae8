Object.defineProperty(exports, '__esModule', { value: true });
exports.default = 'its default';
for (const name of ['named']) exports[name] = `its ${name}`;
