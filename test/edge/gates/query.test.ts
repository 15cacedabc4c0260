// Query strings: known names become typed values, malformed ones are named, unknown ones ignored.
import { describe, expect, test } from 'vitest';
import { canonicalQuery, readQuery } from '#edge/gates/query.ts';
import type { Parameter } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';

const parameters: Parameter[] = [
  { name: 'limit', type: 'integer' },
  { name: 'min_price', type: 'number' },
  { name: 'featured', type: 'boolean' },
  { name: 'ids', type: 'texts' },
  { name: 'cursor', type: 'text' },
];

const read = (search: string): unknown => {
  const request: Record<string, unknown> = {};
  const refused = readQuery(search, parameters, request);
  return refused instanceof Refusal ? refused.extra.param : request;
};

describe('a query', () => {
  test.each([
    ['', {}],
    ['limit=5&featured=true', { limit: 5, featured: true }],
    ['min_price=19.99', { min_price: 19.99 }],
    ['ids=a,b%2Cc', { ids: ['a', 'b', 'c'] }],
    ['cursor=a%20b+c', { cursor: 'a b c' }],
    ['utm_source=x&limit=1', { limit: 1 }],
    ['toString=1&__proto__=2', {}],
    ['cursor', { cursor: '' }],
  ])('%s reads as %j', (search, request) => {
    expect(read(search)).toEqual(request);
  });

  test.each([
    ['limit=', 'limit'],
    ['limit=1e3', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['min_price=NaN', 'min_price'],
    ['min_price=Infinity', 'min_price'],
    ['featured=yes', 'featured'],
    ['cursor=%zz', 'cursor'],
    ['cursor=%00', 'cursor'],
    ['cursor=%ff', 'cursor'],
  ])('%s is refused, naming %s', (search, param) => {
    expect(read(search)).toBe(param);
  });
});

test('two spellings of one question are the same', () => {
  const one = canonicalQuery('limit=5&utm=1&cursor=x', parameters);
  expect(canonicalQuery('cursor=x&limit=5&limits=7', parameters)).toBe(one);
  expect(canonicalQuery('cursor=y&limit=5', parameters)).not.toBe(one);
});

test('a parameter that makes no difference is left out, unless it would be refused', () => {
  const idle = ['cursor'];
  const plain = canonicalQuery('limit=5', parameters, idle);
  for (const search of ['limit=5&cursor=x', 'cursor=%20&limit=5', '%63ursor=x&limit=5', 'cursor&limit=5'])
    expect(canonicalQuery(search, parameters, idle)).toBe(plain);
  for (const search of ['limit=5&cursor=%zz', 'limit=5&cursor=x&cursor=x', 'limit=6&cursor=x'])
    expect(canonicalQuery(search, parameters, idle)).not.toBe(plain);
});

test('a name in escapes counts like the name itself: what reads it must tell its question from the one without', () => {
  expect(canonicalQuery('%6cimit=5', parameters)).not.toBe(canonicalQuery('', parameters));
  expect(canonicalQuery('%6cimit=5&cursor=x', parameters)).not.toBe(canonicalQuery('cursor=x', parameters));
});
