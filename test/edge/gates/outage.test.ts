// Tests the cache without any services host, alone and over a real edge with killed hosts, by a simulated clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { Outage } from '#edge/gates/outage.ts';
import { descriptors } from '#proto/descriptor.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary } from '#runtime/grpc/unary.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { type Child, startChild } from '#services/cli/local/child.ts';
import {
  CONNECT_MS,
  eventually,
  freshDatabase,
  freshNamespace,
  serverUrls,
  type TestDatabase,
  testLog,
} from '#test/support/server.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';

const START_MS = 1_000_000;

describe('an outage', () => {
  const open = () => {
    let forgotten = 0;
    let nowMs = START_MS;
    const outage = new Outage(
      () => forgotten++,
      () => nowMs,
    );
    return {
      outage,
      forgotten: () => forgotten,
      pass: (ms: number) => {
        nowMs += ms;
      },
    };
  };

  test('serves stale answers for 60 seconds after the last host was lost, however often a link is tried', () => {
    const { outage, forgotten, pass } = open();
    outage.linkChanged(false);
    pass(40_000);
    outage.linkChanged(false);
    expect([outage.stale, forgotten()]).toEqual([true, 0]);
    pass(19_999);
    expect(outage.stale).toBe(true);
    pass(1);
    expect([outage.stale, outage.stale, forgotten()]).toEqual([false, false, 1]);
    outage.linkChanged(false);
    expect([outage.stale, forgotten()]).toEqual([false, 1]);
  });

  test('forgets everything once a host is back, or where another one still serves', () => {
    const { outage, forgotten } = open();
    outage.linkChanged(true);
    expect([outage.stale, forgotten()]).toEqual([false, 1]);
    outage.linkChanged(false);
    outage.linkChanged(true);
    expect([outage.stale, forgotten()]).toEqual([false, 2]);
  });
});

describe('an edge without any services host', () => {
  const LIST = '/v1/products?limit=5';
  let home: string;
  let database: TestDatabase;
  let link: string;
  let environment: Record<string, string>;
  let host: Child;
  let wire: LinkClient;
  let edge: RunningEdge;
  let key: string;
  let nowMs = START_MS;

  const startHost = (): Child =>
    startChild({
      command: process.execPath,
      args: ['services/main.ts'],
      env: { ...process.env, ...environment },
      logFile: join(home, 'host.log'),
      deathSignal: 'SIGKILL',
    });
  const kill = () => host.stop([{ signal: 'SIGKILL', graceMs: 2_000 }]);
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${edge.url}${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'X-Session-Id': 'session-1', ...headers },
    });
    const { status, headers: sent } = answer;
    const [cache, warning, etag] = ['x-cache', 'warning', 'etag'].map((name) => sent.get(name));
    return { status, text: await answer.text(), cache, warning, etag };
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'stoa-outage-'));
    database = await freshDatabase();
    link = `unix:${home}/services.sock`;
    environment = {
      DATABASE_URL: database.url,
      NATS_URL: serverUrls().nats,
      STOA_NAMESPACE: freshNamespace(),
      STOA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      STOA_LINK: link,
      STOA_DATABASE_CONNECT_MS: `${CONNECT_MS}`,
    };
    host = startHost();
    wire = connectLinks({ addresses: [link], token: '', log: testLog() });
    edge = startEdge({
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      wire,
      redis: null,
      log: testLog(),
      trustedProxies: '',
      cacheBytesMax: 1024 * 1024,
      now: () => nowMs,
    });
    const client = connectUnary(link, '', new ServiceRegistry(descriptors));
    const call = { name: 'Outage', currency: 'USD', plan: 'premium' };
    const made = await eventually(async () => {
      const answer = await client.call<Keys>('StoreAdmin/CreateStore', NO_TENANT, call);
      if (answer instanceof Refusal) throw new Error(answer.message);
      return answer;
    }, 60_000);
    client.close();
    key = made.publishable_key;
    await eventually(async () => {
      const sent = { key: made.secret_key, body: { name: 'Mug', price: 9 } };
      expect((await sendTo(edge.url, 'POST', '/v1/products', sent)).status).toBe(201);
    });
  }, 120_000);
  afterAll(async () => {
    await edge?.stop();
    await wire?.close();
    await kill();
    await database?.drop();
    await rm(home, { recursive: true, force: true });
  });

  test('serves catalogue reads from its cache for 60 seconds, marked as stale, and nothing else', {
    timeout: 120_000,
  }, async () => {
    const fresh = await eventually(async () => {
      await read(LIST);
      const hit = await read(LIST);
      expect([hit.status, hit.cache, hit.warning]).toEqual([200, 'HIT', null]);
      return hit;
    });
    expect((await read('/v1/cart')).status).toBe(200);

    await kill();
    await eventually(() => expect(wire.serves('Host')).toBe(false));
    const warning = '110 - "Response is Stale"';
    expect(await read(LIST)).toEqual({ ...fresh, cache: 'STALE', warning });
    expect(await read('/v1/products?limit=5&utm_source=mail')).toMatchObject({ text: fresh.text, cache: 'STALE' });
    expect(await read(LIST, { 'If-None-Match': fresh.etag! })).toMatchObject({ status: 304, cache: 'STALE', warning });
    for (const path of ['/v1/cart', '/v1/products?limit=6', '/v1/health'])
      expect((await read(path)).status, path).toBe(503);
    // A key that this edge has never seen.
    expect((await read(LIST, { Authorization: `Bearer svc_pk_live_${'x'.repeat(40)}` })).status).toBe(503);

    nowMs += 59_999;
    expect((await read(LIST)).cache).toBe('STALE');
    nowMs += 1;
    expect((await read(LIST)).status).toBe(503);

    await rm(link.slice('unix:'.length), { force: true });
    host = startHost();
    await eventually(
      async () => expect(await read(LIST)).toMatchObject({ status: 200, cache: 'MISS', warning: null }),
      60_000,
    );
    expect((await read(LIST)).cache).toBe('HIT');
  });
});
