// node:url: the classes of the URL standard and what came before them.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateObject } = require('internal/validators');
const internal = require('internal/url');
const { serialize } = require('internal/url/record');
const { Url, urlParse, urlResolve, urlResolveObject } = require('internal/url/legacy');

function urlFormat(urlObject, options) {
  const url = typeof urlObject === 'string' ? urlParse(urlObject) : urlObject;
  if (url === null || typeof url !== 'object') throw new ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], url);
  const record = internal.recordOf(url);
  return record === undefined ? Url.prototype.format.call(url) : formatRecord(record, options);
}

// A URL with parts left out, or with its host as people read it.
function formatRecord(record, options) {
  if (options) validateObject(options, 'options');
  const { fragment = true, unicode = false, search = true, auth = true } = options ?? {};
  const shown = { ...record };
  if (!fragment) shown.fragment = null;
  if (!search) shown.query = null;
  if (!auth) shown.username = shown.password = '';
  if (unicode && shown.host !== null) shown.host = require('internal/idna').domainToUnicode(shown.host);
  return serialize(shown);
}

module.exports = {
  Url,
  parse: urlParse,
  resolve: urlResolve,
  resolveObject: urlResolveObject,
  format: urlFormat,
  URL: internal.URL,
  URLSearchParams: internal.URLSearchParams,
  domainToASCII: internal.domainToASCII,
  domainToUnicode: internal.domainToUnicode,
  pathToFileURL: internal.pathToFileURL,
  fileURLToPath: internal.fileURLToPath,
  urlToHttpOptions: internal.urlToHttpOptions,
};
