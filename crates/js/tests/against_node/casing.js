// Large and small letters by the rules of a language.
const attempt = (act) => {
  try {
    console.log(act());
  } catch (error) {
    console.log(error.name, error.message);
  }
};
for (const locales of [undefined, 'tr', 'az', 'tr-TR', 'az-Latn', 'TR', 'tra', ['tr', 'en'], ['en', 'tr'], [], 'en', 'de', new Intl.Locale('tr')]) {
  console.log(String(locales), 'iıIİ ß i\u0307'.toLocaleUpperCase(locales), 'iıIİ ΑΣ'.toLocaleLowerCase(locales));
  console.log(JSON.stringify('I\u0307 I\u0323\u0307 I\u0301\u0307 J\u0307 İ\u0307 I'.toLocaleLowerCase(locales)));
}
for (const name of ['toLocaleUpperCase', 'toLocaleLowerCase']) {
  const method = String.prototype[name];
  const { enumerable, writable, configurable } = Object.getOwnPropertyDescriptor(String.prototype, name);
  console.log(method.name, method.length, enumerable, writable, configurable, Object.hasOwn(method, 'prototype'));
  for (const value of [undefined, null, Symbol('s'), 5, { toString: () => 'iI' }]) attempt(() => method.call(value, 'tr'));
  for (const locales of ['x_y', null, 5, {}]) attempt(() => 'iI'[name](locales));
  attempt(() => new method());
}
