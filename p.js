const e=(...a)=>process.stderr.write(a.join(' ')+'\n');
const o=process.stdout;
e(o.constructor.name, Object.getPrototypeOf(Object.getPrototypeOf(o)).constructor.name, o._type, o.fd, o._isStdio, o.isTTY, o.writable, o.writableHighWaterMark, o.writableLength, o.writableNeedDrain, o.destroyed, typeof o._writableState, o.readable, o.columns, o.getWindowSize, o.hasColors, o.autoDestroy);
e(o instanceof require('stream').Writable, o instanceof require('stream'));
e(Object.keys(o));
const log=[];
const r=o.write('x\n', ()=>log.push('cb1'));
log.push('r'+r);
process.nextTick(()=>log.push('tick'));
Promise.resolve().then(()=>log.push('micro'));
setTimeout(()=>{ e(log);
  for (const ev of ['finish','close','error','prefinish']) o.on(ev,(x)=>e('ev',ev,x&&x.code, x&&x.message));
  try { o.end('bye\n', (x)=>e('endcb', x)); } catch (x) { e('throw', x.code, x.message);} 
  e(o.writable, o.writableEnded, o.destroyed);
  setTimeout(()=>{ e('after', o.writable,o.writableFinished,o.destroyed,o.closed);
    const rr=o.write('more\n',(x)=>e('cb',x&&x.code)); e('rr',rr);
    console.log('console after');
    setTimeout(()=>e('done'),10) },10);
},10);
