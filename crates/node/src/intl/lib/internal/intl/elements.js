// `toLocaleString` of arrays with locales or options, which are those of their elements.
'use strict';

// Those whose elements are being asked: one that comes to itself shows nothing there.
const asked = [];

function elementsToLocale(list, length, locales, options) {
  if (asked.includes(list)) return '';
  asked.push(list);
  try {
    let text = '';
    for (let at = 0; at < length; at++) {
      if (at > 0) text += ',';
      const element = list[at];
      if (element !== undefined && element !== null) text += `${element.toLocaleString(locales, options)}`;
    }
    return text;
  } finally {
    asked.pop();
  }
}

module.exports = { elementsToLocale };
