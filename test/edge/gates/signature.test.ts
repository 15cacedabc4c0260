// Request signatures: only what the holder of the secret signed, in time, in the canonical spelling.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkSignature } from '#edge/gates/signature.ts';

const NOW_MS = 1_800_000_000_000;
const secret = 'a secret';
const body = new TextEncoder().encode('{"x":1}');
const sign = (timestamp: string, text = '{"x":1}', key = secret) =>
  createHmac('sha256', key).update(`${timestamp}.${text}`).digest('base64');

const check = (headers: Record<string, string>) => {
  const refused = checkSignature(new Headers(headers), body, [secret], NOW_MS);
  return refused ? refused.code : 'accepted';
};
const at = (offsetS: number) => String(NOW_MS / 1000 + offsetS);
const signed = (timestamp: string, signature = sign(timestamp)) => ({
  'X-Timestamp': timestamp,
  'X-Signature': signature,
});

describe('a signed request', () => {
  test.each([
    ['now', signed(at(0)), 'accepted'],
    ['five minutes old', signed(at(-300)), 'accepted'],
    ['five minutes ahead', signed(at(300)), 'accepted'],
    ['older', signed(at(-301)), 'unauthorized'],
    ['from the future', signed(at(301)), 'unauthorized'],
    ['in milliseconds', signed(String(NOW_MS)), 'unauthorized'],
    ['without a timestamp', { 'X-Signature': sign(at(0)) }, 'invalid_request'],
    ['without a signature', { 'X-Timestamp': at(0) }, 'invalid_request'],
    ['with a timestamp in words', signed('now'), 'invalid_request'],
    ['with a timestamp in fractions', signed(`${at(0)}.5`), 'invalid_request'],
    ['of another body', signed(at(0), sign(at(0), '{"x":2}')), 'unauthorized'],
    ['by another secret', signed(at(0), sign(at(0), '{"x":1}', 'other')), 'unauthorized'],
    ['in hex', signed(at(0), Buffer.from(sign(at(0)), 'base64').toString('hex')), 'unauthorized'],
    ['without padding', signed(at(0), sign(at(0)).replace(/=+$/, '')), 'unauthorized'],
    ['with trailing junk', signed(at(0), `${sign(at(0))}!`), 'unauthorized'],
    ['with a short signature', signed(at(0), 'QUJD'), 'unauthorized'],
  ])('%s is %s', (_name, headers, outcome) => {
    expect(check(headers as Record<string, string>)).toBe(outcome);
  });
});
