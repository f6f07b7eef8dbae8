// Intl.Segmenter and Intl.Locale.
'use strict';
const s=new Intl.Segmenter(); console.log(s, Object.prototype.toString.call(s), s.resolvedOptions(), Intl.Segmenter.length, Intl.Segmenter.name);
const g=s.segment('e\u0301👨‍👩‍👧x'); console.log(g, Object.prototype.toString.call(g), [...g], g.containing(1), g.containing(99), g.containing(), Object.getOwnPropertyNames(Object.getPrototypeOf(g)));
const it=g[Symbol.iterator](); console.log(it, Object.prototype.toString.call(it), it.next(), Object.getOwnPropertyNames(Object.getPrototypeOf(it)));
const w=new Intl.Segmenter('en',{granularity:'word'}); console.log([...w.segment('Hello, world! 3.14 a_b')].map(x=>[x.segment,x.index,x.isWordLike].join('|')).join(' '), Object.keys(w.segment('a').containing(0)));
console.log([...new Intl.Segmenter('en',{granularity:'sentence'}).segment('One. Two? Three')].map(x=>x.segment));
for(const f of [()=>Intl.Segmenter(),()=>new Intl.Segmenter('en',{granularity:'x'}),()=>new Intl.Segmenter('x_'),()=>Intl.Segmenter.prototype.segment.call({},'')]) try{f()}catch(e){console.log(e.name,e.message)}
console.log([...s.segment('🇩🇪🇫🇷a\r\nb')].map(x=>x.segment.length), [...s.segment('\ud800x')].length);
const l=new Intl.Locale('de-Latn-AT-u-co-phonebk-nu-latn-hc-h23-kn',{calendar:'gregory'}); console.log(l, String(l), l.baseName,l.language,l.script,l.region,l.collation,l.numberingSystem,l.hourCycle,l.numeric,l.caseFirst,l.calendar, JSON.stringify(l), Object.prototype.toString.call(l), Intl.Locale.length);
console.log(new Intl.Locale('EN-us').toString(), new Intl.Locale('en',{region:'gb',script:'latn'}).toString(), new Intl.Locale('en').maximize().toString(), new Intl.Locale('en-Latn-US').minimize().toString(), new Intl.Locale('zh').maximize().toString(), new Intl.Locale('de').maximize().toString());
for(const f of [()=>new Intl.Locale(),()=>new Intl.Locale('x_'),()=>Intl.Locale('en'),()=>new Intl.Locale('')]) try{f()}catch(e){console.log(e.name,e.message)}
console.log(new Intl.Locale(new Intl.Locale('fr-FR')).language, new Intl.DateTimeFormat(new Intl.Locale('en-US')).resolvedOptions().locale);
