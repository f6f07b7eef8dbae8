// packages: marked@18.2.0 markdown-it@15.0.3 handlebars@4.7.10 mustache@4.2.0 js-yaml@5.5.0 acorn@8.19.0 iconv-lite@0.7.3 csv-parse@7.0.3 papaparse@5.7.0 fast-xml-parser@5.12.0 kleur@4.1.5 picocolors@1.1.1 ansi-styles@6.2.3 strip-ansi@7.2.0 chalk@5.6.2
import { marked } from 'marked';
import markdownit from 'markdown-it';
import Handlebars from 'handlebars';
import Mustache from 'mustache';
import * as yaml from 'js-yaml';
import * as acorn from 'acorn';
import iconv from 'iconv-lite';
import { parse } from 'csv-parse/sync';
import Papa from 'papaparse';
import { XMLParser, XMLBuilder } from 'fast-xml-parser';
import kleur from 'kleur';
import pc from 'picocolors';
import styles from 'ansi-styles';
import stripAnsi from 'strip-ansi';
import chalk, { Chalk } from 'chalk';

const text = '# Title *x*\n\n1. a\n2. b\n   - c\n\n| h | i |\n|---|:-:|\n| 1 | 2 |\n\n```js\nlet a = 1 < 2;\n```\n\n[link](http://x.y "t") ![i](z.png) `code` **b** <b>html</b> https://auto.link\n\n> quote\n';
console.log(marked.parse(text));
console.log(markdownit({ html: true, linkify: true, typographer: true }).render(`${text}\n"quotes" -- (c)`));
Handlebars.registerHelper('loud', (value) => value.toUpperCase());
Handlebars.registerPartial('item', '<li>{{this}}</li>');
console.log(Handlebars.compile('{{#if show}}{{loud name}} & {{{raw}}} {{escape}}{{/if}}{{#each list}}{{> item}}{{@index}}{{else}}none{{/each}}{{#with a.b}}{{../name}}{{/with}}')({ show: true, name: 'x', raw: '<b>', escape: '<i>', list: ['p', 'q'], a: { b: {} } }));
console.log(Mustache.render('{{#items}}{{name}}{{^last}}, {{/last}}{{/items}} {{{raw}}} {{esc}}', { items: [{ name: 'a' }, { name: 'b', last: true }], raw: '<', esc: '<' }));
console.log(yaml.load('a: &x [1, 2.5, true, null, "s"]\nb: *x\nc: |\n  multi\n  line\nd: 2024-01-02\n'), yaml.dump({ z: [1, { y: 'a: b' }], n: null, s: 'multi\nline' }));
try { yaml.load('a: [1'); } catch (error) { console.log(error.message); }
const ast = acorn.parse('const f = async ({ a = 1, ...b }, c) => { for await (const x of y) await import("z"); }; class A { #p = 1n; static { this?.#p ?? /r/u; } }', { ecmaVersion: 'latest', locations: true });
console.log(JSON.stringify(ast, (key, value) => (typeof value === 'bigint' ? String(value) : value)).length, ast.body.map((node) => [node.type, node.loc.end.column]));
try { acorn.parse('let let = 1', { ecmaVersion: 2022 }); } catch (error) { console.log(error.message, error.loc); }
console.log(iconv.encode('Grüße €', 'win1252'), iconv.decode(Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'shift_jis'), iconv.encode('日本', 'euc-jp'), iconv.decode(Buffer.from('feff0041', 'hex'), 'utf16'), iconv.encodingExists('koi8-r'));
console.log(parse('a,b\n"x ""y""",2\n', { columns: true, cast: true }), Papa.parse('a;b\n1;2', { header: true, dynamicTyping: true }).data, Papa.unparse([{ a: 'x,y', b: 'q"' }]));
console.log(new XMLParser({ ignoreAttributes: false }).parse('<a x="1"><b>2</b><b>t &amp; u</b><c/></a>'), new XMLBuilder({ format: true }).build({ a: { b: [1, 2] } }));
kleur.enabled = true;
console.log(JSON.stringify(kleur.red().bold('x') + pc.createColors(true).green('y') + styles.color.ansi256(styles.rgbToAnsi256(1, 200, 30)) + styles.color.close), stripAnsi('\u001b[31mred\u001b[39m'));
console.log(chalk.level, chalk.red('plain'), JSON.stringify(new Chalk({ level: 3 }).bold.hex('#DEADED').bgBlue('x\ny')));
