// Entity tags: equal only for the same bytes in the same scope, and recognised in every form a client sends.
import { describe, expect, test } from 'vitest';
import { etagOf, matches } from '#edge/gates/etag.ts';

const body = new TextEncoder().encode('{"a":1}');

test('tags of two scopes or two bodies differ, of the same they do not', () => {
  expect(etagOf('s1', body)).toBe(etagOf('s1', body.slice()));
  expect(etagOf('s1', body)).not.toBe(etagOf('s2', body));
  expect(etagOf('s1', body)).not.toBe(etagOf('s1', new TextEncoder().encode('{"a":2}')));
  expect(etagOf('s1', body)).toMatch(/^"[0-9a-z]+"$/);
});

describe('If-None-Match', () => {
  test.each([
    [null, false],
    ['"x"', true],
    ['W/"x"', true],
    ['"y", "x"', true],
    ['"y",W/"x" ', true],
    ['*', true],
    ['x', false],
    ['"y"', false],
    ['', false],
  ])('%s matches "x": %s', (header, expected) => {
    expect(matches(header, '"x"')).toBe(expected);
  });
});
