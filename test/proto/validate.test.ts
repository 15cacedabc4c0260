// The two ways of judging a value agree on every schema of the contract, and answers are held against it in full.
import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Text } from '#proto/format.ts';
import { examples } from '#proto/gen/openapi.ts';
import { routes } from '#proto/gen/routes.ts';
import { compile, explain, undocumented } from '#proto/validate.ts';

const Line = Type.Object({
  sku: Text({ minLength: 1, maxLength: 4 }),
  quantity: Type.Integer({ minimum: 1, maximum: 9 }),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const Basket = Type.Object({
  lines: Type.Array(Line, { minItems: 1, maxItems: 3 }),
  codes: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  rate: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
  labels: Type.Optional(
    Type.Record(Type.String({ pattern: '^[\\s\\S]{0,3}$' }), Line, { additionalProperties: false, maxProperties: 2 }),
  ),
  value: Type.Optional(Type.Union([Type.Union([Type.String(), Type.Number()]), Type.Null()])),
  free: Type.Optional(Type.Object({}, { additionalProperties: true })),
});
const good = {
  lines: [{ sku: 'a', quantity: 1 }],
  state: 'open',
  labels: { a: { sku: 'b', quantity: 2 } },
  codes: ['x'],
  value: 1,
  rate: 0.5,
  free: {},
};

/** The value with another one at a place chosen by numbers. */
const replaced = (value: unknown, steps: readonly number[], other: unknown): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const key = keys[step % keys.length]!;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, other);
  return copy;
};

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(0, 1, 9, 10, 0.5, '', 'open', 'abcd', 'abcde', '🙂🙂🙂🙂', null, [], {}),
);

describe('a fault is named exactly when the check fails', () => {
  const named: [string, Parameters<typeof explain>[0], unknown][] = [
    ['a basket', Basket, good],
    ...routes.map((route): [string, Parameters<typeof explain>[0], unknown] => {
      const response = /"#\/components\/examples\/(\w+)"/.exec(JSON.stringify(route.operation.responses))?.[1] ?? '';
      return [`the answer of ${route.rpc}`, route.response, examples[response]?.value ?? {}];
    }),
  ];
  it.each(named)('names a fault of %s exactly when the check fails', (_, schema, example) => {
    const compiled = TypeCompiler.Compile(schema);
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 4 }), anything, (steps, other) => {
        const value = replaced(example, steps, other);
        expect(explain(schema, value) === null).toBe(compiled.Check(value));
      }),
      { numRuns: 60 },
    );
  });
});

describe('stripping', () => {
  const check = compile({ request: Basket });

  it('changes nothing that is known', () => expect(check(good)).toEqual({ ok: true, value: good }));

  it('reaches into lists, maps and what may be null', () => {
    const line = { sku: 'a', quantity: 1 };
    const verdict = check({ ...good, lines: [{ ...line, x: 1 }], labels: { a: { ...line, x: 1 } }, y: 1 });
    expect(verdict).toEqual({ ok: true, value: { ...good, lines: [line], labels: { a: line } } });
  });

  it('leaves the caller\u2019s object as it was', () => {
    const input = { ...good, admin: true };
    check(input);
    expect(input.admin).toBe(true);
  });

  it('keeps a key named __proto__ of a map a key', () => {
    const Labels = Type.Object({ labels: Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), Line) });
    const labels = JSON.parse('{"__proto__":{"sku":"a","quantity":1,"admin":true}}');
    const verdict = compile({ request: Labels })({ labels }) as unknown as { value: { labels: object } };
    expect(Object.entries(verdict.value.labels)).toEqual([['__proto__', { sku: 'a', quantity: 1 }]]);
    expect(Object.getPrototypeOf(verdict.value.labels)).toBe(Object.prototype);
  });
});

describe('an answer with more than the contract says', () => {
  it.each([
    [good, null],
    [{ ...good, x: 1 }, 'x'],
    [{ ...good, lines: [{ sku: 'a', quantity: 1, x: 1 }] }, 'lines[0].x'],
    [{ ...good, labels: { a: { sku: 'a', quantity: 1, x: 1 } } }, 'labels.a.x'],
    [{ ...good, free: { x: { y: 1 } } }, null],
  ])('%j: %s', (value, path) => expect(undocumented(Basket, value)).toBe(path));
});
