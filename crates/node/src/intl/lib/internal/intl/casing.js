// Large and small letters by the rules of a language: in Turkish and Azerbaijani an i keeps its dot, or does without.
'use strict';

const { canonicalLocales } = require('internal/intl/locale');
const { apply } = require('internal/kept');

const { replace, toLowerCase, toUpperCase } = String.prototype;

// The first language decides.
const isTurkic = (locales) => /^(?:tr|az)(?:-|$)/.test(canonicalLocales(locales)[0] ?? '');

exports.toUpper = (text, locales) => apply(toUpperCase, isTurkic(locales) ? apply(replace, text, [/i/g, 'İ']) : text, []);

// A dot that belongs to the letter may come after marks below it.
const DOTTED = /İ|I([\u0316-\u0319\u031c-\u0333\u0339-\u033c]*)\u0307/g;

exports.toLower = (text, locales) => {
  if (!isTurkic(locales)) return apply(toLowerCase, text, []);
  const dotted = apply(replace, text, [DOTTED, (_, below = '') => `i${below}`]);
  return apply(toLowerCase, apply(replace, dotted, [/I/g, 'ı']), []);
};
