// Callbacks and promises, file handles among them.
const fs=require('fs'), fsp=require('fs/promises'), path=require('path');
const show=(name,...a)=>console.log(name,...a.map(e=>e instanceof Error?[e.name,e.message.replaceAll(process.cwd(),'CWD'),e.code,Object.keys(e).join()].join('|'):e));
const steps=[
 cb=>fs.writeFile('a','hello',cb),
 cb=>fs.readFile('a',cb),
 cb=>fs.readFile('a','utf8',cb),
 cb=>fs.appendFile('a',' x',cb),
 cb=>fs.stat('a',(e,s)=>cb(e,s&&s.size)),
 cb=>fs.stat('nope',cb),
 cb=>fs.mkdir('d/e',{recursive:true},cb),
 cb=>fs.readdir('.',cb),
 cb=>fs.readdir('.',{withFileTypes:true},cb),
 cb=>fs.rename('a','b',cb),
 cb=>fs.exists('a',x=>cb(null,x)),
 cb=>fs.access('b',cb),
 cb=>fs.copyFile('b','c',cb),
 cb=>fs.unlink('c',cb),
 cb=>fs.unlink('c',cb),
 cb=>fs.open('b','r+',(e,fd)=>{ if(e) return cb(e); const buf=Buffer.alloc(5); fs.read(fd,buf,0,5,0,(e,n,b)=>{show('read',e,n,b===buf,b); fs.write(fd,'ZZ',0,(e,n,s)=>{show('write',e,n,s); fs.fstat(fd,(e,s)=>{show('fstat',s.size); fs.close(fd,cb)})})})}),
 cb=>fs.rm('d',cb),
 cb=>fs.rm('d',{recursive:true},cb),
 cb=>fs.rm('d',{recursive:true},cb),
 cb=>fs.rm('d',{force:true},cb),
 cb=>fs.mkdtemp('t-',(e,p)=>cb(e,p.length)),
 cb=>fs.realpath('b',(e,p)=>cb(e,path.basename(p))),
 cb=>fs.realpath.native('zz',cb),
 cb=>fs.symlink('b','l',cb),
 cb=>fs.readlink('l',cb),
 cb=>fs.lstat('l',(e,s)=>cb(e,s.isSymbolicLink())),
 cb=>fs.truncate('b',2,cb),
 cb=>fs.readFile('b','utf8',cb),
 cb=>fs.opendir('.',(e,d)=>{d.closeSync();cb(e,d.path)}),
 cb=>fs.cp('b','b2',cb),
 cb=>fs.cp('nope','b2',cb),
 cb=>fs.readFile('b',{signal:AbortSignal.abort()},cb),
 cb=>fs.read(999,Buffer.alloc(1),cb),
 cb=>fs.utimes('b',1,2,cb),
 cb=>fs.chmod('b',0o600,cb),
 cb=>fs.link('b','hl',cb),
 cb=>fs.rmdir('b',cb),
 cb=>fs.readFile('.',cb),
 cb=>fs.writev(fs.openSync('v','w'),[Buffer.from('a'),Buffer.from('bc')],cb),
 cb=>fs.readv(fs.openSync('v'),[Buffer.alloc(2),Buffer.alloc(4)],cb),
];
(async()=>{
 let i=0; for(const s of steps){ await new Promise(r=>s((...a)=>{show(i,...a);r()})); i++; }
 const p=async(name,f)=>{try{show(name,await f())}catch(e){show(name,e)}};
 const p2=async(name,f)=>{try{show(name,await f())}catch(e){show(name,[e.name,e.message,e.code,Object.keys(e).join()].join('|'))}};
 await p2('p1',()=>fsp.readFile('nope'));
 await p2('p2',()=>fsp.writeFile('p','data'));
 await p2('p3',()=>fsp.readFile('p','utf8'));
 await p2('p4',()=>fsp.readdir('.',{recursive:true}).then(l=>l.filter(n=>!n.startsWith('t-'))));
 await p2('p5',async()=>{const h=await fsp.open('p','r+');const r=[];r.push(await h.read(Buffer.alloc(3),0,3,0), await h.write('QQ',1), await h.readFile('utf8'), (await h.stat()).size);await h.truncate(2);r.push(await h.read());await h.close();r.push(h.fd);try{await h.read()}catch(e){r.push(e.message,e.code,e.syscall)};return r});
 await p2('p6',async()=>{await fsp.writeFile('it',(function*(){yield 'a';yield Buffer.from('b')})());return fsp.readFile('it','utf8')});
 await p2('p7',async()=>{const h=await fsp.open('it');const l=[];for await(const x of h.readLines())l.push(x);return l});
 await p2('p8',async()=>{const l=[];for await(const e of await fsp.opendir('.'))if(!e.name.startsWith('t-'))l.push(e.name);return l.sort()});
 await p2('p9',()=>fsp.access('nope'));
 await p2('p10',()=>fsp.rm('nope'));
 await p2('p11',()=>fsp.cp('.','q/r',{recursive:true}));
 await p2('p12',()=>fsp.mkdir('m/n/o',{recursive:true}));
 await p2('p13',()=>fsp.lchmod('p',1));
 await p2('p14',()=>fsp.readFile('p',{signal:AbortSignal.abort()}));
 await p2('p15',()=>require('util').promisify(fs.exists)('p'));
 await p2('p16',()=>require('util').promisify(fs.read)(fs.openSync('p'),Buffer.alloc(2),0,2,0));
 await p2('p17',()=>fsp.stat('p',{bigint:true}).then(s=>[s.size,typeof s.mtimeNs,s.isFile()]));
 await p2('p18',async()=>{const h=await fsp.open('p');const c=[];for await(const x of h.readableWebStream())c.push(x);await h.close();return c});
 await p2('p19',()=>fsp.readFile());
 await p2('p20',()=>fsp.open('p','zz'));
 await p2('p21',()=>fs.openAsBlob('p').then(b=>b.text()));
 await p2('p22',()=>fsp.statfs('.').then(s=>typeof s.bsize));
 await p2('p24',()=>fsp.writeFile('p',5));
 await p2('p25', ()=>fsp.appendFile('p', 'zz').then(()=>fsp.readFile('p','latin1')));
 await p2('p26',async()=>{const h=await fsp.open('w','w');await h.writeFile('abc');await h.appendFile('def');await h.writev([Buffer.from('1')]);await h.sync();await h.datasync();await h.chmod(0o644);await h.utimes(1,2);await h.close();return fsp.readFile('w','utf8')});
})();
