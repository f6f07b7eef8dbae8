const e=(...a)=>process.stderr.write(a.join(' ')+'\n');
const i=process.stdin;
e(i.constructor.name, i._type, i.fd, i.isTTY, i.readable, i.readableHighWaterMark, i.readableFlowing, i.destroyed, i.setRawMode, i.ref, i.unref);
for (const ev of ['data','end','close','error','pause','resume','readable']) { if (ev==='readable') continue; i.on(ev,(x)=>e('ev',ev,x&&x.length)); }
