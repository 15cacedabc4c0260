// Views on their way from the edge to the services: together, bounded, and in no caller's way.
import { describe, expect, test } from 'vitest';
import type { Principal } from '#edge/gates/principal.ts';
import { RequestContext } from '#edge/request_context.ts';
import { Views } from '#edge/view.ts';
import type { CountViewsRequest } from '#proto/gen/content.ts';
import { refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Answer, Ask, LinkClient } from '#runtime/link/frame.ts';
import { testLog } from '#test/support/server.ts';

const tenantOf = (store: string): Tenant => ({ store, environment: 'production' });

/** Services that answer when they are let. */
class Slow implements LinkClient {
  readonly asks: Ask[] = [];
  readonly #waiting: (() => void)[] = [];
  refusing = false;

  ask(ask: Ask): Promise<Answer> {
    this.asks.push(ask);
    const refused = this.refusing ? refuse('service_unavailable', 'Down.') : null;
    const answer = { body: new TextEncoder().encode('{}'), dependsOn: [], replayed: false, refused };
    return new Promise((go) => this.#waiting.push(() => go(answer)));
  }
  letAll(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
  get sentViews() {
    return this.asks.map(({ input, caller }) => ({
      tenant: tenantKey(caller.tenant),
      views: (JSON.parse(input) as CountViewsRequest).views,
    }));
  }
  listen(): void {}
  serves = (): boolean => true;
  cancelWaits = (): void => {};
  close = async (): Promise<void> => {};
}

const contextOf = (
  store: string,
  headers: Record<string, string> = {},
  method = 'GET',
  keyType = 'publishable',
): RequestContext => {
  const made = new RequestContext(new Request('http://localhost/', { headers, method }), 'r');
  made.principal = { tenant: tenantOf(store), keyType } as Principal;
  return made;
};

/** Waits until the deferred sends have run. */
const nextTurn = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns++) await new Promise((done) => setImmediate(done));
};
const ADDRESS = '2001:db8:1:2:3::4';

const given = () => {
  const services = new Slow();
  const views = new Views(services, testLog());
  const note = (of: RequestContext, { search = '', status = 200, slug = 'a' } = {}): void =>
    views.note('post', slug, search, of, status, () => ADDRESS);
  return { services, views, note };
};

describe('views', () => {
  test('sends the views of one tick in one call per tenant', async () => {
    const { services, note } = given();
    note(contextOf('s', { 'X-Visitor-Id': 'ann', 'X-Session-Id': 'one' }));
    note(contextOf('t', { 'User-Agent': 'A' }), { status: 304, slug: 'b' });
    note(contextOf('s'), { search: 'fields=id&visitor_id=b%20b&session_id=two' });
    await nextTurn();
    const of = { kind: 'post', slug: 'a', network: '', agent: '' };
    expect(services.sentViews).toEqual([
      {
        tenant: 's/production',
        views: [
          { ...of, visitor: 'ann', session: 'one' },
          { ...of, visitor: 'b b', session: 'two' },
        ],
      },
      {
        tenant: 't/production',
        views: [{ kind: 'post', slug: 'b', visitor: '', session: '', network: '2001:db8:1:2::/64', agent: 'A' }],
      },
    ]);
  });

  test.each([
    ['with a secret key', contextOf('s', {}, 'GET', 'secret'), 200],
    ['without a body', contextOf('s', {}, 'HEAD'), 200],
    ['of nothing', contextOf('s'), 404],
    ['refused', contextOf('s'), 429],
  ])('%s are none', async (_name, of, status) => {
    const { services, note } = given();
    note(of, { status });
    await nextTurn();
    expect(services.asks).toEqual([]);
  });

  test('wait for one another where many calls are under way, and are lost where too many wait', async () => {
    const { services, views, note } = given();
    for (let turn = 0; turn < 20; turn++) {
      note(contextOf('s'));
      await nextTurn();
    }
    expect(services.asks).toHaveLength(8);
    for (let more = 0; more < 20_000; more++) note(contextOf('s'));
    services.letAll();
    await nextTurn();
    const closed = views.close();
    for (let turn = 0; turn < 10; turn++) {
      services.letAll();
      await nextTurn();
    }
    await closed;
    const counts = services.sentViews.map((sentViews) => sentViews.views.length);
    expect(Math.max(...counts)).toBe(1_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8 + 10_000);
  });

  test('drops views that cannot be sent', async () => {
    const { services, views, note } = given();
    services.refusing = true;
    note(contextOf('s'));
    const closed = views.close();
    services.letAll();
    await closed;
    expect(services.asks).toHaveLength(1);
  });
});
