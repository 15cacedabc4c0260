// Where a body ends, however its bytes are cut.
import { describe, expect, test } from 'vitest';
import { Body } from '#edge/door/body.ts';
import type { Framing } from '#edge/door/head.ts';

/** Where it ends when it comes `step` bytes at a time; null where it does not, -1 where it is broken. */
const endOf = (framing: Framing, text: string, step: number): number | null => {
  const body = new Body(framing);
  const bytes = Buffer.from(text, 'latin1');
  for (let from = 0; from < bytes.length; from += step) {
    const piece = bytes.subarray(from, from + step);
    const at = body.take(piece, 0);
    if (at < 0) return -1;
    if (body.ended) return from + at;
  }
  return null;
};

const CHUNKED = '5;ext="a"\r\nhello\r\n1F\r\n0123456789012345678901234567890\r\n0\r\n\r\n';

describe('a body', () => {
  test.each([1, 2, 3, 7, 1_000])('ends where its framing says, %i bytes at a time', (step) => {
    expect(endOf(5, 'hello', step)).toBe(5);
    expect(endOf(5, 'helloGET /', step)).toBe(5);
    expect(endOf(6, 'hello', step)).toBeNull();
    expect(endOf('open', 'hello', step)).toBeNull();
    expect(endOf('chunked', CHUNKED, step)).toBe(CHUNKED.length);
    expect(endOf('chunked', `${CHUNKED}GET / HTTP/1.1`, step)).toBe(CHUNKED.length);
    expect(endOf('chunked', '0\r\n\r\n', step)).toBe(5);
    expect(endOf('chunked', CHUNKED.slice(0, -1), step)).toBeNull();
  });

  test('of no bytes has ended at once', () => {
    expect(new Body(0).ended).toBe(true);
    expect(new Body('chunked').ended).toBe(false);
  });

  test.each([
    'zz\r\n',
    '\r\n',
    ';a\r\n',
    '-1\r\n',
    '0x5\r\nhello\r\n',
    '5\nhello\n',
    '5\r\nhello!\r\n0\r\n\r\n',
    '5\r\nhello\n0\r\n\r\n',
    '5 \nhello',
    '1234567890123\r\n',
    `5;${'a'.repeat(5_000)}\r\nhello`,
    '0\r\nTrailer: x\r\n\r\n',
    '0\r\n\n',
  ])('in chunks is broken: %j', (text) => {
    for (const step of [1, 3, 10_000]) expect(endOf('chunked', text, step)).toBe(-1);
  });
});
