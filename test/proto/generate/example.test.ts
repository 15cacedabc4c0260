// Examples made up where the proto file gives none: they keep the field's bounds.
import { describe, expect, it } from 'vitest';
import type { Bounds, FieldShape, FieldType, MessageShape } from '#proto/generate/contract.ts';
import { exampleOf } from '#proto/generate/example.ts';

const field = (shape: FieldType, more: Partial<FieldShape> = {}): FieldShape => ({
  name: 'colour',
  comment: '',
  shape,
  many: 'one',
  nullable: false,
  required: false,
  absent: false,
  query: false,
  header: '',
  network: false,
  language: false,
  nullableValues: false,
  fileName: false,
  newSession: false,
  unnamed: false,
  example: undefined,
  fallback: undefined,
  size: {},
  ...more,
});
const message = (fields: readonly FieldShape[], more: Partial<MessageShape> = {}): MessageShape => ({
  name: 'Paint',
  comment: '',
  file: 'paint',
  fields,
  input: true,
  output: true,
  oneOf: [],
  anyOf: [],
  webhooks: [],
  ...more,
});
const number = (bounds: Bounds, money = false): FieldType => ({ kind: 'number', money, bounds, range: null });

describe('a field without an example', () => {
  it.each([
    ['one of a set the first', { kind: 'text', among: ['red', 'blue'] }, 'red'],
    ['a number', number({}), 1],
    ['an amount', number({}, true), 19.99],
    ['an amount within its bounds', number({ maximum: 5 }, true), 5],
    ['a number from its lowest', number({ minimum: 10 }), 10],
    ['a number between two bounds', number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), 0.5],
    ['a number above a bound', number({ exclusiveMinimum: 3 }), 4],
    ['a number below a bound', number({ exclusiveMaximum: -3 }), -4],
    ['a free value of a type', { kind: 'any', type: 'string | number' }, null],
    ['a free list', { kind: 'any', type: 'string[]' }, []],
    ['a free value', { kind: 'any' }, null],
  ] as [string, FieldType, unknown][])('%s', (_, shape, value) =>
    expect(exampleOf(message([field(shape)]), 'output')).toEqual({ colour: value }),
  );

  it('leaves out a text without an example, which its schema then shows', () =>
    expect(exampleOf(message([field({ kind: 'text', min: 8 })]), 'output')).toEqual({}));

  it('shows what fields of its name show', () =>
    expect(exampleOf(message([field({ kind: 'text' }, { name: 'brand' })]), 'output')).toEqual({
      brand: 'Acme Outdoor',
    }));

  it('shows the first of several fields of which one is required', () => {
    const fields = [field({ kind: 'boolean' }), field({ kind: 'boolean' }, { name: 'tint' })];
    expect(exampleOf(message(fields, { oneOf: [['tint'], ['colour']] }), 'input')).toEqual({ tint: true });
  });

  const pattern: FieldType = { kind: 'text', pattern: '^#[0-9a-f]{6}$' };
  it.each([
    ['is left out of a request', field(pattern), 'input', {}],
    ['is null in an answer where it may be', field(pattern, { nullable: true }), 'output', { colour: null }],
    ['is left out of an answer where it may be', field(pattern, { absent: true }), 'output', {}],
    ['shows its example where it has one', field(pattern, { example: '#00ff00' }), 'input', { colour: '#00ff00' }],
  ] as const)('with a pattern %s', (_, one, direction, value) =>
    expect(exampleOf(message([one]), direction)).toEqual(value),
  );
});
