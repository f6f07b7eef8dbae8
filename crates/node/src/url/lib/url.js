// node:url: the classes of the URL standard and what came before them.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateObject } = require('internal/validators');
const internal = require('internal/url');
const { serialize } = require('internal/url/record');
const { Url, urlParse, urlResolve, urlResolveObject } = require('internal/url/legacy');

function urlFormat(urlObject, options) {
  if (typeof urlObject === 'string') {
    urlObject = urlParse(urlObject);
  } else if (typeof urlObject !== 'object' || urlObject === null) {
    throw new ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  } else {
    const record = internal.recordOf(urlObject);
    if (record !== undefined) return formatRecord(record, options);
  }
  return Url.prototype.format.call(urlObject);
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
