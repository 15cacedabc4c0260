// Calls whose work is bounded wait at the edge: so many are under way, a few wait, and of the others no process behind the edge
// hears anything.
import { beforeEach, expect, test } from 'vitest';
import { createEdge } from '#edge/edge.ts';
import { Pipeline } from '#edge/pipeline.ts';
import { RequestContext } from '#edge/request_context.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';
import { answerOf, Owners } from './owner.ts';
import { keyText, principalOfHash, routeOf } from './stand_in.ts';

const AT_ONCE = 2;
/** Concurrency and queue length of one edge. */
const ROOM = AT_ONCE + 56;

/** Simulates owners of limits and an endpoint that answers on demand. */
class Services extends Owners {
  /** Calls under way. */
  readonly held: (() => void)[] = [];
  takes = 0;
  override async ask(ask: Ask): Promise<Answer> {
    if (ask.rpc === 'StoreDirectory/ResolveKey')
      return answerOf({ principal: principalOfHash(JSON.parse(ask.input).key_hash) });
    if (ask.rpc !== 'Test/Echo') {
      this.takes++;
      return super.ask(ask);
    }
    await new Promise<void>((done) => this.held.push(done));
    return answerOf({ ok: true });
  }
}

const open = () => {
  const services = new Services();
  const edge = createEdge({ wire: services, redis: null, log: testLog(), trustedProxies: '', cacheBytesMax: 1_000 });
  const route = routeOf({ session: 'none', path: '/v1/auth/login', verb: 'POST' });
  const pipeline = new Pipeline(
    { ...route, access: { ...route.access, key: 'secret' }, limit: 'auth', at_once: AT_ONCE },
    edge,
    () => '',
  );
  const send = async (address: string, authorization = keyText('secret')): Promise<Response> => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
    const request = new Request('http://localhost/v1/auth/login', { method: 'POST', headers, body: '{}' });
    return pipeline.serve(new RequestContext(request, 'r'), { path: '/v1/auth/login', search: '' }, {}, () => address);
  };
  /** Answers calls under way until all given ones are answered. */
  const answer = async (all: readonly Promise<Response>[]): Promise<number[]> => {
    let over = false;
    const statuses = Promise.all(all.map(async (each) => (await each).status)).finally(() => {
      over = true;
    });
    while (!over) {
      for (const done of services.held.splice(0)) done();
      await Bun.sleep(1);
    }
    return statuses;
  };
  return { services, send, answer };
};

const crowd = (send: (address: string) => Promise<Response>, size: number): Promise<Response>[] =>
  Array.from({ length: size }, (_, n) => send(`203.0.113.${n}`));

beforeEach(() => awayFromWindowEnd('auth_minute', 10_000));

test('limits calls under way, queues others in order, and asks no services host for refused ones', async () => {
  const { services, send, answer } = open();
  await answer([send('203.0.113.254')]);
  services.takes = 0;
  const admitted = crowd(send, ROOM);
  await eventually(() => expect(services.held).toHaveLength(AT_ONCE));
  const refused = await Promise.all(crowd(send, 20));
  for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect([services.takes, services.held.length]).toEqual([AT_ONCE, AT_ONCE]);

  expect(await answer(admitted)).toEqual(Array(ROOM).fill(200));
  expect(services.takes).toBe(ROOM);
  expect(await answer([send('203.0.113.1')])).toEqual([200]);
});

test('charges no attempt to a call refused by a full queue, and refuses denied or limited calls at once', async () => {
  const { services, send, answer } = open();
  const tries = (count: number) => Array.from({ length: count }, () => send('203.0.113.200'));
  expect(await answer(tries(9))).toEqual(Array(9).fill(200));
  const admitted = crowd(send, ROOM);
  await eventually(() => expect(services.held).toHaveLength(AT_ONCE));
  expect((await Promise.all(tries(5))).map(({ status }) => status)).toEqual(Array(5).fill(503));
  expect((await send('203.0.113.200', keyText('publishable'))).status).toBe(403);
  expect((await send('203.0.113.200', 'Bearer no')).status).toBe(401);
  await answer(admitted);

  expect(await answer(tries(2))).toEqual([200, 429]);
  const more = crowd(send, AT_ONCE);
  await eventually(() => expect(services.held).toHaveLength(AT_ONCE));
  expect((await send('203.0.113.200')).status).toBe(429);
  await answer(more);
});
