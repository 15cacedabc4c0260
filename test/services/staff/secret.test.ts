// Secrets of staff stay out of logs and of the record of requests, on the way in and out.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { createLog } from '#runtime/process/log.ts';
import { hashRecoveryCode, newInvitationToken, newLinkToken, newRecoveryCodes } from '#services/staff/secret.ts';
import {
  type Call,
  codeAt,
  cookieOf,
  dashboard,
  invite,
  newEmail,
  PASSWORD,
  tokenIn,
} from '#test/services/staff/client.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';

const lines: string[] = [];
const log = createLog({ name: 'test', level: 'trace', write: (line) => void lines.push(line) });

let stoa: Stoa;
let edge: RunningEdge;
let wire: LinkClient;
beforeAll(async () => {
  stoa = await startStoa({ log });
  wire = connectLinks({ addresses: [stoa.services.address], token: '', log });
  const options = { host: '127.0.0.1', port: 0, publicUrl: null, redis: null, cacheBytesMax: 1_000_000 };
  edge = startEdge({ ...options, wire, log, trustedProxies: '127.0.0.1', accessLog: 'all' });
  await eventually(async () => expect((await fetch(`${edge.url}/v1/health`)).status).toBe(200));
});
afterAll(async () => {
  await edge?.stop();
  await wire?.close();
  await stoa?.stop();
});

const send = (method: string, path: string, call: Call = {}) =>
  dashboard(stoa, method, path, { ...call, url: edge.url });

test('tokens and recovery codes differ, and a code counts however it is typed', () => {
  expect(new Set([newInvitationToken(), newInvitationToken(), newLinkToken(), newLinkToken()]).size).toBe(4);
  const [code] = newRecoveryCodes();
  expect(hashRecoveryCode(` ${code!.toUpperCase().replaceAll('-', ' ')}`)).toEqual(hashRecoveryCode(code!));
});

test('no log and no recorded request holds a password, token, cookie or code', async () => {
  const keys = await stoa.createStore();
  const email = newEmail();
  const { link } = (await invite(stoa, keys, { email, role: 'owner' })).body;
  const token = tokenIn(link);
  const accept = { token, password: PASSWORD };
  const cookie = cookieOf(await send('POST', '/v1/staff/invitations/accept', { body: accept }));
  await send('POST', '/v1/staff/invitations/accept', { body: accept });
  const { secret } = (await send('POST', '/v1/staff/session/totp', { cookie })).body;
  const code = codeAt(secret, Date.now());
  const confirm = { code };
  const { recovery_codes } = (await send('POST', '/v1/staff/session/totp/confirm', { cookie, body: confirm })).body;
  await send('POST', '/v1/staff/session/totp/confirm', { cookie, body: confirm });
  for (const more of [{ totp: code }, { recovery_code: recovery_codes[0] }, { password: `${PASSWORD}!` }])
    await send('POST', '/v1/staff/session', { body: { email, password: PASSWORD, ...more } });
  await send('DELETE', `/v1/staff/session/totp?code=${recovery_codes[1]}x`, { cookie });
  await fetch(`${edge.url}/dashboard/invitation?token=${token}`);
  const activity = await sendTo(edge.url, 'GET', '/v1/console/activity', { key: keys.secret_key });
  const recorded: string[] = [activity.text];
  for (const { request_id } of activity.body.requests)
    recorded.push((await sendTo(edge.url, 'GET', `/v1/console/requests/${request_id}`, { key: keys.secret_key })).text);
  expect(recorded.length).toBeGreaterThan(3);
  const written = [...lines, ...recorded].join('\n');
  expect(written).toContain('/v1/staff/session');
  for (const hidden of [PASSWORD, token, cookie.split('=')[1]!, secret, code, ...recovery_codes])
    expect(written.includes(hidden), hidden).toBe(false);
});
