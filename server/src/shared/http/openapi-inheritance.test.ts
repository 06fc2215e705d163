import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withInheritance } from './openapi-inheritance.ts';

const text = (description: string) => ({ type: 'string', description });
const described = {
  id: text('The identifier of the session, which stays the same for as long as the session is stored'),
  at: text('When it was recorded, in UTC and with milliseconds, as the clock of the service had it'),
};
const object = (properties: object, required: string[] = [], more: object = {}) => ({
  ...{ type: 'object', required, properties },
  ...more,
});
const Visit = object(described, ['id']);
const reference = { $ref: '#/components/schemas/Visit' };

const componentsWith = (other: object) => {
  const schemas = { Visit, Other: other as typeof Visit };
  return withInheritance(schemas, schemas);
};

test('a component with all members of another is described by what it adds, and what else it requires', () => {
  const url = text('The page');
  const { Visit: same, Other } = componentsWith(object({ ...described, url }, ['id', 'at', 'url']));
  assert.deepEqual(same, Visit);
  const added = { type: 'object', required: ['at', 'url'], properties: { url } };
  assert.deepEqual(Other, { allOf: [reference, added] });
});

test('an object that differs in a member, requires less or takes no other members is described as a whole', () => {
  const url = text('The page');
  for (const other of [
    object({ ...described, at: text('Another time'), url }, ['id']),
    object({ ...described, url }),
    object({ ...described, url }, ['id'], { additionalProperties: false }),
    object({ ...described, url }, ['id'], { additionalProperties: { type: 'string' } }),
    Visit,
  ]) {
    assert.deepEqual(componentsWith(other).Other, other);
  }
  const closed = { Visit: object(described, ['id'], { additionalProperties: false }) };
  const other = object({ ...described, url }, ['id']);
  assert.deepEqual(withInheritance({ ...closed, other }, closed).other, other);
});

test('members of schemas, and values or null, are described in the same way; examples stay as they are', () => {
  const url = text('The page');
  const one = object({ ...described, url }, ['id'], { description: 'The first' });
  const both = { one, many: { type: 'array', items: Visit }, none: { ...one, type: ['object', 'null'] } };
  const added = { type: 'object', properties: { url } };
  const { one: extended, many, none } = withInheritance(both, { Visit });
  assert.deepEqual(extended, { description: 'The first', allOf: [reference, added] });
  assert.deepEqual(many, { type: 'array', items: reference });
  assert.deepEqual(none, {
    description: 'The first',
    anyOf: [{ allOf: [reference, added] }, { type: 'null' }],
  });
  const example = { example: Visit };
  assert.deepEqual(withInheritance(example, { Visit }), example);
});

test('an object with members of any name extends only components that have them, too', () => {
  const open = { additionalProperties: true };
  const schemas = { Visit: { ...Visit, ...open } };
  const url = text('The page');
  const own = object({ ...described, url }, ['id'], open);
  assert.deepEqual(withInheritance(own, schemas), { allOf: [reference, { type: 'object', properties: { url } }] });
  assert.deepEqual(withInheritance(own, { Visit }), own);
  const without = object({ ...described, url }, ['id']);
  assert.deepEqual(withInheritance(without, schemas), without);
});
