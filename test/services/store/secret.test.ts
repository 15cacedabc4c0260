// Keys and secrets: the specification's prefixes, enough chance, nothing kept but a hash.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashKey, newKey, newSecret } from '#services/store/secret.ts';

describe('keys', () => {
  test.each([
    ['secret', 'production', 'svc_sk_live_'],
    ['secret', 'sandbox', 'svc_sk_test_'],
    ['publishable', 'production', 'svc_pk_live_'],
    ['publishable', 'sandbox', 'svc_pk_test_'],
    ['operator', 'production', 'svc_mk_live_'],
    ['operator', 'sandbox', 'svc_mk_test_'],
  ] as const)('a %s key of the %s begins with %s', (type, environment, prefix) => {
    const key = newKey(type, environment);
    expect(key.text.startsWith(prefix)).toBe(true);
    // Hex: four bits a letter, so 32 letters are the 128 bits that a key needs at least.
    expect(key.text.slice(prefix.length)).toMatch(/^[0-9a-f]{32,}$/);
    expect(key).toMatchObject({ type, environment });
  });

  test('stores the SHA-256 of the whole key', () => {
    const key = newKey('secret', 'production');
    const expected = createHash('sha256').update(key.text).digest('hex');
    expect(Buffer.from(key.hash).toString('hex')).toBe(expected);
    expect(Buffer.from(hashKey(key.text)).toString('hex')).toBe(expected);
  });

  test('creates keys and secrets that never repeat', () => {
    const made = Array.from({ length: 200 }, (_, n) => (n % 2 ? newSecret() : newKey('secret', 'sandbox').text));
    expect(new Set(made).size).toBe(made.length);
    for (const secret of made.filter((_, n) => n % 2)) expect(secret).toMatch(/^[0-9a-f]{64}$/);
  });
});
