// packages: readable-stream@4.8.0 through2@5.0.12 split2@4.2.0 pump@3.0.4 concat-stream@2.0.0 duplexify@4.1.3 end-of-stream@1.4.5 safe-buffer@5.2.1 inherits@2.0.4
const { Readable, Writable, Transform, pipeline } = require('readable-stream');
const split = require('split2');
const pump = require('pump');
const concat = require('concat-stream');
const duplexify = require('duplexify');
const eos = require('end-of-stream');
const stream = require('stream');
const { Buffer: Safe } = require('safe-buffer');
const inherits = require('inherits');

function Old() { Transform.call(this); }
inherits(Old, Transform);
Old.prototype._transform = function(chunk, encoding, done) { this.push(String(chunk).toUpperCase()); done(); };
pipeline(Readable.from(['a\nb', 'c\n', 'd']), new Old(), split(), new Writable({ objectMode: true, write(line, _, done) { console.log('line', line); done(); } }), (error) => {
  console.log('pipeline', error);
  pump(stream.Readable.from([Buffer.from('x'), Buffer.from('y')]), concat((all) => console.log('concat', String(all))), (failure) => {
    console.log('pump', failure);
    const broken = new stream.Readable({ read() { this.destroy(new Error('broken')); } });
    pump(broken, new stream.PassThrough(), (reason) => {
      console.log(reason.message);
      const duplex = duplexify();
      const into = [];
      duplex.write('early');
      duplex.setWritable(new stream.Writable({ write(chunk, _, done) { into.push(String(chunk)); done(); } }));
      duplex.setReadable(stream.Readable.from(['out']));
      duplex.on('data', (data) => console.log('out', String(data)));
      eos(duplex, (e) => console.log('eos', e, into));
      duplex.end('late');
    });
  });
});
console.log(Readable !== stream.Readable, new Readable() instanceof stream.Readable, Safe.from('x').toString('hex'));
