// Log lines are one JSON object each, and secrets are redacted in every field.
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createLog, type Log } from '#runtime/process/log.ts';

const logged = (say: (log: Log) => void, level = 'trace'): string[] => {
  const lines: string[] = [];
  say(createLog({ name: 'test', level, write: (line) => lines.push(line) }));
  return lines;
};

// Made here, so that no line of this file looks like a key.
const LIVE_KEY = `svc_sk_${'live'}_4f9aZ-09_secretpart`;
const SIGNING = `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`;

test('a line has its time, level, process and members', () => {
  const [line] = logged((log) => log.info({ rpc: 'Catalog/GetProduct', request_id: 'r1', ms: 1.5 }, 'served'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    process: 'test',
    pid: process.pid,
    rpc: 'Catalog/GetProduct',
    request_id: 'r1',
    ms: 1.5,
    msg: 'served',
  });
  expect(line?.endsWith('\n')).toBe(true);
});

test.each<[string, (log: Log) => void]>([
  ['in a header', (log) => log.info({ headers: { authorization: 'Bearer hunter2' } }, 'x')],
  [
    'in a header of any case',
    (log) => log.info({ headers: { 'X-SIGNATURE': 'hunter2', 'Set-Cookie': ['hunter2'] } }, 'x'),
  ],
  ['in a member', (log) => log.info({ password: 'hunter2', signing_secret: 'hunter2', refresh_token: 'hunter2' }, 'x')],
  ['deep in a list', (log) => log.info({ a: [{ b: { credentials: { key: 'hunter2' } } }] }, 'x')],
  ['that is an object', (log) => log.info({ secret: { parts: ['hunter2'] } }, 'x')],
  ['in what a child log always says', (log) => log.child({ token: 'hunter2' }).info('x')],
  ['in a message', (log) => log.info('got Bearer hunter2')],
  ['in a message of parts', (log) => log.info('got %s and %s', 'Basic hunter2', '{"password":"hunter2"}')],
  ['in the JSON of a body', (log) => log.info({ body: '{"a":1,"password":"hunter2","b":{"api_key":"hunter2"}}' }, 'x')],
  [
    'in JSON within JSON',
    (log) => log.info({ body: JSON.stringify({ body: JSON.stringify({ password: 'hunter2' }) }) }, 'x'),
  ],
  ['in an address', (log) => log.info({ url: 'postgres://stoa:hunter2@127.0.0.1:5432/stoa' }, 'x')],
  ['in the message of an error', (log) => log.error({ err: new Error('refused nats://u:hunter2@host') }, 'x')],
  [
    'in the cause of an error',
    (log) => log.error({ err: new Error('x', { cause: new Error('Bearer hunter2') }) }, 'x'),
  ],
  [
    'that hangs on an error',
    (log) => log.error({ err: Object.assign(new Error('x'), { parameters: ['hunter2'] }) }, 'x'),
  ],
  ['in bytes', (log) => log.info({ body: Buffer.from('hunter2') }, 'x')],
])('a secret %s does not show', (_, say) => {
  const [line] = logged(say);
  expect(line).not.toContain('hunter2');
  expect(line).not.toContain(Buffer.from('hunter2').join(','));
  expect(() => JSON.parse(line ?? '')).not.toThrow();
});

test.each([
  ['a key', LIVE_KEY, 'secretpart'],
  ['an access token', `svc_at_${'live'}_secretpart`, 'secretpart'],
  ['a refresh token', `svc_rt_${'test'}_secretpart`, 'secretpart'],
  ['an authorization code', `svc_ac_${'live'}_secretpart`, 'secretpart'],
  ['a client’s secret', `svc_cs_${'secretpart'}`, 'secretpart'],
  ['the address of a connect session', `https://x.example/connect/${'t'.repeat(43)}`, 't'.repeat(43)],
  ['a signing secret', SIGNING, 'MfKQ9r8'],
  ['a session', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
])('%s does not show, in whatever text it stands', (_, secret, part) => {
  for (const say of [
    (log: Log) => log.info(`got ${secret}!`),
    (log: Log) => log.info({ note: `got ${secret}` }, 'x'),
    (log: Log) => log.info({ [`k ${1}`]: [secret] }, 'x'),
    (log: Log) => log.error({ err: new Error(secret) }, 'x'),
  ])
    expect(logged(say)[0]).not.toContain(part);
});

test('logs type, code, message and stack of an error', () => {
  const err = Object.assign(new TypeError('broken'), { code: 'E1', constraint_name: 'item_pkey', query: 'select' });
  const line = JSON.parse(logged((log) => log.error({ err }, 'fault'))[0] ?? '');
  expect(line.err).toEqual({
    type: 'TypeError',
    message: 'broken',
    code: 'E1',
    constraint: 'item_pkey',
    stack: expect.stringContaining('TypeError: broken'),
  });
});

test('members without end are cut off, not followed', () => {
  const ring: Record<string, unknown> = { name: 'ring' };
  ring.self = ring;
  expect(JSON.parse(logged((log) => log.info({ ring }, 'x'))[0] ?? '')).toMatchObject({ ring: { name: 'ring' } });
});

test.each([
  ['words that look like names', `"${'token'.repeat(200_000)}`],
  ['addresses that never end', 'x://a:'.repeat(100_000)],
  ['backslashes', `"token${'\\'.repeat(200_000)}`],
  ['beginnings of sessions', 'eyJa.'.repeat(100_000)],
])('very much of %s is cut and costs little more than its length', (_, text) => {
  const lines = logged((log) => {
    for (let at = 0; at < 3; at++) log.info({ text }, text);
  });
  for (const line of lines) expect(JSON.parse(line).text.length).toBeLessThan(9_000);
});

test('writes lines of the level and above; an unknown level is reported and read as info', () => {
  expect(logged((log) => log.info('x'), 'warn')).toEqual([]);
  expect(logged((log) => log.fatal('x'), 'silent')).toEqual([]);
  const [warning, line, ...more] = logged((log) => {
    log.info('shown');
    log.debug('not shown');
  }, 'loud');
  expect(warning).toContain('STOA_LOG_LEVEL');
  expect(line).toContain('shown');
  expect(more).toEqual([]);
});

test.skipIf(!existsSync('/dev/full'))('a process whose log is on a full disk goes on', () => {
  const script = fileURLToPath(new URL('./logging.ts', import.meta.url));
  const done = Bun.spawnSync([process.execPath, script], { stderr: openSync('/dev/full', 'w') });
  expect(done.stdout.toString()).toBe('alive');
  expect(done.exitCode).toBe(0);
});
