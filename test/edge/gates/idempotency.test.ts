// Idempotency keys: well-formed or refused, and a fingerprint that follows the body and the query.
import { describe, expect, test } from 'vitest';
import { readIdempotency } from '#edge/gates/idempotency.ts';
import { Refusal } from '#runtime/call/call.ts';

const body = new TextEncoder().encode('{}');
const read = (key: string | null, required = false, search = '', bytes = body) =>
  readIdempotency(key, required, 'POST /v1/products', search, bytes);

describe('an idempotency key', () => {
  test.each([
    ['of one character', 'k'],
    ['of 255 characters', 'k'.repeat(255)],
    ['with blanks and punctuation inside', 'order 17: "a/b"'],
  ])('%s is taken', (_name, key) => {
    expect(read(key)).toMatchObject({ key, scope: 'POST /v1/products', replayOnly: false });
  });

  test.each([
    ['of no character', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['outside of ASCII', 'clé'],
    ['with a control character', 'a\tb'],
  ])('%s is refused', (_name, key) => {
    expect((read(key) as Refusal).extra.param).toBe('Idempotency-Key');
  });

  test('may be left out, unless it is required', () => {
    expect(read(null)).toBeNull();
    expect(read(null, true)).toBeInstanceOf(Refusal);
    expect(read('', true)).toBeInstanceOf(Refusal);
  });

  test('gets different fingerprints for different bodies and queries', () => {
    const prints = [read('k'), read('k', false, 'mode=replace'), read('k', false, '', new TextEncoder().encode('{ }'))];
    expect(new Set(prints.map((print) => (print as { fingerprint: string }).fingerprint)).size).toBe(3);
  });
});
