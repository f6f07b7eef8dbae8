// What process takes and refuses.
const t=(f)=>{try{console.log(String(f), '=>', f())}catch(e){console.log(String(f), 'throws', e.name,e.code,e.message)}};
t(()=>process.exitCode='a');
t(()=>process.exitCode='12');
t(()=>process.exitCode=1.5);
t(()=>process.exitCode=null);
t(()=>process.exitCode={});
t(()=>process.exitCode=300);
t(()=>process.exitCode=true);
t(()=>process.exitCode='');
t(()=>process.exitCode=' 3 ');
t(()=>process.exitCode=NaN);
t(()=>process.exitCode=2**40);
t(()=>process.exitCode='0x10');
t(()=>process.exitCode=10n);
t(()=>process.exitCode);
process.exitCode=undefined;
t(()=>process.exit('x'));
t(()=>process.exit(1.2));
t(()=>process.exit({}));
t(()=>process.env.FOO=1);
t(()=>process.env.FOO);
t(()=>process.env.UN=undefined);
t(()=>process.env.UN);
t(()=>{process.env[Symbol('a')]=1});
t(()=>process.env[Symbol('a')]);
t(()=>Symbol('q') in process.env);
t(()=>delete process.env.FOO);
t(()=>delete process.env.NOPE);
t(()=>'FOO' in process.env);
t(()=>process.env.x=Symbol('s'));
t(()=>delete process.env[Symbol('a')]);
t(()=>Object.defineProperty(process.env,'x',{value:1}));
t(()=>Object.defineProperty(process.env,'x',{get(){}}));
t(()=>process.env.x);
t(()=>Object.getOwnPropertyDescriptor(process.env,'x'));
t(()=>process.env.toString());
t(()=>process.env.hasOwnProperty('x'));
t(()=>Object.prototype.toString.call(process.env));
t(()=>Object.freeze(process.env));
t(()=>process.env['']='e');
t(()=>process.env['a=b']='e');
t(()=>process.env['a=b']);
t(()=>process.chdir());
t(()=>process.chdir('/tmp'));
t(()=>process.hrtime(1));
t(()=>process.hrtime([1]));
t(()=>process.hrtime([1,2,3]));
t(()=>process.umask());
t(()=>process.umask('77'));
t(()=>process.umask());
t(()=>process.umask('9'));
t(()=>process.umask({}));
t(()=>process.umask(-1));
t(()=>process.umask(2**33));
t(()=>process.kill());
t(()=>process.kill('a'));
t(()=>process.kill(process.pid,0));
t(()=>process.kill(process.pid,'SIGFOO'));
t(()=>process.kill(99999999,0));
t(()=>process.kill(process.pid,'0'));
t(()=>process.kill(process.pid, 999));
t(()=>process.kill(process.pid,'sigterm'));
t(()=>process.cpuUsage(1));
t(()=>process.cpuUsage({}));
t(()=>process.cpuUsage({user:-1,system:1}));
t(()=>process.cpuUsage({user:1,system:'a'}));
t(()=>process.emitWarning());
t(()=>process.emitWarning(1));
t(()=>process.emitWarning('a',1));
t(()=>process.emitWarning('a','b',1));
t(()=>process.emitWarning('a',{type:1}));
t(()=>process.setUncaughtExceptionCaptureCallback(1));
t(()=>process.setUncaughtExceptionCaptureCallback(()=>{}));
t(()=>process.setUncaughtExceptionCaptureCallback(()=>{}));
t(()=>process.hasUncaughtExceptionCaptureCallback());
t(()=>process.setUncaughtExceptionCaptureCallback(null));
t(()=>process.binding('x'));
t(()=>process.binding());
t(()=>process.nextTick());
t(()=>process.nextTick(1));
t(()=>process.getuid.length+process.getuid.name);
t(()=>process.getgroups());
t(()=>process.title=5);
t(()=>process.title);
t(()=>process.allowedNodeEnvironmentFlags.has('no-warnings'));
t(()=>process.getActiveResourcesInfo());
t(()=>process.debugPort);
t(()=>process.loadEnvFile&&process.loadEnvFile('/nope'));
t(()=>process.domain);
t(()=>process.listenerCount('warning'));
t(()=>process.abort.length);
t(()=>process.uptime()>0);
t(()=>process.pid=3);
t(()=>process.pid>5);
t(()=>process.ppid=3);
t(()=>process.version=3);
t(()=>process.version);
t(()=>process.versions.node=3);
t(()=>process.versions.node);
t(()=>process.stdout=3);
t(()=>typeof process.stdout);

// What cannot be assigned can be defined anew.
for (const name of ['version', 'versions', 'arch', 'platform']) {
  console.log(name, { ...Object.getOwnPropertyDescriptor(process, name), value: 0 });
}
// Flags that NODE_OPTIONS may have: in a set that nobody can change.
{
  const flags = process.allowedNodeEnvironmentFlags;
  for (const flag of ['-r', 'r', '--r', '-R', '--max_http_header_size=3', 'max-http-header-size', 'max-http-header-size=1',
    '-max-http-header-size', '---max-http-header-size', '-r=3', '--stack-trace-limit=-=x', 3]) console.log(flag, flags.has(flag));
  t(() => Object.isFrozen(flags));
  t(() => flags.add('foo') === flags);
  t(() => flags.delete('-r'));
  t(() => Set.prototype.add.call(flags, 'foo').has('foo'));
  t(() => (Set.prototype.delete.call(flags, '-r'), Set.prototype.clear.call(flags), flags.has('-r')));
  t(() => [...flags].includes('foo') || [...flags.keys(), ...flags.values()].includes('foo'));
  t(() => { let count = 0; flags.forEach(function(one, same, set) { count += Number(one === same && set === flags && this === t); }, t); return count > 100; });
}

// Who the process is run by: what is refused whoever that is, and what everybody may.
for (const name of ['setuid', 'seteuid', 'setgid', 'setegid']) {
  for (const id of [undefined, null, {}, true, -1, 1.5, 2 ** 32, 2 ** 32 - 1, 'nobody-is-called-that']) {
    try { console.log(name, process[name](id)); } catch (e) { console.log(name, id, e.name, e.code, e.message, e.syscall); }
  }
  console.log(process[name].length, process[name](process[name.replace('set', 'get')]()));
}
t(() => process.setgroups());
t(() => process.setgroups('a'));
t(() => process.setgroups([1, -1]));
t(() => process.setgroups([{}]));
t(() => process.setgroups([0, 'nobody-is-called-that']));
t(() => process.initgroups());
t(() => process.initgroups('a'));
t(() => process.initgroups(4242424, 0));
t(() => process.initgroups('nobody-is-called-that', 'nobody-is-called-that'));
t(() => process.getgroups().includes(process.getegid()));
t(() => { process.title = 'a\0b'; return process.title; });
t(() => { process.title = Symbol('a'); });

t(() => process.dlopen());
t(() => process.dlopen({ exports: {} }, 'no-%s-such.node'));
t(() => process.dlopen(1, 'no-such.node'));
