// Request ids: a client's own where it is well-formed, else one of ours, never twice.
import { expect, test } from 'vitest';
import { requestIdOf } from '#edge/gates/request_id.ts';

test.each(['a', 'req-1.A_b', 'x'.repeat(128)])('%s is kept', (id) => {
  expect(requestIdOf(id)).toBe(id);
});

test.each([null, '', 'x'.repeat(129), 'a b', 'a\nb', 'é', '<script>'])('%j is replaced', (id) => {
  expect(requestIdOf(id)).toMatch(/^req_[A-Za-z0-9-]+$/);
});

test('ours are never the same', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => requestIdOf(null))).size).toBe(10_000);
});
