// What is given to the classes of Intl as options, and is none.
const classes = ['NumberFormat', 'DateTimeFormat', 'Collator', 'PluralRules', 'RelativeTimeFormat', 'ListFormat', 'Segmenter'];
const show = (what, make) => {
  try {
    console.log(what, make());
  } catch (error) {
    console.log(what, error.name, error.message);
  }
};
for (const name of classes) {
  for (const options of [null, undefined, 1, {}, { localeMatcher: 'lookup' }, { localeMatcher: 'none' }]) {
    show([name, options], () => Intl[name].supportedLocalesOf('en', options));
  }
}
for (const name of ['NumberFormat', 'RelativeTimeFormat']) {
  for (const numberingSystem of ['', 'a', 'latn', 'LATN', 'x-y', 'abc-def', 1, null]) {
    show([name, numberingSystem], () => new Intl[name]('en', { numberingSystem }).resolvedOptions().numberingSystem);
  }
}
