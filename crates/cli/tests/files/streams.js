// Files as streams: their events, in order, and their options.
const fs=require('fs');const {pipeline}=require('stream/promises');
const log=(s,n)=>['open','ready','close','end','finish','error','data'].forEach(e=>s.on(e,(x)=>console.log(n,e,x instanceof Error?x.message:typeof x==='number'?'n':x)));
(async()=>{
 const w=fs.createWriteStream('s.txt');log(w,'w');w.write('abc');w.write('def');w.end('ghi');await new Promise(r=>w.on('close',r));console.log(w.bytesWritten,w.path,w.pending,w.closed);
 const r=fs.createReadStream('s.txt',{start:2,end:6,encoding:'utf8',highWaterMark:2});log(r,'r');await new Promise(x=>r.on('close',x));console.log(r.bytesRead,r.fd,r.destroyed);
 const n=fs.createReadStream('nope');log(n,'n');await new Promise(x=>n.on('close',x));
 await pipeline(fs.createReadStream('s.txt'),fs.createWriteStream('t.txt'));console.log(fs.readFileSync('t.txt','utf8'));
 const p=fs.createWriteStream('t.txt',{flags:'r+',start:3});p.end('XX');await new Promise(x=>p.on('finish',x));await new Promise(x=>p.on('close',x));console.log(fs.readFileSync('t.txt','utf8'));
 const a=fs.createWriteStream('t.txt',{flags:'a',encoding:'hex'});a.end('4142');await new Promise(x=>a.on('close',x));console.log(fs.readFileSync('t.txt','utf8'));
 const fd=fs.openSync('t.txt');const f=fs.createReadStream(null,{fd,autoClose:false,encoding:'latin1'});let c='';for await(const x of f)c+=x;console.log(c);fs.closeSync(fd);
 const h=await fs.promises.open('t.txt');const hs=h.createReadStream({encoding:'utf8'});log(hs,'hs');await new Promise(x=>hs.on('close',x));console.log(h.fd);
 for(const o of [{start:5,end:2},{start:-1},{end:'x'},{fd:'x'},{flags:'zz'},5]){try{fs.createReadStream('s.txt',o).on('error',e=>console.log('E',e.message));console.log('ok')}catch(e){console.log(e.code,e.message)}}
 const d=fs.createReadStream('s.txt');d.destroy();d.on('close',()=>console.log('destroyed closed',d.fd));await new Promise(x=>d.on('close',x));
 const big=Buffer.alloc(300000,7);fs.writeFileSync('big',big);let k=0,len=0;for await(const x of fs.createReadStream('big')){k++;len+=x.length}console.log(k,len);
 const ws=fs.createWriteStream('bp',{highWaterMark:10});let i=0;const go=()=>{let ok=true;while(i<20&&ok){ok=ws.write('x'.repeat(7));i++}if(i<20)ws.once('drain',go);else ws.end()};go();await new Promise(x=>ws.on('close',x));console.log(fs.statSync('bp').size);
 const cw=fs.createWriteStream('cw');cw.write('a');cw.close(()=>console.log('closed cb'));await new Promise(x=>cw.on('close',x));
 const ab=new AbortController();const ar=fs.createReadStream('big',{signal:ab.signal});ar.on('error',e=>console.log(e.name));ab.abort();await new Promise(x=>ar.on('close',x));
 console.log(fs.ReadStream('s.txt') instanceof fs.ReadStream, fs.createReadStream.length);
})();
