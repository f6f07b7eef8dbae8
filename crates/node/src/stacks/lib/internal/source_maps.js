// Source maps: whether they are wanted, and that of a file.
// Uses binding.fileUrl, readFile, sourceText.
'use strict';

const process = require('internal/process');

let isEnabled = require('internal/flags').isOn('--enable-source-maps');

exports.setSourceMapsEnabled = function setSourceMapsEnabled(enabled) {
  require('internal/validators').validateBoolean(enabled, 'val');
  isEnabled = enabled;
};

// A map whose sources are URLs: they are relative to it.
function located(map, base) {
  const { URL } = require('internal/url');
  const root = map.sourceRoot ? `${map.sourceRoot.replace(/\/$/, '')}/` : '';
  return { ...map, sources: map.sources.map((source) => new URL(`${root}${source}`, base).href) };
}

// The maps that were found, by file.
const found = new Map();

/// What `module.findSourceMap` gives: the map that the last comment of a file's text names.
exports.find = function find(file) {
  if (!isEnabled || typeof file !== 'string') return undefined;
  if (!found.has(file)) found.set(file, read(file));
  return found.get(file);
};

function read(file) {
  const text = binding.sourceText(file);
  const [, url] = [...(text ?? '').matchAll(/^[ \t]*\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm)].at(-1) ?? [];
  if (url === undefined) return undefined;
  try {
    const [, encoding, data] = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
    const path = file.startsWith('file:') ? require('url').fileURLToPath(file) : file;
    const map = data === undefined ? binding.readFile(require('path').resolve(require('path').dirname(path), decodeURIComponent(url))) :
      encoding === undefined ? decodeURIComponent(data) : require('buffer').Buffer.from(data, 'base64').toString();
    const { SourceMap } = require('internal/source_map');
    return new SourceMap(located(JSON.parse(map), binding.fileUrl(path)), { lineLengths: text.split('\n').map((line) => line.length) });
  } catch {
    // A map that is not there or wrong is none.
    return undefined;
  }
}

Object.defineProperty(process, 'sourceMapsEnabled', { __proto__: null, configurable: true, enumerable: true, get: () => isEnabled });
