// Which troubles mean "try again", which "the outcome is unknown", and which are simply broken.
import { describe, expect, test } from 'vitest';
import {
  faultCode,
  isConnectionFault,
  isContention,
  isUniqueViolation,
  toFault,
  Unavailable,
} from '#runtime/call/fault.ts';

const coded = (code: unknown): Error => Object.assign(new Error('trouble'), { code });

describe('of Postgres and the network', () => {
  test.each([
    ['a refused connection', 'ECONNREFUSED', true, true],
    ['a missing socket', 'ENOENT', true, true],
    ['a lost connection', 'CONNECTION_CLOSED', true, true],
    ['a silent server', 'CONNECTION_SILENT', true, true],
    ['a protocol error of class 08', '08006', true, true],
    ['a server that shuts down', '57P01', true, true],
    ['a server that starts', '57P03', true, true],
    ['a session idle for too long', '25P03', true, true],
    ['a full server', '53300', true, true],
    ['a statement that took too long', '57014', false, true],
    ['a lock that was not given', '55P03', false, true],
    ['a full disk', '53100', false, true],
    ['a standby', '25006', false, true],
    ['a deadlock', '40P01', false, true],
    ['a serialisation failure', '40001', false, true],
    ['a unique violation', '23505', false, false],
    ['a syntax error', '42601', false, false],
    ['a failed check', '23514', false, false],
    ['no code at all', undefined, false, false],
  ])('%s', (_, code, ofConnection, unavailable) => {
    const problem = coded(code);
    expect(isConnectionFault(problem)).toBe(ofConnection);
    const fault = toFault(problem);
    expect(fault instanceof Unavailable).toBe(unavailable);
    expect(unavailable ? (fault as Unavailable).cause : fault).toBe(problem);
  });

  test('two that met may be run again, others not', () => {
    expect(['40001', '40P01', '40002', '23505'].map((code) => isContention(coded(code)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([null, undefined, 'text', 7, {}, { code: 7 }])('%j has no code', (thing) => {
    expect(faultCode(thing)).toBe('');
    expect(isUniqueViolation(thing)).toBe(false);
    expect(toFault(thing)).toBe(thing);
  });
});

test('names the retry time of an unavailable service', () => {
  expect(new Unavailable('x').retryAfterS).toBe(1);
  expect(new Unavailable('x', { retryAfterS: 30 }).retryAfterS).toBe(30);
});
