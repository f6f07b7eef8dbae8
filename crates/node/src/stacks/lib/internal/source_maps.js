// Source maps: whether they are wanted, that of a file, and where it leads.
// Uses binding.fileUrl, readFile, sourceMapUrl, sourceText.
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
  const url = text === undefined ? undefined : binding.sourceMapUrl(text, file);
  if (url === undefined) return undefined;
  try {
    const [, encoding, data] = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
    const path = file.startsWith('file:') ? require('url').fileURLToPath(file) : file;
    const beside = data === undefined ? require('path').resolve(require('path').dirname(path), decodeURIComponent(url)) : undefined;
    const map = beside !== undefined ? binding.readFile(beside) :
      encoding === undefined ? decodeURIComponent(data) : require('buffer').Buffer.from(data, 'base64').toString();
    const { SourceMap } = require('internal/source_map');
    return new SourceMap(located(JSON.parse(map), binding.fileUrl(beside ?? path)), { lineLengths: text.split('\n').map((line) => line.length) });
  } catch {
    // A map that is not there or wrong is none.
    return undefined;
  }
}

/// Where a place of a compiled file, counted from 1, is in its source, if that is wanted and known.
exports.origin = (file, line, column) => {
  const map = exports.find(file);
  if (map === undefined) return undefined;
  const { originalSource, originalLine, originalColumn } = map.findEntry(line - 1, column - 1);
  if (originalSource === undefined) return undefined;
  const path = originalSource.startsWith('file:') ? require('url').fileURLToPath(originalSource) : originalSource;
  return { file: path, line: originalLine + 1, column: originalColumn + 1, source: originalSource, map };
};

/// A line of a source that frames name, by the maps that have led there; undefined if none has.
exports.mappedLine = (file, line) => {
  for (const map of found.values()) {
    const source = map?.payload.sources.find((one) => (one.startsWith('file:') ? require('url').fileURLToPath(one) : one) === file);
    if (source !== undefined) return exports.lineAt({ file, line, source, map });
  }
  return undefined;
};

/// A line of a source, as its map has it or else as its file does.
exports.lineAt = ({ file, line, source, map }) => {
  const { sources, sourcesContent } = map.payload;
  // A file that a hook has compiled is known by what was made of it.
  const text = sourcesContent?.[sources.indexOf(source)] ?? binding.readFile(file);
  return text?.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1];
};

Object.defineProperty(process, 'sourceMapsEnabled', { __proto__: null, configurable: true, enumerable: true, get: () => isEnabled });
