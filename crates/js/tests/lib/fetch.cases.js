// Headers, Request, Response, their bodies, and fetch of what needs no network.
if (!onNode) {
  binding.now = () => 0;
  binding.born = 0;
  binding.wallClock = () => 1e12;
  binding.random = () => 0.5;
  binding.emitWarning = () => {};
  binding.nextTick = (callback, ...args) => Promise.resolve().then(() => callback(...args));
  binding.setUnrefTimeout = () => {};
}
const { URL, URLSearchParams } = load(onNode ? 'url' : 'internal/url');
const { AbortController, AbortSignal } = onNode ? globalThis : load('internal/abort_controller');
const { Event, EventTarget } = onNode ? globalThis : load('internal/event_target');
const { Blob, File } = onNode ? globalThis : load('internal/blob');
const { ReadableStream } = load('stream/web');
const { Buffer } = load('buffer');
const { FormData } = onNode ? globalThis : load('internal/formdata');
const { Headers } = onNode ? globalThis : load('internal/fetch/headers');
const { Request } = onNode ? globalThis : load('internal/fetch/request');
const { Response } = onNode ? globalThis : load('internal/fetch/response');
const { fetch } = onNode ? globalThis : load('internal/fetch/fetch');
const { inspect } = load(onNode ? 'util' : 'internal/util/inspect');

const show = (value) => withoutFrames(inspect(value, { depth: 4 })).replace(/undici-\d+/g, 'U').replace(/lastModified: \d+/g, 'lastModified');
const explain = (error) => `${error.constructor.name} ${error.name} ${error.code} ${error.message} | ${error.cause?.name} ${error.cause?.message}`;
const names = { URL, URLSearchParams, AbortController, AbortSignal, Blob, File, ReadableStream, Buffer, FormData, Headers, Request, Response, fetch };
const check = (source) => test(source, async () => {
  try { return show(await evaluate(source)); } catch (error) { return `throws ${explain(error)}`; }
});
const evaluate = (source) => new Function(...Object.keys(names), `return (async () => (${source}))()`)(...Object.values(names));

// Arguments and what they become.
for (const source of String.raw`
new Headers(null)
new Headers(undefined)
new Headers(1)
new Headers('x')
new Headers([1])
new Headers([['a']])
new Headers([['a','b','c']])
new Headers(['ab'])
new Headers({a:Symbol()})
new Headers({[Symbol('x')]:1})
new Headers({'a b':1})
new Headers({'':1})
new Headers({a:'x\u0100'})
new Headers({'\u0100':'x'})
new Headers({a:' x\n '})
new Headers({a:'x\ny'})
new Headers({a:'x\0y'})
new Headers({a:'é'})
new Headers(new Map([['a','b']]))
new Headers([new Set(['a','b'])])
new Headers(new Headers([['set-cookie','1'],['Set-Cookie','2'],['cookie','a'],['Cookie','b'],['X-A','1'],['x-a','2']]))
new Headers({a:{}})
new Headers(()=>{})
new Headers([[1,2]])
new Headers({a:null,b:undefined})
new Headers().append('a')
new Headers().append()
new Headers().append('a b','c')
new Headers().append('a','c\nd')
new Headers().append('a',Symbol())
new Headers().append(Symbol(),'a')
new Headers().set('a')
new Headers().set('a b','x')
new Headers().set('a','x\0')
new Headers().get()
new Headers().get('a b')
new Headers().get(Symbol())
new Headers().has('')
new Headers().delete('')
new Headers().delete()
new Headers().forEach()
new Headers().forEach(1)
Headers.prototype.get.call({}, 'x')
Headers.prototype.get
new Headers({a:1}).entries()
new Headers({a:1}).keys().next.call({})
Object.prototype.toString.call(new Headers().keys())
Reflect.ownKeys(new Headers())
Response.error().headers.set('a','b')
Response.error().headers.append('a','b')
Response.error().headers.delete('a')
Response.error()
new Response(1)
new Response(Symbol())
new Response('', {status:199})
new Response('', {status:600})
new Response('', {status:'x'})
new Response('', {status:101})
new Response('', {status:204})
new Response(null, {status:204})
new Response('', {status:200.9}).status
new Response('', {statusText:'a\n'})
new Response('', {statusText:'é'}).statusText
new Response('', {statusText:'\u0100'})
new Response('', {headers:1})
new Response('', {headers:[['a']]})
new Response('', 1)
new Response('', null)
new Response('', {status:null})
new Response('', {status:undefined}).status
new Response(undefined)
new Response(null)
new Response({})
new Response([1,2])
new Response(new Uint8Array(2))
new Response(new Date(0)).headers
new Response('x',{headers:{'content-type':'a'}}).headers
Response.json()
Response.json(undefined)
Response.json(Symbol())
Response.json(()=>{})
Response.json({a:1})
Response.json({a:1},{status:204})
Response.json({a:1},{status:201,headers:{'content-type':'x'}})
Response.redirect()
Response.redirect('/x')
Response.redirect('http://a/b')
Response.redirect('http://a/b',301)
Response.redirect('http://a/b',200)
Response.redirect('http://a/b','x')
Response.redirect('http://a/b é')
Response.redirect('http://a/b').headers.set('a','b')
Response.prototype.url
Response.prototype.status
new Request()
new Request('x')
new Request('/x')
new Request('http://a', 1)
new Request('http://a', null)
new Request('http://a', {method:'a b'})
new Request('http://a', {method:''})
new Request('http://a', {method:'TRACE'})
new Request('http://a', {method:'connect'})
new Request('http://a', {method:'track'})
new Request('http://a', {method:'get'}).method
new Request('http://a', {method:'post'}).method
new Request('http://a', {method:'foo'}).method
new Request('http://a', {method:null}).method
new Request('http://a', {method:undefined}).method
new Request('http://a', {method:Symbol()})
new Request('http://a', {body:'x'})
new Request('http://a', {body:'x',method:'HEAD'})
new Request('http://a', {body:null}).body
new Request('http://a', {body:'x',method:'POST'})
new Request('http://a', {body:new ReadableStream(),method:'POST'})
new Request('http://a', {body:new ReadableStream(),method:'POST',duplex:'half'})
new Request('http://a', {body:'x',method:'POST',duplex:'full'})
new Request('http://a', {duplex:'x'})
new Request('http://a', {window:1})
new Request('http://a', {window:null}).url
new Request('http://a', {mode:'x'})
new Request('http://a', {mode:'navigate'})
new Request('http://a', {mode:'same-origin'}).mode
new Request('http://a', {mode:'no-cors'}).mode
new Request('http://a', {mode:'no-cors',method:'PUT'})
new Request('http://a', {mode:'websocket'})
new Request('http://a', {credentials:'x'})
new Request('http://a', {credentials:'include'}).credentials
new Request('http://a', {cache:'x'})
new Request('http://a', {cache:'only-if-cached'})
new Request('http://a', {cache:'only-if-cached',mode:'same-origin'}).cache
new Request('http://a', {redirect:'x'})
new Request('http://a', {redirect:'manual'}).redirect
new Request('http://a', {referrer:''}).referrer
new Request('http://a', {referrer:'about:client'}).referrer
new Request('http://a', {referrer:'http://b/c'}).referrer
new Request('http://a', {referrer:'::'})
new Request('http://a', {referrerPolicy:'x'})
new Request('http://a', {referrerPolicy:'origin'}).referrerPolicy
new Request('http://a', {integrity:1}).integrity
new Request('http://a', {keepalive:1}).keepalive
new Request('http://a', {keepalive:true,body:new ReadableStream(),method:'POST',duplex:'half'})
new Request('http://a', {signal:1})
new Request('http://a', {signal:{}})
new Request('http://a', {signal:null}).signal
new Request('http://a', {signal:undefined}).signal
new Request('http://a', {signal:AbortSignal.abort()}).signal
new Request('http://a', {headers:{'a b':1}})
new Request('http://a', {headers:1})
new Request('http://a', {priority:'auto'})
new Request('http://u:p@a')
new Request('http://a#frag').url
new Request(new URL('http://a/x')).url
new Request({toString:()=>'http://q/'}).url
new Request(1)
new Request('http://a', {method:'POST',body:'x'}).clone()
new Request(new Request('http://a',{method:'POST',body:'x',headers:{a:1}}))
new Request(new Request('http://a',{method:'POST',body:'x',headers:{a:1}}),{headers:{b:1}}).headers
new Request(new Request('http://a',{method:'POST',body:'x',headers:{a:1}}),{method:'GET'})
new Request(new Request('http://a',{mode:'no-cors'}),{headers:{b:1}}).headers
new Request('http://a').duplex
new Request('http://a').attribute
Request.prototype.method
Request.prototype.toString()
new Request('http://a', {method:'POST',body:new Blob(['a'])}).headers
new Request('http://a', {method:'POST',body:new Uint16Array(2)}).headers
new Response(new FormData()).headers.get('content-type').length
new Response(new DataView(new ArrayBuffer(3)))
new Response(new SharedArrayBuffer(3))
new Response(new Uint8Array(new SharedArrayBuffer(3)))
new Response((async function*(){yield 'x'})()).headers`.trim().split('\n')) check(source);

// Forms.
for (const source of String.raw`
new FormData(1)
new FormData(undefined)
new FormData(null)
new FormData().append()
new FormData().append('a')
new FormData().append('a', 'b', 'c')
new FormData().append('a', new Blob([]), 'c')
new FormData().set('a')
new FormData().set('a', 'b', 'c')
new FormData().get()
new FormData().getAll()
new FormData().has()
new FormData().delete()
new FormData().forEach()
new FormData().forEach(1)
new FormData().get('x')
new FormData().getAll('x')
FormData.prototype.get.call({}, 'x')
new FormData().entries()
Object.prototype.toString.call(new FormData().keys())
Reflect.getPrototypeOf(new FormData().keys()).next.call({})
((form = new FormData()) => { form.append('a', '1'); form.append('b', 2); form.append('a', null); form.append('c', undefined); return [form, [...form], [...form.keys()], [...form.values()], form.getAll('a'), form.get('a'), form.has('b')]; })()
((form = new FormData()) => { form.append('a', '1'); form.append('b', '2'); form.append('a', '3'); form.set('a', '4'); form.set('z', '5'); form.delete('b'); return form; })()
((form = new FormData()) => { form.append('a', '1'); form.append('b', '2'); const seen = []; for (const [key] of form) { seen.push(key); if (key === 'a') form.append('c', '3'); if (key === 'b') form.delete('a'); } return seen; })()
((form = new FormData()) => { form.append('f', new Blob(['x'], { type: 'a/b' })); form.append('g', new Blob(['x']), 'name'); form.append('h', new File(['x'], 'own', { lastModified: 5 })); form.append('h', new File(['x'], 'own', { lastModified: 5 }), 'other'); return [form, form.get('f') instanceof File, form.get('f').name, form.getAll('h').map((file) => [file.name, file.lastModified])]; })()
((form = new FormData()) => { form.append('\ud800', '\udc00'); return [...form][0].map((text) => text.codePointAt(0)); })()
((form = new FormData(), seen = []) => { form.append('a', '1'); form.forEach(function (value, key, self) { seen.push(value, key, self === form, this); }, 'this'); return seen.map(String); })()`.trim().split('\n')) check(source);

// Bodies.
names.entriesOf = async (text, type) => {
  const form = await new Response(text, type === undefined ? {} : { headers: { 'content-type': type } }).formData();
  return JSON.stringify([...form].map(([key, value]) => [key, typeof value === 'string' ? value : { name: value.name, type: value.type, size: value.size, isFile: value instanceof File }]));
};
names.parts = (body, boundary = 'b') => names.entriesOf(body, `multipart/form-data; boundary=${boundary}`);
for (const source of String.raw`
new Response('x').text().then(x=>x)
(async(r=new Response('x'))=>{await r.text(); return r.bodyUsed+' '+r.body.locked})()
(async(r=new Response('x'))=>{await r.text(); return r.text()})()
(async(r=new Response('x'))=>{await r.text(); return r.clone()})()
(async(r=new Request('http://a',{method:'POST',body:'x'}))=>{await r.text(); return r.clone()})()
(async(r=new Request('http://a',{method:'POST',body:'x'}))=>{await r.text(); return new Request(r)})()
(async(r=new Request('http://a',{method:'POST',body:'x'}))=>{const q=new Request(r); return [r.bodyUsed,q.bodyUsed,await q.text(), r.body]})()
(async(r=new Request('http://a',{method:'POST',body:'x'}))=>{const q=new Request(r,{body:'y'}); return [r.bodyUsed,q.bodyUsed,await q.text(), await r.text()]})()
(async(r=new Response('x'))=>{r.body.getReader(); return r.text()})()
(async(r=new Response('x'))=>{r.body.getReader(); return r.clone()})()
(async(r=new Response('x'))=>{const c=r.clone(); return [await r.text(), await c.text(), c.bodyUsed]})()
(async(r=new Response())=>{await r.text(); return [r.bodyUsed, await r.text(), await r.arrayBuffer()]})()
new Response().json()
new Response('\ufeff{"a":1}').json()
new Response('\ufeffx').text()
new Response(new Uint8Array([0xff,65])).text()
new Response('x',{headers:{'content-type':'A/B; Charset=x'}}).blob()
new Response('x',{headers:{'content-type':'bad'}}).blob()
new Response('x',{headers:{'content-type':'text/html;charset=gbk, x/x'}}).blob()
new Response('x').blob()
new Response(new Uint8Array([1,2])).blob()
new Response('x').bytes()
new Response('xyz').arrayBuffer()
new Response(new ReadableStream({start(c){c.enqueue('str');c.close()}})).text()
new Response(new ReadableStream({start(c){c.enqueue(new Uint16Array(2));c.close()}})).arrayBuffer()
new Response(new ReadableStream({start(c){c.error(new RangeError('q'))}})).text()
new Response(async function*(){yield 'a'}).text()
new Response((async function*(){yield 'a'})()).text()
new Response((async function*(){yield Buffer.from('a'); yield new Uint8Array([66])})()).text()
new Response((async function*(){throw new RangeError('z')})()).text()
new Response({async *[Symbol.asyncIterator]() { yield Buffer.from('q') }}).text()
new Response(new Blob(['ab','c'],{type:'x/y'})).body
(async (s=new ReadableStream())=>{ s.getReader(); return new Response(s)})()
(async (s=new ReadableStream({start(c){c.enqueue(new Uint8Array(1))}}))=>{ const r=s.getReader(); await r.read(); r.releaseLock(); return new Response(s)})()
(async (s=new ReadableStream())=>{ return new Response(s).body===s})()
(async (r=new Response('abc'))=>{ const out=[]; for await (const c of r.body) out.push(c); return [out,r.bodyUsed]})()
(async (r=new Response('abc'))=>{ const rd=r.body.getReader({mode:'byob'}); return [await rd.read(new Uint8Array(2)),await rd.read(new Uint8Array(2)),await rd.read(new Uint8Array(2))]})()
(async (r=new Response('abc'))=>{ await r.body.cancel(); return [r.bodyUsed, await r.text().catch(e=>e.message)]})()
(async (r=new Response(''))=>{ return [await r.body.getReader().read()]})()
entriesOf('a=1&b=2&a=%20+x','application/x-www-form-urlencoded')
entriesOf('a=1','application/x-www-form-urlencoded;charset=x')
entriesOf('a=1','APPLICATION/X-www-form-urlencoded')
entriesOf('a=1','text/plain')
entriesOf('a=1')
entriesOf(new Uint8Array(),'')
entriesOf('','multipart/form-data')
parts('')
parts('--b--')
parts('--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition:form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data;name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"; filename="f%22%0A"\r\nContent-Type: x/y; q=1\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"; filename=f\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"; filename*=utf-8\'\'f%20x\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; filename="f"; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"; x="y"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\nX-Other: z\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\nepilogue')
parts('preamble\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\nContent-Disposition: form-data; name="a"\n\n1\n--b--\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n--b--\r\n')
parts('--b \r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\na--b\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="é"\r\n\r\né\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a\\"b"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition : form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nBad Name: x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: FORM-DATA; NAME="a"\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a" \r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name="a";\r\n\r\n1\r\n--b--\r\n')
parts('--b\r\nContent-Disposition: form-data; name=""\r\n\r\n1\r\n--b--\r\n')
parts('x','"b"')
parts('--b c\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b c--\r\n','"b c"')
parts('x','')
parts('--'+'x'.repeat(71)+'--','x'.repeat(71))
parts('--b@--\r\n','b@')
parts("--b'--\r\n","b'")`.trim().split('\n')) check(source);

// A form becomes text and a form again.
const forms = [
  [], [['a', '1']], [['a', '1\n2\r3\r\n4'], ['é\n"', '\u{1f600}']], [['', '']], [['f', new Blob(['\n'])]],
  [['f', new File(['x'], 'q\r\n".txt', { type: 'a/b;c=d' })], ['g', new File([], '')]],
];
for (const [at, entries] of forms.entries()) {
  test(`form ${at}`, async () => {
    const form = new FormData();
    for (const [key, value] of entries) form.append(key, value);
    const response = new Response(form);
    const text = await response.clone().text();
    const boundary = /boundary=(.*)/.exec(response.headers.get('content-type'))[1];
    return [text.replaceAll(boundary, 'B'), show(await response.formData())];
  });
}

// Types, as a blob of the body shows them.
const types = [
  'text/plain', 'TEXT/Plain', ' text/plain ', 'text/plain;', 'text/plain;charset=utf-8', 'text/plain;charset="utf-8"', 'text/plain; Charset=UTF-8 ; x=y', 'text/plain;a="b\\"c"', 'text/plain;a="b', 'text/plain;a=b c', 'text/plain;a=;b=c',
  'text/plain;=x', 'text/plain;a', 'text/plain;a;b=c', 'text/plain;a=1;a=2', 'text', 'text/', '/plain', 'te xt/plain', 'text/pl ain', 'text/plain,', 'text/plain,text/html', 'text/html;charset=x,text/html', 'text/html;charset=x,text/html;q=1',
  'text/html;charset=x,text/plain', 'text/html,*/*', '*/*', 'x/y,bad', 'a/b;c="d,e",f/g', '"', 'a/b;c="é"', 'a/b;c=é', 'a/b;c=""', 'a/b;"c"=d', '', ',', 'a/b\t;\tc=d',
];
for (const type of types) test(`type ${type}`, async () => (await new Response('', { headers: { 'content-type': type } }).blob()).type);

// Data URLs.
const data = [
  'data:', 'data:,', 'data:x', 'data:,x', 'data:,%20x%zz%4', 'data:,é', 'data:text/html,<p>', 'data:;base64,aGk=', 'data:;base64,aGk', 'data:;base64,aG k', 'data:;base64,a', 'data:;base64,aG=k', 'data:;base64,aGk===', 'data:;base64,',
  'data:;BASE64,aGk=', 'data:; base64,aGk=', 'data:;base64 ,aGk=', 'data:text/plain;charset=x;base64,aGk=', 'data:;charset=utf-8,x', 'data:bad,x', 'data:a/b;c="d,e",f', 'data:a/b,x#y', 'data:a/b,x?y', 'data:;base64;x,aGk=', 'data:base64,aGk=',
  'data: ,x', 'data:a/b ,x', 'data:,%00%ff', 'data:;base64,%61Gk%3D', 'DATA:,x', 'data:A/B;C=D,x', 'data:a/b;;c=d,x',
];
for (const url of data) {
  test(url, async () => {
    try {
      const response = await fetch(url);
      return [show(response.headers), response.url, response.status, Buffer.from(await response.arrayBuffer()).toString('hex')];
    } catch (error) { return `throws ${explain(error)}`; }
  });
}
for (const url of ['about:blank', 'file:///x', 'foo:bar', 'blob:nodedata:1', 'http://h:1/', 'https://h:25/', 'http://u@h/', 'x', '']) {
  test(`fetch ${url}`, () => fetch(url).catch(explain));
}
// What is aborted before it begins.
test('aborted', () => fetch('data:,x', { signal: AbortSignal.abort() }).catch(explain));
test('aborted with reason', () => fetch('data:,x', { signal: AbortSignal.abort('why') }).catch((reason) => reason));
test('aborted request', () => {
  const controller = new AbortController();
  const request = new Request('data:,x', { signal: controller.signal });
  const clone = request.clone();
  controller.abort(new RangeError('enough'));
  return [request.signal.aborted, clone.signal.aborted, request.signal.reason.message, request.signal === controller.signal];
});
test('an imitation of a signal', () => {
  const signal = Object.assign(new EventTarget(), { aborted: false, reason: 'because' });
  const request = new Request('http://h', { signal });
  signal.dispatchEvent(new Event('abort'));
  return [request.signal.aborted, request.signal.reason];
});

// Headers that change while they are looked at.
test('changes on the way', () => {
  const headers = new Headers({ b: '1', d: '2' });
  const seen = [];
  for (const [name] of headers) {
    seen.push(name);
    if (name === 'b') headers.append('c', '3');
    if (name === 'c') headers.delete('b');
  }
  headers.forEach((value, name) => { seen.push(name); if (name === 'c') headers.append('e', '5'); });
  return seen;
});
test('sorted', () => {
  const headers = new Headers([['Set-Cookie', 'b'], ['x-B', '1'], ['X-a', '2'], ['set-cookie', 'a'], ['Accept', '3'], ['x-b', '4']]);
  return [show(headers), JSON.stringify([...headers]), headers.getSetCookie(), [...headers.keys()], [...headers.values()], headers.get('SET-COOKIE')];
});
test('cookies', () => {
  const headers = new Headers([['set-cookie', 'a=1'], ['set-cookie', 'b=2']]);
  const seen = [headers.getSetCookie().join()];
  headers.set('Set-Cookie', 'c=3');
  seen.push(headers.getSetCookie().join(), show(headers));
  headers.delete('set-cookie');
  seen.push(headers.getSetCookie().join(), [...new Headers(headers)].length);
  return seen;
});

// The shapes of the classes.
for (const Class of [Headers, Request, Response, FormData]) {
  test(`shape of ${Class.name}`, () => {
    const lines = [Class.name, Class.length];
    for (const [object, kind] of [[Class, 'static'], [Class.prototype, 'own']]) {
      for (const key of Reflect.ownKeys(object)) {
        if (typeof key === 'symbol' && !/^Symbol.(?:iterator|toStringTag)/.test(key.description)) continue;
        const { enumerable, configurable, writable, get, value } = Object.getOwnPropertyDescriptor(object, key);
        lines.push([kind, String(key), enumerable, configurable, writable, get?.name, typeof value === 'function' ? `${value.name} ${value.length}` : ''].join(' '));
      }
    }
    return lines.sort().join('\n');
  });
}
test('keys', () => {
  const keys = [];
  for (const key in new Request('http://h')) keys.push(key);
  for (const key in new Response()) keys.push(key);
  for (const key in new Headers()) keys.push(key);
  return keys.join();
});

// Random headers.
let state = seed;
const next = (limit) => { state = (state * 48271) % 2147483647; return state % limit; };
const alphabet = ['a', 'B', '-', '_', ' ', '\t', '\r', '\n', '\0', ':', ',', ';', '"', 'é', '\u0100', '1', '', 'cookie', 'set-cookie', 'X-'];
const word = () => Array.from({ length: 1 + next(4) }, () => alphabet[next(alphabet.length)]).join('');
for (let i = 0; i < 300; i++) {
  const steps = Array.from({ length: 6 }, () => [['append', 'set', 'append', 'delete', 'get', 'has'][next(6)], word(), word()]);
  test(`random ${JSON.stringify(steps)}`, () => {
    const headers = new Headers();
    const seen = [];
    for (const [method, name, value] of steps) {
      try { seen.push(String(headers[method](name, value))); } catch (error) { seen.push(error.message); }
    }
    return [seen.join('; '), JSON.stringify([...headers]), show(headers)];
  });
}

// Random forms, types and data URLs: each a valid one with some of it changed.
const joined = (words, most) => Array.from({ length: 1 + next(most) }, () => words[next(words.length)]).join('');
const pieces = [
  '--b', '\r\n', '--', '\r', '\n', 'Content-Disposition: form-data; name="a"', '; filename="f"', '; filename="', 'Content-Type: text/plain', 'Content-Transfer-Encoding: base64', 'X: y', ': ', '"', '%22', '%0d', '\r\n\r\n', 'value', 'é',
  '\u{1f600}', 'aGk=', ' ', '\t', 'b', '--b--', '--b\r\n', 'name="', '\0',
];
const whole = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x.txt"\r\nContent-Type: a/b\r\n\r\nfile\r\n--b--\r\n';
for (let i = 0; i < 400; i++) {
  let body = whole;
  for (let changes = 1 + next(4); changes > 0; changes--) {
    const at = next(body.length);
    body = body.slice(0, at) + (next(2) === 0 ? joined(pieces, 1) : '') + body.slice(at + next(5));
  }
  test(`random form ${JSON.stringify(body)}`, () => names.parts(body).catch(explain));
}
for (let i = 0; i < 300; i++) {
  const type = joined(['text', '/', 'plain', ';', 'charset', '=', 'utf-8', '"', '\\', ' ', '\t', ',', '*/*', 'a/b', 'é', 'x', 'application/json'], 9);
  test(`random type ${type}`, async () => (await new Response('', { headers: { 'content-type': type } }).blob()).type);
  const url = `data:${joined(['data:', 'text/plain', ';', 'base64', ',', 'aGk=', '%41', '%', 'x', ' ', 'charset=x', '"', '#', '?', 'é', ';base64,', 'a/b'], 8)}`;
  test(`random ${url}`, async () => {
    try {
      const response = await fetch(url);
      return [response.url, JSON.stringify([...response.headers]), Buffer.from(await response.arrayBuffer()).toString('hex')];
    } catch (error) { return explain(error); }
  });
}
// Many headers and fields are found, and taken out while somebody iterates, by other means than few.
for (const many of [20, 100]) {
  for (const make of ['new Headers()', 'new FormData()']) {
    check(`(() => {
      const h = ${make}; const told = [];
      for (let i = 0; i < ${many}; i++) h.append('k' + (i * 37 % ${many} >> (i % 3 === 0 ? 1 : 0)), 'v' + i);
      for (const [k, v] of h) { told.push(k, v); if (told.length % 3 === 0) h.delete(k); if (told.length % 7 === 0) h.set(k, 'w'); if (told.length % 31 === 0) h.delete('k' + told.length); }
      told.push('|', ...h.keys(), '|', ...h.values(), h.get('k3'), h.has('k4'), h.getAll?.('k5').join());
      h.forEach((v, k) => { told.push(k); if (told.length % 2) h.delete(k); });
      h.append('k1', 'again'); h.append('k1', 'twice');
      return [...told, '|', ...h].join(' ');
    })()`);
  }
}
check(`(() => {
  const h = new Headers(); const told = [];
  for (const name of ['b', 'set-cookie', 'z', 'a', 'set-cookie', 'c', 'Set-Cookie']) h.append(name, name + h.getSetCookie().length);
  for (const [k, v] of h) { told.push(k, v); if (k === 'b') h.delete('a'); if (v === 'set-cookie1') h.append('set-cookie', 'more'); if (v === 'more') h.delete('set-cookie'); }
  return told.join();
})()`);
