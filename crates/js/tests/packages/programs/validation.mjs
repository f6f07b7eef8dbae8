// packages: zod@4.6.7 ajv@8.20.0 joi@18.3.0 yup@1.7.1 superstruct@2.0.2 validator@13.15.35
import { z } from 'zod';
import Ajv from 'ajv';
import Joi from 'joi';
import * as yup from 'yup';
import * as s from 'superstruct';
import validator from 'validator';

const User = z.object({ name: z.string().min(2), age: z.number().int().optional(), tags: z.array(z.enum(['a', 'b'])).default([]) }).strict();
console.log(User.parse({ name: 'ann' }));
const failed = User.safeParse({ name: 'a', age: 1.5, tags: ['c'], more: 1 });
console.log(failed.success, failed.error.issues, failed.error.message);
console.log(z.coerce.date().parse('2024-01-02').toISOString(), z.union([z.string(), z.number()]).safeParse(null).error.issues.length);
console.log(z.email().safeParse('nobody').success, z.iso.datetime().safeParse('2024-01-01T00:00:00Z').success, z.toJSONSchema(User));

const ajv = new Ajv.default({ allErrors: true });
const validate = ajv.compile({ type: 'object', properties: { foo: { type: 'integer' }, bar: { type: 'string', pattern: '^x' } }, required: ['foo'], additionalProperties: false });
console.log(validate({ foo: 1, bar: 'xy' }), validate({ bar: 'y', baz: 1 }), validate.errors, ajv.errorsText(validate.errors));

const schema = Joi.object({ a: Joi.string().alphanum().required(), b: Joi.number().greater(Joi.ref('c')), c: Joi.number() });
console.log(schema.validate({ a: 'x!', b: 1, c: 2 }, { abortEarly: false }).error.message, schema.validate({ a: 'ok', b: '3', c: 2 }).value);

const shape = yup.object({ email: yup.string().email().required(), n: yup.number().positive().integer() });
console.log(await shape.validate({ email: 'x', n: -1 }, { abortEarly: false }).catch((error) => error.errors), shape.cast({ email: 'a@b.co', n: '5' }));

const Article = s.object({ id: s.number(), title: s.size(s.string(), 1, 5) });
console.log(s.is({ id: 1, title: 'x' }, Article), s.validate({ id: 'a', title: '' }, Article)[0].message);
console.log(validator.isEmail('a@b.co'), validator.isURL('http://x.y/z'), validator.isUUID('no'), validator.escape('<a>'), validator.isISO8601('2024-02-30', { strict: true }));
