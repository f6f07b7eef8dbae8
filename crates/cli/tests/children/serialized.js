// Values as V8 writes them: every byte, what comes back, what is refused.
const v8=require('v8');
const show=(f)=>{ try { const r=f(); console.log(Buffer.isBuffer(r)? r.toString('hex'): r) } catch (e) { console.log(e.constructor.name, e.name, e.message, e.code) } };
for (const x of [1,-1,0.5,-0,NaN,2**30, -(2**30)-1, 2**31-1, 'é', 'ж', 'a'.repeat(200),'жa'.repeat(100), 12n, -(2n**70n), null, undefined, true, {[2**30]:1},{[2**31]:1},{[2**32-2]:1},{[2**32-1]:1}, {a:{b:[1,,3]}}, [1,2,3], Object.assign([1,2],{x:1}), new Date(5), /a+/gi, new Map([[1,{a:1}],['x',new Set([1])]]), Object(1), Object('s'), Object(true), Object(3n), new Uint16Array([1,2]), Buffer.from('hi'), new ArrayBuffer(3), new Float64Array(2), {a:undefined, get b(){return 5}}, {__proto__:null,x:1}, new (class P{constructor(){this.z=1}})]) { show(()=>v8.serialize(x)); show(()=>v8.deserialize(v8.serialize(x))); }
const c={};c.self=c;c.a=[c]; show(()=>v8.serialize(c)); show(()=>v8.deserialize(v8.serialize(c)));
class Foo extends Error{}; show(()=>v8.serialize(new Foo('x')).toString('latin1').slice(0,7));
{const e=new TypeError('m',{cause:1}); e.name='RangeError'; show(()=>v8.serialize(e).toString('latin1').slice(0,12)); const d=v8.deserialize(v8.serialize(e)); show(()=>[d instanceof RangeError,d.message,d.cause])}
for (const f of [()=>{}, Symbol('a'), Promise.resolve(), new WeakMap(), new Proxy({},{}), [()=>{}], class A{}, new WeakRef({}), (function*(){})(), new SharedArrayBuffer(4), Object(Symbol('q')), new (class Q{constructor(){this.f=()=>1}})]) show(()=>v8.serialize(f));
const d=new v8.Deserializer(Buffer.from('ff0f4902','hex')); console.log(d.readHeader(), d.readValue(), d.getWireFormatVersion(), d);
show(()=>new v8.Deserializer(5));
for (const h of ['', 'ff','00','ff10','ff0f','ff0f5c','ff0f5c00','ff0f4200','ff0f5e00','ff0f6f','ff0f7b00','ff0f3f', 'ff0d6f2201614902', 'ff0f6122','ff0d420300000056420003']) show(()=>v8.deserialize(Buffer.from(h,'hex')));
const s=new v8.Serializer(); s.writeHeader(); s.writeUint32(300); s.writeUint64(1,2); s.writeDouble(1.5); s.writeRawBytes(Buffer.from('ab')); show(()=>s.releaseBuffer()); show(()=>s.releaseBuffer());
const s2=new v8.Serializer(); s2.writeHeader(); show(()=>{s2.writeValue(new Uint8Array(3)); return s2.releaseBuffer()});
const s3=new v8.Serializer(); s3._setTreatArrayBufferViewsAsHostObjects(true); show(()=>{ s3.writeValue(new Uint8Array(3)); return s3.releaseBuffer()});
const s4=new v8.Serializer(); const ab=new ArrayBuffer(4); s4.transferArrayBuffer(7,ab); s4.writeValue({ab}); const b4=s4.releaseBuffer(); show(()=>b4);
const d4=new v8.Deserializer(b4); d4.transferArrayBuffer(7, ab); show(()=>d4.readValue().ab===ab);
show(()=>new v8.Serializer().writeValue(new SharedArrayBuffer(1)));
show(()=>new v8.Serializer().writeRawBytes(5));
const d5=new v8.Deserializer(Buffer.from([0xac,2,1,2,3])); show(()=>[d5.readUint32(), d5.readRawBytes(2)]); show(()=>d5.readDouble());
const rab=new ArrayBuffer(16,{maxByteLength:64}); const follows=[new Uint8Array(rab),new Uint8Array(rab,12,4),new DataView(rab,8),new Uint8Array(rab,16),new Uint8Array(rab,16,0),new BigInt64Array(rab,8)];
for (const v of follows) show(()=>{ const s=new v8.Serializer(); s.writeHeader(); s.writeValue(v); const r=s.releaseBuffer(); const d=new v8.Deserializer(r); d.readHeader(); const w=d.readValue(); w.buffer.resize(32); console.log(w.byteOffset,w.byteLength); return r });
rab.resize(4); for (const v of follows) show(()=>{ const s=new v8.Serializer(); s.writeValue(v); return s.releaseBuffer() });
