// `stoa start` reads its settings from environment variables.
import { describe, expect, test } from 'vitest';
import { ownHost, startEnvironment, urlHost } from '#services/cli/environment.ts';

describe('the environment', () => {
  test('may be empty', () => {
    expect(startEnvironment({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: '',
      natsUrl: '',
      redisUrl: '',
      demo: true,
      single: false,
      drainSeconds: 0,
    });
  });

  test('counts an empty variable as unset', () => {
    expect(startEnvironment({ PORT: '', HOST: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, host: '127.0.0.1' });
  });

  test.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '8080.5'],
    ['DATABASE_URL', 'mysql://localhost/stoa'],
    ['DATABASE_URL', 'localhost'],
    ['NATS_URL', 'localhost:4222'],
    ['REDIS_URL', 'http://localhost'],
    ['STOA_DRAIN_SECONDS', 'soon'],
  ])('is refused by name where %s is %j', (name, value) => {
    expect(() => startEnvironment({ [name]: value })).toThrow(name);
  });

  test.each([
    ['0', false],
    ['1', true],
    ['', true],
  ])('with STOA_DEMO=%j has a demo store: %s', (STOA_DEMO, demo) => {
    expect(startEnvironment({ STOA_DEMO }).demo).toBe(demo);
  });
});

test.each([
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '0.0.0.0', '127.0.0.1'],
  ['::', '[::]', '::1'],
  ['::1', '[::1]', '::1'],
  ['stoa.example', 'stoa.example', 'stoa.example'],
])('the host %s is written %s in a URL and reached at %s', (host, written, reached) => {
  expect(urlHost(host)).toBe(written);
  expect(ownHost(host)).toBe(reached);
});
