// Refusals that stand for a moment: how long and for whom; and at an edge, that nobody behind it hears of a call that one
// stands against.
import { beforeEach, describe, expect, test } from 'vitest';
import { createEdge } from '#edge/edge.ts';
import { Standing } from '#edge/gates/standing.ts';
import { Pipeline } from '#edge/pipeline.ts';
import { Visit } from '#edge/visit.ts';
import { refuse } from '#runtime/call.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import { testLog } from '#test/support/server.ts';
import { farFromEnd } from '#test/support/window.ts';
import { answerOf, Owners } from './owner.ts';
import { keyText, LIVE, principalOfHash, routeOf, SANDBOX } from './stand_in.ts';

const RPC = 'Auth/Login';
const FULL = refuse('service_unavailable', 'No room.', { retryAfterS: 2, standsMs: 250 });

describe('a refusal that stands', () => {
  const open = () => {
    let now = 0;
    const standing = new Standing(() => now);
    const pass = (ms: number): void => {
      now += ms;
    };
    return { standing, pass };
  };

  test('is said for as long as the services said', () => {
    const { standing, pass } = open();
    expect(standing.refusal(RPC, LIVE)).toBeNull();
    standing.learn(RPC, LIVE, FULL);
    pass(249);
    expect(standing.refusal(RPC, LIVE)).toBe(FULL);
    pass(1);
    expect(standing.refusal(RPC, LIVE)).toBeNull();
  });

  test('stands against nothing else', () => {
    const { standing } = open();
    standing.learn(RPC, LIVE, FULL);
    expect([standing.refusal('Auth/Logout', LIVE), standing.refusal(RPC, SANDBOX)]).toEqual([null, null]);
  });

  test('is one that the services said stands', () => {
    const { standing } = open();
    standing.learn(RPC, LIVE, refuse('service_unavailable', 'Down.', { retryAfterS: 1 }));
    expect(standing.refusal(RPC, LIVE)).toBeNull();
  });
});

/** Owners of limits, and an endpoint that has room or has not. */
class Services extends Owners {
  full = false;
  readonly heard: string[] = [];
  override async ask(ask: Ask): Promise<Answer> {
    if (ask.rpc === 'StoreDirectory/ResolveKey')
      return answerOf({ principal: principalOfHash(JSON.parse(ask.input).key_hash) });
    this.heard.push(ask.rpc);
    if (ask.rpc === 'Test/Echo') return this.full ? answerOf(null, FULL) : answerOf({ ok: true });
    return super.ask(ask);
  }
}

describe('where there is no room for a call', () => {
  beforeEach(() => farFromEnd('auth_minute', 2_000));

  const open = () => {
    const services = new Services();
    let now = 0;
    const edge = {
      ...createEdge({ wire: services, redis: null, log: testLog(), trustedProxies: '', cacheBytesMax: 1_000 }),
      standing: new Standing(() => now),
    };
    const route = routeOf({ session: 'none', path: '/v1/auth/login', verb: 'POST' });
    const pipeline = new Pipeline({ ...route, access: { ...route.access, key: 'secret' }, limit: 'auth' }, edge);
    const send = async (address: string, authorization = keyText('secret')): Promise<Response> => {
      const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
      const request = new Request('http://localhost/v1/auth/login', { method: 'POST', headers, body: '{}' });
      return pipeline.serve(new Visit(request, 'r'), { path: '/v1/auth/login', search: '' }, {}, () => address);
    };
    const pass = (ms: number): void => {
      now += ms;
    };
    return { services, send, pass };
  };

  test('the services and the limit’s owner hear of the first one alone, until the moment is over', async () => {
    const { services, send, pass } = open();
    services.full = true;
    expect((await send('203.0.113.1')).status).toBe(503);
    expect(services.heard).toEqual(['Limit/Take', 'Test/Echo']);

    for (let n = 2; n < 20; n++) {
      const refused = await send(`203.0.113.${n}`);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    }
    expect(services.heard).toHaveLength(2);

    services.full = false;
    pass(250);
    expect((await send('203.0.113.2')).status).toBe(200);
    expect(services.heard).toHaveLength(4);
  });

  test('what did not come through is no attempt, and what did still counts', async () => {
    const { services, send, pass } = open();
    const statusOf = async (): Promise<number> => (await send('203.0.113.1')).status;
    for (let n = 0; n < 9; n++) expect(await statusOf()).toBe(200);
    services.full = true;
    for (let n = 0; n < 5; n++) expect(await statusOf()).toBe(503);
    services.full = false;
    pass(250);
    expect(await statusOf()).toBe(429);
    expect((await send('203.0.113.2')).status).toBe(200);
  });

  test('whom his key keeps out is told that', async () => {
    const { services, send } = open();
    services.full = true;
    await send('203.0.113.1');
    expect((await send('203.0.113.1', keyText('publishable'))).status).toBe(403);
    expect((await send('203.0.113.1', 'Bearer no')).status).toBe(401);
  });
});
