// Redirect origins and identity providers: what an environment may be told.

import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { readIdentityProvider, readOrigins } from '#services/store/identity.ts';

const ISSUER = { issuer: 'https://id.example', jwks_url: 'https://id.example/keys', audience: 'shop' };
const param = (result: unknown) => (result instanceof Refusal ? result.extra.param : result);

describe('origins', () => {
  test.each([
    [['https://shop.example'], ['https://shop.example']],
    [['https://SHOP.example/', 'https://shop.example'], ['https://shop.example']],
    [['http://localhost:3000'], ['http://localhost:3000']],
    [['https://shop.example:443'], ['https://shop.example']],
    [[], []],
  ])('%j are kept as %j', (texts, origins) => {
    expect(readOrigins(texts)).toEqual(origins);
  });

  test.each([
    'shop.example',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://shop.example#x',
    'https://user@shop.example',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https://',
    '',
  ])('%j is none', (text) => {
    expect(param(readOrigins(['https://ok.example', text]))).toBe('allowed_redirect_origins[1]');
  });
});

describe('identity providers', () => {
  test('reads a verifier alone, or an issuer with keys and audience', () => {
    expect(readIdentityProvider({ verifier_url: 'https://id.example/verify' }, 'production', false)).toEqual({
      verifier_url: 'https://id.example/verify',
    });
    expect(readIdentityProvider(ISSUER, 'production', false)).toEqual(ISSUER);
  });

  test.each([
    [{}, 'idp'],
    [{ issuer: 'https://id.example' }, 'idp'],
    [{ ...ISSUER, verifier_url: 'https://id.example/verify' }, 'idp'],
    [{ verifier_url: 'http://id.example/verify' }, 'idp.verifier_url'],
    [{ verifier_url: 'https://user:pass@id.example/' }, 'idp.verifier_url'],
    [{ verifier_url: 'https://id.example:22/' }, 'idp.verifier_url'],
    [{ verifier_url: 'https://10.0.0.1/' }, 'idp.verifier_url'],
    [{ ...ISSUER, jwks_url: 'http://id.example/keys' }, 'idp.jwks_url'],
  ])('%j is refused for %s', (input, expected) => {
    expect(param(readIdentityProvider(input, 'production', false))).toBe(expected);
  });

  test('allows loopback addresses only in a sandbox of a deployment that allows them', () => {
    const local = { verifier_url: 'http://127.0.0.1:9000/verify' };
    expect(readIdentityProvider(local, 'sandbox', true)).toEqual(local);
    expect(param(readIdentityProvider(local, 'sandbox', false))).toBe('idp.verifier_url');
    expect(param(readIdentityProvider(local, 'production', true))).toBe('idp.verifier_url');
  });
});
