// Tests limits on password resets with a publishable key: always refused, and with 429 above 10 attempts per email
// and client or 30 per client in 15 minutes.
import { beforeEach, expect, test } from 'vitest';
import { createEdge } from '#edge/edge.ts';
import { resetLeases } from '#edge/gates/reset.ts';
import { Throttle } from '#edge/gates/throttle.ts';
import { Pipeline } from '#edge/pipeline.ts';
import { RequestContext } from '#edge/request_context.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import { testLog } from '#test/support/server.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';
import { answerOf, Owners } from './owner.ts';
import { keyText, principalOfHash, routeOf } from './stand_in.ts';

/** Owners of limits that know the keys of the test, too. */
class Services extends Owners {
  override async ask(ask: Ask): Promise<Answer> {
    if (ask.rpc === 'StoreDirectory/ResolveKey')
      return answerOf({ principal: principalOfHash(JSON.parse(ask.input).key_hash) });
    if (ask.rpc === 'Test/Echo') return answerOf({ ok: true });
    return super.ask(ask);
  }
}

beforeEach(() => awayFromWindowEnd('auth_minute', 10_000));

const request = (body: string, type: 'publishable' | 'secret' = 'publishable'): Request =>
  new Request('http://localhost/v1/auth/reset-password', {
    method: 'POST',
    headers: { Authorization: keyText(type), 'Content-Type': 'application/json' },
    body,
  });
const naming = (email: string): string => JSON.stringify({ email });

test('tries are counted by address, and by address and e-mail address however it is written', async () => {
  const throttle = new Throttle(new Owners());
  const leases = (body: string, address = '203.0.113.1') => resetLeases(throttle, 's', address, request(body));
  const [client, pair] = await leases(naming('Ada@Example.com'));
  expect([client?.limit, pair?.limit]).toEqual([30, 10]);
  expect(await leases(naming('ADA@example.COM'))).toEqual([client, pair]);
  const [same, other] = await leases(naming('bob@example.com'));
  expect([same === client, other === pair]).toEqual([true, false]);
  expect((await leases(naming('ada@example.com'), '203.0.113.2')).some((each) => each === client)).toBe(false);
  // A body without an email address counts too.
  const [, unnamed] = await leases('[');
  expect((await leases('{}'))[1]).toBe(unnamed);

  let admitted = 0;
  for (let n = 0; n < 40; n++)
    if ((await throttle.settle(await leases(naming(`${n % 5}@example.com`)))) === null) admitted++;
  expect(admitted).toBe(30);
  const elsewhere = await leases(naming('ada@example.com'), '203.0.113.3');
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => throttle.settle(elsewhere)));
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
});

test('a try with a publishable key is 403, past the limit 429', async () => {
  const services = new Services();
  const edge = createEdge({ wire: services, redis: null, log: testLog(), trustedProxies: '', cacheBytesMax: 1_000 });
  const route = routeOf({ session: 'none', path: '/v1/auth/reset-password', verb: 'POST' });
  const pipeline = new Pipeline(
    { ...route, access: { ...route.access, key: 'secret' }, limit: 'reset' },
    edge,
    () => '',
  );
  const send = async (address: string, type: 'publishable' | 'secret' = 'publishable') => {
    const context = new RequestContext(request(naming('ada@example.com'), type), 'r');
    return pipeline.serve(context, { path: '/v1/auth/reset-password', search: '' }, {}, () => address);
  };
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await send('203.0.113.1')).status);
  expect(statuses).toEqual([...Array(10).fill(403), 429]);
  expect((await send('203.0.113.1')).headers.get('x-ratelimit-scope')).toBe('abuse');
  expect((await send('203.0.113.2')).status).toBe(403);
  expect((await send('203.0.113.2', 'secret')).status).toBe(200);
  services.away = true;
  expect((await send('203.0.113.4')).status).toBe(503);
});
