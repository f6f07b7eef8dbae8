// packages: winston@3.19.0
const winston = require('winston');

const { combine, label, printf, json, splat, errors } = winston.format;
const logger = winston.createLogger({
  level: 'debug',
  format: combine(errors({ stack: false }), splat(), label({ label: 'app' }), printf((info) => `${info.label} ${info.level}: ${info.message}`)),
  transports: [new winston.transports.Console(), new winston.transports.Console({ level: 'error', format: json(), stderrLevels: ['error'] })],
});
logger.info('hello %s %d', 'you', 5);
logger.debug('detail');
logger.silly('not shown');
logger.error(new Error('wrong'));
const child = logger.child({ request: 7 });
child.warn('careful', { more: true });
logger.on('finish', () => console.log('finished'));
logger.end();
